import { readerOf } from '#platform/http/pages.ts'
import type { Sql } from '#platform/core/database.ts'
import type { ViewArea } from '../rules/view.ts'
import type { ViewInput } from './schema.ts'

const viewJson = `json_build_object('view-id', saved_view.id, 'area', saved_view.area, 'name', saved_view.name, 'filters', saved_view.filters,
  'created-by', saved_view.created_by, 'created-at', iso(saved_view.created_at), 'last-updated-at', iso(saved_view.updated_at))`

/** The views of an area, or of all, in the order of their creation, as the text of a JSON array. */
export async function listViews(sql: Sql, area: ViewArea | null): Promise<string> {
  const [row] = await sql.query<{ body: string }>(
    `select coalesce(json_agg(${viewJson} order by saved_view.created_at, saved_view.id), '[]')::text as body
     from saved_view where $1::text is null or saved_view.area = $1`,
    [area],
  )
  return row?.body ?? '[]'
}

/** `{ "result": view }`; null when there is none. */
export const readView = readerOf({ from: 'saved_view', item: viewJson })

/** Locks the views against other writes until the end of the transaction: their number and names are judged together. */
export async function lockViews(sql: Sql): Promise<void> {
  await sql.execute(`select pg_advisory_xact_lock(hashtext('saved_view'))`)
}

/** What decides whether a view may have its name and be one more. */
export async function readOthers(
  sql: Sql,
  id: string,
  { area, name }: ViewInput,
): Promise<{ readonly count: number; readonly hasName: boolean }> {
  const [row] = await sql.query<{ count: number; hasName: boolean }>(
    `select count(*)::integer as count, coalesce(bool_or(saved_view.name_key = fold($3)), false) as "hasName"
     from saved_view where saved_view.area = $2 and saved_view.id <> $1`,
    [id, area, name],
  )
  return row ?? { count: 0, hasName: false }
}

/** Inserts a view, or replaces the one with its id, which keeps who created it. */
export async function putViewRow(
  sql: Sql,
  view: ViewInput & { readonly id: string; readonly actorId: string },
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into saved_view (id, area, name, filters, created_by, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (id) do update set area = excluded.area, name = excluded.name, filters = excluded.filters, updated_at = excluded.updated_at`,
    [view.id, view.area, view.name, JSON.stringify(view.filters), view.actorId, at],
  )
}

/** Deletes a view. @returns whether there was one. */
export async function deleteViewRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.execute('delete from saved_view where id = $1', [id])) > 0
}
