import { v7 as uuidv7 } from 'uuid'
import type { DomainEvent } from './events.ts'
import type { Sql } from './database.ts'
import { idsInOrder } from './uuid.ts'

/**
 * Writes events of one company into the outbox, in the transaction of the write they report, and one batch row that makes the dispatcher
 * fan them out. The dispatcher polls: NOTIFY would serialize the commits.
 * @param at the timestamp of all the events.
 */
export async function writeEvents(
  sql: Sql,
  companyId: string,
  at: Date,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return
  // Of the database's clock: the list of events compares them with it.
  const ids = idsInOrder(events.length, sql.now().getTime())
  const rows = events.map((event, index) => ({
    id: ids[index],
    type: event.type,
    data: { 'company-id': companyId, ...event.data },
  }))
  const batch = batchOf(ids)
  await sql.execute(
    `with batch as (${insertBatch('$1::uuid', '$4::uuid[]', '$5::int')})
     insert into event (company_id, id, type, at, data)
     select $1::uuid, id, type, $2::timestamptz, data
     from json_to_recordset($3::json) as sent(id uuid, type text, data jsonb)`,
    [companyId, at, JSON.stringify(rows), batch, rows.length],
  )
}

/** The array parameter of `insertBatch`: an id, the first and the last event id. The ids must be in ascending order. */
function batchOf(eventIds: readonly string[]): string[] {
  return [uuidv7(), eventIds[0] ?? '', eventIds.at(-1) ?? '']
}

/** SQL that inserts the batch row of a range of a company's events, for the statement that inserts those events. */
function insertBatch(company: string, batch: string, count: string): string {
  return `insert into event_batch (id, company_id, first_id, last_id, events)
       values ((${batch})[1], ${company}, (${batch})[2], (${batch})[3], ${count})`
}
