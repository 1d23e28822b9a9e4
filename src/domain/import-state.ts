import type { LocalDate } from './calendar.ts'
import type { BeneficiaryType, BenefitStatus } from './enums.ts'

/** A product that takes new benefits (not retired). */
export interface ImportProduct {
  id: string
  nameKey: string
  dependentTypes: string[]
}

/** A benefit of whatever status. */
export interface KnownBenefit {
  id: string
  companyId: string
  taxId: string
  productId: string
  type: BeneficiaryType
  status: BenefitStatus
  startDate: LocalDate
  endDate: LocalDate | null
  cardNumber: string | null
  primaryTaxId: string | null
  dependentType: string | null
  /** Whether an exclusion or transfer of it is open. */
  isMoving: boolean
}

/** The data that lines are judged by, of their companies and people, of one snapshot. */
export interface ImportFacts {
  companies: { id: string; taxId: string; products: ImportProduct[] }[]
  /** Members of the companies: `[companyId, taxId]`. */
  people: [string, string][]
  /** Benefits of these members. The last one of an id counts (a dry run appends its own). */
  benefits: KnownBenefit[]
  /** Open plan and company changes to a product. */
  awaited: { companyId: string; taxId: string; productId: string; type: BeneficiaryType }[]
}

/** A benefit before and after the lines. */
export interface BenefitChange {
  /** After the lines judged so far. */
  readonly benefit: KnownBenefit
  /** Before the lines; null: a line created it. */
  readonly was: KnownBenefit | null
}

/** The members and benefits of some companies after the lines judged so far. */
export class ImportRoster {
  readonly #companies = new Map<string, { id: string; products: Map<string, ImportProduct> }>()
  readonly #people = new Set<string>()
  readonly #benefits = new Map<string, BenefitChange[]>()
  readonly #primaries = new Set<string>()
  readonly #awaited = new Set<string>()

  /** Linear in the number of facts. */
  constructor(facts: ImportFacts) {
    for (const { id, taxId, products } of facts.companies) {
      this.#companies.set(taxId, { id, products: new Map(products.map((product) => [product.nameKey, product])) })
    }
    for (const [companyId, taxId] of facts.people) this.#people.add(`${companyId} ${taxId}`)
    for (const benefit of new Map(facts.benefits.map((one) => [one.id, one])).values()) this.add(benefit, true)
    for (const one of facts.awaited) this.#awaited.add(keyOf(one.companyId, one.taxId, one.productId, one.type))
  }

  company(taxId: string): { id: string; products: ReadonlyMap<string, ImportProduct> } | undefined {
    return this.#companies.get(taxId)
  }

  /** Whether the person was a member of the company before these lines. */
  isMember(companyId: string, taxId: string): boolean {
    return this.#people.has(`${companyId} ${taxId}`)
  }

  /** Whether the person has, or had, a primary benefit in the company. */
  isPrimary(companyId: string, taxId: string): boolean {
    return this.#primaries.has(`${companyId} ${taxId}`)
  }

  isAwaited(companyId: string, taxId: string, productId: string, type: BeneficiaryType): boolean {
    return this.#awaited.has(keyOf(companyId, taxId, productId, type))
  }

  /** All benefits of the person in the product and role, of any status. */
  benefits(companyId: string, taxId: string, productId: string, type: BeneficiaryType): readonly BenefitChange[] {
    return this.#benefits.get(keyOf(companyId, taxId, productId, type)) ?? []
  }

  add(benefit: KnownBenefit, isStored: boolean): BenefitChange {
    const key = keyOf(benefit.companyId, benefit.taxId, benefit.productId, benefit.type)
    const change = { benefit: { ...benefit }, was: isStored ? benefit : null }
    const others = this.#benefits.get(key)
    if (others === undefined) this.#benefits.set(key, [change])
    else others.push(change)
    if (benefit.type === 'primary') this.#primaries.add(`${benefit.companyId} ${benefit.taxId}`)
    return change
  }
}

function keyOf(companyId: string, taxId: string, productId: string, type: BeneficiaryType): string {
  return `${companyId} ${taxId} ${productId} ${type}`
}
