import { expect, test } from 'vitest'
import { logUnlessAway } from '#platform/core/database-errors.ts'
import type { Log } from '#platform/core/log.ts'

/** The messages logged for an error of PostgreSQL with this SQLSTATE. */
function logged(code: string): string[] {
  const messages: string[] = []
  const log = { error: (_fields: object, message: string) => messages.push(message) } as unknown as Log
  logUnlessAway(log, Object.assign(new Error('message'), { code }), 'work could not be taken')
  return messages
}

test.for([
  ['nothing for a shutdown', '57P01', []],
  ['a full disk, named as that', '53100', ['the disk of the database is full']],
  ['an error of a statement', '42601', ['work could not be taken']],
] as const)('the log of a task that fails: %s', ([, code, messages]) => {
  expect(logged(code)).toEqual(messages)
})
