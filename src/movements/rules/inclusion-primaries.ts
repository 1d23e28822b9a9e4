import type { LocalDate } from '#kernel/calendar.ts'
import type { Entry, ProductItem } from './inclusion-batch.ts'
import type { FactIndex, ProductFacts } from './inclusion-facts.ts'
import type { MemberOffenses } from './member-offenses.ts'

/** A requested product with the company's product, null when it is unknown. One of another product type makes no choice. */
export interface Choice {
  item: ProductItem
  product: ProductFacts | null
}

/** An entry and its judgement so far. */
export interface Case {
  entry: Entry
  offenses: MemberOffenses
  choices: Choice[]
  /** Whether every requested product was identified; if not, the entry may request any product. */
  productsAreIdentified: boolean
}

/** The entries of one primary in the batch, taken together. */
export interface PrimaryState {
  /** Product id -> whether an entry that holds it is accepted. */
  accepted: Map<string, boolean>
  productsAreIdentified: boolean
  hasAccepted: boolean
  hasRejected: boolean
  hasInvalidAdmission: boolean
  /** Product id -> date, and under '' the first of any product; of accepted entries. */
  admissions: Map<string, LocalDate>
  rejectedAdmission: LocalDate | null
}

/**
 * The primaries of dependents that are in the batch, by CPF. The entries must have all their offenses but those that come from a
 * primary. An entry of unknown role counts as a rejected primary; a dependent is not a primary.
 */
export function primaryStates(cases: readonly Case[], primaryTaxIds: readonly string[]): Map<string, PrimaryState> {
  const named = new Set(primaryTaxIds)
  const primaries = new Map<string, PrimaryState>()
  for (const memberCase of cases) {
    const { role, taxId } = memberCase.entry
    if (role === 'dependent' || taxId === null || !named.has(taxId)) continue
    let state = primaries.get(taxId)
    if (state === undefined) primaries.set(taxId, (state = emptyState()))
    addTo(state, memberCase)
  }
  return primaries
}

/** Adds the offenses of a dependent that come from its primary. */
export function judgeAgainstPrimary(
  memberCase: Case,
  primaries: ReadonlyMap<string, PrimaryState>,
  facts: FactIndex,
): void {
  const primary = memberCase.entry.primaryTaxId
  if (primary === null) return
  const state = primaries.get(primary)
  if (state === undefined && !facts.isPrimary(primary)) {
    memberCase.offenses.add('primary-member-not-found')
    return
  }
  let resolved = 0
  for (const { item, product } of memberCase.choices) {
    if (product === null) continue
    resolved += 1
    judgeProduct(memberCase, primary, item, product.id, state, facts)
  }
  if (resolved === 0 && state?.hasAccepted === false && !facts.hasActivePrimaryBenefit(primary)) {
    memberCase.offenses.add('primary-member-rejected')
  }
  judgeAdmission(memberCase, primary, state, facts)
}

/**
 * The admission date of a primary, for its dependents: from its accepted entries in the batch (that of the product
 * first), then from the company's data, then from a rejected entry; null when there is none.
 */
export function primaryAdmission(
  primary: string,
  productId: string | null,
  state: PrimaryState | undefined,
  facts: FactIndex,
): LocalDate | null {
  return (
    state?.admissions.get(productId ?? '') ??
    state?.admissions.get('') ??
    facts.admissionDate(primary, productId) ??
    state?.rejectedAdmission ??
    null
  )
}

function judgeProduct(
  memberCase: Case,
  primary: string,
  item: ProductItem,
  productId: string,
  state: PrimaryState | undefined,
  facts: FactIndex,
): void {
  // The active benefit counts, also of a primary whose entry is rejected as already enrolled.
  if (facts.isActive('primary', primary, productId)) return
  const accepted = state?.accepted.get(productId)
  if (accepted === true) return
  if (accepted === false) {
    memberCase.offenses.add('primary-member-rejected', item)
    return
  }
  if (facts.isPendingPrimary(primary, productId)) return
  if (state?.hasRejected === true) memberCase.offenses.add('primary-member-rejected', item)
  if (state === undefined || state.productsAreIdentified) {
    memberCase.offenses.add('primary-member-not-enrolled-in-product', item)
  }
}

function judgeAdmission(memberCase: Case, primary: string, state: PrimaryState | undefined, facts: FactIndex): void {
  // The primary's own offense reports an invalid date; once corrected, it holds for this dependent.
  if (state?.hasInvalidAdmission === true && memberCase.offenses.has('primary-member-rejected')) return
  for (const { item, product } of memberCase.choices) {
    if (item.startOption !== 'on-admission-date') continue
    if (primaryAdmission(primary, product?.id ?? null, state, facts) === null) {
      memberCase.offenses.add('missing-admission-date', item)
    }
  }
}

function emptyState(): PrimaryState {
  return {
    accepted: new Map(),
    productsAreIdentified: true,
    hasAccepted: false,
    hasRejected: false,
    hasInvalidAdmission: false,
    admissions: new Map(),
    rejectedAdmission: null,
  }
}

function addTo(state: PrimaryState, memberCase: Case): void {
  const isAccepted = memberCase.offenses.size === 0
  const date = memberCase.entry.admissionDate
  if (isAccepted) state.hasAccepted = true
  else state.hasRejected = true
  if (date === null) state.hasInvalidAdmission = true
  if (!memberCase.productsAreIdentified) state.productsAreIdentified = false
  if (typeof date === 'string' && !isAccepted) state.rejectedAdmission ??= date
  if (typeof date === 'string' && isAccepted && !state.admissions.has('')) state.admissions.set('', date)
  for (const { product } of memberCase.choices) {
    if (product === null) continue
    state.accepted.set(product.id, isAccepted || state.accepted.get(product.id) === true)
    if (typeof date === 'string' && isAccepted) state.admissions.set(product.id, date)
  }
}
