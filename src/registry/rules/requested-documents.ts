/*
 * The documents that the rules of the installation want with an exclusion or an alteration.
 */
import { daysBetween, type LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, MovementKind } from '#kernel/enums.ts'
import {
  ageOn,
  type MissingDocument,
  type RequirementItem,
  requirementItems,
  type RequirementRule,
  Requirements,
} from './requirement.ts'

/** A benefit and its person, as rules see them. */
export interface RequestedBenefit {
  readonly id: string
  readonly beneficiaryType: BeneficiaryType
  readonly dependentType: string | null
  readonly workContractType: string | null
  readonly dateOfBirth: LocalDate
  /** For a dependent, the admission date of the primary. */
  readonly admissionDate: LocalDate | null
}

/** A product, as rules see it. */
export interface ProductSubject {
  readonly productId: string
  readonly productType: string
  readonly carrierKey: string
  readonly companyTaxId: string
  readonly lives: string | null
}

/** What the documents of exclusions or alterations are judged by. */
export interface RequirementFacts {
  readonly rules: readonly RequirementRule[]
  readonly benefits: readonly RequestedBenefit[]
  /** The products of the companies and their destinations, also retired ones. */
  readonly products: readonly ProductSubject[]
}

/** What a movement concerns: a plan change needs the documents of the product that the person gets. */
interface RequestedPart {
  readonly benefitId: string
  readonly productId: string
  readonly productName: string
  readonly exclusionReason: string | null
  readonly documents: readonly { readonly 'document-type': string }[]
}

/** A document that a movement lacks. */
export interface MissingOfProduct extends MissingDocument {
  readonly 'product-name': string
}

/** The same of an entry of a batch. */
export interface MissingOfEntry extends MissingOfProduct {
  readonly index: number
  /** The CPF of the person whose movement lacks it: for a dependent who goes with the primary, the dependent's. */
  readonly 'tax-id': string
}

/** Judges the documents of exclusions or alterations. */
export class RequestedDocuments {
  readonly #movement: MovementKind
  readonly #today: LocalDate
  readonly #requirements: Requirements
  readonly #benefits: ReadonlyMap<string, RequestedBenefit>
  readonly #products: ReadonlyMap<string, ProductSubject>

  /** @param facts absent: no rule is about them. */
  constructor(movement: MovementKind, facts: RequirementFacts | undefined, today: LocalDate) {
    const { rules = [], benefits = [], products = [] } = facts ?? {}
    this.#movement = movement
    this.#today = today
    this.#requirements = new Requirements(rules)
    this.#benefits = new Map(benefits.map((benefit) => [benefit.id, benefit]))
    this.#products = new Map(products.map((product) => [product.productId, product]))
  }

  get isEmpty(): boolean {
    return this.#requirements.isEmpty
  }

  /** What a movement lacks. */
  missing({ benefitId, productId, productName, exclusionReason, documents }: RequestedPart): MissingOfProduct[] {
    const benefit = this.#benefits.get(benefitId)
    const product = this.#products.get(productId)
    if (benefit === undefined || product === undefined) return []
    const { dateOfBirth, admissionDate } = benefit
    const subject = {
      ...product,
      ...benefit,
      movement: this.#movement,
      exclusionReason,
      age: ageOn(dateOfBirth, this.#today),
      daysSinceAdmission: admissionDate === null ? null : daysBetween(admissionDate, this.#today),
      late: null,
    }
    const types = new Set(documents.map((document) => document['document-type']))
    return this.#requirements.missing(subject, types).map((document) => ({ 'product-name': productName, ...document }))
  }
}

/** The pending items of a movement; undefined: it waits for nothing. */
export function itemsToWaitFor(missing: readonly MissingDocument[]): readonly RequirementItem[] | undefined {
  const items = requirementItems(missing)
  return items.length === 0 ? undefined : items
}
