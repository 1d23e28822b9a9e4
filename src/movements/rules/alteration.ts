/*
 * The rules of an alteration: which benefits move to which product, and which carriers are informed.
 */
import {
  type AgedPerson,
  ageLimitOf,
  type AgeLimit,
  type AllowedAge,
  allowedAge,
  tooOldFrom,
} from '#registry/rules/age-limit.ts'
import type { AlterationRequest } from './alteration-data.ts'
import type { FieldError } from '#kernel/fields.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, DetailCode } from '#kernel/enums.ts'
import { isSuspicious } from '#kernel/person-text.ts'
import type { ALTERATION_WARNINGS } from '#kernel/warnings.ts'

export interface AlterableBenefit {
  readonly id: string
  readonly productId: string
  readonly productName: string
  /** The name in the form in which products are compared. */
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
  readonly ageLimits: readonly AgeLimit[]
}

/** A person with an active benefit through the altered member, which moves with the member's. */
interface FollowingDependent extends AgedPerson {
  readonly taxId: string
  readonly productId: string
  readonly dependentType: string
}

/** A dependent moves into a product whose limit of age the dependent has passed when it starts; or a text shows signs of a wrong encoding. */
export interface AlterationWarning {
  readonly warning: (typeof ALTERATION_WARNINGS)[number]
  readonly field: string
  /** The CPF of the dependent. */
  readonly 'tax-id'?: string
  readonly 'product-name'?: string
  readonly allowed?: AllowedAge
}

/** Data of the member in the altered company, read under the lock of the member's active and pending benefits. */
export interface AlterationFacts {
  readonly companyId: string
  /** The company of `new-company-tax-id`, else the company itself. */
  readonly destinationCompanyId: string
  /** Active and pending benefits of the member in the company. */
  readonly benefits: readonly AlterableBenefit[]
  /** Active benefits of the member's dependents in the company. */
  readonly dependents: readonly FollowingDependent[]
  /** Products of the destination company, without retired ones. */
  readonly products: readonly DestinationProduct[]
  /** Products of the destination company in which the person has an active or pending benefit. */
  readonly enrolledProductIds: readonly string[]
  /** Open exclusions, plan and company changes of the member's benefits. */
  readonly openEndings: readonly { readonly id: string; readonly benefitId: string }[]
  /** Whether another member of the company or of the destination has the corrected CPF. */
  readonly taxIdTaken: boolean
  /** Those of the documents that the movement may use. */
  readonly usableDocumentIds: readonly string[]
  /** Whether registration data of somebody who is a dependent only may be altered: not by a partner, to whom the contract answers 404. */
  readonly dependentsAlterable: boolean
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
  | {
      readonly kind: 'altered'
      readonly parts: readonly AlterationPart[]
      readonly effectiveDate: LocalDate
      readonly warnings: readonly AlterationWarning[]
    }
  | { readonly kind: 'no-primary' }
  | { readonly kind: 'ongoing'; readonly enrollmentIds: readonly string[] }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }

/** Everything that is found of an alteration. */
export interface AlterationAssessment {
  /** Whether the member has an active primary benefit; any active one, where dependents may be altered. */
  readonly isAlterable: boolean
  /** Errors in where the benefits go. */
  readonly transferErrors: readonly FieldError[]
  /** Open exclusions, plan and company changes of benefits that would move. */
  readonly ongoing: readonly { readonly id: string; readonly benefit: AlterableBenefit }[]
  /** Errors in the CPF, the day and the documents. */
  readonly fieldErrors: readonly FieldError[]
  readonly effectiveDate: LocalDate
  /** The enrollments, if nothing is wrong. */
  readonly parts: readonly AlterationPart[]
  /** What is worth a look, if nothing is wrong. */
  readonly warnings: readonly AlterationWarning[]
}

/**
 * Judges an alteration: whether the member has an active primary benefit, where each benefit goes, whether a benefit that
 * moves has another open movement, then the CPF, the day and the documents.
 */
export function judgeAlteration(
  request: AlterationRequest,
  facts: AlterationFacts,
  today: LocalDate,
): AlterationVerdict {
  const assessment = assessAlteration(request, facts, today)
  const { isAlterable, transferErrors, ongoing, fieldErrors, effectiveDate, parts, warnings } = assessment
  if (!isAlterable) return { kind: 'no-primary' }
  if (transferErrors.length > 0) return { kind: 'invalid', errors: transferErrors }
  if (ongoing.length > 0) return { kind: 'ongoing', enrollmentIds: ongoing.map(({ id }) => id).toSorted() }
  if (fieldErrors.length > 0) return { kind: 'invalid', errors: fieldErrors }
  return { kind: 'altered', effectiveDate, parts, warnings }
}

/** Finds everything that is wrong with an alteration, and what it becomes. */
export function assessAlteration(
  request: AlterationRequest,
  facts: AlterationFacts,
  today: LocalDate,
): AlterationAssessment {
  const active = facts.benefits.filter((benefit) => benefit.status === 'active')
  const primaries = active.filter((benefit) => benefit.type === 'primary')
  const { transfers, errors } =
    primaries.length === 0 ? { transfers: [], errors: [] } : transfersOf(request, facts, primaries)
  const moving = new Map(transfers.map(({ benefit }) => [benefit.id, benefit]))
  const effectiveDate = request.requestedStartDate ?? today
  const correctsRegistration = Object.keys(request.registration).length > 0
  const others = correctsRegistration ? active.filter((benefit) => !moving.has(benefit.id)) : []
  return {
    isAlterable: (concernsDependents(request, facts) ? active : primaries).length > 0,
    transferErrors: errors,
    ongoing: facts.openEndings.flatMap(({ id, benefitId }) => {
      const benefit = moving.get(benefitId)
      return benefit === undefined ? [] : [{ id, benefit }]
    }),
    fieldErrors: fieldErrorsOf(request, facts, transfers, effectiveDate),
    effectiveDate,
    parts: [
      ...transfers,
      ...others.map((benefit) => ({ benefit, name: benefit.productName, destinationProductId: null })),
    ],
    warnings: [...suspiciousTexts(request), ...tooOldDependents(request, facts, transfers, effectiveDate)],
  }
}

const FIELDS_OF_DEPENDENTS: ReadonlySet<string> = new Set(['student-until', 'disabled'])

/** Whether it may alter somebody who is a dependent only: nothing that moves, and from a partner only what limits of age depend on. */
function concernsDependents(
  { registration, newProductId, newCompanyTaxId }: AlterationRequest,
  { dependentsAlterable }: Pick<AlterationFacts, 'dependentsAlterable'>,
): boolean {
  if (newProductId !== null || newCompanyTaxId !== null) return false
  if (dependentsAlterable) return true
  return Object.keys(registration).every((key) => FIELDS_OF_DEPENDENTS.has(key))
}

interface Transfers {
  readonly transfers: readonly AlterationPart[]
  readonly errors: readonly FieldError[]
}

/**
 * Where the benefits go. A plan change moves the one primary benefit of the new product's type; a company change every
 * primary benefit, the others to the destination's product of the same type and name.
 */
function transfersOf(
  request: AlterationRequest,
  facts: AlterationFacts,
  primaries: readonly AlterableBenefit[],
): Transfers {
  const { newProductId, newCompanyTaxId } = request
  const changesCompany = newCompanyTaxId !== null
  const errors: FieldError[] = []
  const addError = (key: string, code: DetailCode) => {
    const field = `alteration-data.${key}`
    if (!errors.some((error) => error.field === field && error.code === code)) errors.push({ field, code })
  }
  if (changesCompany && facts.destinationCompanyId === facts.companyId) addError('new-company-tax-id', 'same-company')
  const named = newProductId === null ? null : (facts.products.find((product) => product.id === newProductId) ?? null)
  if (newProductId !== null && named === null) addError('new-product-id', 'unknown-product')
  const ofType = primaries.filter((benefit) => benefit.productType === named?.productType)
  if (named !== null && ofType.length === 0) addError('new-product-id', 'product-type-mismatch')
  if (ofType.length > 1) addError('new-product-id', 'ambiguous-product-type')
  if (errors.length > 0) return { transfers: [], errors }

  const enrolled = new Set(facts.enrolledProductIds)
  const transfers: AlterationPart[] = []
  for (const benefit of changesCompany ? primaries : ofType) {
    const isNamed = named !== null && ofType[0] === benefit
    const product = isNamed ? named : facts.products.find((product) => isEquivalent(product, benefit))
    if (product === undefined) addError('new-company-tax-id', 'no-equivalent-product')
    else if (enrolled.has(product.id)) addError(isNamed ? 'new-product-id' : 'new-company-tax-id', 'already-enrolled')
    else transfers.push({ benefit, name: product.name, destinationProductId: product.id })
  }
  return { transfers, errors }
}

function isEquivalent(product: DestinationProduct, benefit: AlterableBenefit): boolean {
  return product.productType === benefit.productType && product.nameKey === benefit.productNameKey
}

function suspiciousTexts({ data }: AlterationRequest): AlterationWarning[] {
  return Object.entries(data).flatMap(([key, text]): AlterationWarning[] =>
    typeof text === 'string' && isSuspicious(text)
      ? [{ warning: 'suspicious-text', field: `alteration-data.${key}` }]
      : [],
  )
}

/** Dependents who are too old for the product that they move into, on the day on which it starts. */
function tooOldDependents(
  request: AlterationRequest,
  { dependents, products }: AlterationFacts,
  transfers: readonly AlterationPart[],
  effectiveDate: LocalDate,
): AlterationWarning[] {
  const field = fieldOfDestination(request)
  return transfers.flatMap(({ benefit, name, destinationProductId }) => {
    const ageLimits = products.find(({ id }) => id === destinationProductId)?.ageLimits ?? []
    return dependents.flatMap((dependent): AlterationWarning[] => {
      const limit = ageLimitOf(ageLimits, dependent.dependentType)
      if (dependent.productId !== benefit.productId || limit === undefined) return []
      const day = tooOldFrom(dependent, limit)
      if (day === null || day > effectiveDate) return []
      const product = { 'product-name': name, allowed: allowedAge(limit) }
      return [{ 'tax-id': dependent.taxId, warning: 'dependent-too-old', field, ...product }]
    })
  })
}

/** The key that says where the benefits go. */
export const fieldOfDestination = ({ newCompanyTaxId }: AlterationRequest): string =>
  `alteration-data.${newCompanyTaxId === null ? 'new-product-id' : 'new-company-tax-id'}`

/** A plan or company change starts no earlier than the benefit that it replaces; registration data have no such limit. */
function fieldErrorsOf(
  request: AlterationRequest,
  facts: AlterationFacts,
  transfers: readonly AlterationPart[],
  effectiveDate: LocalDate,
): FieldError[] {
  const errors: FieldError[] = []
  if (facts.taxIdTaken) errors.push({ field: 'alteration-data.tax-id', code: 'already-in-use' })
  if (transfers.some(({ benefit }) => effectiveDate < benefit.startDate)) {
    errors.push({ field: 'alteration-data.requested-start-date', code: 'before-start-date' })
  }
  const usable = new Set(facts.usableDocumentIds)
  const unusable = request.documents.findIndex((document) => !usable.has(document['document-id']))
  if (unusable >= 0) errors.push(unusableDocument(unusable))
  return errors
}

/** A document that is unknown, not uploaded, another client's or used by another movement. */
export const unusableDocument = (index: number): FieldError => ({
  field: 'alteration-data.documents',
  code: 'invalid',
  message: { key: 'unusable-document', index },
})
