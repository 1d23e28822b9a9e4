import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaFile, schemaText } from '../../generate/schema.ts'
import { openScratch } from '../auth/scratch-database.ts'

let scratch: Awaited<ReturnType<typeof openScratch>>

beforeAll(async () => {
  scratch = await openScratch()
})

afterAll(() => scratch.close())

test('sql/schema.sql is what the migrations make: otherwise run `npm run schema`', async () => {
  const made = await schemaText(scratch.database)
  expect(made.match(/^create (unlogged )?table /gm)?.length).toBeGreaterThan(15)
  expect(readFileSync(schemaFile, 'utf8') === made, 'sql/schema.sql is stale: run `npm run schema` and commit it').toBe(
    true,
  )
})

/* What lets the tables of companies be distributed by company_id (Citus). */
describe('in the migrated database', () => {
  // They name a company and are no company's: access, the audit, and queues.
  const shared = ['entitlement', 'audit', 'work', 'event_batch', 'webhook_delivery']

  const found = async (statement: string): Promise<string[]> =>
    (await scratch.database.rows<{ name: string }>(statement, [shared])).map(({ name }) => name)

  const ofCompanies = `(select a.attrelid as id, c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'company_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname <> all($1::text[])) t`
  const columns = (
    key: string,
  ) => `(select array_agg(a.attname::text order by k.n) from unnest(${key}) with ordinality k(at, n)
    join pg_attribute a on a.attrelid = t.id and a.attnum = k.at)`

  test('there are tables of companies', async () => {
    expect(await found(`select t.name from ${ofCompanies}`)).toEqual(
      expect.arrayContaining(['benefit', 'enrollment', 'staged_enrollment', 'member', 'product', 'request']),
    )
  })

  test('there is no trigger and no rule', async () => {
    expect(
      await found(`select tgname as name from pg_trigger where not tgisinternal and $1::text[] is not null
        union all select rulename from pg_rewrite r join pg_class c on c.oid = r.ev_class
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`),
    ).toEqual([])
  })

  test('no foreign key changes the rows that refer: with company_id in it that would break them', async () => {
    expect(
      await found(`select conname as name from pg_constraint where contype = 'f' and $1::text[] is not null
        and (confdeltype not in ('a', 'r') or confupdtype not in ('a', 'r'))`),
    ).toEqual([])
  })

  test('keys, unique and foreign, of the tables of companies hold company_id', async () => {
    const keys = `select t.name || ': ' || i.relname as name from ${ofCompanies} join pg_index x on x.indrelid = t.id
      join pg_class i on i.oid = x.indexrelid where x.indisunique`
    const beyond = [
      'document: document_pkey',
      'document: document_storage_key_key',
      'invoice_owner: invoice_owner_pkey',
      // A queue: one row for each batch and client.
      'webhook_fan_out: webhook_fan_out_pkey',
    ]
    expect(
      (await found(`${keys} and not ${columns('x.indkey::int2[]')} @> array['company_id'] order by 1`)).toSorted(),
    ).toEqual(beyond)
    const foreign = `select t.name || ': ' || f.conname as name from ${ofCompanies} join pg_constraint f on f.conrelid = t.id
      where f.contype = 'f' and exists (select 1 from pg_attribute r where r.attrelid = f.confrelid and r.attname = 'company_id')
        and not exists (select 1 from unnest(${columns('f.conkey')}) n where n like '%company\\_id')`
    expect(await found(foreign)).toEqual([])
  })
})
