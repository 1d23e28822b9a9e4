import { type Random, randomOf } from '#apps/cli/carrier-simulator/random.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { ContributionRule } from '#money/rules/contribution.ts'
import { type UnsharedCharge, withShares } from '#money/rules/cost.ts'
import {
  type AcceptedAmount,
  type ClosedShare,
  type DeductedBenefit,
  type DeductionFacts,
  dueLines,
  type DueLines,
  knownShare,
} from '#money/rules/deduction.ts'
import { LEDGER_MONTHS, owedFor } from '#money/rules/ledger.ts'
import { changeableLines, type ExportedLine, openLines } from '#money/rules/payroll.ts'
import type { DatedTable } from '#money/rules/premium.ts'
import { required } from '#platform/core/log.ts'
import { addMonths, type Month, monthsOf } from '#registry/rules/cut-off.ts'
import { chargeOf } from './charges.ts'
import { person, rules as valeClaro } from './vale-claro.ts'

/*
 * Eighteen months of a company that deducts by effective date. What happens to its people and what their carrier charges follows from one seed; when
 * its months are closed and when payroll exports, from another.
 */

const lastMonth = '2027-06'
const months = monthsOf('2026-01', lastMonth)
/** The months before are deducted by closed month. */
const firstMonth = '2026-03'
const contractId = 'contract'
const firstTable: DatedTable = { ...pick(valeClaro.tables, 0), validFrom: '2020-01-01' }

function pick<T>(list: readonly T[], index: number): T {
  const value = list[index]
  if (value === undefined) throw new Error(`nothing at ${index}`)
  return value
}

/** A line of an invoice. */
interface Line {
  readonly benefitId: string
  readonly source: UnsharedCharge['source']
  readonly period: Month
  readonly amount: number
}

/** What the service has stored. */
interface Stored {
  readonly benefits: Map<string, DeductedBenefit>
  readonly tables: DatedTable[]
  readonly rules: ContributionRule[]
  readonly invoices: Map<Month, Line[]>
  readonly accepted: AcceptedAmount[]
  readonly closed: Map<Month, readonly ClosedShare[]>
  /** Months that were closed and are open again. */
  readonly reopened: Set<Month>
  readonly exported: ExportedLine[]
}

export interface Outcome {
  readonly exported: readonly ExportedLine[]
  readonly due: DueLines['lines']
  /** What the closed months say that employees pay, but for those before; and what is known of covers that they do not charge. */
  readonly closed: number
  readonly recurring: number
  /** Lines of exports that repeat the one before. */
  readonly repeated: number
}

const shares = [{ 'basis-points': 3_000 }, { 'basis-points': 10_000 }, { amount: 5_000 }, { amount: 30_000 }] as const

const ruleFrom = (random: Random, validFrom: LocalDate): ContributionRule => ({
  id: validFrom,
  productId: null,
  validFrom,
  primaryShare: random.pick(shares),
  dependentShare: random.pick(shares),
  coparticipationShare: { 'basis-points': 5_000 },
  costCenters: random.pick([[], [], ['4200']]),
  jobTitles: [],
})

function peopleOf(random: Random): DeductedBenefit[] {
  const one = (benefitId: string, employeeMemberId: string, productType = 'health-insurance'): DeductedBenefit => {
    const memberId = benefitId.replace(' dental', '')
    return {
      ...person(benefitId, addDays('1958-01-01', random.between(0, 22_000)), null),
      type: memberId === employeeMemberId ? 'primary' : 'dependent',
      contractId,
      memberId,
      employeeMemberId,
      productType,
      employedUntil: null,
      costCenter: '4100',
      formerCostCenters: [],
    }
  }
  return [
    one('ana', 'ana'),
    one('ana dental', 'ana', 'dental-insurance'),
    one('bia', 'ana'),
    one('caio', 'ana'),
    one('davi', 'davi'),
    one('elza', 'davi'),
  ]
}

/** A carrier that charges each month of cover by what it heard of, and corrects earlier ones. */
function carrierOf(people: Iterable<DeductedBenefit>) {
  const covers = new Map([...people].map((benefit) => [benefit.benefitId, benefit]))
  const tables = [firstTable]
  const charged = new Map<string, number>()
  return {
    hear: (benefit: DeductedBenefit) => void covers.set(benefit.benefitId, benefit),
    adopt: (table: DatedTable) => void tables.push(table),
    invoice: (month: Month): Line[] =>
      [...covers.values()].flatMap((benefit) =>
        monthsOf('2026-01', month).flatMap((period) => {
          const key = `${benefit.benefitId} ${period}`
          const owed = owedFor(benefit, period, { rules: valeClaro.rules, tables })?.amount ?? 0
          const amount = owed - (charged.get(key) ?? 0)
          charged.set(key, owed)
          return amount === 0 ? [] : [{ benefitId: benefit.benefitId, source: 'premium', period, amount }]
        }),
      ),
  }
}

const sumOf = (list: readonly { readonly amount: number }[]): number =>
  list.reduce((sum, { amount }) => sum + amount, 0)

/** The premiums and co-participation of a month with what employees pay, as its closing stores them. */
function sharesOf({ benefits, rules, invoices, closed }: Stored, month: Month): ClosedShare[] {
  const lines = Map.groupBy(
    invoices.get(month) ?? [],
    ({ benefitId, source, period }) => `${benefitId} ${source} ${period}`,
  )
  return [...lines.values()].map((group) => {
    const { benefitId, source, period } = pick(group, 0)
    const benefit = required(benefits.get(benefitId), 'benefit')
    const isSame = (line: Pick<Line, 'benefitId' | 'period'>) => line.benefitId === benefitId && line.period === period
    const others = [...invoices].filter(([of]) => of !== month && (closed.has(of) || of < month))
    const before = others.flatMap(([of, all]) =>
      all.filter((line) => isSame(line) && line.source === 'premium').map((line) => ({ ...line, of })),
    )
    const known = [...closed.values()]
      .flat()
      .filter((share) => share.isPremium && isSame({ ...share, benefitId: share.benefitId ?? '' }))
    const isOpen = before.some(({ of }) => !closed.has(of))
    const former = benefit.formerCostCenters.find(({ until }) => until > `${period}-01`)
    const { costCenter } = former ?? benefit
    const { memberId, employeeMemberId, type, productType, productId } = benefit
    const [charge] = withShares(
      [
        chargeOf({
          contractId,
          source,
          period,
          amount: sumOf(group),
          before: source === 'premium' ? sumOf(before) : 0,
          beforeShare: isOpen || known.length === 0 ? null : known.reduce((sum, { share }) => sum + Number(share), 0),
          costCenter,
          person: { benefitId, memberId, employeeMemberId, type, productType, productId },
        }),
      ],
      () => rules,
    )
    return {
      benefitId,
      contractId,
      memberId,
      employeeMemberId,
      type,
      isPremium: source === 'premium',
      productType,
      period,
      amount: sumOf(group),
      share: charge?.share ?? 0,
      isBefore: month < firstMonth,
      isGone: false,
    }
  })
}

const factsOf = ({ benefits, tables, rules, accepted }: Stored, shares: readonly ClosedShare[]): DeductionFacts => ({
  benefits: [...benefits.values()],
  shares,
  accepted,
  pricings: new Map([[contractId, { rules: valeClaro.rules, tables, contributionRules: rules, tolerance: 5 }]]),
})

/** What an export of a period takes. */
function exportOf(stored: Stored, through: Month): ExportedLine[] {
  const oldest = addMonths(through, -LEDGER_MONTHS)
  const span = { firstMonth, from: oldest < firstMonth ? firstMonth : oldest, through }
  const all = [...stored.closed].flatMap(([month, shares]) => shares.map((share) => ({ month, share })))
  const canChange = new Set(
    all.filter(({ month }) => month >= oldest).map(({ share }) => `${share.employeeMemberId} ${share.period}`),
  )
  const shares = all
    .map(({ share }) => share)
    .filter((share) => share.period <= through)
    .filter((share) => share.period >= oldest || canChange.has(`${share.employeeMemberId} ${share.period}`))
  const { lines, problems } = dueLines(factsOf(stored, shares), span)
  if (problems.size > 0) throw new Error('a price or a rule is missing')
  const invoices = [...stored.invoices].filter(([month]) => stored.reopened.has(month))
  const charged = invoices.flatMap(([, group]) => group.map(({ period }) => period))
  const reopened = new Set([...stored.reopened, ...charged])
  return changeableLines(openLines(lines, stored.exported), span, reopened)
    .filter(({ open }) => open !== 0)
    .map(({ memberId, kind, productType, originMonth, open, openPeople }) => {
      return { memberId, kind, productType, originMonth, amount: open, people: openPeople }
    })
}

/** What is exported, due and charged at the end, when every month is closed and a last export was made. */
export function runHistory(seed: number, schedule: number): Outcome {
  const [random, days] = [randomOf(seed), randomOf(schedule)]
  const chance = (percent: number) => random.between(1, 100) <= percent
  const people = peopleOf(random)
  const carrier = carrierOf(people)
  const stored: Stored = {
    benefits: new Map(people.map((benefit) => [benefit.benefitId, benefit])),
    tables: [firstTable],
    rules: [{ ...ruleFrom(random, '2020-01-01'), costCenters: [] }],
    invoices: new Map(),
    accepted: [],
    closed: new Map(),
    reopened: new Set(),
    exported: [],
  }
  const later = new Map<Month, (() => void)[]>()
  const inMonths = (now: Month, count: number, act: () => void) => {
    const month = addMonths(now, count)
    if (count === 0) act()
    else later.set(month, [...(later.get(month) ?? []), act])
  }

  /** A cover begins or ends, or never was where it began later; the carrier hears of it up to four months afterwards. */
  const changeCover = (now: Month) => {
    const { benefitId, memberId, productType } = random.pick(people)
    const covers = [...stored.benefits.values()].filter(
      (one) => one.memberId === memberId && one.productType === productType,
    )
    const last = pick(covers, covers.length - 1)
    const day = addDays(`${now}-01`, random.between(-140, 40))
    const [former, { startDate }] = [last.endDate, last]
    const again = former === null || day > former ? day : addDays(former, 1)
    const changed =
      former === null
        ? { ...last, endDate: startDate > day ? addDays(startDate, -1) : day }
        : { ...last, benefitId: `${benefitId} since ${again} ${now}`, startDate: again, endDate: null }
    stored.benefits.set(changed.benefitId, changed)
    inMonths(now, random.pick([0, 0, 1, 2, 4]), () => carrier.hear(changed))
  }
  const changePrices = (now: Month) => {
    const percent = random.between(-5, 20)
    const prices = firstTable.prices.map(({ category, amount }) => {
      return { category, amount: Math.round((amount * (100 + percent)) / 100) }
    })
    const table = { ...firstTable, id: now, validFrom: `${addMonths(now, random.between(-3, 2))}-01`, prices }
    inMonths(now, random.pick([0, 0, 2]), () => void stored.tables.push(table))
    inMonths(now, random.pick([0, 0, 2]), () => carrier.adopt(table))
  }
  const changeCostCenter = (now: Month) => {
    const employee = random.pick(['ana', 'davi'])
    const costCenter = random.pick(['4100', '4200'])
    const until = `${now}-${random.pick(['05', '20'])}`
    for (const benefit of stored.benefits.values()) {
      if (benefit.employeeMemberId !== employee) continue
      const formerCostCenters = [...benefit.formerCostCenters, { until, costCenter: benefit.costCenter }]
      stored.benefits.set(benefit.benefitId, { ...benefit, costCenter, formerCostCenters })
    }
  }
  /** The carrier credits the error of a wrong line, is believed, insists, or sends the invoice again. */
  const beWrong = (now: Month, lines: Line[]) => {
    const wrong = random.between(0, lines.length - 1)
    const line = lines[wrong]
    if (line === undefined || line.source !== 'premium') return
    const amount = random.between(-9_000, 20_000)
    lines[wrong] = { ...line, amount: line.amount + amount }
    const end = random.pick(['credited', 'accepted', 'contested', 'corrected'])
    // A credit may be of a month that is older than the ledger.
    const isLate = end === 'credited' && now <= '2026-04' && chance(50)
    inMonths(now, isLate ? monthsOf(now, lastMonth).length - 1 : random.between(1, 4), () => {
      if (end === 'credited') credits.push({ ...line, amount: -amount })
      if (end === 'accepted' && amount > 0) stored.accepted.push({ ...line, amount })
      if (end === 'corrected') read(now, (stored.invoices.get(now) ?? []).with(wrong, line))
    })
  }
  const credits: Line[] = []
  const read = (month: Month, lines: readonly Line[]) => {
    if (stored.closed.delete(month)) stored.reopened.add(month)
    stored.invoices.set(month, [...lines])
  }
  const close = (month: Month) => {
    stored.closed.set(month, sharesOf(stored, month))
    stored.reopened.delete(month)
  }
  let [repeated, idle] = [0, 0]
  const exportNow = (period: Month) => {
    stored.exported.push(...exportOf(stored, period))
    repeated += exportOf(stored, period).length
  }

  for (const now of months) {
    const happenings = [
      ...(later.get(now) ?? []),
      ...(chance(55) ? [() => changeCover(now)] : []),
      ...(chance(12) ? [() => changePrices(now)] : []),
      ...(chance(8)
        ? [() => void stored.rules.push(ruleFrom(random, `${addMonths(now, random.between(2, 4))}-01`))]
        : []),
      ...(chance(10) ? [() => changeCostCenter(now)] : []),
    ]
    for (const happen of happenings) {
      happen()
      if (now >= firstMonth && days.between(1, 100) <= 15) exportNow(addMonths(now, days.between(0, 1)))
    }
    const lines = carrier.invoice(now)
    if (chance(30))
      lines.push({ benefitId: 'bia', source: 'coparticipation', period: now, amount: random.between(1, 9_000) })
    if (now >= firstMonth && chance(30)) beWrong(now, lines)
    read(now, [...lines, ...credits.splice(0)])
    if (now < firstMonth) {
      close(now)
      continue
    }
    const open = [...stored.invoices.keys()].filter((month) => !stored.closed.has(month))
    const drawn = days.some(open, days.between(0, open.length))
    for (const month of open) if (drawn.includes(month) || month < addMonths(now, -4)) close(month)
    if (days.between(1, 100) <= 15) {
      const month = days.pick(monthsOf(firstMonth, now))
      if (stored.closed.delete(month)) stored.reopened.add(month)
    }
    idle += 1
    if (idle > 2 || days.between(1, 100) <= 60) {
      exportNow(addMonths(now, days.between(0, 1)))
      idle = 0
    }
  }
  for (const month of months) if (!stored.closed.has(month)) close(month)
  const last = addMonths(lastMonth, 1)
  exportNow(last)
  const all = { firstMonth, from: firstMonth, through: last }
  const closed = [...stored.closed.values()].flat()
  const facts = factsOf(stored, closed)
  const charged = new Set(closed.map(({ benefitId, isPremium, period }) => (isPremium ? `${benefitId} ${period}` : '')))
  const recurring = facts.benefits.flatMap((benefit) =>
    monthsOf(firstMonth, last)
      .filter((month) => !charged.has(`${benefit.benefitId} ${month}`))
      .map((month) => Number(knownShare(benefit, month, facts.pricings.get(contractId) ?? []))),
  )
  return {
    exported: stored.exported,
    due: dueLines(facts, all).lines,
    closed: closed.reduce((sum, { share, isBefore }) => sum + (isBefore ? 0 : Number(share)), 0),
    recurring: recurring.reduce((sum, share) => sum + share, 0),
    repeated,
  }
}
