import type { LocalDate } from './calendar.ts'
import { ImportRoster } from './import-state.ts'
import type { BenefitChange, ImportFacts, ImportProduct, KnownBenefit } from './import-state.ts'
import type { ImportLine } from './import-line.ts'
import type { BeneficiaryType } from './enums.ts'
import type { ImportOffense, Offense } from './offenses.ts'

/** The registration data of a person in accepted lines; the last line counts for each field. */
export interface ImportedPerson {
  companyId: string
  taxId: string
  /** Wire-format keys, only what was sent. */
  data: Record<string, string | number>
}

/** A benefit that existed before the import, with its former status and end. */
export interface ChangedBenefit extends KnownBenefit {
  wasStatus: KnownBenefit['status']
  wasEndDate: LocalDate | null
}

export interface ImportJudgement {
  accepted: number
  /** In the order of the lines; offenses complete, sorted, unique. */
  rejected: { line: number; offenses: ImportOffense[] }[]
  companyIds: string[]
  newPeople: ImportedPerson[]
  knownPeople: ImportedPerson[]
  begun: KnownBenefit[]
  /** Only those that a line changes. */
  changed: ChangedBenefit[]
  /** Stored active benefits of primaries that dependents join: they must stay active until the lines are stored. */
  held: { companyId: string; id: string }[]
}

/** What the judgement depends on beside lines and facts. */
export interface ImportCircumstances {
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
  for (const line of lines) {
    const offenses = new Set<ImportOffense>(line.offenses)
    const target = targetOf(line, roster, circumstances.today, offenses)
    if (target !== null) judgeTarget(target, roster, offenses)
    if (offenses.size > 0 || target === null) rejected.push({ line: line.line, offenses: [...offenses].sort() })
    else result.add(line, target, circumstances.newId)
  }
  return { accepted: lines.length - rejected.length, rejected, ...result.toJudgement() }
}

/** The benefit that a line describes, once company, product, person, role and period are known. */
interface Target {
  readonly companyId: string
  readonly product: ImportProduct
  readonly taxId: string
  readonly role: BeneficiaryType
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
  const { companyTaxId, nameKey, taxId, role, startDate, dependentType } = line
  if (line.dateOfBirth !== null && line.dateOfBirth > today) offenses.add('invalid-date-of-birth')
  if (companyTaxId === null) return null
  const company = roster.company(companyTaxId)
  if (company === undefined) {
    offenses.add('unknown-company')
    return null
  }
  const product = nameKey === null ? undefined : company.products.get(nameKey)
  if (nameKey !== null && product === undefined) offenses.add('unknown-product')
  if (role === 'dependent' && dependentType !== null && product?.dependentTypes.includes(dependentType) === false) {
    offenses.add('dependent-type-not-allowed')
  }
  let { endDate } = line
  if (role === 'dependent' && line.primaryTaxId !== null) {
    const offense = primaryOffense(roster, company.id, line.primaryTaxId, product, statusOf(endDate, today))
    const lastDay =
      product === undefined ? null : lastDayOfPrimary(roster, company.id, line.primaryTaxId, product.id, endDate)
    if (offense !== null) offenses.add(offense)
    else if (lastDay !== null && startDate !== null && startDate > lastDay) {
      offenses.add('primary-member-not-enrolled-in-product')
    } else if (lastDay !== null && endDate !== null && endDate > lastDay) offenses.add('invalid-end-date')
    endDate ??= lastDay
  }
  if (product === undefined || taxId === null || role === null || startDate === null) return null
  return { companyId: company.id, product, taxId, role, startDate, endDate, status: statusOf(endDate, today) }
}

function statusOf(endDate: LocalDate | null, today: LocalDate): Target['status'] {
  return endDate !== null && endDate <= today ? 'inactive' : 'active'
}

/**
 * The last day on which the primary is covered by benefits of the product that start by `until` (null: at any time); null: no end,
 * or no such benefit. No dependent is covered after it.
 */
function lastDayOfPrimary(
  roster: ImportRoster,
  companyId: string,
  primaryTaxId: string,
  productId: string,
  until: LocalDate | null,
): LocalDate | null {
  const ends = roster
    .benefits(companyId, primaryTaxId, productId, 'primary')
    .filter(({ benefit }) => benefit.status !== 'pending' && (until === null || benefit.startDate <= until))
    .map(({ benefit }) => benefit.endDate)
  if (ends.includes(null)) return null
  return ends.reduce((latest, end) => ((end ?? '') > (latest ?? '') ? end : latest), null)
}

/** An active dependent needs a primary who is active in the product, an inactive one a primary who has or had it. */
function primaryOffense(
  roster: ImportRoster,
  companyId: string,
  primaryTaxId: string,
  product: ImportProduct | undefined,
  status: Target['status'],
): Offense | null {
  if (!roster.isPrimary(companyId, primaryTaxId)) return 'primary-member-not-found'
  if (product === undefined) return null
  const had = roster.benefits(companyId, primaryTaxId, product.id, 'primary')
  const has = status === 'active' ? had.some((one) => one.benefit.status === 'active') : had.length > 0
  return has ? null : 'primary-member-not-enrolled-in-product'
}

function judgeTarget(target: Target, roster: ImportRoster, offenses: Set<ImportOffense>): void {
  const all = roster.benefits(target.companyId, target.taxId, target.product.id, target.role)
  const same = sameStart(all, target.startDate)
  if (same !== undefined) {
    const { status, endDate } = same.benefit
    const changes = status !== target.status || endDate !== target.endDate
    if (status === 'pending' || (changes && same.benefit.isMoving)) offenses.add('ongoing-enrollment')
  } else if (
    target.status === 'active' &&
    roster.isAwaited(target.companyId, target.taxId, target.product.id, target.role)
  ) {
    offenses.add('ongoing-enrollment')
  }
  // A line may repeat what is stored already, whatever created it.
  if (same !== undefined && same.benefit.status === target.status && same.benefit.endDate === target.endDate) return
  for (const one of all) {
    if (one === same) continue
    const { status } = one.benefit
    const areBothInForce = status !== 'inactive' && target.status === 'active'
    if (!areBothInForce && !overlaps(target, one.benefit)) continue
    offenses.add(status === 'pending' ? 'ongoing-enrollment' : 'already-enrolled')
  }
}

/** Whether two periods have a day in common; a void period has none. */
function overlaps(one: Pick<KnownBenefit, 'startDate' | 'endDate'>, other: typeof one): boolean {
  const begins = one.startDate > other.startDate ? one.startDate : other.startDate
  return [one.endDate, other.endDate].every((end) => end === null || end >= begins)
}

function isInForce({ status }: KnownBenefit): boolean {
  return status !== 'inactive'
}

/** Of several benefits that start on the day (one of them may be void) the one in force. */
function sameStart(all: readonly BenefitChange[], startDate: LocalDate): BenefitChange | undefined {
  const same = all.filter(({ benefit }) => benefit.startDate === startDate)
  return same.find(({ benefit }) => isInForce(benefit)) ?? same.at(-1)
}

/** The outcome of the accepted lines. */
class ImportResult {
  readonly #roster: ImportRoster
  readonly #companyIds = new Set<string>()
  readonly #people = new Map<string, ImportedPerson>()
  readonly #touched = new Set<BenefitChange>()
  readonly #joinedPrimaries = new Map<string, { companyId: string; id: string }>()

  constructor(roster: ImportRoster) {
    this.#roster = roster
  }

  add(line: ImportLine, target: Target, newId: () => string): void {
    const { companyId, taxId, product, role, startDate, endDate, status } = target
    this.#companyIds.add(companyId)
    this.#addPerson(companyId, taxId, line.profile)
    const all = this.#roster.benefits(companyId, taxId, product.id, role)
    const isDependent = role === 'dependent'
    const values = {
      status,
      endDate,
      primaryTaxId: isDependent ? line.primaryTaxId : null,
      dependentType: isDependent ? line.dependentType : null,
    }
    let change = sameStart(all, startDate)
    if (change === undefined) {
      const key = { id: newId(), companyId, taxId, productId: product.id, type: role, startDate }
      change = this.#roster.add({ ...key, ...values, cardNumber: line.cardNumber, isMoving: false }, false)
    } else Object.assign(change.benefit, values, line.cardNumber === null ? {} : { cardNumber: line.cardNumber })
    this.#touched.add(change)
    if (isDependent) this.#addJoinedPrimary(companyId, line.primaryTaxId ?? '', product.id)
  }

  #addPerson(companyId: string, taxId: string, data: ImportLine['profile']): void {
    const key = `${companyId} ${taxId}`
    const known = this.#people.get(key)
    if (known === undefined) this.#people.set(key, { companyId, taxId, data: { ...data } })
    else Object.assign(known.data, data)
  }

  #addJoinedPrimary(companyId: string, primaryTaxId: string, productId: string): void {
    const primary = this.#roster
      .benefits(companyId, primaryTaxId, productId, 'primary')
      .find(({ benefit }) => benefit.status === 'active')
    if (primary?.was != null) this.#joinedPrimaries.set(primary.benefit.id, { companyId, id: primary.benefit.id })
  }

  toJudgement(): Omit<ImportJudgement, 'accepted' | 'rejected'> {
    const touched = [...this.#touched]
    const changed = touched.flatMap(({ benefit, was }) =>
      was === null || isEqual(benefit, was) ? [] : [{ ...benefit, wasStatus: was.status, wasEndDate: was.endDate }],
    )
    const changing = new Set(changed.map(({ id }) => id))
    const people = Map.groupBy(this.#people.values(), (one) => this.#roster.isMember(one.companyId, one.taxId))
    return {
      companyIds: [...this.#companyIds],
      newPeople: people.get(false) ?? [],
      knownPeople: people.get(true) ?? [],
      begun: touched.filter(({ was }) => was === null).map(({ benefit }) => benefit),
      changed,
      // A change of the benefit verifies its status by itself.
      held: [...this.#joinedPrimaries.values()].filter(({ id }) => !changing.has(id)),
    }
  }
}

function isEqual(one: KnownBenefit, other: KnownBenefit): boolean {
  return (
    one.status === other.status &&
    one.endDate === other.endDate &&
    one.cardNumber === other.cardNumber &&
    one.primaryTaxId === other.primaryTaxId &&
    one.dependentType === other.dependentType
  )
}
