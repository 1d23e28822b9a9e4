import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContributionRule, contributionRuleOf, employeeAmount, shareOf } from '#money/rules/contribution.ts'

const rule = (id: string, more: Partial<ContributionRule> = {}): ContributionRule => ({
  id,
  productId: null,
  validFrom: '2026-01-01',
  primaryShare: { 'basis-points': 2000 },
  dependentShare: { 'basis-points': 10_000 },
  coparticipationShare: null,
  costCenters: [],
  jobTitles: [],
  ...more,
})
const subject = { productId: 'health', costCenter: 'CC-1', jobTitle: 'Analista' }

describe('the rule of a contribution', () => {
  const rules = [
    rule('all'),
    rule('all-later', { validFrom: '2026-06-01' }),
    rule('dental', { productId: 'dental' }),
    rule('board', { jobTitles: ['Diretora', 'Diretor'] }),
    rule('center', { productId: 'health', costCenters: ['CC-2'] }),
  ]
  test.each([
    [subject, '2026-05-01', 'all'],
    [subject, '2026-06-01', 'all-later'],
    [subject, '2025-12-31', undefined],
    [{ ...subject, productId: 'dental' }, '2026-06-01', 'dental'],
    [{ ...subject, jobTitle: 'Diretora' }, '2026-06-01', 'board'],
    [{ ...subject, costCenter: 'CC-2' }, '2026-06-01', 'center'],
    [{ ...subject, costCenter: 'CC-2', jobTitle: 'Diretora' }, '2026-06-01', 'center'],
    [{ ...subject, costCenter: null, jobTitle: null }, '2026-06-01', 'all-later'],
  ])('of %j on %s is %s: the most conditions, then the latest', (whom, day, id) => {
    expect(contributionRuleOf(rules, whom, day)?.id).toBe(id)
    expect(contributionRuleOf(rules.toReversed(), whom, day)?.id).toBe(id)
  })
})

describe('the part of the employee', () => {
  test('is of the primary or of the dependent, in percent or in cents', () => {
    expect(employeeAmount(41_235, rule('a'), 'primary')).toBe(8247)
    expect(employeeAmount(41_235, rule('a'), 'dependent')).toBe(41_235)
    expect(employeeAmount(25_000, rule('a', { primaryShare: { amount: 5000 } }), 'primary')).toBe(5000)
    expect(shareOf(3, { 'basis-points': 5000 })).toBe(2)
  })

  test('is never more than the amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999_999 }),
        fc.oneof(
          fc.record({ amount: fc.integer({ min: 0, max: 9_999_999 }) }),
          fc.record({ 'basis-points': fc.integer({ min: 0, max: 10_000 }) }),
        ),
        (amount, share) => {
          const part = shareOf(amount, share)
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(amount)
        },
      ),
      { seed: 3703, numRuns: 1000 },
    )
  })
})
