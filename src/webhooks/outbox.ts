import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../platform/database.ts'
import { idsInOrder } from '../platform/uuid.ts'

/** What happened, thin: ids and states, never a CPF or a name. */
export interface DomainEvent {
  readonly type: string
  readonly data: Readonly<Record<string, string>>
}

/**
 * Writes events of one company into the outbox, inside the transaction of what happened, and one row that says they are still
 * to be told. No NOTIFY: it would make commits wait for each other; whoever tells looks by itself.
 * @param at timestamp of the events; they tell of one instant.
 */
export async function writeEvents(
  sql: Sql,
  companyId: string,
  at: Date,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return
  const ids = idsInOrder(events.length)
  const rows = events.map((event, index) => ({
    id: ids[index],
    type: event.type,
    data: { 'company-id': companyId, ...event.data },
  }))
  const batch = batchOf(ids)
  await sql.run(
    `with batch as (${insertBatch('$1::uuid', '$4::uuid[]', '$5::int')})
     insert into event (company_id, id, type, at, data)
     select $1::uuid, e.id, e.type, $2::timestamptz, e.data
     from json_to_recordset($3::json) as e(id uuid, type text, data jsonb)`,
    [companyId, at, JSON.stringify(rows), batch, rows.length],
  )
}

/** For `insertBatch`: an id, and the range of the events' ids, which were made in a row. */
export function batchOf(eventIds: readonly string[]): string[] {
  return [uuidv7(), eventIds[0] ?? '', eventIds.at(-1) ?? '']
}

/** SQL that notes a range of a company's events as still to be told; it stands beside the insert of those events. */
export function insertBatch(company: string, batch: string, count: string): string {
  return `insert into event_batch (id, company_id, first_id, last_id, events)
       values ((${batch})[1], ${company}, (${batch})[2], (${batch})[3], ${count})`
}
