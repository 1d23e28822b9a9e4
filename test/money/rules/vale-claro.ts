import type { ForecastBenefit, ForecastRules } from '#money/rules/forecast.ts'
import { pricesOf } from '../../data/prices.ts'

/* Cerâmica Vale Claro on 14 December 2026, before the cut-off of the 18th. */

const amounts = [21_840, 26_208, 31_974, 37_120, 39_804, 45_516, 56_190, 64_057, 82_953, 130_236]

export const rules: ForecastRules = {
  rules: { ageOn: 'month-after-birthday', proration: 'daily-30', prorationDay: null, anniversaryMonth: null },
  tables: [
    {
      id: 'table',
      kind: 'age-band-10',
      carrierPlanCode: null,
      validFrom: '2026-02-01',
      prices: pricesOf('age-band-10', amounts),
    },
  ],
  knownMonths: new Set(['2026-11', '2026-12']),
  calendar: {
    'cut-off-day': 18,
    'cut-off-business-days-before-billing': null,
    'when-not-business-day': 'previous',
    holidays: 'national',
    'own-holidays': [],
    'coverage-day': 1,
    'coverage-month-offset': 1,
    exceptions: [],
  },
  limits: { exclusion: null, inclusion: null },
  asOf: '2026-12-14',
  month: '2027-01',
}

/** Somebody who is covered since 2025 and was charged by the invoices of November and December. */
export function person(
  benefitId: string,
  born: string,
  charged: number | null,
  more: Partial<ForecastBenefit> = {},
): ForecastBenefit {
  const months = charged === null ? [] : ['2026-11', '2026-12']
  return {
    benefitId,
    type: 'primary',
    dateOfBirth: born,
    startDate: '2025-01-01',
    endDate: null,
    productId: 'essencial',
    planCode: 'AE1230',
    costCenter: null,
    jobTitle: null,
    isPending: false,
    createdOn: '2025-01-01',
    charges: months.map((month) => ({ fileMonth: month, period: month, amount: charged ?? 0 })),
    completed: [],
    open: [],
    claims: [],
    ...more,
  }
}

const cover = { newPlanCode: null, staysInContract: false }
const since = (startDate: string) => ({ startDate, createdOn: '2026-11-20' })

export const marcioOut = { ...cover, kind: 'exclusion', date: '2026-12-09' } as const
export const daviIn = { ...cover, kind: 'inclusion', date: '2026-12-01' } as const

export const people = {
  teresa: person('teresa', '1987-12-14', 39_804),
  otavio: person('otavio', '2019-05-02', 21_840, { type: 'dependent' }),
  marcio: person('marcio', '1970-03-09', 82_953, { open: [{ ...marcioOut, toldOn: null }] }),
  celia: person('celia', '1961-10-01', 130_236, {
    open: [{ ...cover, kind: 'exclusion', date: '2026-11-30', toldOn: '2026-11-30' }],
  }),
  nair: person('nair', '1990-02-11', 39_804),
  gilson: person('gilson', '1982-07-30', 56_190),
  ruth: person('ruth', '1975-04-18', 64_057),
  iolanda: person('iolanda', '1999-08-21', null, {
    ...since('2026-11-23'),
    completed: [{ ...cover, kind: 'inclusion', date: '2026-11-23', toldOn: '2026-11-24' }],
  }),
  davi: person('davi', '2004-01-30', null, {
    ...since('2026-12-01'),
    isPending: true,
    open: [{ ...daviIn, toldOn: null }],
  }),
} as const
