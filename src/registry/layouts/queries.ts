import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { Page } from '#platform/http/page.ts'
import { pageBounds, type PageQuery } from '#platform/http/schemas.ts'
import { BUILT_IN } from './built-in/built-in.ts'
import type { LayoutDirection, LayoutFormat } from '../rules/layout.ts'
import type { LayoutDefinition } from './definition.ts'
import type { LayoutInput } from './layout.ts'

/** A layout without its definition, as the API has it. */
interface LayoutSummary {
  readonly 'layout-id': string
  readonly version: number
  readonly name: string
  readonly direction: LayoutDirection
  readonly format: LayoutFormat
  readonly source: string | null
  readonly 'built-in': boolean
  readonly 'updated-at': string | null
}

export interface Layout extends LayoutSummary {
  readonly definition: LayoutDefinition
}

const summaryJson = `'layout-id', layout.id, 'version', layout.version, 'name', layout.name, 'direction', layout.direction,
  'format', layout.format, 'source', layout.source, 'built-in', false, 'updated-at', iso(layout.updated_at)`

/** A version of a layout, also a built-in one. @param version null: the latest. */
export async function findLayout(sql: Sql, id: string, version: number | null = null): Promise<Layout | null> {
  const builtIn = BUILT_IN.get(id)
  if (builtIn !== undefined) return version === null || version === 1 ? builtInLayout(id, builtIn) : null
  const rows = await sql.query<{ layout: Layout }>(
    `select json_build_object(${summaryJson}, 'definition', layout.definition) as layout from layout
     where id = $1 and ($2::integer is null or version = $2) order by version desc limit 1`,
    [id, version],
  )
  return rows[0]?.layout ?? null
}

/** A version of a layout. @throws ApiError 404 @param version undefined: the latest. */
export async function requireLayout(sql: Sql, id: string, version: number | undefined): Promise<Layout> {
  const layout = await findLayout(sql, id, version ?? null)
  if (layout === null) throw new ApiError('layout-not-found')
  return layout
}

/** A page of the latest version of each layout, also of the built-in ones, by name. */
export async function layoutPage(sql: Sql, query: PageQuery & { readonly direction?: LayoutDirection }): Promise<Page> {
  const { direction = null } = query
  const rows = await sql.query<{ layout: LayoutSummary }>(
    `select distinct on (layout.id) json_build_object(${summaryJson}) as layout from layout
     where $1::text is null or layout.direction = $1 order by layout.id, layout.version desc`,
    [direction],
  )
  const builtIn = [...BUILT_IN].map(([id, layout]): LayoutSummary => {
    const { definition: _, ...summary } = builtInLayout(id, layout)
    return summary
  })
  const layouts = [...rows.map(({ layout }) => layout), ...builtIn]
    .filter((layout) => direction === null || layout.direction === direction)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'pt-BR') || (a['layout-id'] < b['layout-id'] ? -1 : 1))
  const { limit, offset } = pageBounds(query)
  return { total: layouts.length, items: JSON.stringify(layouts.slice(offset, offset + limit)) }
}

function builtInLayout(id: string, { name, direction, source = null, definition }: LayoutInput): Layout {
  const { format } = definition
  return {
    'layout-id': id,
    version: 1,
    name,
    direction,
    format,
    source,
    'built-in': true,
    'updated-at': null,
    definition,
  }
}

/** Locks a version of a layout until the transaction ends, so that it does not change while a shipment takes it. */
export async function lockLayout(sql: Sql, id: string, mode: 'share' | 'update'): Promise<void> {
  await sql.query(`select from layout where id = $1 order by version for ${mode}`, [id])
}

/** Counts the layouts beside the built-in ones; until the transaction ends no other transaction creates one. */
export async function countLayouts(sql: Sql): Promise<number> {
  await sql.execute(`select pg_advisory_xact_lock(hashtext('layout'))`)
  const [row] = await sql.query<{ count: number }>('select count(distinct id) as count from layout')
  return row?.count ?? 0
}

/** Whether a shipment, a carrier's file or an export of payroll, of any company used the version. */
export async function isUsed(sql: Sql, id: string, version: number): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from shipment where layout_id = $1 and layout_version = $2
     union all select 1 from carrier_file where layout_id = $1 and layout_version = $2
     union all select 1 from payroll_export where layout_id = $1 and layout_version = $2 limit 1`,
    [id, version],
  )
  return rows.length > 0
}

/** Inserts a version of a layout, or replaces it. */
export async function putLayoutRow(
  sql: Sql,
  { id, version }: { readonly id: string; readonly version: number },
  { name, direction, source = null, definition }: LayoutInput,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into layout (id, version, name, direction, format, definition, source, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $8)
     on conflict (id, version) do update set name = excluded.name, format = excluded.format, definition = excluded.definition,
       source = excluded.source, updated_at = excluded.updated_at`,
    [id, version, name.trim(), direction, definition.format, JSON.stringify(definition), source, at],
  )
}
