/*
 * The documents that the rules of the installation want with the members of an inclusion.
 */
import { daysBetween, type LocalDate } from '#kernel/calendar.ts'
import type { EntryWarning } from './entry-warnings.ts'
import { type Entry, pathOfItem } from './inclusion-batch.ts'
import type { FactIndex, InclusionFacts, ProductFacts } from './inclusion-facts.ts'
import type { Case } from './inclusion-primaries.ts'
import type { AcceptedProduct } from './inclusion-starts.ts'
import {
  ageOn,
  isLate,
  type MissingDocument,
  requirementItems,
  Requirements,
  strictest,
} from '#registry/rules/requirement.ts'

/** A document that a member needs in a product and does not have. */
export interface MissingOfMember extends MissingDocument {
  readonly index: number
  /** Absent when it is missing or invalid. */
  readonly 'tax-id'?: string
  readonly 'product-name': string
}

/** What the members of a batch lack. */
interface MissingOfBatch {
  /** In batch order. */
  readonly all: MissingOfMember[]
  readonly warnings: (memberCase: Case) => readonly EntryWarning[]
  /** The products of an accepted member, with the documents that their movements wait for. */
  readonly pend: (memberCase: Case, products: AcceptedProduct[]) => AcceptedProduct[]
}

const nothing: MissingOfBatch = { all: [], warnings: () => [], pend: (_, products) => products }

/** Judges the documents of all members, and adds the offense to those that are refused without one. */
export function judgeDocuments(cases: readonly Case[], facts: FactIndex, company: InclusionFacts): MissingOfBatch {
  const requirements = new Requirements(company.requirementRules ?? [])
  if (requirements.isEmpty) return nothing
  const admissions = new Map(cases.map(({ entry }) => [entry.taxId, entry.admissionDate]))
  const all: MissingOfMember[] = []
  const warnings = new Map<Case, EntryWarning[]>()
  const items = new Map<Case, Map<string, AcceptedProduct['pendingItems']>>()
  for (const memberCase of cases) {
    const { entry, choices, offenses } = memberCase
    if (entry.role === null) continue
    const documentTypes = new Set(entry.documents.map((document) => document['document-type']))
    const ofPerson = personOf(entry, facts, admissions)
    for (const { item, product } of choices) {
      if (product === null) continue
      const subject = { ...ofPerson, ...productOf(product, company) }
      const missing = requirements.missing(subject, documentTypes)
      if (missing.length === 0) continue
      const member = entry.taxId === null ? { index: entry.index } : { index: entry.index, 'tax-id': entry.taxId }
      all.push(...missing.map((document) => ({ ...member, 'product-name': product.name, ...document })))
      const enforcement = strictest(missing)
      if (enforcement === 'offense') offenses.add('missing-documents', item)
      else if (enforcement === 'pending')
        listIn(items, memberCase, new Map()).set(product.id, requirementItems(missing))
      else listIn(warnings, memberCase, []).push({ warning: 'missing-documents', field: pathOfItem(item) })
    }
  }
  return {
    all,
    warnings: (memberCase) => warnings.get(memberCase) ?? [],
    pend: (memberCase, products) => {
      const ofMember = items.get(memberCase)
      if (ofMember === undefined) return products
      return products.map((product) => {
        const pendingItems = ofMember.get(product.productId)
        return pendingItems === undefined ? product : { ...product, pendingItems }
      })
    },
  }
}

function listIn<Key, Value>(map: Map<Key, Value>, key: Key, empty: Value): Value {
  const present = map.get(key) ?? empty
  map.set(key, present)
  return present
}

/** A member as rules see it. The admission of a dependent is that of the primary. */
function personOf(
  entry: Entry,
  facts: FactIndex,
  admissions: ReadonlyMap<string | null, LocalDate | null | undefined>,
) {
  const { role, dependentType, dateOfBirth, primaryTaxId, profile, dependencyDate } = entry
  const admission =
    role === 'primary'
      ? (entry.admissionDate ?? null)
      : primaryTaxId === null
        ? null
        : (admissions.get(primaryTaxId) ?? facts.admissionDate(primaryTaxId, null))
  const workContractType = profile['work-contract-type']
  return {
    movement: 'inclusion',
    beneficiaryType: role === 'primary' ? 'primary' : 'dependent',
    dependentType,
    workContractType: typeof workContractType === 'string' ? workContractType : null,
    exclusionReason: null,
    age: ageOn(dateOfBirth, facts.today),
    daysSinceAdmission: admission === null ? null : daysBetween(admission, facts.today),
    late: isLate((role === 'dependent' ? dependencyDate : null) ?? admission, facts.today),
  } as const
}

function productOf({ id, productType, carrierKey = '', lives = null }: ProductFacts, { companyTaxId }: InclusionFacts) {
  return { productId: id, productType, carrierKey, companyTaxId, lives }
}
