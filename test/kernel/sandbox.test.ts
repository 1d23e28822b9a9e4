import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTerminal, mayTransition } from '#coverage/rules/enrollment-status.ts'
import { ENROLLMENT_STATUSES, type EnrollmentStatus, SANDBOX_OUTCOMES } from '#kernel/enums.ts'
import { sandbox, stepsTo } from '#kernel/sandbox.ts'

test.each([
  [{ outcome: 'completed' }, { outcome: 'completed', 'after-days': 0, reason: null, 'card-number': null }],
  [
    { outcome: 'rejected', 'after-days': 60, reason: ' Sem vínculo ', 'card-number': '' },
    { outcome: 'rejected', 'after-days': 60, reason: 'Sem vínculo', 'card-number': null },
  ],
  [null, undefined],
  [{}, null],
  ['completed', null],
  [['completed'], null],
  [{ outcome: 'complete' }, null],
  [{ outcome: 'completed', 'after-days': 61 }, null],
  [{ outcome: 'completed', 'after-days': -1 }, null],
  [{ outcome: 'completed', 'after-days': 1.5 }, null],
  [{ outcome: 'completed', 'after-days': '1' }, null],
  [{ outcome: 'completed', reason: 7 }, null],
  [{ outcome: 'completed', code: 'x' }, null],
])('%j is read as %j', (sent, expected) => {
  expect(sandbox.parse(sent)).toEqual(expected)
})

test('from every open status each step of an outcome is allowed, unless it is pending already', () => {
  const open = ENROLLMENT_STATUSES.filter((status) => !isTerminal(status))
  for (const wanted of SANDBOX_OUTCOMES) {
    for (const status of open) {
      const isPending = status.startsWith('pending-') && wanted.startsWith('pending-')
      let now: EnrollmentStatus = status
      for (const next of stepsTo(wanted, status)) {
        expect([wanted, status, next, isPending || mayTransition(now, next, false)]).toEqual([
          wanted,
          status,
          next,
          true,
        ])
        now = next
      }
      expect(now).toBe(wanted === 'no-answer' ? 'carrier-processing' : wanted)
    }
  }
})

test('what is parsed is a normal form: parsed again it stays', () => {
  const texts = fc.option(fc.string({ minLength: 1, maxLength: 20 }))
  const sent = fc.record(
    {
      outcome: fc.constantFrom(...SANDBOX_OUTCOMES),
      'after-days': fc.integer({ min: 0, max: 60 }),
      reason: texts,
      'card-number': texts,
    },
    { requiredKeys: ['outcome'] },
  )
  fc.assert(
    fc.property(sent, (value) => {
      const parsed = sandbox.parse(value)
      if (parsed != null) expect(sandbox.parse(parsed)).toEqual(parsed)
    }),
    { seed: 20261125, numRuns: 500 },
  )
})
