import { byCompany } from '#platform/core/by-company.ts'
import type { Sql } from '#platform/core/database.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import type { ItemSide } from '#kernel/broker-enums.ts'
import type { ShipmentKey } from './write.ts'

/** An item whose movement cannot go to the carrier any more. */
export interface ChangedItem {
  readonly 'enrollment-id': string
  readonly position: number
  readonly status: EnrollmentStatus
}

/** The items of a closed shipment whose movements were cancelled or changed since: how many, and the first. */
export async function readChangedItems(
  sql: Sql,
  { companyId, id }: ShipmentKey,
  limit: number,
): Promise<{ readonly total: number; readonly items: readonly ChangedItem[] }> {
  const companies = await sql.query<{ id: string }>(
    'select distinct movement_company_id as id from shipment_item where company_id = $1 and shipment_id = $2',
    [companyId, id],
  )
  let total = 0
  const items: ChangedItem[] = []
  for (const company of companies) {
    const [found] = await sql.queryPlanned<{ total: number; items: ChangedItem[] }>(
      `with item as materialized (
         select enrollment_id, position from shipment_item
         where company_id = $1 and shipment_id = $2 and movement_company_id = $4 and status = 'ready' and side is distinct from 'leaving'
       ), changed as materialized (
         select enrollment.id, item.position, enrollment.status from item
         join enrollment on enrollment.company_id = $4 and enrollment.id = item.enrollment_id
         where enrollment.status not in ('scheduled', 'created', 'broker-processing', 'carrier-processing')
       )
       select (select count(*) from changed) as total,
         (select coalesce(json_agg(json_build_object('enrollment-id', id, 'position', position, 'status', status)), '[]')
          from (select * from changed order by position limit $3) first) as items`,
      [companyId, id, limit, company.id],
    )
    total += found?.total ?? 0
    items.push(...(found?.items ?? []))
  }
  return { total, items: items.toSorted((a, b) => a.position - b.position).slice(0, limit) }
}

export interface ReadyItem {
  /** The company of the movement. */
  readonly companyId: string
  readonly enrollmentId: string
  readonly familyId: string
  readonly side: ItemSide | null
}

/** The first items of a sent shipment whose movements have not been moved. */
export async function readReadyItems(sql: Sql, { companyId, id }: ShipmentKey, limit: number): Promise<ReadyItem[]> {
  const items = await sql.queryPlanned<Omit<ReadyItem, 'familyId'>>(
    `select movement_company_id as "companyId", enrollment_id as "enrollmentId", side from shipment_item
     where company_id = $1 and shipment_id = $2 and status = 'ready' order by position limit $3`,
    [companyId, id, limit],
  )
  const families = new Map<string, string>()
  for (const [ofCompany, own] of byCompany(items)) {
    const rows = await sql.query<{ id: string; familyId: string }>(
      `select id, coalesce(primary_member_id, member_id) as "familyId" from enrollment where company_id = $1 and id = any($2::uuid[])`,
      [ofCompany, own.map(({ enrollmentId }) => enrollmentId)],
    )
    for (const row of rows) families.set(row.id, row.familyId)
  }
  return items.flatMap((item) => {
    const familyId = families.get(item.enrollmentId)
    return familyId === undefined ? [] : [{ ...item, familyId }]
  })
}

/** The statuses of movements, whose families must be locked. */
export async function readStatuses(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, EnrollmentStatus>> {
  const rows = await sql.query<{ id: string; status: EnrollmentStatus }>(
    'select id, status from enrollment where company_id = $1 and id = any($2::uuid[])',
    [companyId, ids],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}
