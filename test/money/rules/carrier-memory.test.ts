import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomOf } from '#apps/cli/carrier-simulator/random.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { type ChargeLine, explainCharge } from '#money/rules/charge.ts'
import { sumOf } from '#money/rules/charge-terms.ts'
import { type ForecastBenefit, forecastBenefit } from '#money/rules/forecast.ts'
import { totalOf } from '#money/rules/forecast-causes.ts'
import type { RetroactiveLimit } from '#registry/rules/retroactive-limit.ts'
import { owedFor, type OwingBenefit } from '#money/rules/ledger.ts'
import { moneyAtRisk } from '#money/rules/money-at-risk.ts'
import { varianceOf } from '#money/rules/variance.ts'
import { addMonths, type Month, monthsOf } from '#registry/rules/cut-off.ts'
import { scaled } from '../../scale.ts'
import { person, rules } from './vale-claro.ts'

/*
 * A carrier with a memory of its own: who is covered as it was told by each cut-off, and what it charged. It charges a month by that, and corrects
 * earlier months when it hears of a change. On 14 December the service forecasts its invoice of January.
 */

const months = monthsOf('2026-08', '2027-02')
const january = '2027-01'
const knownMonths = new Set(monthsOf('2026-08', '2026-12'))
const cutOffs: Readonly<Record<Month, LocalDate>> = {
  '2026-08': '2026-07-17',
  '2026-09': '2026-08-18',
  '2026-10': '2026-09-18',
  '2026-11': '2026-10-16',
  '2026-12': '2026-11-18',
  '2027-01': '2026-12-18',
  '2027-02': '2027-01-18',
}

/** A start or an end, and the day on which the carrier hears of it. */
interface Change {
  readonly kind: 'inclusion' | 'exclusion'
  readonly date: LocalDate
  readonly toldOn: LocalDate
}

interface Insured {
  readonly benefit: OwingBenefit
  readonly changes: readonly Change[]
}

/** The cover as the carrier knows it; null: it does not know the person. */
function known({ benefit, changes }: Insured, on: LocalDate): OwingBenefit | null {
  const told = changes.filter(({ toldOn }) => toldOn <= on)
  if (changes.some(({ kind }) => kind === 'inclusion') && !told.some(({ kind }) => kind === 'inclusion')) return null
  return { ...benefit, endDate: told.find(({ kind }) => kind === 'exclusion')?.date ?? null }
}

const owes = (benefit: OwingBenefit | null, period: Month): number =>
  benefit === null ? 0 : (owedFor(benefit, period, rules)?.amount ?? 0)

/** What the invoice of a month has of a person: by month of cover. */
function invoiceOf(insured: Insured, month: Month): { period: Month; amount: number }[] {
  const now = known(insured, cutOffs[month] ?? '')
  const before = known(insured, cutOffs[addMonths(month, -1)] ?? '')
  const corrected = monthsOf('2026-08', month).slice(0, -1)
  return [
    ...corrected.map((period) => ({ period, amount: owes(now, period) - owes(before, period) })),
    { period: month, amount: owes(now, month) },
  ].filter(({ amount }) => amount !== 0)
}

const chargesUntil = (insured: Insured, until: Month) =>
  months
    .filter((month) => month <= until)
    .flatMap((fileMonth) => invoiceOf(insured, fileMonth).map((charge) => ({ fileMonth, ...charge })))

const seeds = fc.integer({ min: 1, max: 2_000_000_000 })

/** People with what the service knows of them on 14 December: some changes are completed, some with the carrier, some only asked for. */
function peopleOf(seed: number) {
  const random = randomOf(seed)
  const day = (first: LocalDate, days: number) => addDays(first, random.between(0, days - 1))
  return Array.from({ length: 24 }, (_, index) => {
    const own = person(`person-${index}`, day('1950-01-01', 25_000), null)
    const state = random.pick(['completed', 'at-carrier', 'requested', 'none'] as const)
    const kind = random.pick(['inclusion', 'exclusion'] as const)
    const date = day('2026-09-01', 130)
    // What is only asked for is told at the cut-off.
    const toldOn = state === 'requested' ? '2026-12-18' : day('2026-11-19', 25)
    const change: Change = { kind, date, toldOn }
    const isOpen = state === 'requested' || state === 'at-carrier'
    const startDate = state !== 'none' && kind === 'inclusion' ? date : own.startDate
    const benefit = { ...own, startDate }
    const insured: Insured = { benefit, changes: state === 'none' ? [] : [change] }
    const movement = { kind, date, newPlanCode: null, staysInContract: false }
    const forecast: ForecastBenefit = {
      ...benefit,
      isPending: isOpen && kind === 'inclusion',
      endDate: state === 'completed' && kind === 'exclusion' ? date : null,
      charges: chargesUntil(insured, '2026-12'),
      completed: state === 'completed' ? [{ ...movement, toldOn }] : [],
      open: isOpen ? [{ ...movement, toldOn: state === 'requested' ? null : toldOn }] : [],
    }
    return { insured, forecast }
  })
}

test('seeded errors: terms add up to each line, each error is one difference, and exactly those are unforeseen', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 0, max: 12 }), (seed, count) => {
      const random = randomOf(seed + 1)
      const people = peopleOf(seed)
      const charged = people.flatMap((one, at) => (invoiceOf(one.insured, january).length > 0 ? [at] : []))
      const wrong = new Map(
        random.some(charged, count).map((at) => [at, random.between(1, 96) * random.pick([1, -1])] as const),
      )
      let variance = 0
      const unforeseen: number[] = []
      for (const [at, { insured, forecast }] of people.entries()) {
        const error = wrong.get(at) ?? 0
        const invoice = invoiceOf(insured, january).map((line, number): ChargeLine => {
          const isRetroactive = line.period !== january
          const entryType = line.amount > 0 ? 'inclusion-retroactive' : 'cancellation-retroactive'
          return {
            lineNumber: number + 1,
            amount: line.amount + (number === 0 ? error : 0),
            entryType: isRetroactive ? entryType : 'monthly',
            entryPeriod: line.period,
            claimedMonth: null,
          }
        })
        const actual = known(insured, '2026-12-18')
        const explained = explainCharge({ ...forecast, endDate: actual?.endDate ?? null, isPending: false }, invoice, {
          month: january,
          rules: { ...rules, knownMonths },
          missing: [],
          toldMonths: [],
          beganByChange: false,
          endedByChange: false,
        })
        for (const { lineNumber, amount } of invoice) {
          const month = explained.months.find(({ lineNumbers }) => lineNumbers.includes(lineNumber))
          expect([sumOf(month?.terms ?? []), month?.amount]).toEqual([amount, amount])
        }
        const differences = explained.months.flatMap(({ terms }) => terms.filter(({ term }) => term === 'difference'))
        expect(differences).toEqual(error === 0 ? [] : [{ term: 'difference', amount: error }])
        const line = forecastBenefit(forecast, { ...rules, knownMonths })
        const found = sumOf(invoice)
        if (line === null) throw new Error('a plan has no price')
        variance += found - totalOf(line.amounts)
        const name = varianceOf(line.amounts, found, 0)
        if (name !== 'as-forecast') unforeseen.push(at)
        expect(['as-forecast', 'unforeseen']).toContain(name)
      }
      expect(unforeseen).toEqual([...wrong.keys()].toSorted((a, b) => a - b))
      expect(variance).toBe([...wrong.values()].reduce((sum, error) => sum + error, 0))
    }),
    { seed: 2505, numRuns: scaled(100, 1000) },
  )
})

/** The end that a carrier with a limit takes for an exclusion of which it is told at the cut-off of a month. */
function recognizedEnd(date: LocalDate, month: Month, { unit, count }: RetroactiveLimit): LocalDate {
  const earliest =
    unit === 'days' ? addDays(cutOffs[month] ?? '', -count) : addDays(`${addMonths(month, -count)}-01`, -1)
  return date > earliest ? date : earliest
}

test('exclusions that miss the cut-off: the next invoice charges what is at risk, and the one after never credits what was said', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.constantFrom('days' as const, 'months' as const),
      fc.integer({ min: 0, max: 24 }),
      (seed, unit, count) => {
        const random = randomOf(seed)
        const limit: RetroactiveLimit = { unit, count: unit === 'days' ? count * 3 : count % 4 }
        const sums = { ifMissed: 0, charged: 0, lostIfMissed: 0, neverCredited: 0 }
        for (let index = 0; index < 100; index += 1) {
          const date = addDays('2026-09-15', random.between(0, 107))
          const benefit = person(`leaver-${index}`, addDays('1950-01-01', random.between(0, 25_000)), null)
          const insured: Insured = { benefit, changes: [] }
          const risk = moneyAtRisk(
            { ...benefit, charges: chargesUntil(insured, '2026-12') },
            { kind: 'exclusion', date, newPlanCode: null, staysInContract: false },
            null,
            { ...rules, knownMonths, limits: { exclusion: limit, inclusion: null } },
          )
          const ended = { ...benefit, endDate: date }
          sums.ifMissed += risk.ifMissed ?? Number.NaN
          sums.charged += sumOf(invoiceOf(insured, january)) - owes(ended, january)
          sums.lostIfMissed += risk.lostIfMissed ?? Number.NaN
          /** What is charged beyond the end and stays so when the carrier is told at the cut-off of a month. */
          const stays = (toldIn: Month) => {
            const end = recognizedEnd(date, toldIn, limit)
            const told: Insured = {
              benefit,
              changes: [{ kind: 'exclusion', date: end, toldOn: cutOffs[toldIn] ?? '' }],
            }
            const total = sumOf(chargesUntil(told, '2027-02'))
            return total - months.reduce((sum, period) => sum + owes(ended, period), 0)
          }
          sums.neverCredited += stays('2027-02') - stays(january)
        }
        expect([sums.ifMissed, sums.lostIfMissed]).toEqual([sums.charged, sums.neverCredited])
      },
    ),
    { seed: 2506, numRuns: 15 },
  )
})
