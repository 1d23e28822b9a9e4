import type { LocalDate } from './calendar.ts'
import { ImportBook } from './import-state.ts'
import type { ImportFacts, ImportProduct, KnownBenefit, Standing } from './import-state.ts'
import type { ImportLine, ImportOffense } from './import-line.ts'
import type { BeneficiaryType, Offense } from './enums.ts'

/** A person as accepted lines tell of them, the last word on each field. */
export interface ImportedPerson {
  companyId: string
  taxId: string
  /** Wire-format keys, only what was sent. */
  data: Record<string, string | number>
}

/** A benefit that the book held already, and what it was when it was judged. */
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
  /** Primaries' active benefits of the book that dependents join: they must stay so until that is kept. */
  held: { companyId: string; id: string }[]
}

/** @param newId makes the id of a benefit. */
export interface ImportCircumstances {
  readonly today: LocalDate
  readonly newId: () => string
}

/**
 * Judges lines in their order by the facts of their companies, each as if those before were kept: a line
 * is bad as a whole, a good one begins a benefit or changes the one of equal company, person, product, role and start.
 */
export function judgeImport(
  lines: readonly ImportLine[],
  facts: ImportFacts,
  circumstances: ImportCircumstances,
): ImportJudgement {
  const book = new ImportBook(facts)
  const made = new Made(book)
  const rejected: ImportJudgement['rejected'] = []
  for (const line of lines) {
    const offenses = new Set<ImportOffense>(line.offenses)
    const place = placeOf(line, book, circumstances.today, offenses)
    if (place !== null) judgePlace(place, book, offenses)
    if (offenses.size > 0 || place === null) rejected.push({ line: line.line, offenses: [...offenses].sort() })
    else made.keep(line, place, circumstances.newId)
  }
  return { accepted: lines.length - rejected.length, rejected, ...made.result() }
}

/** What a line is about, once company, product, person, role and period are known. */
interface Place {
  readonly companyId: string
  readonly product: ImportProduct
  readonly taxId: string
  readonly role: BeneficiaryType
  readonly startDate: LocalDate
  /** The last day covered: a dependent's without one is its primary's. */
  readonly endDate: LocalDate | null
  /** `inactive` from the last day on, else active, also ahead of the start. */
  readonly status: 'active' | 'inactive'
}

function placeOf(line: ImportLine, book: ImportBook, today: LocalDate, offenses: Set<ImportOffense>): Place | null {
  const { companyTaxId, nameKey, taxId, role, startDate, dependentType } = line
  if (line.dateOfBirth !== null && line.dateOfBirth > today) offenses.add('invalid-date-of-birth')
  if (companyTaxId === null) return null
  const company = book.company(companyTaxId)
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
    const offense = primaryOffense(book, company.id, line.primaryTaxId, product, statusOf(endDate, today))
    const lastDay =
      product === undefined ? null : lastDayOfPrimary(book, company.id, line.primaryTaxId, product.id, endDate)
    if (offense !== null) offenses.add(offense)
    else if (lastDay !== null && startDate !== null && startDate > lastDay) {
      offenses.add('primary-member-not-enrolled-in-product')
    } else if (lastDay !== null && endDate !== null && endDate > lastDay) offenses.add('invalid-end-date')
    endDate ??= lastDay
  }
  if (product === undefined || taxId === null || role === null || startDate === null) return null
  return { companyId: company.id, product, taxId, role, startDate, endDate, status: statusOf(endDate, today) }
}

function statusOf(endDate: LocalDate | null, today: LocalDate): Place['status'] {
  return endDate !== null && endDate <= today ? 'inactive' : 'active'
}

/**
 * The last day on which a primary of the product, one that begins by `until` (null: whenever), is covered; null: no end, or
 * no such primary. No dependent is covered after it.
 */
function lastDayOfPrimary(
  book: ImportBook,
  companyId: string,
  primaryTaxId: string,
  productId: string,
  until: LocalDate | null,
): LocalDate | null {
  const ends = book
    .benefits(companyId, primaryTaxId, productId, 'primary')
    .filter(({ benefit }) => benefit.status !== 'pending' && (until === null || benefit.startDate <= until))
    .map(({ benefit }) => benefit.endDate)
  if (ends.includes(null)) return null
  return ends.reduce((latest, end) => ((end ?? '') > (latest ?? '') ? end : latest), null)
}

/** An active dependent needs a primary active in the product, one of the past a primary who has or had it. */
function primaryOffense(
  book: ImportBook,
  companyId: string,
  primaryTaxId: string,
  product: ImportProduct | undefined,
  status: Place['status'],
): Offense | null {
  if (!book.isPrimary(companyId, primaryTaxId)) return 'primary-member-not-found'
  if (product === undefined) return null
  const had = book.benefits(companyId, primaryTaxId, product.id, 'primary')
  const has = status === 'active' ? had.some((one) => one.benefit.status === 'active') : had.length > 0
  return has ? null : 'primary-member-not-enrolled-in-product'
}

function judgePlace(place: Place, book: ImportBook, offenses: Set<ImportOffense>): void {
  const all = book.benefits(place.companyId, place.taxId, place.product.id, place.role)
  const same = sameStart(all, place.startDate)
  if (same !== undefined) {
    const { status, endDate } = same.benefit
    const changes = status !== place.status || endDate !== place.endDate
    if (status === 'pending' || (changes && same.benefit.isMoving)) offenses.add('ongoing-enrollment')
  } else if (place.status === 'active' && book.isAwaited(place.companyId, place.taxId, place.product.id, place.role)) {
    offenses.add('ongoing-enrollment')
  }
  // What the book holds already, of whatever making, may be told again.
  if (same !== undefined && same.benefit.status === place.status && same.benefit.endDate === place.endDate) return
  for (const one of all) {
    if (one === same) continue
    const { status } = one.benefit
    const areBothInForce = status !== 'inactive' && place.status === 'active'
    if (!areBothInForce && !overlaps(place, one.benefit)) continue
    offenses.add(status === 'pending' ? 'ongoing-enrollment' : 'already-enrolled')
  }
}

/** Whether two periods have a day in common; a void one has no day. */
function overlaps(one: Pick<KnownBenefit, 'startDate' | 'endDate'>, other: typeof one): boolean {
  const begins = one.startDate > other.startDate ? one.startDate : other.startDate
  return [one.endDate, other.endDate].every((end) => end === null || end >= begins)
}

function isInForce({ status }: KnownBenefit): boolean {
  return status !== 'inactive'
}

/** Of several that began on the day (a void one stays) the one in force. */
function sameStart(all: readonly Standing[], startDate: LocalDate): Standing | undefined {
  const same = all.filter(({ benefit }) => benefit.startDate === startDate)
  return same.find(({ benefit }) => isInForce(benefit)) ?? same.at(-1)
}

/** What accepted lines make of the book. */
class Made {
  readonly #book: ImportBook
  readonly #companyIds = new Set<string>()
  readonly #people = new Map<string, ImportedPerson>()
  readonly #touched = new Set<Standing>()
  readonly #held = new Map<string, { companyId: string; id: string }>()

  constructor(book: ImportBook) {
    this.#book = book
  }

  keep(line: ImportLine, place: Place, newId: () => string): void {
    const { companyId, taxId, product, role, startDate, endDate, status } = place
    this.#companyIds.add(companyId)
    this.#learn(companyId, taxId, line.profile)
    const all = this.#book.benefits(companyId, taxId, product.id, role)
    const isDependent = role === 'dependent'
    const told = {
      status,
      endDate,
      primaryTaxId: isDependent ? line.primaryTaxId : null,
      dependentType: isDependent ? line.dependentType : null,
    }
    let standing = sameStart(all, startDate)
    if (standing === undefined) {
      const key = { id: newId(), companyId, taxId, productId: product.id, type: role, startDate }
      standing = this.#book.add({ ...key, ...told, cardNumber: line.cardNumber, isMoving: false }, false)
    } else Object.assign(standing.benefit, told, line.cardNumber === null ? {} : { cardNumber: line.cardNumber })
    this.#touched.add(standing)
    if (isDependent) this.#hold(companyId, line.primaryTaxId ?? '', product.id)
  }

  #learn(companyId: string, taxId: string, data: ImportLine['profile']): void {
    const key = `${companyId} ${taxId}`
    const known = this.#people.get(key)
    if (known === undefined) this.#people.set(key, { companyId, taxId, data: { ...data } })
    else Object.assign(known.data, data)
  }

  #hold(companyId: string, primaryTaxId: string, productId: string): void {
    const primary = this.#book
      .benefits(companyId, primaryTaxId, productId, 'primary')
      .find(({ benefit }) => benefit.status === 'active')
    if (primary?.was != null) this.#held.set(primary.benefit.id, { companyId, id: primary.benefit.id })
  }

  result(): Omit<ImportJudgement, 'accepted' | 'rejected'> {
    const touched = [...this.#touched]
    const changed = touched.flatMap(({ benefit, was }) =>
      was === null || isEqual(benefit, was) ? [] : [{ ...benefit, wasStatus: was.status, wasEndDate: was.endDate }],
    )
    const changing = new Set(changed.map(({ id }) => id))
    const people = Map.groupBy(this.#people.values(), (one) => this.#book.knows(one.companyId, one.taxId))
    return {
      companyIds: [...this.#companyIds],
      newPeople: people.get(false) ?? [],
      knownPeople: people.get(true) ?? [],
      begun: touched.filter(({ was }) => was === null).map(({ benefit }) => benefit),
      changed,
      // What is changed is held by that.
      held: [...this.#held.values()].filter(({ id }) => !changing.has(id)),
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
