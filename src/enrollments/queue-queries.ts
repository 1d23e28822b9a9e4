import type { Sql } from '../platform/database.ts'
import { operatorEnrollmentJson, productOfEnrollment } from './queries.ts'

export interface QueueFilter {
  readonly status: string | null
  readonly enrollmentType: string | null
  readonly companyTaxId: string | null
  readonly carrierName: string | null
  readonly memberTaxId: string | null
}

const columns: readonly [keyof QueueFilter, (placeholder: number) => string][] = [
  ['status', (placeholder) => `e.status = $${placeholder}`],
  ['enrollmentType', (placeholder) => `e.enrollment_type = $${placeholder}`],
  ['companyTaxId', (placeholder) => `e.company_id = (select id from company where tax_id = $${placeholder})`],
  ['carrierName', (placeholder) => `p.carrier_name = $${placeholder}`],
  ['memberTaxId', (placeholder) => `e.member_tax_id = $${placeholder}`],
]

/**
 * A page of the operator's queue, oldest first, and how many there are, of one moment. Operators see every company. Only the
 * conditions that are asked stand in the statement, so that each combination has a plan of its own.
 */
export async function listEnrollmentQueue(
  sql: Sql,
  filter: QueueFilter,
  bounds: { limit: number; offset: number },
): Promise<{ total: number; items: string }> {
  const requested = columns.filter(([name]) => filter[name] !== null)
  const conditions = requested.map(([, condition], n) => condition(n + 3))
  const from = `from enrollment e join product p on ${productOfEnrollment}
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`
  const rows = await sql.query<{ total: number; items: string }>(
    `select (select count(*) ${from}) as total,
       (select coalesce(json_agg(${operatorEnrollmentJson} order by e.created_at, e.id), '[]')::text
        from (select e.* ${from} order by e.created_at, e.id limit $1 offset $2) e
        join company c on c.id = e.company_id
        join product p on ${productOfEnrollment}) as items`,
    [bounds.limit, bounds.offset, ...requested.map(([name]) => filter[name])],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
