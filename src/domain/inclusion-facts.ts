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

/** The data of one company that a batch is judged by, of one snapshot. */
export interface InclusionFacts {
  today: LocalDate
  companyTaxId: string
  products: ProductFacts[]
  /** Pending and active benefits of the members and of their primaries. */
  benefits: { taxId: string; productId: string; type: BeneficiaryType; status: 'pending' | 'active' }[]
  /** Open inclusions, and open plan changes towards the product. */
  openEnrollments: { taxId: string; productId: string; type: BeneficiaryType }[]
  /** Primaries in accepted requests that are still processing; they count as pending. */
  processing: { taxId: string; productId: string; admissionDate: LocalDate | null }[]
  /** People who have, or had, a primary benefit in the company. */
  primaries: { taxId: string; admissionDate: LocalDate | null }[]
  /** Documents that exist, are uploaded, belong to the client and are unused. */
  usableDocumentIds: string[]
}

/** The company's data about one person. The sets contain `role productId`. */
interface PersonFacts {
  active: Set<string>
  pending: Set<string>
  /** Pending benefits, open inclusions, plan changes towards the product. */
  ongoing: Set<string>
  isPrimary: boolean
  hasActivePrimaryBenefit: boolean
  /** By product id; under '' the first of any product. */
  admissions: Map<string, LocalDate>
}

/** The facts of a company, with look-ups in constant time. */
export class FactIndex {
  readonly today: LocalDate
  readonly productByNameKey: ReadonlyMap<string, ProductFacts>
  readonly usableDocumentIds: ReadonlySet<string>
  readonly #people = new Map<string, PersonFacts>()

  /** Linear in the number of facts. */
  constructor(facts: InclusionFacts) {
    this.today = facts.today
    this.productByNameKey = new Map(facts.products.map((product) => [product.nameKey, product]))
    this.usableDocumentIds = new Set(facts.usableDocumentIds)
    for (const { taxId, productId, type, status } of facts.benefits) {
      const person = this.#of(taxId)
      const key = `${type} ${productId}`
      if (status === 'active') person.active.add(key)
      else {
        person.pending.add(key)
        person.ongoing.add(key)
      }
      if (type !== 'primary') continue
      person.isPrimary = true
      if (status === 'active') person.hasActivePrimaryBenefit = true
    }
    for (const { taxId, productId, type } of facts.openEnrollments) this.#of(taxId).ongoing.add(`${type} ${productId}`)
    for (const { taxId, productId, admissionDate } of facts.processing) {
      const person = this.#of(taxId)
      person.pending.add(`primary ${productId}`)
      person.isPrimary = true
      addAdmission(person, productId, admissionDate)
      addAdmission(person, '', admissionDate)
    }
    for (const { taxId, admissionDate } of facts.primaries) {
      const person = this.#of(taxId)
      person.isPrimary = true
      addAdmission(person, '', admissionDate)
    }
  }

  isActive(role: BeneficiaryType, taxId: string, productId: string): boolean {
    return this.#people.get(taxId)?.active.has(`${role} ${productId}`) ?? false
  }

  /** Whether a pending benefit, an open inclusion or a plan change towards the product exists. */
  isOngoing(role: BeneficiaryType, taxId: string, productId: string): boolean {
    return this.#people.get(taxId)?.ongoing.has(`${role} ${productId}`) ?? false
  }

  /** Whether a primary benefit is pending, or will be once an accepted request is processed. */
  isPendingPrimary(taxId: string, productId: string): boolean {
    return this.#people.get(taxId)?.pending.has(`primary ${productId}`) ?? false
  }

  /** Whether the person is or was a primary of the company, in any product. */
  isPrimary(taxId: string): boolean {
    return this.#people.get(taxId)?.isPrimary ?? false
  }

  hasActivePrimaryBenefit(taxId: string): boolean {
    return this.#people.get(taxId)?.hasActivePrimaryBenefit ?? false
  }

  /** A primary's admission date: from accepted requests first, then from the profile. */
  admissionDate(taxId: string, productId: string | null): LocalDate | null {
    const admissions = this.#people.get(taxId)?.admissions
    return admissions?.get(productId ?? '') ?? admissions?.get('') ?? null
  }

  #of(taxId: string): PersonFacts {
    let person = this.#people.get(taxId)
    if (person === undefined) {
      person = {
        active: new Set(),
        pending: new Set(),
        ongoing: new Set(),
        isPrimary: false,
        hasActivePrimaryBenefit: false,
        admissions: new Map(),
      }
      this.#people.set(taxId, person)
    }
    return person
  }
}

function addAdmission(person: PersonFacts, key: string, date: LocalDate | null): void {
  if (date !== null && !person.admissions.has(key)) person.admissions.set(key, date)
}
