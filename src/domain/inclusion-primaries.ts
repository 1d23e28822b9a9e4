import type { LocalDate } from './calendar.ts'
import type { Entry, ProductItem } from './inclusion-batch.ts'
import type { FactIndex, ProductFacts } from './inclusion-facts.ts'
import type { Offense } from './enums.ts'

/** A product item with the company's product, null when it is unknown. A product of another type leaves no choice. */
export interface Choice {
  item: ProductItem
  product: ProductFacts | null
}

/** An entry while it is judged. */
export interface Case {
  entry: Entry
  offenses: Set<Offense>
  choices: Choice[]
  /** Whether every product asked for was told from the others; if not, the entry may have meant any. */
  productsAreClear: boolean
}

/** What the batch itself says of one primary, all entries of that CPF taken together. */
export interface Standing {
  /** Product id -> whether an entry that holds it is accepted. */
  accepted: Map<string, boolean>
  productsAreClear: boolean
  hasAccepted: boolean
  hasRejected: boolean
  hasInvalidAdmission: boolean
  /** Product id -> date, and under '' the first of any product; of accepted entries. */
  admissions: Map<string, LocalDate>
  refusedAdmission: LocalDate | null
}

/**
 * How the primaries named by dependents stand in the batch, by CPF. To be asked once the entries have all offenses but
 * those of dependents. An entry whose role is unknown may have been meant as the primary and counts as a rejected one;
 * one that is only a dependent is no primary.
 */
export function primaryStates(cases: readonly Case[], primaryTaxIds: readonly string[]): Map<string, Standing> {
  const named = new Set(primaryTaxIds)
  const standings = new Map<string, Standing>()
  for (const one of cases) {
    const { role, taxId } = one.entry
    if (role === 'dependent' || taxId === null || !named.has(taxId)) continue
    let standing = standings.get(taxId)
    if (standing === undefined) standings.set(taxId, (standing = emptyStanding()))
    addTo(standing, one)
  }
  return standings
}

/** The offenses of a dependent that come from its primary, added to the case. */
export function judgeAgainstPrimary(one: Case, standings: ReadonlyMap<string, Standing>, facts: FactIndex): void {
  const primary = one.entry.primaryTaxId
  if (primary === null) return
  const standing = standings.get(primary)
  if (standing === undefined && !facts.isPrimary(primary)) {
    one.offenses.add('primary-member-not-found')
    return
  }
  let resolved = 0
  for (const { product } of one.choices) {
    if (product === null) continue
    resolved += 1
    judgeProduct(one, primary, product.id, standing, facts)
  }
  if (resolved === 0 && standing?.hasAccepted === false && !facts.hasActivePrimaryBenefit(primary)) {
    one.offenses.add('primary-member-rejected')
  }
  judgeAdmission(one, primary, standing, facts)
}

/**
 * The admission date of a primary, for its dependents: from its accepted entries in the batch (that of the product
 * first), then as the company knows it, then from an entry that was refused; null when nobody says.
 */
export function primaryAdmission(
  primary: string,
  productId: string | null,
  standing: Standing | undefined,
  facts: FactIndex,
): LocalDate | null {
  return (
    standing?.admissions.get(productId ?? '') ??
    standing?.admissions.get('') ??
    facts.admissionDate(primary, productId) ??
    standing?.refusedAdmission ??
    null
  )
}

function judgeProduct(
  one: Case,
  primary: string,
  productId: string,
  standing: Standing | undefined,
  facts: FactIndex,
): void {
  // A dependent of an entry refused as already enrolled is judged by that active benefit.
  if (facts.isActive('primary', primary, productId)) return
  const accepted = standing?.accepted.get(productId)
  if (accepted === true) return
  if (accepted === false) {
    one.offenses.add('primary-member-rejected')
    return
  }
  if (facts.isPendingPrimary(primary, productId)) return
  if (standing?.hasRejected === true) one.offenses.add('primary-member-rejected')
  if (standing === undefined || standing.productsAreClear) one.offenses.add('primary-member-not-enrolled-in-product')
}

function judgeAdmission(one: Case, primary: string, standing: Standing | undefined, facts: FactIndex): void {
  // An unreadable date of a rejected primary is told there; once it is mended, this dependent has one.
  if (standing?.hasInvalidAdmission === true && one.offenses.has('primary-member-rejected')) return
  for (const { item, product } of one.choices) {
    if (item.startOption !== 'on-admission-date') continue
    if (primaryAdmission(primary, product?.id ?? null, standing, facts) === null) {
      one.offenses.add('missing-admission-date')
    }
  }
}

function emptyStanding(): Standing {
  return {
    accepted: new Map(),
    productsAreClear: true,
    hasAccepted: false,
    hasRejected: false,
    hasInvalidAdmission: false,
    admissions: new Map(),
    refusedAdmission: null,
  }
}

function addTo(standing: Standing, one: Case): void {
  const isAccepted = one.offenses.size === 0
  const date = one.entry.admissionDate
  if (isAccepted) standing.hasAccepted = true
  else standing.hasRejected = true
  if (date === null) standing.hasInvalidAdmission = true
  if (!one.productsAreClear) standing.productsAreClear = false
  if (typeof date === 'string' && !isAccepted) standing.refusedAdmission ??= date
  if (typeof date === 'string' && isAccepted && !standing.admissions.has('')) standing.admissions.set('', date)
  for (const { product } of one.choices) {
    if (product === null) continue
    standing.accepted.set(product.id, isAccepted || standing.accepted.get(product.id) === true)
    if (typeof date === 'string' && isAccepted) standing.admissions.set(product.id, date)
  }
}
