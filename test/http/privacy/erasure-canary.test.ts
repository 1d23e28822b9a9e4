import { beforeAll, expect, test } from 'vitest'
import { columnsOf, searchedTreatments, type StoredTable, storedTables } from '#privacy/personal-tables.ts'
import { ended, erase, imported } from '../../world/erasing.ts'
import { type Client, type Json, useTestApp } from '../../world/test-app.ts'

/*
 * A person in every column that can hold free text of others: the list comes from the catalog, so that a column without a place in
 * personal-data.ts of its district fails test/tidy/personal-columns.test.ts, and one with a place is tried here.
 */

const testApp = useTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
let second: Client
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
})

const name = 'Zoraide Canária Quintela'
const email = 'zoraide.canaria@exemplo.com.br'

interface Column {
  readonly table: StoredTable
  readonly column: string
  readonly type: string
}

/** Every searched column, as the catalog has it. */
async function searchedColumns(): Promise<Column[]> {
  const types = await testApp.sql<Column>(
    `select relname as table, attname as column, atttypid::regtype::text as type from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const searched = storedTables.flatMap((table) =>
    searchedTreatments.flatMap((treatment) => columnsOf(table, treatment).map((column) => `${table}.${column}`)),
  )
  return types.filter(({ table, column }) => searched.includes(`${table}.${column}`))
}

/** A value of the type that names the person in each way. */
function canary(type: string, taxId: string): unknown {
  const dotted = taxId.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')
  if (type === 'text[]') return [name.toUpperCase(), `a, "${taxId}" b`]
  const json = { note: `Falar com ${name}`, more: [{ reason: `${taxId}, ${dotted}`, to: email }], amount: 1 }
  if (type === 'jsonb' || type === 'json') return JSON.stringify(json)
  return `CPF ${dotted}`
}

test('a canary in every text of others is in none after the erasure', async () => {
  const company = await testApp.company()
  const taxId = await imported(testApp, company, { name, 'email-private': email, ...ended })
  const columns = await searchedColumns()
  expect(columns.length).toBeGreaterThan(60)
  const bare = await testApp.sql<{ name: string }>(
    `select conname as name from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace`,
  )
  expect(bare.length).toBeGreaterThan(100)
  // One row of each table, whatever its other columns would have to say: constraints of other columns are not the subject.
  const tables = [...new Set(columns.map(({ table }) => table))]
  for (const table of tables) await insertCanary(table, columns, taxId, company.id)
  const before = await named(taxId, columns)
  expect(before.toSorted()).toEqual(columns.map(({ table, column }) => `${table}.${column}`).toSorted())
  const { plan, done } = await erase(testApp, second, taxId)
  expect(plan.mentions.length).toBeGreaterThanOrEqual(columns.length)
  expect(done.status).toBe('fulfilled')
  expect(await named(taxId, columns)).toEqual([])
  expect(await dump(taxId)).toEqual([])
})

async function insertCanary(table: string, columns: readonly Column[], taxId: string, companyId: string) {
  const all = await testApp.sql<{ name: string; type: string; array: boolean }>(
    `select attname as name, atttypid::regtype::text as type, typcategory = 'A' as array from pg_attribute join pg_type on pg_type.oid = atttypid
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and (attnotnull or attname = any($2::text[]))`,
    [table, columns.filter((one) => one.table === table).map(({ column }) => column)],
  )
  const checks = await testApp.sql<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f')`,
    [table],
  )
  for (const check of checks)
    await testApp.sql(`alter table ${table} drop constraint if exists "${check.name}" cascade`)
  const names: string[] = []
  const values: unknown[] = []
  for (const { name: column, type, array } of all) {
    const searched = columns.find((one) => one.table === table && one.column === column)
    names.push(column)
    values.push(
      searched !== undefined ? canary(type, taxId) : column === 'company_id' ? companyId : filler(type, array),
    )
  }
  const types = all.map(({ type }, index) => `$${index + 1}::${type}`)
  await testApp.sql(`insert into ${table} (${names.join(', ')}) values (${types.join(', ')})`, values)
}

const fillers: Readonly<Record<string, unknown>> = {
  uuid: '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45',
  boolean: false,
  date: '2026-11-23',
  'timestamp with time zone': '2026-11-23T12:00:00Z',
  jsonb: '{}',
  json: '{}',
  bytea: Buffer.from('x'),
}
const filler = (type: string, isArray: boolean): unknown =>
  isArray ? [] : (fillers[type] ?? (/int|numeric|smallint/.test(type) ? 1 : 'x'))

/** The columns that name the person. */
async function named(taxId: string, columns: readonly Column[]): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of columns) {
    const rows = await testApp.sql(`select from ${table} where lower(${column}::text) ~ $1`, [needle(taxId)])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

const needle = (taxId: string) => `${taxId}|${taxId.slice(0, 3)}\\.${taxId.slice(3, 6)}|zoraide|quintela`

/** Every column of the database that has the person. */
async function dump(taxId: string): Promise<Json[]> {
  const all = await testApp.sql<{ table: string; column: string }>(
    `select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`,
  )
  const found: string[] = []
  for (const { table, column } of all) {
    const rows = await testApp.sql(`select from ${table} where lower(${column}::text) ~ $1`, [needle(taxId)])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
