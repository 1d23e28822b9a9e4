import type { Sql } from '../platform/database.ts'
import { operatorEnrollmentJson, productOfEnrollment } from './queries.ts'

export interface QueueFilter {
  readonly status: string | null
  readonly enrollmentType: string | null
  readonly companyTaxId: string | null
  readonly carrierName: string | null
  readonly memberTaxId: string | null
}

const columns: readonly [keyof QueueFilter, (place: number) => string][] = [
  ['status', (place) => `e.status = $${place}`],
  ['enrollmentType', (place) => `e.enrollment_type = $${place}`],
  ['companyTaxId', (place) => `e.company_id = (select id from company where tax_id = $${place})`],
  ['carrierName', (place) => `p.carrier_name = $${place}`],
  ['memberTaxId', (place) => `e.member_tax_id = $${place}`],
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
  const asked = columns.filter(([name]) => filter[name] !== null)
  const conditions = asked.map(([, condition], n) => condition(n + 3))
  const from = `from enrollment e join product p on ${productOfEnrollment}
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`
  const rows = await sql.rows<{ total: number; items: string }>(
    `select (select count(*) ${from}) as total,
       (select coalesce(json_agg(${operatorEnrollmentJson} order by e.created_at, e.id), '[]')::text
        from (select e.* ${from} order by e.created_at, e.id limit $1 offset $2) e
        join company c on c.id = e.company_id
        join product p on ${productOfEnrollment}) as items`,
    [bounds.limit, bounds.offset, ...asked.map(([name]) => filter[name])],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
