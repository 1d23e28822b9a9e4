import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/platform/database.ts'
import { startEmbedded } from '../../src/embedded-postgres/embedded.ts'
import { openLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL; each app has a database of its own on it, copied from the migrated template. */
    engineUrl: string
    /** A folder that every user can reach, removed after the run. */
    runFolder: string
  }
}

/**
 * One real PostgreSQL for the whole run: the embedded one, or the one that VIGENCIA_TEST_DATABASE_URL names.
 * Its template database is migrated once.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['VIGENCIA_TEST_DATABASE_URL']
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-test-'))
  // PostgreSQL does not run as root: its own user must reach the folder.
  chmodSync(folder, 0o755)
  // Nothing of this engine survives the run, and no test kills it.
  const settings = { fsync: 'off', full_page_writes: 'off', wal_compression: 'off', max_connections: '200' }
  const engine = given === undefined ? await startEmbedded({ dataDir: join(folder, 'engine'), settings }) : null
  const url = given ?? engine?.url ?? ''
  await onServer(url, 'drop database if exists vigencia_template with (force)')
  await onServer(url, 'create database vigencia_template')
  const database = openDatabase(
    { url: databaseOn(url, 'vigencia_template'), connections: 2, namedStatements: false, applicationName: 'template' },
    openLog('error'),
  )
  await migrate(database)
  await database.close()
  project.provide('engineUrl', url)
  project.provide('runFolder', folder)
  return async () => {
    await engine?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same server's address with another database. */
export function databaseOn(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`)
}

/** Runs a statement on a connection of its own, such as the making of a database. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
