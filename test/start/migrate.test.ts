import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrations } from '#platform/core/migrate.ts'
import { databaseOn } from '../world/engine.ts'
import { until } from '../world/test-app.ts'
import { endPrograms, run, runToEnd } from './program.ts'

const name = `migrate_${randomBytes(6).toString('hex')}`
const url = () => databaseOn(inject('engineUrl'), name)
const settings = () => ({ DATABASE_URL: url(), MASTER_KEY: randomBytes(32).toString('base64'), ENVIRONMENT: 'staging' })

async function ask(statement: string, on = url()): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: on })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

beforeEach(() => ask(`create database ${name} template template0`, inject('engineUrl')))

afterEach(async () => {
  await endPrograms()
  await ask(`drop database ${name} with (force)`, inject('engineUrl'))
})

const all = migrations().map((migration) => migration.name)

test('migrate brings an empty database forward, and run again does nothing', async () => {
  const first = await runToEnd(['migrate'], settings())
  expect(first.code).toBe(0)
  expect(first.out).toBe(all.map((migration) => `Applied ${migration}\n`).join(''))
  const before = await ask('select * from migration order by name')

  const second = await runToEnd(['migrate'], settings())
  expect(second.code).toBe(0)
  expect(second.out).toBe('Nothing to apply.\n')
  expect(await ask('select * from migration order by name')).toEqual(before)
})

test('of several at once on an empty database each succeeds, and each migration is applied once', async () => {
  const programs = [1, 2, 3].map(() => run(['migrate'], settings()))
  const ends = await Promise.all(programs.map((program) => program.ended))
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  const applied = programs.flatMap((program) => program.out.match(/(?<=Applied ).*/g) ?? [])
  expect(applied.sort()).toEqual(all)
})

test('a migration that reads otherwise than when it was applied is refused in a sentence', async () => {
  await runToEnd(['migrate'], settings())
  await ask(`update migration set digest = repeat('0', 64) where name = '${all[0]}'`)
  for (const words of [['migrate'], ['start']]) {
    const program = run(words, settings())
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.err).toBe(
      `error: Migration ${all[0]} was changed after it was applied; migrations are forward-only: add a new one.\n`,
    )
  }
})

test('a migration that waits for a lock lets the statements of the processes that serve go first', async () => {
  await runToEnd(['migrate'], settings())
  // Its foreign key locks the companies against writes.
  const pending = '0014_audit.sql'
  await ask(`drop table audit, audit_pending, audit_block, audit_head; delete from migration where name = '${pending}'`)
  const writer = `set lock_timeout = '10s'; begin; lock table company in row exclusive mode`
  const holder = new Client({ connectionString: url() })
  await holder.connect()
  await holder.query(writer)
  const program = run(['migrate'], settings())
  await until(
    () => ask(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    (waiting) => waiting.length === 1,
  )
  // Its lock of the table is behind that of the migration, which gives up.
  await ask(`${writer}; commit`)
  expect(await ask(`select from migration where name = '${pending}'`)).toEqual([])
  await holder.query('commit')
  await holder.end()
  expect(await program.ended).toEqual({ code: 0, signal: null })
  expect(program.out).toContain(`Applied ${pending}\n`)
})

test('--distribute on a database without Citus says what to do, and changes no table', async () => {
  await runToEnd(['migrate'], settings())
  const program = run(['migrate', '--distribute'], settings())
  expect((await program.ended).code).toBe(1)
  expect(program.err).toMatch(/^error: This database has no extension citus: run `create extension citus`/)
})
