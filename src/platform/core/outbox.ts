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
  // The time is that of the database's clock: the list of events compares the ids with it.
  const ids = idsInOrder(events.length, sql.now().getTime())
  const subjects = await readSubjects(sql, companyId, events)
  const rows = events.map((event, index) => ({
    id: ids[index],
    type: event.type,
    data: { 'company-id': companyId, ...event.data, ...subjects.get(subjectOf(event) ?? '') },
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

/** The enrollment or the benefit of an event. */
function subjectOf({ data }: DomainEvent): string | undefined {
  if ('enrollment-id' in data) return data['enrollment-id']
  return 'benefit-id' in data ? data['benefit-id'] : undefined
}

/**
 * What events of enrollments and benefits have besides, by the id of the enrollment or benefit. It is read when they are written: no event is
 * without it. The product of a change of plan is the new one.
 */
async function readSubjects(
  sql: Sql,
  companyId: string,
  events: readonly DomainEvent[],
): Promise<ReadonlyMap<string, object>> {
  const ids = [...new Set(events.flatMap((event) => subjectOf(event) ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: string; data: object }>(
    `select subject.id, json_build_object('company-tax-id', company.tax_id, 'product-id', subject.product_id, 'member-id', subject.member_id) as data
     from company join (
       select company_id, id, coalesce(destination_product_id, product_id) as product_id, member_id
       from enrollment where company_id = $1 and id = any($2::uuid[])
       union all
       select company_id, id, product_id, member_id from benefit where company_id = $1 and id = any($2::uuid[])
     ) subject on subject.company_id = company.id
     where company.id = $1`,
    [companyId, ids],
  )
  return new Map(rows.map(({ id, data }) => [id, data]))
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
