import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { databaseOn, onServer } from '../../world/engine.ts'

/** A migrated database of its own on the run's engine; every statement's text is noted. */
export async function openScratch(): Promise<{ database: Database; statements: string[]; close(): Promise<void> }> {
  const engineUrl = inject('engineUrl')
  const name = `scratch_${randomBytes(6).toString('hex')}`
  await onServer(engineUrl, `create database ${name} template vigencia_template`)
  const opened = openDatabase(
    { url: databaseOn(engineUrl, name), connections: 4, namedStatements: true, applicationName: 'scratch' },
    openLog('error'),
  )
  const statements: string[] = []
  const database: Database = {
    ...opened,
    query: (text, values) => {
      statements.push(text)
      return opened.query(text, values)
    },
  }
  return {
    database,
    statements,
    async close() {
      await opened.close()
      await onServer(engineUrl, `drop database ${name} with (force)`)
    },
  }
}
