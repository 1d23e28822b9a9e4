import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SharedCharge } from '#money/rules/cost.ts'
import { deductionsOf, remainingDeductions } from '#money/rules/payroll.ts'
import { PAYROLL_KINDS } from '#kernel/broker-enums.ts'
import { chargeOf } from './charges.ts'

const shared = (share: SharedCharge['share'], of: Parameters<typeof chargeOf>[0] = {}): SharedCharge => ({
  ...chargeOf(of),
  share,
})

describe('the deductions of an employee', () => {
  test('are one for the own premium, one for the dependents and one for what was used', () => {
    const { deductions, problems } = deductionsOf([
      shared(5_000),
      shared(15_000, { person: { memberId: 'b', type: 'dependent' } }),
      shared(25_000, { person: { memberId: 'c', type: 'dependent' } }),
      shared(8_000, { source: 'coparticipation' }),
      shared(700, { source: 'coparticipation-statement', person: { memberId: 'b', type: 'dependent' } }),
      shared(null, { person: null }),
    ])
    expect(deductions).toEqual([
      { memberId: 'a', kind: 'primary', amount: 5_000 },
      { memberId: 'a', kind: 'dependent', amount: 40_000 },
      { memberId: 'a', kind: 'coparticipation', amount: 8_700 },
    ])
    expect(problems.size).toBe(0)
  })

  test('are none where the employer pays all', () => expect(deductionsOf([shared(0)]).deductions).toEqual([]))

  test('are not made of a part of the family: what is not known of one person is a problem of the employee', () => {
    const { deductions, problems } = deductionsOf([
      shared(5_000),
      shared('no-contribution-rule', { person: { memberId: 'b', type: 'dependent' } }),
    ])
    expect(deductions).toEqual([])
    expect([...problems]).toEqual([['a', 'no-contribution-rule']])
  })
})

const deductions = fc.uniqueArray(
  fc.record({
    memberId: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom(...PAYROLL_KINDS),
    amount: fc.integer({ min: -10_000, max: 10_000 }).filter((amount) => amount !== 0),
  }),
  { selector: ({ memberId, kind }) => `${memberId} ${kind}` },
)

test('what was exported and what is left are what is due', () => {
  fc.assert(
    fc.property(deductions, deductions, (due, exported) => {
      const rest = remainingDeductions(due, exported)
      expect(rest.every(({ amount }) => amount !== 0)).toBe(true)
      const left = remainingDeductions(due, [...exported, ...rest])
      expect(left).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})
