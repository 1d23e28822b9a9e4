import type { AgeLimit } from '#registry/rules/age-limit.ts'
import { daysBetween, type LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, BenefitStatus } from '#kernel/enums.ts'

/** A product that takes new benefits (not retired). */
interface ImportProduct {
  id: string
  nameKey: string
  dependentTypes: string[]
  ageLimits?: readonly AgeLimit[]
}

/** A person in a product and role. */
export interface Coverage {
  companyId: string
  taxId: string
  productId: string
  type: BeneficiaryType
}

/** A benefit of whatever status. */
export interface KnownBenefit extends Coverage {
  id: string
  status: BenefitStatus
  startDate: LocalDate
  endDate: LocalDate | null
  cardNumber: string | null
  primaryTaxId: string | null
  dependentType: string | null
  /** Whether an exclusion or transfer of it is open. */
  isMoving: boolean
  /** Whether a plan or company change has replaced it. */
  isReplaced: boolean
}

/** The data that lines are judged by, of their companies and people, of one snapshot. */
export interface ImportFacts {
  companies: { id: string; taxId: string; products: ImportProduct[] }[]
  /** Members of the companies: `[companyId, taxId]`. */
  people: [string, string][]
  /** Benefits of these members. A dry run appends its own, and again those that it changes, with what it changes. */
  benefits: KnownBenefit[]
  /** Open plan and company changes to a product. */
  openTransfers: Coverage[]
}

/** A benefit before and after the lines. */
export interface BenefitChange {
  /** After the lines judged so far. */
  readonly benefit: KnownBenefit
  /** Before the lines; null: a line created it. */
  readonly was: KnownBenefit | null
}

type Person = Pick<Coverage, 'companyId' | 'taxId'>

/** The members and benefits of some companies after the lines judged so far. */
export class ImportRoster {
  readonly #companies = new Map<string, { id: string; products: Map<string, ImportProduct> }>()
  readonly #people = new Set<string>()
  readonly #benefits = new Map<string, BenefitChange[]>()
  readonly #primaries = new Set<string>()
  readonly #openTransfers: ReadonlySet<string>

  /** Linear in the number of facts. */
  constructor(facts: ImportFacts) {
    for (const { id, taxId, products } of facts.companies) {
      this.#companies.set(taxId, { id, products: new Map(products.map((product) => [product.nameKey, product])) })
    }
    for (const [companyId, taxId] of facts.people) this.#people.add(personKey({ companyId, taxId }))
    const benefits = new Map<string, KnownBenefit>()
    for (const benefit of facts.benefits) benefits.set(benefit.id, { ...benefits.get(benefit.id), ...benefit })
    for (const benefit of benefits.values()) this.add(benefit, true)
    this.#openTransfers = new Set(facts.openTransfers.map(coverageKey))
  }

  company(taxId: string): { id: string; products: ReadonlyMap<string, ImportProduct> } | undefined {
    return this.#companies.get(taxId)
  }

  /** Whether the person was a member of the company before these lines. */
  isMember(person: Person): boolean {
    return this.#people.has(personKey(person))
  }

  /** Whether the person has, or had, a primary benefit in the company. */
  isPrimary(person: Person): boolean {
    return this.#primaries.has(personKey(person))
  }

  /** Whether a plan or company change to the product is open. */
  hasOpenTransfer(coverage: Coverage): boolean {
    return this.#openTransfers.has(coverageKey(coverage))
  }

  /** All benefits of the person in the product and role, of any status. */
  benefits(coverage: Coverage): readonly BenefitChange[] {
    return this.#benefits.get(coverageKey(coverage)) ?? []
  }

  add(benefit: KnownBenefit, isStored: boolean): BenefitChange {
    const change = { benefit: { ...benefit }, was: isStored ? benefit : null }
    this.#benefits.set(coverageKey(benefit), [...this.benefits(benefit), change])
    if (benefit.type === 'primary') this.#primaries.add(personKey(benefit))
    return change
  }
}

/** A time without a gap in which a person has cover. */
interface Run {
  readonly startDate: LocalDate
  /** The last day; null: no end. */
  readonly endDate: LocalDate | null
}

/** The cover of benefits as unbroken runs, the earliest first; what is pending is no cover yet. */
export function runsOf(benefits: readonly BenefitChange[]): Run[] {
  const runs: Run[] = []
  const covers = benefits
    .map(({ benefit }) => benefit)
    .filter(({ status, startDate, endDate }) => status !== 'pending' && (endDate === null || endDate >= startDate))
  for (const { startDate, endDate } of covers.toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))) {
    const last = runs.at(-1)
    const isNext = last !== undefined && (last.endDate === null || daysBetween(last.endDate, startDate) <= 1)
    if (!isNext) runs.push({ startDate, endDate })
    else if (last.endDate !== null && (endDate === null || endDate > last.endDate))
      runs[runs.length - 1] = { startDate: last.startDate, endDate }
  }
  return runs
}

function personKey({ companyId, taxId }: Person): string {
  return `${companyId} ${taxId}`
}

function coverageKey({ companyId, taxId, productId, type }: Coverage): string {
  return `${companyId} ${taxId} ${productId} ${type}`
}
