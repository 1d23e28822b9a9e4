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
  /** Whether an exclusion or a change of it is open. */
  isMoving: boolean
}

/** What the judge must know of the companies and people of some lines, read at one moment. */
export interface ImportFacts {
  companies: { id: string; taxId: string; products: ImportProduct[] }[]
  /** People whom the company has a row of: `[companyId, taxId]`. */
  people: [string, string][]
  /** Theirs; of two with one id the later counts (a rehearsal's own come last). */
  benefits: KnownBenefit[]
  /** Open changes of plan or company towards a product. */
  awaited: { companyId: string; taxId: string; productId: string; type: BeneficiaryType }[]
}

export interface Standing {
  /** As it would be after the lines judged so far. */
  readonly benefit: KnownBenefit
  /** As the book has it; null: begun by a line. */
  readonly was: KnownBenefit | null
}

/** The book of some companies and people, as it would be after the lines judged so far. */
export class ImportBook {
  readonly #companies = new Map<string, { id: string; products: Map<string, ImportProduct> }>()
  readonly #people = new Set<string>()
  readonly #standings = new Map<string, Standing[]>()
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

  /** Whether the company had a row of the person before these lines. */
  knows(companyId: string, taxId: string): boolean {
    return this.#people.has(`${companyId} ${taxId}`)
  }

  /** Whether the person has, or had, a primary benefit in the company. */
  isPrimary(companyId: string, taxId: string): boolean {
    return this.#primaries.has(`${companyId} ${taxId}`)
  }

  isAwaited(companyId: string, taxId: string, productId: string, type: BeneficiaryType): boolean {
    return this.#awaited.has(keyOf(companyId, taxId, productId, type))
  }

  /** Every benefit of the person in the product and role, whatever its status. */
  benefits(companyId: string, taxId: string, productId: string, type: BeneficiaryType): readonly Standing[] {
    return this.#standings.get(keyOf(companyId, taxId, productId, type)) ?? []
  }

  add(benefit: KnownBenefit, isInBook: boolean): Standing {
    const key = keyOf(benefit.companyId, benefit.taxId, benefit.productId, benefit.type)
    const standing = { benefit: { ...benefit }, was: isInBook ? benefit : null }
    const others = this.#standings.get(key)
    if (others === undefined) this.#standings.set(key, [standing])
    else others.push(standing)
    if (benefit.type === 'primary') this.#primaries.add(`${benefit.companyId} ${benefit.taxId}`)
    return standing
  }
}

function keyOf(companyId: string, taxId: string, productId: string, type: BeneficiaryType): string {
  return `${companyId} ${taxId} ${productId} ${type}`
}
