import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { schemaFile, schemaText } from '../../generate/schema.ts'
import { openScratch } from '../auth/scratch-database.ts'

test('sql/schema.sql is what the migrations make: otherwise run `npm run schema`', async () => {
  const scratch = await openScratch()
  try {
    const made = await schemaText(scratch.database)
    expect(made.match(/^create (unlogged )?table /gm)?.length).toBeGreaterThan(15)
    expect(
      readFileSync(schemaFile, 'utf8') === made,
      'sql/schema.sql is stale: run `npm run schema` and commit it',
    ).toBe(true)
  } finally {
    await scratch.close()
  }
})
