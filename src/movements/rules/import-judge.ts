import { agedPersonOf, ageLimitOf, tooOldFrom } from '#registry/rules/age-limit.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { ImportRoster, runsOf } from './import-state.ts'
import type { BenefitChange, Coverage, ImportFacts, KnownBenefit } from './import-state.ts'
import type { ImportLine } from './import-line.ts'
import type { ImportOffense } from '#kernel/offenses.ts'
import type { StartWarning } from '#kernel/warnings.ts'

/** The registration data of a person in accepted lines; the last line counts for each field. */
interface ImportedPerson {
  companyId: string
  taxId: string
  /** Wire-format keys, only what was sent. */
  data: Record<string, string | number | boolean>
}

/** A benefit that existed before the import, with its former status and end. */
interface ChangedBenefit extends KnownBenefit {
  wasStatus: KnownBenefit['status']
  wasEndDate: LocalDate | null
}

/** A line whose benefit starts on another day. */
interface ImportWarning {
  line: number
  warning: StartWarning
  field: 'start-date'
  'start-date': LocalDate
}

export interface ImportJudgement {
  accepted: number
  /** In the order of the lines; offenses complete, sorted, unique. */
  rejected: { line: number; offenses: ImportOffense[] }[]
  /** The warnings of accepted lines, in their order. */
  warnings: ImportWarning[]
  companyIds: string[]
  newPeople: ImportedPerson[]
  knownPeople: ImportedPerson[]
  newBenefits: KnownBenefit[]
  /** Only those that a line changes. */
  changed: ChangedBenefit[]
  /** Stored active benefits of primaries that dependents join: they must stay active until the lines are stored. */
  joinedPrimaries: { companyId: string; id: string }[]
}

/** What the judgement depends on beside lines and facts. */
interface ImportCircumstances {
  readonly today: LocalDate
  /** Returns the id of a new benefit. */
  readonly newId: () => string
}

/**
 * Judges lines in their order by the facts of their companies, each as if the accepted lines before it were stored. A line is rejected
 * as a whole; an accepted one creates a benefit, or changes the one of equal company, person, product, role and start.
 */
export function judgeImport(
  lines: readonly ImportLine[],
  facts: ImportFacts,
  circumstances: ImportCircumstances,
): ImportJudgement {
  const roster = new ImportRoster(facts)
  const result = new ImportResult(roster)
  const rejected: ImportJudgement['rejected'] = []
  const warnings: ImportWarning[] = []
  for (const line of lines) {
    const offenses = new Set<ImportOffense>(line.offenses)
    const target = targetOf(line, roster, circumstances.today, offenses)
    if (target !== null) {
      judgeTarget(target, roster, offenses)
      judgeAge(line, target, roster, circumstances.today, offenses)
    }
    if (offenses.size > 0 || target === null) {
      rejected.push({ line: line.line, offenses: [...offenses].sort() })
      continue
    }
    result.add(line, target, circumstances.newId)
    const { startDate } = target
    if (startDate !== line.startDate) {
      warnings.push({ line: line.line, warning: 'starts-with-primary', field: 'start-date', 'start-date': startDate })
    }
  }
  return { accepted: lines.length - rejected.length, rejected, warnings, ...result.toJudgement() }
}

/** The benefit that a line describes, once company, product, person, role and period are known. */
interface Target extends Readonly<Coverage> {
  /** A dependent's is not before the primary's. */
  readonly startDate: LocalDate
  /** The last day covered; a dependent's without one is its primary's. */
  readonly endDate: LocalDate | null
  /** `inactive` from the last day on, else active, also before the start. */
  readonly status: 'active' | 'inactive'
}

function targetOf(
  line: ImportLine,
  roster: ImportRoster,
  today: LocalDate,
  offenses: Set<ImportOffense>,
): Target | null {
  const { companyTaxId, nameKey, taxId, primaryTaxId, role: type, dependentType } = line
  if (line.dateOfBirth !== null && line.dateOfBirth > today) offenses.add('invalid-date-of-birth')
  if (companyTaxId === null) return null
  const company = roster.company(companyTaxId)
  if (company === undefined) {
    offenses.add('unknown-company')
    return null
  }
  const product = nameKey === null ? undefined : company.products.get(nameKey)
  if (nameKey !== null && product === undefined) offenses.add('unknown-product')
  if (type === 'dependent' && dependentType !== null && product?.dependentTypes.includes(dependentType) === false) {
    offenses.add('dependent-type-not-allowed')
  }
  let { startDate, endDate } = line
  if (type === 'dependent' && primaryTaxId !== null) {
    const primary = { companyId: company.id, taxId: primaryTaxId }
    if (!roster.isPrimary(primary)) offenses.add('primary-member-not-found')
    else if (product !== undefined) {
      const benefits = roster.benefits({ ...primary, productId: product.id, type: 'primary' })
      ;({ startDate, endDate } = periodWithPrimary(line, benefits, today, offenses))
    }
  }
  if (product === undefined || taxId === null || type === null || startDate === null) return null
  const coverage = { companyId: company.id, taxId, productId: product.id, type }
  return { ...coverage, startDate, endDate, status: statusOf(endDate, today) }
}

function statusOf(endDate: LocalDate | null, today: LocalDate): Target['status'] {
  return endDate !== null && endDate <= today ? 'inactive' : 'active'
}

/**
 * Judges a dependent by its primary's benefits of the product: an active one needs a primary who is active in the product, an inactive one a
 * primary who has or had it; neither is covered after the primary.
 * @returns the period, within the unbroken cover of the primary that its last day belongs to: the start of the line or of that cover, and the
 *   last day of the line or, without one, of that cover.
 */
function periodWithPrimary(
  { startDate, endDate }: ImportLine,
  benefits: readonly BenefitChange[],
  today: LocalDate,
  offenses: Set<ImportOffense>,
): Pick<ImportLine, 'startDate' | 'endDate'> {
  const isActive = statusOf(endDate, today) === 'active'
  const cover = runsOf(benefits).findLast((run) => endDate === null || run.startDate <= endDate)
  const isEnrolled = !isActive || benefits.some(({ benefit }) => benefit.status === 'active')
  const isOver = cover !== undefined && cover.endDate !== null && startDate !== null && startDate > cover.endDate
  if (cover === undefined || !isEnrolled || isOver) {
    offenses.add('primary-member-not-enrolled-in-product')
    return { startDate, endDate }
  }
  if (cover.endDate !== null && endDate !== null && endDate > cover.endDate) offenses.add('invalid-end-date')
  return {
    startDate: startDate !== null && startDate < cover.startDate ? cover.startDate : startDate,
    endDate: endDate ?? cover.endDate,
  }
}

function judgeTarget(target: Target, roster: ImportRoster, offenses: Set<ImportOffense>): void {
  const all = roster.benefits(target)
  const same = sameStart(all, target.startDate)
  if (same !== undefined) {
    const { status, endDate, isMoving, isReplaced } = same.benefit
    // A line may repeat what is stored already, whatever created it.
    if (status === target.status && endDate === target.endDate) return
    if (isReplaced) offenses.add('replaced-benefit')
    else if (status === 'pending' || isMoving) offenses.add('ongoing-enrollment')
  } else if (target.status === 'active' && roster.hasOpenTransfer(target)) offenses.add('ongoing-enrollment')
  for (const known of all) {
    if (known === same) continue
    const { status } = known.benefit
    const areBothInForce = status !== 'inactive' && target.status === 'active'
    if (!areBothInForce && !overlaps(target, known.benefit)) continue
    offenses.add(status === 'pending' ? 'ongoing-enrollment' : 'already-enrolled')
  }
}

/** Judges the age for a benefit in force that is not stored yet: who is covered stays so. What the line says of studies counts without a proof. */
function judgeAge(
  { nameKey, companyTaxId, dependentType, dateOfBirth, profile }: ImportLine,
  target: Target,
  roster: ImportRoster,
  today: LocalDate,
  offenses: Set<ImportOffense>,
): void {
  if (target.type !== 'dependent' || target.status !== 'active' || dateOfBirth === null) return
  if (sameStart(roster.benefits(target), target.startDate) !== undefined) return
  const { ageLimits = [] } = roster.company(companyTaxId ?? '')?.products.get(nameKey ?? '') ?? {}
  const limit = ageLimitOf(ageLimits, dependentType)
  const day = limit === undefined ? null : tooOldFrom(agedPersonOf(dateOfBirth, profile), limit)
  if (day !== null && day <= today) offenses.add('dependent-too-old')
}

/** Whether two periods have a day in common; a void period has none. */
function overlaps(a: Pick<KnownBenefit, 'startDate' | 'endDate'>, b: typeof a): boolean {
  const firstDay = a.startDate > b.startDate ? a.startDate : b.startDate
  return [a.endDate, b.endDate].every((end) => end === null || end >= firstDay)
}

/** The benefit in force among several that start on the day (one of them may be void). */
function sameStart(all: readonly BenefitChange[], startDate: LocalDate): BenefitChange | undefined {
  const same = all.filter(({ benefit }) => benefit.startDate === startDate)
  return same.find(({ benefit }) => benefit.status !== 'inactive') ?? same.at(-1)
}

/** The outcome of the accepted lines. */
class ImportResult {
  readonly #roster: ImportRoster
  readonly #people = new Map<string, ImportedPerson>()
  readonly #touched = new Set<BenefitChange>()
  readonly #joinedPrimaries = new Map<string, { companyId: string; id: string }>()

  constructor(roster: ImportRoster) {
    this.#roster = roster
  }

  add({ profile, primaryTaxId, dependentType, cardNumber }: ImportLine, target: Target, newId: () => string): void {
    const { companyId, taxId, type, startDate, endDate, status } = target
    const person = this.#people.get(`${companyId} ${taxId}`)
    if (person === undefined) this.#people.set(`${companyId} ${taxId}`, { companyId, taxId, data: { ...profile } })
    else Object.assign(person.data, profile)
    const dependency =
      type === 'dependent' ? { primaryTaxId, dependentType } : { primaryTaxId: null, dependentType: null }
    let change = sameStart(this.#roster.benefits(target), startDate)
    if (change === undefined) {
      change = this.#roster.add(
        { ...target, ...dependency, id: newId(), cardNumber, isMoving: false, isReplaced: false },
        false,
      )
    } else Object.assign(change.benefit, { status, endDate, ...dependency }, cardNumber === null ? {} : { cardNumber })
    this.#touched.add(change)
    if (dependency.primaryTaxId !== null) this.#addJoinedPrimary({ ...target, taxId: dependency.primaryTaxId })
  }

  #addJoinedPrimary({ companyId, taxId, productId }: Coverage): void {
    const benefits = this.#roster.benefits({ companyId, taxId, productId, type: 'primary' })
    const primary = benefits.find(({ benefit }) => benefit.status === 'active')
    if (primary?.was != null) this.#joinedPrimaries.set(primary.benefit.id, { companyId, id: primary.benefit.id })
  }

  toJudgement(): Omit<ImportJudgement, 'accepted' | 'rejected' | 'warnings'> {
    const touched = [...this.#touched]
    const changed = touched.flatMap(({ benefit, was }) =>
      was === null || isEqual(benefit, was) ? [] : [{ ...benefit, wasStatus: was.status, wasEndDate: was.endDate }],
    )
    const changing = new Set(changed.map(({ id }) => id))
    const people = [...this.#people.values()]
    return {
      companyIds: [...new Set(people.map(({ companyId }) => companyId))],
      newPeople: people.filter((person) => !this.#roster.isMember(person)),
      knownPeople: people.filter((person) => this.#roster.isMember(person)),
      newBenefits: touched.filter(({ was }) => was === null).map(({ benefit }) => benefit),
      changed,
      // A change of the benefit verifies its status by itself.
      joinedPrimaries: [...this.#joinedPrimaries.values()].filter(({ id }) => !changing.has(id)),
    }
  }
}

function isEqual(a: KnownBenefit, b: KnownBenefit): boolean {
  const keys = ['status', 'endDate', 'cardNumber', 'primaryTaxId', 'dependentType'] as const
  return keys.every((key) => a[key] === b[key])
}
