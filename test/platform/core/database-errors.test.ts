import { expect, test } from 'vitest'
import { isDatabaseAway, marked, sqlState } from '#platform/core/database-errors.ts'

/* Citus reports a worker that it has lost in the words of the library or of the worker, without a code of its own. */
test.each([
  ['failure on connection marked as essential: worker-1:5432', true],
  ['terminating connection due to administrator command', true],
  ['server closed the connection unexpectedly', true],
  ['cache lookup failed for relation 4711', false],
])('of the internal errors of PostgreSQL "%s" is a lost server: %s', (message, isAway) => {
  expect(isDatabaseAway(Object.assign(new Error(message), { code: 'XX000' }))).toBe(isAway)
})

/* Citus gives a row that a worker refused while it was copied there the message of the worker without its code. */
test.each([
  ['duplicate key value violates unique constraint "member_tax_id_102008"', 'XX000', '23505'],
  [
    'insert or update on table "benefit_102010" violates foreign key constraint "benefit_member_102010"',
    'XX000',
    '23503',
  ],
  ['new row for relation "carrier_line_102027" violates check constraint "refused_102027"', 'XX000', '23514'],
  ['null value in column "name" of relation "member_102008" violates not-null constraint', 'XX000', '23502'],
  ['cache lookup failed for relation 4711', 'XX000', 'XX000'],
  ['cannot drop: it violates check constraint "x"', '42501', '42501'],
])('"%s" with the code %s is %s', async (message, code, state) => {
  const error = Object.assign(new Error(message), { code })
  await expect(marked(Promise.reject(error))).rejects.toBe(error)
  expect(sqlState(error)).toBe(state)
})
