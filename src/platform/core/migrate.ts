import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, queriesOn, type Sql } from './database.ts'
import { sqlState } from './database-errors.ts'
import { StartError } from './errors.ts'
import { connectionErrorOf } from './wait-for-database.ts'

const folder = new URL('../../../sql/', import.meta.url)
/** Advisory lock key: one process migrates at a time. */
export const migrationLock = 7_446_103_215

const lockNotAvailable = '55P03'
const lockTimeoutMs = 1_000
/** Between two attempts: the calls that have waited are served. */
const lockPauseMs = 1_000
const maxLockAttempts = 60

interface Migration {
  readonly name: string
  readonly text: string
  readonly digest: string
}

/** The migrations of `sql/` in order. */
export function migrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return { name, text, digest: createHash('sha256').update(text).digest('hex') }
    })
}

/** Names of the migrations that `migrate` would apply now, in order. Changes nothing. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const names = new Set((await appliedMigrations(database)).map(({ name }) => name))
  return migrations().flatMap(({ name }) => (names.has(name) ? [] : [name]))
}

/** Names of applied migrations whose text differs in this version, or that it does not have. */
export async function changedMigrations(database: Database): Promise<string[]> {
  const known = new Map(migrations().map(({ name, digest }) => [name, digest]))
  return (await appliedMigrations(database)).flatMap(({ name, digest }) => (known.get(name) === digest ? [] : [name]))
}

/** The applied migrations in order; none for a database on which no service was started. */
async function appliedMigrations(sql: Pick<Sql, 'query'>): Promise<Omit<Migration, 'text'>[]> {
  const [table] = await sql.query<{ there: boolean }>("select to_regclass('public.migration') is not null as there")
  return table?.there ? sql.query('select name, digest from migration order by name') : []
}

/**
 * Applies the pending migrations, each in a transaction; safe to run twice and by several processes at once.
 * @returns the names applied now.
 * @throws StartError when the server is older than 15, or the text of an applied migration has changed.
 */
export async function migrate(database: Database): Promise<string[]> {
  const client = await database.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await makeMigrationTable(client)
    const applied = new Map((await appliedMigrations(queriesOn(client))).map(({ name, digest }) => [name, digest]))
    const now: string[] = []
    for (const migration of migrations()) {
      const digest = applied.get(migration.name)
      if (digest === undefined) {
        await apply(client, migration)
        now.push(migration.name)
      } else if (digest !== migration.digest) {
        throw new StartError(
          `Migration ${migration.name} was changed after it was applied; migrations are forward-only: add a new one.`,
        )
      }
    }
    return now
  } catch (error) {
    throw connectionErrorOf(error)
  } finally {
    await client.end()
  }
}

/** Makes the table of applied migrations, which no migration makes. */
async function makeMigrationTable(client: pg.Client): Promise<void> {
  await client.query(
    'create table if not exists migration (name text primary key, digest char(64) not null, applied_at timestamptz not null)',
  )
}

/** @throws StartError for a server older than 15. */
async function refuseOldServer(client: pg.Client): Promise<void> {
  const text = "select current_setting('server_version_num')::int >= 150000 as supported"
  const { rows } = await client.query<{ supported: boolean }>(text)
  if (!rows[0]?.supported) throw new StartError('PostgreSQL 15 or later is needed; this server is older.')
}

/**
 * Applies one migration. Its statements wait for a table only a second at a time: behind a statement that waits longer, every call of
 * the processes that still serve would wait too.
 * @throws StartError when other sessions do not release the tables within two minutes.
 */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; !(await applyOnce(client, migration)); attempt += 1) {
    if (attempt === maxLockAttempts) {
      throw new StartError(
        `Migration ${migration.name} waits for a table that another session has locked: end that session (pg_stat_activity), and start again.`,
      )
    }
    await pause(lockPauseMs)
  }
}

/** @returns false when a table was locked for too long. */
async function applyOnce(client: pg.Client, { name, digest, text }: Migration): Promise<boolean> {
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
  try {
    // In a block each statement runs alone: of a text of several statements Citus would send the whole text to the workers for each.
    await client.query(`do $migration$ begin\n${text}\nend $migration$`)
    await client.query('insert into migration (name, digest, applied_at) values ($1, $2, now())', [name, digest])
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (sqlState(error) === lockNotAvailable) return false
    throw error
  }
}
