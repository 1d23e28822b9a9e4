import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnsOf, searchedTreatments, storedTables } from '#privacy/personal-tables.ts'
import { eraseFrom } from '#privacy/erasures/statements.ts'
import { openScratch } from '../access/auth/scratch-database.ts'

let scratch: Awaited<ReturnType<typeof openScratch>>

beforeAll(async () => {
  scratch = await openScratch()
})

afterAll(() => scratch.close())

const treatments = ['erased', ...searchedTreatments, 'passing', 'account', 'none'] as const

test('every column that can hold text says what becomes of it when a person is erased', async () => {
  const rows = await scratch.database.query<{ name: string }>(
    `select relname || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
       and atttypid::regtype::text in ('text', 'text[]', 'character', 'character varying', 'json', 'jsonb', 'bytea', 'bytea[]')`,
  )
  const known = storedTables.flatMap((table) =>
    treatments.flatMap((treatment) => columnsOf(table, treatment).map((column) => `${table}.${column}`)),
  )
  expect([...new Set(known)].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('every erased column is in the statement of its table', () => {
  const statements = readFileSync(new URL('../../src/privacy/erasures/statements.ts', import.meta.url), 'utf8')
  const requests = readFileSync(new URL('../../src/privacy/erasures/queries.ts', import.meta.url), 'utf8')
  // A generated column follows from others, and a deleted row has none.
  const generated = ['card_key', 'search_text', 'search_email', 'held_tax_id', 'open_tax_id']
  const deleted = [
    'document',
    'invoice_file',
    'member_import_dry_run_benefit',
    'member_removal',
    'movement_draft_item',
    'onboarding_document',
    'onboarding_invitation',
  ]
  for (const table of storedTables.filter((one) => columnsOf(one, 'erased').length > 0)) {
    const text = table in eraseFrom ? statements : requests
    if (deleted.includes(table)) expect(text).toMatch(new RegExp(`delete from ${table}\\b`))
    else {
      const from = text.indexOf(`update ${table} set`)
      const statement = text.slice(from, text.indexOf('`', from))
      for (const column of columnsOf(table, 'erased').filter((one) => !generated.includes(one))) {
        expect(statement).toMatch(new RegExp(`\\b${column} = `))
      }
    }
  }
})
