import type { Sql } from '#platform/core/database.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import type { ItemSide } from '#kernel/operator-enums.ts'
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
): Promise<{ readonly total: number; readonly items: ChangedItem[] }> {
  const [found] = await sql.queryPlanned<{ total: number; items: ChangedItem[] }>(
    `with changed as materialized (
       select enrollment.id, shipment_item.position, enrollment.status from shipment_item
       join enrollment on enrollment.company_id = shipment_item.company_id and enrollment.id = shipment_item.enrollment_id
       where shipment_item.company_id = $1 and shipment_item.shipment_id = $2 and shipment_item.status = 'ready'
         and shipment_item.side is distinct from 'leaving' and enrollment.status not in ('scheduled', 'created', 'broker-processing', 'carrier-processing')
     )
     select (select count(*) from changed) as total,
       (select coalesce(json_agg(json_build_object('enrollment-id', id, 'position', position, 'status', status) order by position), '[]')
        from (select * from changed order by position limit $3) first) as items`,
    [companyId, id, limit],
  )
  return found ?? { total: 0, items: [] }
}

export interface ReadyItem {
  readonly enrollmentId: string
  readonly familyId: string
  readonly side: ItemSide | null
}

/** The first items of a sent shipment whose movements have not been moved. */
export async function readReadyItems(sql: Sql, { companyId, id }: ShipmentKey, limit: number): Promise<ReadyItem[]> {
  return sql.queryPlanned<ReadyItem>(
    `select enrollment.id as "enrollmentId", coalesce(enrollment.primary_member_id, enrollment.member_id) as "familyId", shipment_item.side
     from shipment_item join enrollment on enrollment.company_id = shipment_item.company_id and enrollment.id = shipment_item.enrollment_id
     where shipment_item.company_id = $1 and shipment_item.shipment_id = $2 and shipment_item.status = 'ready'
     order by shipment_item.position limit $3`,
    [companyId, id, limit],
  )
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
