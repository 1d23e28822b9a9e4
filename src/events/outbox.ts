import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../database.ts'

/** What happened, thin: ids and states, never a CPF or a name. */
export interface Happening {
  readonly type: string
  readonly data: Readonly<Record<string, string>>
}

/**
 * Writes events of one company into the outbox, inside the transaction of what happened.
 * @param at timestamp of the events; they tell of one instant.
 */
export async function writeEvents(sql: Sql, companyId: string, at: Date, events: readonly Happening[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    id: uuidv7(),
    type: event.type,
    data: { 'company-id': companyId, ...event.data },
  }))
  await sql.run(
    `insert into event (company_id, id, type, at, data)
     select $1, e.id, e.type, $2, e.data
     from json_to_recordset($3::json) as e(id uuid, type text, data jsonb)`,
    [companyId, at, JSON.stringify(rows)],
  )
}
