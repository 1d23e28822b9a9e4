import { transact } from '#platform/core/transaction.ts'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { distribute, distributionPlan, referenceTables } from '#platform/core/distribute.ts'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { createDatabase, databaseOn, dropDatabase } from '../world/engine.ts'

const name = `distribute_${randomBytes(6).toString('hex')}`
const opened: Database[] = []

function open(node: number, database = name): Database {
  const url = databaseOn(inject('nodeUrls')[node] ?? '', database)
  const one = openDatabase({ url, connections: 1, namedStatements: false, applicationName: 'test' }, openLog('error'))
  opened.push(one)
  return one
}

beforeAll(() => createDatabase(name))

afterAll(async () => {
  for (const one of opened) await one.close()
  await dropDatabase(name)
})

test('a database that is distributed already has nothing left to do', async () => {
  expect(await distributionPlan(open(0))).toEqual([])
  expect(await distribute(open(0))).toEqual([])
})

test('reference tables are on each node, tables of companies are together by company_id, the others are on the coordinator', async () => {
  const placed = await open(0).query<{ name: string; type: string; column: string; group: number }>(
    `select table_name::text as name, citus_table_type as type, distribution_column as column, colocation_id as group from citus_tables`,
  )
  const of = (type: string) => placed.filter((table) => table.type === type)
  expect(
    of('reference')
      .map((table) => table.name)
      .toSorted(),
  ).toEqual([...referenceTables].toSorted())
  expect(new Set(of('distributed').map(({ column, group }) => `${column} ${group}`)).size).toBe(1)
  expect(of('distributed').map((table) => table.name)).toEqual(
    expect.arrayContaining(['member', 'enrollment', 'request']),
  )
  expect(placed.map((table) => table.name)).not.toEqual(expect.arrayContaining(['work', 'event', 'audit']))
})

test('every foreign key of a table of companies is there', async () => {
  const [{ count } = { count: 0 }] = await open(0).query<{ count: number }>(
    `select count(*)::int as count from pg_constraint k where k.contype = 'f'
       and k.conrelid in ('benefit'::regclass, 'enrollment'::regclass, 'request'::regclass)`,
  )
  expect(count).toBe(9)
})

test('a later migration changes the tables on all nodes', async () => {
  const database = open(0)
  await database[transact](async (sql) => {
    await sql.execute('alter table member add column nickname text')
    await sql.execute('alter table member add column search_nickname text generated always as (fold(nickname)) stored')
    await sql.execute('create index member_nickname on member (company_id, nickname)')
  })
  const shards = await database.query<{ result: string }>(
    `select result from run_command_on_shards('member', $$select count(*) from pg_attribute
       where attrelid = '%s'::regclass and attname in ('nickname', 'search_nickname')$$)`,
  )
  expect(shards.length).toBeGreaterThan(0)
  expect(new Set(shards.map(({ result }) => result))).toEqual(new Set(['2']))
})

test('on a worker it says where to run it', async () => {
  await expect(distributionPlan(open(1))).rejects.toThrow(/let VIGENCIA_DATABASE_URL lead to the coordinator/)
})

test('without the extension it says what to do', async () => {
  await expect(distributionPlan(open(0, 'template1'))).rejects.toThrow(/create extension citus/)
})
