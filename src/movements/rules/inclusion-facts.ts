import type { AgeLimit } from '#registry/rules/age-limit.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type CutOffCalendar, nextCutOff } from '#registry/rules/cut-off.ts'
import { type ContractLimits, LimitWarnings } from '#registry/rules/retroactive-limit.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import { nearest } from '#kernel/nearest.ts'
import { Suggestions } from './suggestions.ts'
import type { RequirementRule } from '#registry/rules/requirement.ts'

/** A product that takes inclusions (not retired). `billingDay` 1..28, `cutOffDay` a day of the month. */
export interface ProductFacts {
  id: string
  name: string
  nameKey: string
  productType: string
  allowedDependentTypes: string[]
  allowedStartOptions: string[]
  ageLimits?: readonly AgeLimit[]
  billingDay: number | null
  cutOffDay: number | null
  /** The name of the carrier without case and accents. */
  carrierKey?: string
  /** The range of lives of the active contract that has the product. */
  lives?: string | null
}

/** The data of one company that a batch is judged by, of one snapshot. */
export interface InclusionFacts {
  today: LocalDate
  companyTaxId: string
  products: ProductFacts[]
  /** The calendars of the active contracts with carriers, by the products that are in them. */
  calendars?: readonly { productId: string; calendar: CutOffCalendar }[]
  /** How far back the active contracts recognize movements. */
  limits?: readonly ContractLimits[]
  /** Pending and active benefits of the members and of their primaries. */
  benefits: {
    taxId: string
    productId: string
    productType: string
    type: BeneficiaryType
    status: 'pending' | 'active'
    startDate: LocalDate
  }[]
  /** The last day of the former cover of these people in each product and role; void benefits covered none. */
  formerCover: { taxId: string; productId: string; type: BeneficiaryType; endDate: LocalDate }[]
  /** Spouses and partners with a pending or active benefit through these primaries. */
  spouses: { primaryTaxId: string; productId: string; taxId: string }[]
  /** Open inclusions, and open plan changes towards the product. */
  openEnrollments: { taxId: string; productId: string; type: BeneficiaryType }[]
  /** Primaries in accepted requests that are still processing; they count as pending. */
  processing: {
    taxId: string
    productId: string
    admissionDate: LocalDate | null
    dateOfBirth: LocalDate | null
    startDate: LocalDate
  }[]
  /** People who have, or had, a primary benefit in the company. */
  primaries: { taxId: string; admissionDate: LocalDate | null; dateOfBirth: LocalDate }[]
  /** Documents that exist, are uploaded, belong to the client and are unused. */
  usableDocumentIds: string[]
  /** The rules of required documents that are in force. */
  requirementRules?: readonly RequirementRule[]
}

/** The company's data about one person. The sets and the keys of `formerEnds` contain `role productId`. */
interface PersonFacts {
  active: Set<string>
  pending: Set<string>
  /** Pending benefits, open inclusions, plan changes towards the product. */
  ongoing: Set<string>
  isPrimary: boolean
  hasActivePrimaryBenefit: boolean
  dateOfBirth: LocalDate | null
  formerEnds: Map<string, LocalDate>
  /** The products of pending and active benefits, by product type. */
  products: Map<string, string[]>
  /** The starts of primary benefits in force, and of those that accepted requests will create, by product id. */
  primaryStarts: Map<string, LocalDate>
  /** CPFs of the spouses of a primary, by product id. */
  spouses: Map<string, string[]>
  /** By product id; under '' the first of any product. */
  admissions: Map<string, LocalDate>
}

/** The facts of a company, with look-ups in constant time. */
export class FactIndex {
  readonly today: LocalDate
  readonly productByNameKey: ReadonlyMap<string, ProductFacts>
  /** The names of the products that misspelt ones most likely stand for, by the keys of both. */
  readonly suggestedProducts: Suggestions
  readonly usableDocumentIds: ReadonlySet<string>
  readonly limits: LimitWarnings
  readonly #people = new Map<string, PersonFacts>()
  /** The starts of cover by product, of products with a calendar. */
  readonly #coverageStarts: ReadonlyMap<string, LocalDate>

  /** Linear in the number of facts. */
  constructor(facts: InclusionFacts) {
    this.today = facts.today
    this.productByNameKey = new Map(facts.products.map((product) => [product.nameKey, product]))
    const nameKeys = [...this.productByNameKey.keys()]
    this.suggestedProducts = new Suggestions((nameKey) => {
      const key = nearest(nameKey, nameKeys)
      return key === null ? null : (this.productByNameKey.get(key)?.name ?? null)
    })
    this.usableDocumentIds = new Set(facts.usableDocumentIds)
    this.limits = new LimitWarnings(facts.limits ?? [], facts.today)
    this.#coverageStarts = new Map(
      facts.calendars?.map(({ productId, calendar }) => [
        productId,
        nextCutOff(calendar, facts.today)['coverage-start'],
      ]),
    )
    for (const { taxId, productId, productType, type, status, startDate } of facts.benefits) {
      const person = this.#of(taxId)
      addTo(person.products, productType, productId)
      const key = `${type} ${productId}`
      if (status === 'active') person.active.add(key)
      else {
        person.pending.add(key)
        person.ongoing.add(key)
      }
      if (type !== 'primary') continue
      person.isPrimary = true
      person.primaryStarts.set(productId, startDate)
      if (status === 'active') person.hasActivePrimaryBenefit = true
    }
    for (const { taxId, productId, type } of facts.openEnrollments) this.#of(taxId).ongoing.add(`${type} ${productId}`)
    for (const { taxId, productId, type, endDate } of facts.formerCover) {
      this.#of(taxId).formerEnds.set(`${type} ${productId}`, endDate)
    }
    for (const { primaryTaxId, productId, taxId } of facts.spouses) {
      addTo(this.#of(primaryTaxId).spouses, productId, taxId)
    }
    for (const { taxId, productId, admissionDate, dateOfBirth, startDate } of facts.processing) {
      const person = this.#of(taxId)
      person.dateOfBirth ??= dateOfBirth
      if (!person.primaryStarts.has(productId)) person.primaryStarts.set(productId, startDate)
      person.pending.add(`primary ${productId}`)
      person.isPrimary = true
      addAdmission(person, productId, admissionDate)
      addAdmission(person, '', admissionDate)
    }
    for (const { taxId, admissionDate, dateOfBirth } of facts.primaries) {
      const person = this.#of(taxId)
      person.dateOfBirth = dateOfBirth
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

  /** The start of a primary's benefit of the product that is in force, pending, or will be once an accepted request is processed. */
  primaryStart(taxId: string, productId: string): LocalDate | null {
    return this.#people.get(taxId)?.primaryStarts.get(productId) ?? null
  }

  /** When the cover starts of a movement that is sent by the next cut-off; null without a calendar. */
  coverageStart(productId: string): LocalDate | null {
    return this.#coverageStarts.get(productId) ?? null
  }

  /** The last day of former cover in the product and role. */
  formerEnd(role: BeneficiaryType, taxId: string, productId: string): LocalDate | null {
    return this.#people.get(taxId)?.formerEnds.get(`${role} ${productId}`) ?? null
  }

  /** The products of a type that the person has, or will have. */
  productsOfType(taxId: string, productType: string): readonly string[] {
    return this.#people.get(taxId)?.products.get(productType) ?? []
  }

  /** CPFs of a primary's spouses and partners in the product. */
  spouses(primaryTaxId: string, productId: string): readonly string[] {
    return this.#people.get(primaryTaxId)?.spouses.get(productId) ?? []
  }

  /** The date of birth of a person who is, or was, a primary of the company. */
  dateOfBirth(taxId: string): LocalDate | null {
    return this.#people.get(taxId)?.dateOfBirth ?? null
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
        dateOfBirth: null,
        formerEnds: new Map(),
        products: new Map(),
        primaryStarts: new Map(),
        spouses: new Map(),
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

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
