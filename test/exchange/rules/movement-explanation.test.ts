import type { ChargedBenefit, ComparisonRules, CoverMovement } from '#exchange/rules/charged-benefit.ts'
import { expect, test } from 'vitest'
import { compareBenefit } from '#exchange/rules/invoice-comparison.ts'

const month = '2026-11'
const table = (id: string, carrierPlanCode: string, amount: number) =>
  ({
    id,
    kind: 'per-person',
    prices: [{ category: 'person', amount }],
    carrierPlanCode,
    validFrom: '2026-01-01',
  }) as const
const comparison: ComparisonRules = {
  month,
  rules: { ageOn: 'birthday-month', proration: 'daily-30', prorationDay: null, anniversaryMonth: null },
  tables: [table('a', 'A', 30_000), table('b', 'B', 60_000)],
  tolerance: 0,
  knownMonths: new Set(),
  comparedMonths: [],
}

const movement = (kind: CoverMovement['kind'], date: string, more: Partial<CoverMovement> = {}): CoverMovement => ({
  kind,
  isOpen: true,
  date,
  newPlanCode: null,
  ...more,
})
const late = { isOpen: false }

/** Why the charge of somebody is explained. */
function explanation(charged: number | null, movements: readonly CoverMovement[], more: Partial<ChargedBenefit> = {}) {
  const lines =
    charged === null ? [] : [{ lineNumber: 1, amount: charged, entryType: 'monthly', entryPeriod: null } as const]
  const benefit: ChargedBenefit = {
    benefitId: 'benefit',
    type: 'primary',
    dateOfBirth: '1990-05-05',
    startDate: '2020-01-01',
    endDate: null,
    productId: 'health',
    planCode: 'A',
    costCenter: null,
    jobTitle: null,
    isPending: false,
    createdOn: '2026-11-20',
    charges: [],
    movements,
    lines,
    supplementary: 0,
    reported: [],
    claimed: [],
    ...more,
  }
  const { discrepancies } = compareBenefit(benefit, comparison)
  return discrepancies.map((found) => [found.class, found.explanation])
}

test.each<
  [
    string,
    number | null,
    readonly CoverMovement[],
    Partial<ChargedBenefit>,
    readonly (readonly [string, string | null])[],
  ]
>([
  ['nothing, while data are corrected', 80_000, [], {}, [['amount-differs', null]]],
  [
    'nothing, while the exclusion is open',
    null,
    [movement('exclusion', '2026-10-31')],
    {},
    [['not-charged', 'open-movement']],
  ],
  [
    'the days until an open end',
    5000,
    [movement('exclusion', '2026-11-05')],
    {},
    [['amount-differs', 'open-movement']],
  ],
  [
    'another amount than until an open end',
    6000,
    [movement('exclusion', '2026-11-05')],
    {},
    [['amount-differs', null]],
  ],
  [
    'more than a month, while the exclusion is open',
    80_000,
    [movement('exclusion', '2026-11-05')],
    {},
    [['amount-differs', null]],
  ],
  [
    'an open inclusion',
    30_000,
    [movement('inclusion', '2020-01-01')],
    { isPending: true },
    [['charged-before-start', 'open-movement']],
  ],
  [
    'another amount than an open inclusion',
    30_001,
    [movement('inclusion', '2020-01-01')],
    { isPending: true },
    [['charged-before-start', null]],
  ],
  [
    'the new plan of an open change',
    60_000,
    [movement('departure', '2026-11-01', { newPlanCode: 'B' })],
    {},
    [['amount-differs', 'open-movement']],
  ],
  [
    'both plans of an open change within the month',
    10_000 + 40_000,
    [movement('departure', '2026-11-11', { newPlanCode: 'B' })],
    {},
    [['amount-differs', 'open-movement']],
  ],
  [
    'another amount than an open change gives',
    60_001,
    [movement('departure', '2026-11-01', { newPlanCode: 'B' })],
    {},
    [['amount-differs', null]],
  ],
  [
    'nothing, after an open change of company',
    null,
    [movement('departure', '2026-11-01')],
    {},
    [['not-charged', 'open-movement']],
  ],
  ['a late inclusion', null, [movement('inclusion', '2020-01-01', late)], {}, [['not-charged', 'within-cut-off']]],
  [
    'a late exclusion',
    30_000,
    [movement('exclusion', '2026-10-31', late)],
    { endDate: '2026-10-31' },
    [['charged-after-end', 'within-cut-off']],
  ],
  [
    'another amount than before a late exclusion',
    30_500,
    [movement('exclusion', '2026-10-31', late)],
    { endDate: '2026-10-31' },
    [['charged-after-end', null]],
  ],
])('%s', (_, charged, movements, more, expected) => {
  expect(explanation(charged, movements, more)).toEqual(expected)
})
