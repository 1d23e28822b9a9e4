import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#platform/core/database.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import { holdsText } from '#kernel/search.ts'
import type { CarrierInput } from './schema.ts'

/** SQL of a Carrier, over `carrier`. */
const carrierJson = `json_build_object('carrier-id', carrier.id, 'name', carrier.name, 'ans-registration', carrier.ans_registration,
  'tax-id', carrier.tax_id)`

/** A page of the carriers by name. */
export const carrierPage = pages<PageQuery & { readonly q?: string }>({
  from: 'carrier',
  item: carrierJson,
  order: 'carrier.key collate "C"',
  where: { q: (text) => holdsText('carrier.key', text) },
})

/** `{ "result": Carrier }`; null when there is none. */
export const readCarrier = readerOf({ from: 'carrier', item: carrierJson })

/** The id of the carrier of a name, without case and accents. */
export async function findCarrier(sql: Sql, name: string): Promise<string | null> {
  const rows = await sql.query<{ id: string }>('select id from carrier where key = fold(btrim($1))', [name])
  return rows[0]?.id ?? null
}

/**
 * Inserts a carrier for each name that none has, in the spelling that comes first.
 * @returns the ids of those inserted.
 */
export async function insertCarriers(sql: Sql, names: readonly string[], at: Date): Promise<string[]> {
  const sent = [...new Set(names)].map((name, position) => ({ id: uuidv7(), name, position }))
  // By the key, so that two companies that name the same new carriers wait for each other in one order.
  const rows = await sql.query<{ id: string }>(
    `insert into carrier (id, name, created_at, updated_at)
     select id, name, $2, $2 from json_to_recordset($1::json) as sent(id uuid, name text, position smallint)
     order by fold(btrim(name)) collate "C", position
     on conflict (key) do nothing returning id`,
    [JSON.stringify(sent), at],
  )
  return rows.map(({ id }) => id)
}

/** Replaces a carrier, unless the name is that of another one. @returns whether it did. */
export async function updateCarrier(sql: Sql, id: string, data: CarrierInput, at: Date): Promise<boolean> {
  const text = `update carrier set name = $2, ans_registration = $3, tax_id = $4, updated_at = $5
    where id = $1 and key = fold(btrim($2))`
  return (await sql.execute(text, [id, data.name.trim(), data['ans-registration'], data['tax-id'], at])) > 0
}
