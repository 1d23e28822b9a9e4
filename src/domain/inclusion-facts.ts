import type { LocalDate } from './calendar.ts'
import type { BeneficiaryType } from './enums.ts'

/** A product that takes inclusions (not retired). `billingDay` 1..28, `cutOffDay` a day of the month. */
export interface ProductFacts {
  id: string
  name: string
  nameKey: string
  productType: string
  allowedDependentTypes: string[]
  allowedStartOptions: string[]
  billingDay: number | null
  cutOffDay: number | null
}

/** What the judge must know of one company, all of it read at one moment. */
export interface InclusionFacts {
  today: LocalDate
  companyTaxId: string
  products: ProductFacts[]
  /** Pending and active benefits of the members and of the primaries they name. */
  benefits: { taxId: string; productId: string; type: BeneficiaryType; status: 'pending' | 'active' }[]
  /** Open inclusions, and open plan changes towards the product. */
  openEnrollments: { taxId: string; productId: string; type: BeneficiaryType }[]
  /** Primaries in accepted requests that are still processing; they count as pending. */
  processing: { taxId: string; productId: string; admissionDate: LocalDate | null }[]
  /** Whoever has, or had, a primary benefit in the company. */
  primaries: { taxId: string; admissionDate: LocalDate | null }[]
  /** Documents that are known, filled, the caller's and unused. */
  usableDocumentIds: string[]
}

/** What the company knows of one person. The sets hold `role productId`. */
interface Known {
  active: Set<string>
  pending: Set<string>
  /** Pending benefits, open inclusions, plan changes towards the product. */
  ongoing: Set<string>
  isPrimary: boolean
  hasActivePrimaryBenefit: boolean
  /** By product id, and under '' the first of any. */
  admissions: Map<string, LocalDate>
}

/** The facts of a company, ready to be asked in constant time. */
export class FactIndex {
  readonly today: LocalDate
  readonly productByNameKey: ReadonlyMap<string, ProductFacts>
  readonly usableDocumentIds: ReadonlySet<string>
  readonly #known = new Map<string, Known>()

  /** Linear in the number of facts. */
  constructor(facts: InclusionFacts) {
    this.today = facts.today
    this.productByNameKey = new Map(facts.products.map((product) => [product.nameKey, product]))
    this.usableDocumentIds = new Set(facts.usableDocumentIds)
    for (const { taxId, productId, type, status } of facts.benefits) {
      const known = this.#of(taxId)
      const key = `${type} ${productId}`
      if (status === 'active') known.active.add(key)
      else {
        known.pending.add(key)
        known.ongoing.add(key)
      }
      if (type !== 'primary') continue
      known.isPrimary = true
      if (status === 'active') known.hasActivePrimaryBenefit = true
    }
    for (const { taxId, productId, type } of facts.openEnrollments) this.#of(taxId).ongoing.add(`${type} ${productId}`)
    for (const { taxId, productId, admissionDate } of facts.processing) {
      const known = this.#of(taxId)
      known.pending.add(`primary ${productId}`)
      known.isPrimary = true
      learn(known, productId, admissionDate)
      learn(known, '', admissionDate)
    }
    for (const { taxId, admissionDate } of facts.primaries) {
      const known = this.#of(taxId)
      known.isPrimary = true
      learn(known, '', admissionDate)
    }
  }

  isActive(role: BeneficiaryType, taxId: string, productId: string): boolean {
    return this.#known.get(taxId)?.active.has(`${role} ${productId}`) ?? false
  }

  /** Whether a pending benefit, an open inclusion or a plan change towards the product exists. */
  isOngoing(role: BeneficiaryType, taxId: string, productId: string): boolean {
    return this.#known.get(taxId)?.ongoing.has(`${role} ${productId}`) ?? false
  }

  /** Whether a primary benefit is pending, or about to be by an accepted request. */
  isPendingPrimary(taxId: string, productId: string): boolean {
    return this.#known.get(taxId)?.pending.has(`primary ${productId}`) ?? false
  }

  /** Whether the company knows the person as a primary, of whatever product and time. */
  isPrimary(taxId: string): boolean {
    return this.#known.get(taxId)?.isPrimary ?? false
  }

  hasActivePrimaryBenefit(taxId: string): boolean {
    return this.#known.get(taxId)?.hasActivePrimaryBenefit ?? false
  }

  /** A primary's admission date as the company knows it: from accepted requests first, then from the profile. */
  admissionDate(taxId: string, productId: string | null): LocalDate | null {
    const admissions = this.#known.get(taxId)?.admissions
    return admissions?.get(productId ?? '') ?? admissions?.get('') ?? null
  }

  #of(taxId: string): Known {
    let known = this.#known.get(taxId)
    if (known === undefined) {
      known = {
        active: new Set(),
        pending: new Set(),
        ongoing: new Set(),
        isPrimary: false,
        hasActivePrimaryBenefit: false,
        admissions: new Map(),
      }
      this.#known.set(taxId, known)
    }
    return known
  }
}

function learn(known: Known, key: string, date: LocalDate | null): void {
  if (date !== null && !known.admissions.has(key)) known.admissions.set(key, date)
}
