import type { Sql } from '../platform/database.ts'
import { operatorEnrollmentJson, productOfEnrollment } from './queries.ts'

export interface QueueFilter {
  readonly status: string | null
  readonly enrollmentType: string | null
  readonly companyTaxId: string | null
  readonly carrierName: string | null
  readonly memberTaxId: string | null
}

const columns: readonly [keyof QueueFilter, (index: number) => string][] = [
  ['status', (index) => `e.status = $${index}`],
  ['enrollmentType', (index) => `e.enrollment_type = $${index}`],
  ['companyTaxId', (index) => `e.company_id = (select id from company where tax_id = $${index})`],
  ['carrierName', (index) => `p.carrier_name = $${index}`],
  ['memberTaxId', (index) => `e.member_tax_id = $${index}`],
]

/**
 * A page of the operator's queue, oldest first, and its total, from one snapshot. Operators see every company. The statement has only
 * the conditions of the filter, so that each combination has its own plan.
 */
export async function listEnrollmentQueue(
  sql: Sql,
  filter: QueueFilter,
  bounds: { limit: number; offset: number },
): Promise<{ total: number; items: string }> {
  const selected = columns.filter(([name]) => filter[name] !== null)
  const conditions = selected.map(([, condition], n) => condition(n + 3))
  const from = `from enrollment e join product p on ${productOfEnrollment}
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`
  const rows = await sql.query<{ total: number; items: string }>(
    `select (select count(*) ${from}) as total,
       (select coalesce(json_agg(${operatorEnrollmentJson} order by e.created_at, e.id), '[]')::text
        from (select e.* ${from} order by e.created_at, e.id limit $1 offset $2) e
        join company c on c.id = e.company_id
        join product p on ${productOfEnrollment}) as items`,
    [bounds.limit, bounds.offset, ...selected.map(([name]) => filter[name])],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
