import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import type { ErasureMention } from '../rules/erasure.ts'
import { erased, Mentions, type Named } from './mentions.ts'
import { columnsOf, searchedTreatments, type StoredTable, storedTables } from '../personal-tables.ts'

/* Free text of others that names a person: found and changed row by row, column by column. */

/** A column of a row that names the person, as it is and as it will be. */
interface ChangedColumn {
  readonly column: string
  readonly type: string
  readonly former: string
  readonly changed: string | null
}

/** A row of others that names the person. */
export interface NamingRow {
  readonly table: StoredTable
  readonly key: Readonly<Record<string, string>>
  readonly companyId: string | null
  readonly columns: readonly ChangedColumn[]
  readonly mentions: readonly ErasureMention[]
}

interface Table {
  readonly name: StoredTable
  /** Columns of the primary key. */
  readonly key: readonly string[]
  readonly types: Readonly<Record<string, string>>
}

const searchedTables = storedTables.filter((table) =>
  searchedTreatments.some((treatment) => columnsOf(table, treatment).length > 0),
)

async function readTables(sql: Sql): Promise<Table[]> {
  return sql.query<Table>(
    `select relname as name,
       (select json_agg(attname order by array_position(indkey::int2[], attnum)) from pg_index
        join pg_attribute on attrelid = indrelid and attnum = any(indkey) where indrelid = pg_class.oid and indisprimary) as key,
       (select json_object_agg(attname, atttypid::regtype) from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as types
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname = any($1::text[]) order by relname`,
    [searchedTables],
  )
}

type Found = Readonly<Record<string, string>>

/**
 * The rows that name the person. Call it when the person's own rows are erased: they do not name the person any more.
 * @param companyId only its rows, and only by the CPF; null: of all.
 */
export async function readNamingRows(sql: Tx, named: Named, companyId: string | null = null): Promise<NamingRow[]> {
  const isOnlyCpf = companyId !== null
  const mentions = new Mentions(isOnlyCpf ? { ...named, names: [], emails: [] } : named)
  const rows: NamingRow[] = []
  // Each reads a whole table. A transaction ends after 45 s without a response.
  await sql.execute(`set local statement_timeout = '44s'`)
  for (const table of await readTables(sql)) {
    const isOfCompany = table.types['company_id'] !== undefined
    if (isOnlyCpf && !isOfCompany) continue
    const columns = searchedTreatments.flatMap((treatment) => columnsOf(table.name, treatment))
    const read = [...new Set([...columns, ...(table.name === 'carrier_line' ? lineColumns : [])])]
    const texts = columns.map((column) => `coalesce(${column}::text, '')`).join(` || chr(10) || `)
    const found = await sql.queryPlanned<{ key: Found; values: Found; companyId: string | null }>(
      `select jsonb_build_object(${table.key.map((column) => `'${column}', ${column}::text`).join(', ')}) as key,
         jsonb_build_object(${read.map((column) => `'${column}', ${column}::text`).join(', ')}) as values,
         ${isOfCompany ? 'company_id' : 'null::uuid'} as "companyId"
       from ${table.name} where (${texts}) ~* $1 and fold(${texts}) ~ $2 ${isOnlyCpf ? 'and company_id = $3' : ''}
       order by ${table.key.join(', ')}`,
      [mentions.unfoldedPrefilter, mentions.prefilter, ...(isOnlyCpf ? [companyId] : [])],
    )
    for (const foundRow of found) {
      const row = namingRow(table, foundRow, mentions)
      if (row.mentions.length > 0) rows.push(row)
    }
  }
  await sql.execute('set local statement_timeout to default')
  return rows
}

/** Columns of a carrier's line that names only by a name whom it is about. */
const lineColumns =
  'name card_number certificate dependent_code employee_id date_of_birth details tax_id benefit_id'.split(' ')

function namingRow(
  { name: table, types, key: keyColumns }: Table,
  { key, values, companyId }: { readonly key: Found; readonly values: Found; readonly companyId: string | null },
  mentions: Mentions,
): NamingRow {
  const columns: ChangedColumn[] = []
  const found: ErasureMention[] = []
  const id = keyColumns
    .filter((column) => column !== 'company_id')
    .map((column) => key[column] ?? '')
    .filter((part) => mentions.changeText(part) === null)
    .join(' ')
  const add = (column: string, changed: string | null, places: readonly { path: string; surroundings: string }[]) => {
    columns.push({ column, type: types[column] ?? 'text', former: values[column] ?? '', changed })
    for (const { path, surroundings } of places) {
      const field = path === '' ? column : `${column}${path.startsWith('[') ? '' : '.'}${path}`
      found.push({ record: table, 'record-id': id, field, text: surroundings })
    }
  }
  if (table === 'carrier_line' && isNamedLine(values, mentions)) {
    for (const column of lineColumns.slice(0, 7)) if (values[column]) add(column, column === 'name' ? erased : null, [])
    found.push({ record: table, 'record-id': id, field: 'name', text: erased })
    return { table, key, companyId, columns, mentions: found }
  }
  for (const treatment of searchedTreatments) {
    for (const column of columnsOf(table, treatment)) {
      const former = values[column]
      if (former === undefined || former === null) continue
      // What another person is known by.
      if (table === 'carrier_line' && values['benefit_id'] && lineIdentity.has(column)) continue
      const changed = changeColumn({ table, column, treatment, type: types[column] ?? 'text', former, key }, mentions)
      if (changed !== null) add(column, changed.text, changed.places)
    }
  }
  return { table, key, companyId, columns, mentions: found }
}

const lineIdentity = new Set(lineColumns.slice(0, 5))

/** A line with the name, of no known person and without a CPF. */
const isNamedLine = (values: Found, mentions: Mentions) =>
  !values['benefit_id'] && !values['tax_id'] && mentions.isName(values['name'] ?? '')

interface Column {
  readonly table: StoredTable
  readonly column: string
  readonly treatment: (typeof searchedTreatments)[number]
  readonly type: string
  readonly former: string
  readonly key: Found
}

function changeColumn({ table, column, treatment, type, former, key }: Column, mentions: Mentions) {
  // A line of a whole person, as it came.
  if (table === 'member_import_error' && column === 'content' && mentions.hasCpf(former)) {
    return { text: erased, places: [{ path: '', surroundings: erased }] }
  }
  if (type === 'json' || type === 'jsonb' || type === 'text[]') {
    const value: unknown = type === 'text[]' ? parseArray(former) : JSON.parse(former)
    const changed = mentions.changeJson(value, treatment === 'replacedOfPeople')
    return changed === null ? null : { text: JSON.stringify(changed.value), places: changed.places }
  }
  const changed = mentions.changeText(former, treatment === 'searchedForCpf')
  if (changed === null) return null
  // Names of views are unique.
  const text = table === 'saved_view' ? `${erased}${key['id']?.slice(-5) ?? ''}` : changed.text
  return { text, places: [{ path: '', surroundings: table === 'saved_view' ? text : changed.surroundings }] }
}

/** The items of an array as PostgreSQL writes it: `{a,"b c"}`. */
function parseArray(text: string): string[] {
  return [...text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/gs, '$1'),
  )
}

/** Changes the columns of a row, unless they changed meanwhile. @returns whether it did. */
export async function changeNamingRow(sql: Sql, { table, key, columns }: NamingRow): Promise<boolean> {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const sets = columns.map(({ column, type, changed }) => {
    const value: unknown = type === 'text[]' && changed !== null ? JSON.parse(changed) : changed
    return `${column} = ${parameter(value)}::${type}`
  })
  const conditions = [
    ...Object.entries(key).map(([column, value]) => `${column} = ${parameter(value)}`),
    // The text of an array is no immutable function of it, which Citus wants in a condition of an update.
    ...columns.map(({ column, type, former }) =>
      type === 'text[]' ? `${column} = ${parameter(former)}::text[]` : `${column}::text = ${parameter(former)}`,
    ),
  ]
  return (await sql.execute(`update ${table} set ${sets.join(', ')} where ${conditions.join(' and ')}`, values)) > 0
}
