import { afterAll, beforeAll, expect, test } from 'vitest'
import { labelOf } from '#privacy/subject-requests/in-portuguese.ts'
import { copiedTables, storedTables } from '#privacy/personal-tables.ts'
import { PORTUGUESE } from '#kernel/texts/texts.ts'
import { openScratch } from '../access/auth/scratch-database.ts'

/* The copy of a person's data leaves out no table and no column by accident. */

let scratch: Awaited<ReturnType<typeof openScratch>>
let columns: Map<string, string[]>
beforeAll(async () => {
  scratch = await openScratch()
  const rows = await scratch.database.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text) as columns from pg_class join pg_attribute on attrelid = pg_class.oid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped group by relname`,
  )
  columns = new Map(rows.map((row) => [row.name, row.columns]))
})
afterAll(() => scratch.close())

test('each table is in the copy of a person’s data, or has a reason why not', () => {
  expect(storedTables.toSorted()).toEqual([...columns.keys()].toSorted())
})

test('each column of those tables is given under a Portuguese name, or left out by name', () => {
  for (const [table, { omit }] of copiedTables) {
    const all = columns.get(table) ?? []
    expect(omit.filter((column) => !all.includes(column))).toEqual([])
    const unnamed = all.filter((column) => !omit.includes(column) && labelOf(column) === undefined)
    expect({ table, unnamed }).toEqual({ table, unnamed: [] })
  }
})

test('names of columns are needed: no field has the name, nor the word', () => {
  const given = new Set(
    copiedTables.flatMap(([table, { omit, add = '' }]) => [
      ...(columns.get(table) ?? [])
        .filter((column) => !omit.includes(column))
        .map((column) => column.replaceAll('_', '-')),
      ...[...add.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name),
    ]),
  )
  // These are read beside the tables.
  for (const name of ['uploaded-at', 'subject-request-kind']) given.add(name)
  const names = Object.keys(PORTUGUESE.columns)
  expect(names.filter((name) => !given.has(name) || Object.hasOwn(PORTUGUESE.fields, name))).toEqual([])
  const words = [...Object.values(PORTUGUESE.fields), ...Object.values(PORTUGUESE.columns)]
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})
