import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  forecastBenefit,
  type ForecastBenefit,
  type ForecastLine,
  lastKnown,
  nextMonth,
} from '#money/rules/forecast.ts'
import { CERTAINTIES, totalOf } from '#money/rules/forecast-causes.ts'
import { forecastTerms } from '#money/rules/forecast-terms.ts'
import { recognized, toldOn } from '#money/rules/forecast-movement.ts'
import { retroactiveUntil } from '#registry/rules/retroactive-limit.ts'
import { addDays } from '#kernel/calendar.ts'
import { varianceOf } from '#money/rules/variance.ts'
import { people, person, rules } from './vale-claro.ts'

const forecast = (benefit: ForecastBenefit, more: Partial<typeof rules> = {}): ForecastLine => {
  const line = forecastBenefit(benefit, { ...rules, ...more })
  if (line === null) throw new Error('a plan has no price')
  return line
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** The sums of lines by certainty and by cause. */
function totals(lines: readonly ForecastLine[]) {
  const causes = Map.groupBy(
    lines.flatMap((line) => line.causes),
    ({ cause }) => cause,
  )
  return {
    last: sumOf(lines.map(({ lastAmount }) => lastAmount)),
    amounts: CERTAINTIES.map((certainty) => sumOf(lines.map(({ amounts }) => amounts[certainty]))),
    total: sumOf(lines.map(({ amounts }) => totalOf(amounts))),
    causes: Object.fromEntries([...causes].map(([cause, found]) => [cause, sumOf(found.map(({ amount }) => amount))])),
    later: sumOf(lines.flatMap(({ later }) => later.map(({ amount }) => amount))),
    lost: sumOf(lines.map(({ lost }) => lost)),
  }
}

const movement = { newPlanCode: null, staysInContract: false } as const

describe('the invoice of January, on 14 December', () => {
  test('the month is that of the next cut-off, and the last invoice is that of December', () => {
    expect(nextMonth(rules.calendar, rules.asOf)).toBe('2027-01')
    expect(lastKnown(rules.knownMonths, '2027-01')).toBe('2026-12')
  })

  test('adds up by certainty and by cause', () => {
    expect(totals(Object.values(people).map((one) => forecast(one)))).toEqual({
      last: 434_884,
      amounts: [507_358, 5712, -260_472, -88_604],
      total: 163_994,
      causes: {
        entry: 58_182,
        exit: -213_189,
        'age-band': 5712,
        'retroactive-charge': 66_708,
        'retroactive-credit': -188_303,
      },
      later: 0,
      lost: 0,
    })
  })

  test.each([
    ['teresa', [39_804, 5712, 0, 0], { 'age-band': 5712 }],
    ['iolanda', [72_474, 0, 0, 0], { entry: 31_974, 'retroactive-charge': 40_500 }],
    ['celia', [130_236, 0, -260_472, 0], { exit: -130_236, 'retroactive-credit': -130_236 }],
    ['davi', [0, 0, 0, 52_416], { entry: 26_208, 'retroactive-charge': 26_208 }],
    ['marcio', [82_953, 0, 0, -141_020], { exit: -82_953, 'retroactive-credit': -58_067 }],
  ] as const)('of %s', (name, amounts, causes) => {
    expect(totals([forecast(people[name])])).toMatchObject({ amounts, causes })
  })

  test('what reaches the carrier after the cut-off of the month is of a later invoice', () => {
    const late = { asOf: '2026-12-21' }
    expect(forecast(people.marcio, late)).toMatchObject({
      amounts: { requested: 0, firm: 82_953 },
      later: [{ dueIn: '2027-02', amount: -82_953 }],
    })
    const completed = [{ ...movement, kind: 'inclusion', date: '2027-01-01', toldOn: '2026-12-21' }] as const
    const entered = person('late', '1999-08-21', null, { startDate: '2027-01-01', completed })
    expect(totals([forecast(entered, { asOf: '2027-01-04' })])).toMatchObject({ total: 0, later: 31_974, causes: {} })
  })

  test('a start and an end that are completed ahead come by date alone', () => {
    const ahead = person('ahead', '1999-08-21', null, {
      startDate: '2027-01-01',
      completed: [{ ...movement, kind: 'inclusion', date: '2027-01-01', toldOn: '2026-12-10' }],
    })
    expect(totals([forecast(ahead)])).toMatchObject({ amounts: [0, 31_974, 0, 0], causes: { entry: 31_974 } })
    const leaver = person('leaver', '1999-08-21', 31_974, {
      endDate: '2026-12-31',
      completed: [{ ...movement, kind: 'exclusion', date: '2026-12-31', toldOn: '2026-12-10' }],
    })
    expect(totals([forecast(leaver)])).toMatchObject({ amounts: [31_974, -31_974, 0, 0], causes: { exit: -31_974 } })
  })

  test('a price table that begins comes by date alone', () => {
    const dearer = rules.tables.map((table) => ({
      ...table,
      id: 'dearer',
      validFrom: '2027-01-01',
      prices: table.prices.map((price) => ({ ...price, amount: price.amount * 2 })),
    }))
    expect(totals([forecast(people.teresa, { tables: [...rules.tables, ...dearer] })])).toMatchObject({
      amounts: [39_804, 2 * 45_516 - 39_804, 0, 0],
      causes: { 'age-band': 5712, 'price-table': 45_516 },
    })
  })

  test('what the last invoice had wrong is not charged again', () => {
    const charges = people.gilson.charges.map((charge) => ({ ...charge, amount: 64_057 }))
    expect(totals([forecast({ ...people.gilson, charges })])).toMatchObject({
      last: 64_057,
      amounts: [56_190, 0, 0, 0],
      causes: { 'settled-difference': -7867 },
    })
  })

  test('a balance without a movement that explains it is left to claims, whose credits are forecast', () => {
    const [november] = people.gilson.charges
    const twice = [...people.gilson.charges, { ...november!, amount: 56_190 }]
    expect(totals([forecast({ ...people.gilson, charges: twice })])).toMatchObject({ amounts: [56_190, 0, 0, 0] })
    const claim = { period: '2026-11', amount: 56_190 }
    const claims = (['firm', 'at-carrier', null] as const).map((certainty) =>
      totals([forecast({ ...people.gilson, charges: twice, claims: [{ ...claim, certainty }] })]),
    )
    expect(claims.map(({ amounts }) => amounts)).toEqual([
      [0, 0, 0, 0],
      [56_190, 0, -56_190, 0],
      [56_190, 0, 0, 0],
    ])
    expect(claims[0]?.causes).toEqual({ 'claim-credit': -56_190 })
  })

  test('a change of plan is a change of its price, from its day', () => {
    const [table] = rules.tables
    const basic = {
      ...table!,
      id: 'basic',
      carrierPlanCode: 'BASIC',
      prices: table!.prices.map((price) => ({ ...price, amount: 10_000 })),
    }
    const open = [
      { kind: 'departure', date: '2026-12-01', newPlanCode: 'BASIC', staysInContract: true, toldOn: null },
    ] as const
    expect(totals([forecast({ ...people.nair, open }, { tables: [...rules.tables, basic] })])).toMatchObject({
      amounts: [39_804, 0, 0, 2 * (10_000 - 39_804)],
      causes: { 'plan-change': 10_000 - 39_804, 'retroactive-credit': 10_000 - 39_804 },
    })
    const leaves = [{ ...open[0], newPlanCode: null, staysInContract: false }]
    expect(totals([forecast({ ...people.nair, open: leaves })])).toMatchObject({ amounts: [39_804, 0, 0, -79_608] })
  })

  test('credits beyond the limit are left out, and lost', () => {
    const limits = { exclusion: { unit: 'months', count: 0 }, inclusion: null } as const
    expect(totals([forecast(people.celia, { limits })])).toMatchObject({
      amounts: [130_236, 0, -130_236, 0],
      causes: { exit: -130_236 },
      lost: 130_236,
    })
  })

  test('the month after the next has no months before it', () => {
    const february = totals(Object.values(people).map((one) => forecast(one, { month: '2027-02' })))
    expect(february).toMatchObject({ amounts: [434_884 + 31_974, 5712, -130_236, -82_953 + 26_208] })
    expect(february.causes).not.toHaveProperty('retroactive-credit')
  })
})

test('variance: the first of what was forecast that the invoice charges', () => {
  const amounts = { firm: 1000, scheduled: 200, 'at-carrier': -300, requested: -50 }
  const classes = [850, 900, 1200, 1000, 777, 851].map((found) => varianceOf(amounts, found, 0))
  expect(classes).toEqual([
    'as-forecast',
    'requested-not-taken',
    'pending-not-taken',
    'scheduled-not-taken',
    'unforeseen',
    'unforeseen',
  ])
  expect(varianceOf(amounts, 851, 1)).toBe('as-forecast')
  expect(varianceOf(forecast(people.marcio).amounts, 82_953, 0)).toBe('requested-not-taken')
  expect(varianceOf(forecast(people.gilson).amounts, 64_057, 0)).toBe('unforeseen')
})

const days = fc.integer({ min: 0, max: 150 }).map((offset) => addDays('2026-09-15', offset))

test('whatever is open: the causes and the certainties add up, and the order of lines changes nothing', () => {
  const amount = fc.integer({ min: 0, max: 90_000 })
  const benefits = fc.record({
    born: fc.integer({ min: 0, max: 25_000 }).map((offset) => addDays('1950-01-01', offset)),
    start: days,
    end: fc.option(days),
    isPending: fc.boolean(),
    charged: fc.array(fc.record({ month: fc.constantFrom('2026-10', '2026-11', '2026-12'), amount }), { maxLength: 4 }),
    open: fc.array(
      fc.record({
        kind: fc.constantFrom('inclusion', 'exclusion', 'departure'),
        date: days,
        toldOn: fc.option(days),
        newPlanCode: fc.constantFrom('AE1230', null),
        staysInContract: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    completed: fc.array(fc.record({ kind: fc.constantFrom('inclusion', 'exclusion'), date: days, toldOn: days }), {
      maxLength: 2,
    }),
    month: fc.constantFrom('2027-01', '2027-02', '2027-03'),
    count: fc.integer({ min: 0, max: 24 }),
    unit: fc.constantFrom('days', 'months'),
  })
  const property = fc.property(benefits, (drawn) => {
    const charges = drawn.charged.map(({ month, ...charged }) => ({ fileMonth: month, period: month, ...charged }))
    const benefit = person('drawn', drawn.born, null, {
      startDate: drawn.start,
      endDate: drawn.end !== null && drawn.end < drawn.start ? drawn.start : drawn.end,
      isPending: drawn.isPending,
      charges,
      open: drawn.open,
      completed: drawn.completed.map((one) => ({ ...movement, ...one })) as ForecastBenefit['completed'],
    })
    const limit = { unit: drawn.unit as 'days', count: drawn.count }
    const more = { month: drawn.month, limits: { exclusion: limit, inclusion: limit } }
    const line = forecast(benefit, more)
    expect(sumOf(line.causes.map(({ amount }) => amount))).toBe(totalOf(line.amounts) - line.lastAmount)
    for (const certainty of CERTAINTIES) {
      const own = line.causes.filter((one) => one.certainty === certainty).map(({ amount }) => amount)
      expect(sumOf(own) + (certainty === 'firm' ? line.lastAmount : 0)).toBe(line.amounts[certainty])
    }
    const months = line.months.map((one) => forecastTerms(one, { ...rules, ...more }))
    for (const one of months) expect(sumOf(one.terms.map(({ amount }) => amount))).toBe(one.amount)
    expect(sumOf(months.map(({ amount }) => amount))).toBe(totalOf(line.amounts))
    // Without claims nothing is left to them.
    expect(months.flatMap(({ terms }) => terms).filter(({ term }) => term === 'difference')).toEqual([])
    const again = forecast({ ...benefit, charges: charges.toReversed() }, more)
    const termsAgain = again.months.map((one) => forecastTerms(one, { ...rules, ...more }))
    expect([{ ...again, months: termsAgain }]).toEqual([{ ...line, months }])
    expect(line.lost).toBeGreaterThanOrEqual(0)
  })
  fc.assert(property, { seed: 2027, numRuns: 500 })
})

test('until the window closes the date is recognized, and a day later it is not', () => {
  const property = fc.property(
    days,
    fc.integer({ min: 0, max: 24 }),
    fc.constantFrom('exclusion', 'inclusion'),
    (date, count, kind) => {
      for (const unit of ['days', 'months'] as const) {
        const limit = { unit, count }
        const limits = { exclusion: limit, inclusion: limit }
        const until = retroactiveUntil(kind, date, limit, rules.calendar)
        const told = (day: string) => recognized({ kind, date }, toldOn(rules.calendar, day), limits).date
        expect(told(until)).toBe(date)
        expect(told(addDays(until, 1)) > date).toBe(true)
      }
    },
  )
  fc.assert(property, { seed: 2027, numRuns: 300 })
})
