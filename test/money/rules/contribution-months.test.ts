import { expect, test } from 'vitest'
import { type ContributionFacts, contributionMonths, type OwnPremium } from '#money/rules/contribution-months.ts'
import type { ContributionRule } from '#money/rules/contribution.ts'

const rule = (more: Partial<ContributionRule> = {}): ContributionRule => ({
  id: 'rule',
  productId: null,
  validFrom: '2026-01-01',
  primaryShare: { 'basis-points': 2000 },
  dependentShare: { 'basis-points': 10_000 },
  coparticipationShare: { 'basis-points': 5000 },
  costCenters: [],
  jobTitles: [],
  ...more,
})
const cover = (
  startDate: string,
  endDate: string | null,
  rules: readonly ContributionRule[] = [],
  productId = 'one',
) => ({
  productId,
  startDate,
  endDate,
  rules,
})
const premium = (month: string, more: Partial<OwnPremium> = {}): OwnPremium => ({
  productId: 'one',
  month,
  amount: 25_000,
  employeeAmount: null,
  share: null,
  ...more,
})
const facts = (more: Partial<ContributionFacts>): ContributionFacts => ({
  covers: [],
  premiums: [],
  costCenter: null,
  jobTitle: null,
  ...more,
})
const nothing = { 'basis-points': 0 }

test.each<[string, Partial<ContributionFacts>, readonly string[]]>([
  ['nobody covered', {}, []],
  ['a cover without a rule and without a charge', { covers: [cover('2026-01-01', null)] }, []],
  [
    'a rule: each month with a day of cover',
    { covers: [cover('2026-01-31', '2026-03-01', [rule()])] },
    ['2026-01', '2026-02', '2026-03'],
  ],
  [
    'a rule that starts later',
    { covers: [cover('2026-01-01', null, [rule({ validFrom: '2026-03-01' })])] },
    ['2026-03', '2026-04'],
  ],
  [
    'a rule that ends the contribution',
    {
      covers: [
        cover('2026-01-01', null, [rule(), rule({ id: 'free', validFrom: '2026-03-01', primaryShare: nothing })]),
      ],
    },
    ['2026-01', '2026-02'],
  ],
  ['only co-participation', { covers: [cover('2026-01-01', null, [rule({ primaryShare: nothing })])] }, []],
  [
    'only the premiums of dependents',
    {
      covers: [cover('2026-01-01', null, [rule({ primaryShare: { amount: 0 }, dependentShare: { amount: 5000 } })])],
    },
    [],
  ],
  [
    'an amount in cents',
    { covers: [cover('2026-03-01', null, [rule({ primaryShare: { amount: 1 } })])] },
    ['2026-03', '2026-04'],
  ],
  [
    'a rule of another job title',
    { covers: [cover('2026-01-01', null, [rule({ jobTitles: ['Diretora'] })])], jobTitle: 'Analista' },
    [],
  ],
  [
    'an amount of the employee in the carrier’s file',
    {
      covers: [cover('2026-01-01', null)],
      premiums: [
        premium('2026-01', { employeeAmount: 1 }),
        premium('2026-02', { employeeAmount: 0 }),
        premium('2026-03'),
      ],
    },
    ['2026-01'],
  ],
  [
    'a rule above the carrier’s file',
    {
      covers: [cover('2026-01-01', '2026-01-31', [rule({ primaryShare: nothing })])],
      premiums: [premium('2026-01', { employeeAmount: 5000 })],
    },
    [],
  ],
  [
    'a premium that was credited again',
    {
      covers: [cover('2026-01-01', '2026-02-28', [rule()])],
      premiums: [premium('2026-02'), premium('2026-02', { amount: -25_000 })],
    },
    ['2026-01'],
  ],
  [
    'a closed month: what was paid then, whatever the rule says now',
    {
      covers: [cover('2026-01-01', '2026-02-28', [rule({ primaryShare: nothing })])],
      premiums: [premium('2026-01', { share: 5000 }), premium('2026-02', { share: 0 })],
    },
    ['2026-01'],
  ],
  [
    'two plans one after the other: one count, a gap does not count',
    {
      covers: [cover('2026-01-01', '2026-01-31', [rule()]), cover('2026-03-15', null, [rule()], 'two')],
    },
    ['2026-01', '2026-03', '2026-04'],
  ],
  [
    'two covers in one month: one month',
    {
      covers: [cover('2026-01-01', '2026-01-14', [rule()]), cover('2026-01-15', '2026-01-31', [rule()], 'two')],
    },
    ['2026-01'],
  ],
])('%s', (_what, more, months) => {
  expect(contributionMonths(facts(more), '2026-04')).toEqual(months)
})
