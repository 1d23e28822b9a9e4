import { expect, test } from 'vitest'
import { isDatabaseAway } from '#platform/core/database-errors.ts'

/* Citus reports a worker that it has lost in the words of the library or of the worker, without a code of its own. */
test.each([
  ['failure on connection marked as essential: worker-1:5432', true],
  ['terminating connection due to administrator command', true],
  ['server closed the connection unexpectedly', true],
  ['cache lookup failed for relation 4711', false],
])('of the internal errors of PostgreSQL "%s" is a lost server: %s', (message, isAway) => {
  expect(isDatabaseAway(Object.assign(new Error(message), { code: 'XX000' }))).toBe(isAway)
})
