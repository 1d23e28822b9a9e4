/*
 * The judge of an alteration: what moves where, and who hears. Pure.
 */
import type { AlterationRequest, FieldError } from './alteration-data.ts'
import type { LocalDate } from './calendar.ts'
import type { BeneficiaryType } from './enums.ts'

export interface AlterableBenefit {
  readonly id: string
  readonly productId: string
  readonly productName: string
  /** The name as products are compared by. */
  readonly productNameKey: string
  readonly productType: string
  readonly type: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly status: 'pending' | 'active'
  readonly startDate: LocalDate
}

export interface DestinationProduct {
  readonly id: string
  readonly name: string
  readonly nameKey: string
  readonly productType: string
}

/** Of the member, in the company that the alteration is about, under the lock of what is in force. */
export interface AlterationFacts {
  readonly companyId: string
  /** The company of `new-company-tax-id`, else the company itself. */
  readonly destinationCompanyId: string
  /** In force of the member in the company. */
  readonly benefits: readonly AlterableBenefit[]
  /** What the destination company offers; no retired ones. */
  readonly products: readonly DestinationProduct[]
  /** Products of the destination company in which the person has a benefit in force. */
  readonly enrolledProductIds: readonly string[]
  /** Open exclusions, plan and company changes of the member's benefits. */
  readonly openEndings: readonly { readonly id: string; readonly benefitId: string }[]
  /** Whether somebody else, here or at the destination, has the CPF that the member is to have. */
  readonly taxIdTaken: boolean
  /** Those of the documents that the movement may use. */
  readonly usableDocumentIds: readonly string[]
}

/** One enrollment of the alteration. */
export interface AlterationPart {
  readonly benefit: AlterableBenefit
  /** The key in `status-by-tax-id`. */
  readonly name: string
  /** A plan or company change: the product that the benefit moves to. */
  readonly destinationProductId: string | null
}

export type AlterationVerdict =
  | { readonly kind: 'altered'; readonly parts: readonly AlterationPart[]; readonly effectiveDate: LocalDate }
  | { readonly kind: 'no-primary' }
  | { readonly kind: 'ongoing'; readonly enrollmentIds: readonly string[] }
  | { readonly kind: 'invalid'; readonly faults: readonly FieldError[] }

/**
 * Judges an alteration: whether the member has an active primary benefit, where each benefit goes, whether another movement
 * of a benefit that moves is under way, then the CPF, the day and the documents.
 */
export function judgeAlteration(asked: AlterationRequest, facts: AlterationFacts, today: LocalDate): AlterationVerdict {
  const active = facts.benefits.filter((benefit) => benefit.status === 'active')
  const primaries = active.filter((benefit) => benefit.type === 'primary')
  if (primaries.length === 0) return { kind: 'no-primary' }
  const { moves, faults } = destinationsOf(asked, facts, primaries)
  if (faults.length > 0) return { kind: 'invalid', faults }
  const moving = new Set(moves.map((move) => move.benefit.id))
  const ongoing = facts.openEndings.filter((enrollment) => moving.has(enrollment.benefitId)).map(({ id }) => id)
  if (ongoing.length > 0) return { kind: 'ongoing', enrollmentIds: ongoing.toSorted() }
  const effectiveDate = asked.requestedStartDate ?? today
  const wrong = fieldErrorsOf(asked, facts, moves, effectiveDate)
  if (wrong.length > 0) return { kind: 'invalid', faults: wrong }
  const tells = Object.keys(asked.registration).length > 0
  const others = tells ? active.filter((benefit) => !moving.has(benefit.id)) : []
  return {
    kind: 'altered',
    effectiveDate,
    parts: [...moves, ...others.map((benefit) => ({ benefit, name: benefit.productName, destinationProductId: null }))],
  }
}

interface Moves {
  readonly moves: readonly AlterationPart[]
  readonly faults: readonly FieldError[]
}

/**
 * Where the benefits go. A plan change moves the one primary benefit of the new product's type; a company change every
 * primary benefit, the others to the destination's product of the same type and name.
 */
function destinationsOf(
  asked: AlterationRequest,
  facts: AlterationFacts,
  primaries: readonly AlterableBenefit[],
): Moves {
  const { newProductId, newCompanyTaxId } = asked
  const changesCompany = newCompanyTaxId !== null
  const faults: FieldError[] = []
  const blame = (key: string, code: string) => {
    const field = `alteration-data.${key}`
    if (!faults.some((fault) => fault.field === field && fault.code === code)) faults.push({ field, code })
  }
  if (changesCompany && facts.destinationCompanyId === facts.companyId) blame('new-company-tax-id', 'same-company')
  const named = newProductId === null ? null : (facts.products.find((product) => product.id === newProductId) ?? null)
  if (newProductId !== null && named === null) blame('new-product-id', 'unknown-product')
  const ofType = primaries.filter((benefit) => benefit.productType === named?.productType)
  if (named !== null && ofType.length === 0) blame('new-product-id', 'product-type-mismatch')
  if (ofType.length > 1) blame('new-product-id', 'ambiguous-product-type')
  if (faults.length > 0) return { moves: [], faults }

  const enrolled = new Set(facts.enrolledProductIds)
  const moves: AlterationPart[] = []
  for (const benefit of changesCompany ? primaries : ofType) {
    const isNamed = named !== null && ofType[0] === benefit
    const product = isNamed ? named : facts.products.find((product) => isSame(product, benefit))
    if (product === undefined) blame('new-company-tax-id', 'no-equivalent-product')
    else if (enrolled.has(product.id)) blame(isNamed ? 'new-product-id' : 'new-company-tax-id', 'already-enrolled')
    else moves.push({ benefit, name: product.name, destinationProductId: product.id })
  }
  return { moves, faults }
}

function isSame(product: DestinationProduct, benefit: AlterableBenefit): boolean {
  return product.productType === benefit.productType && product.nameKey === benefit.productNameKey
}

/** Registration data alone are compared with no start; a change begins no earlier than what it takes the place of. */
function fieldErrorsOf(
  asked: AlterationRequest,
  facts: AlterationFacts,
  moves: readonly AlterationPart[],
  effectiveDate: LocalDate,
): FieldError[] {
  const faults: FieldError[] = []
  if (facts.taxIdTaken) faults.push({ field: 'alteration-data.tax-id', code: 'already-in-use' })
  if (moves.some(({ benefit }) => effectiveDate < benefit.startDate)) {
    faults.push({ field: 'alteration-data.requested-start-date', code: 'before-start-date' })
  }
  const usable = new Set(facts.usableDocumentIds)
  if (asked.documents.some((document) => !usable.has(document['document-id']))) faults.push(unusableDocuments)
  return faults
}

/** A document that is unknown, empty, another client's or used by a movement before. */
export const unusableDocuments: FieldError = { field: 'alteration-data.documents', code: 'invalid' }
