import { agedPersonOf, ageLimitOf, allowedAge, tooOldFrom } from '#registry/rules/age-limit.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { Advice } from './inclusion-advice.ts'
import type { EntryWarning } from './entry-warnings.ts'
import type { Batch, Echo, Entry, ProductItem } from './inclusion-batch.ts'
import { FactIndex } from './inclusion-facts.ts'
import type { InclusionFacts, ProductFacts } from './inclusion-facts.ts'
import { judgeDocuments, type MissingOfMember } from './inclusion-documents.ts'
import { judgeAgainstPrimary, primaryAdmission, primaryStates } from './inclusion-primaries.ts'
import type { Case, Choice, PrimaryState } from './inclusion-primaries.ts'
import { type AcceptedProduct, type PrimaryProducts, primaryProductKey, startProducts } from './inclusion-starts.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import { MemberOffenses, type OffenseDetail } from './member-offenses.ts'
import type { Offense } from '#kernel/offenses.ts'

/** An entry of the rejected-members body. */
interface RejectedMember extends Echo {
  index: number
  'company-tax-id': string
  offenses: Offense[]
  'offense-details': OffenseDetail[]
}

interface InclusionWarning extends EntryWarning {
  index: number
  /** Absent when it is missing or invalid. */
  'tax-id'?: string
}

/** `profile` has wire keys and normal forms, only of what was sent. */
export interface AcceptedMember extends Pick<
  Entry,
  'index' | 'primaryTaxId' | 'dependentType' | 'profile' | 'reference' | 'documents' | 'sandbox'
> {
  taxId: string
  type: BeneficiaryType
  products: AcceptedProduct[]
}

export interface Judgement {
  /** Only offending members, in batch order; offenses complete, sorted, unique. */
  rejected: RejectedMember[]
  /** In batch order. */
  warnings: InclusionWarning[]
  /** Primaries first, then dependents, each in batch order. */
  accepted: AcceptedMember[]
  /** What the rules of required documents ask for and the batch does not have, in batch order. */
  missingDocuments: MissingOfMember[]
}

/**
 * Judges a batch by the facts of its company: every offense of every member, whether or not the valid members are then accepted.
 * Linear in the size of batch and facts.
 */
export function judge(batch: Batch, facts: InclusionFacts): Judgement {
  const index = new FactIndex(facts)
  const cases = batch.entries.map((entry) => judgeAlone(entry, index))
  markDuplicates(cases)
  const missing = judgeDocuments(cases, index, facts)
  const primaries = primaryStates(cases, batch.primaryTaxIds)
  for (const memberCase of cases)
    if (memberCase.entry.role === 'dependent') judgeAgainstPrimary(memberCase, primaries, index)

  const starts = startAccepted(cases, primaries, index)
  const advice = new Advice(cases, index)
  const judgement: Judgement = { rejected: [], warnings: [], accepted: [], missingDocuments: missing.all }
  const dependents: AcceptedMember[] = []
  for (const memberCase of cases) {
    const { entry } = memberCase
    const started = starts.get(memberCase)
    if (started === undefined) judgement.rejected.push(reject(memberCase, facts.companyTaxId))
    else
      (entry.role === 'primary' ? judgement.accepted : dependents).push(
        accept(entry, missing.pend(memberCase, started.products)),
      )
    const admitted = started === undefined ? (entry.admissionDate ?? null) : started.admission
    const warnings = [
      ...entry.warnings,
      ...advice.of(memberCase, admitted),
      ...missing.warnings(memberCase),
      ...(started?.warnings ?? []),
    ]
    const member = entry.taxId === null ? { index: entry.index } : { index: entry.index, 'tax-id': entry.taxId }
    for (const warning of warnings) judgement.warnings.push({ ...member, ...warning })
  }
  judgement.accepted.push(...dependents)
  return judgement
}

interface Started {
  readonly products: AcceptedProduct[]
  readonly warnings: readonly EntryWarning[]
  /** The admission date; of a dependent that of its primary. */
  readonly admission: LocalDate | null
}

/** Sets the starts of the entries without offenses, primaries first: those of dependents depend on them, and on them their ages. */
function startAccepted(
  cases: readonly Case[],
  primaries: ReadonlyMap<string, PrimaryState>,
  facts: FactIndex,
): Map<Case, Started> {
  const products: PrimaryProducts = new Map()
  const starts = new Map<Case, Started>()
  for (const role of ['primary', 'dependent'] as const) {
    for (const memberCase of cases) {
      const { entry, offenses } = memberCase
      if (entry.role !== role || offenses.size > 0) continue
      const state = entry.primaryTaxId === null ? undefined : primaries.get(entry.primaryTaxId)
      const admission = (productId: string): LocalDate | null =>
        entry.primaryTaxId === null
          ? (entry.admissionDate ?? null)
          : primaryAdmission(entry.primaryTaxId, productId, state, facts)
      const started = startProducts(memberCase, facts, admission, products)
      if (role === 'dependent') {
        for (const [index, { item, product }] of memberCase.choices.entries()) {
          const { startDate } = started.products[index] as AcceptedProduct
          judgeAge(entry, item, product as ProductFacts, startDate, offenses)
        }
        if (offenses.size > 0) continue
      }
      const [first] = started.products
      starts.set(memberCase, { ...started, admission: first === undefined ? null : admission(first.productId) })
      if (role === 'dependent') continue
      for (const product of started.products)
        products.set(primaryProductKey(entry.taxId as string, product.productId), product)
    }
  }
  return starts
}

/** Judges an entry without the others: its products, its documents, the benefits that the person has. */
function judgeAlone(entry: Entry, facts: FactIndex): Case {
  const offenses = new MemberOffenses(entry.offenses, entry.hints)
  const choices: Choice[] = []
  let productsAreIdentified = entry.items !== null
  for (const item of entry.items ?? []) {
    const product = item.nameKey === null ? null : (facts.productByNameKey.get(item.nameKey) ?? null)
    if (product === null) {
      productsAreIdentified = false
      if (item.nameKey === null) offenses.add('missing-product-name', item)
      else offenses.add('unknown-product', item, suggested(facts.suggestedProducts.of(item.nameKey)))
    } else if (product.productType !== item.productType) {
      productsAreIdentified = false
      offenses.add('product-type-mismatch', item, { suggestion: product.productType })
      continue
    }
    if (item.startOption === null) offenses.add('invalid-start-option', item, suggested(item.suggestion))
    else if (item.startOption === undefined) offenses.add('missing-start-option', item)
    choices.push({ item, product })
    if (product !== null) judgeProduct(entry, item, product, facts, offenses)
  }
  if (entry.dateOfBirth !== null && entry.dateOfBirth > facts.today) offenses.add('invalid-date-of-birth')
  for (const [index, document] of entry.documents.entries()) {
    if (!facts.usableDocumentIds.has(document['document-id'])) offenses.addDocument(index)
  }
  if (entry.role === 'primary' && entry.admissionDate === undefined) {
    if (choices.some((choice) => choice.item.startOption === 'on-admission-date')) {
      offenses.add('missing-admission-date')
    }
  }
  return { entry, offenses, choices, productsAreIdentified }
}

const suggested = (suggestion: string | undefined) => (suggestion === undefined ? {} : { suggestion })

function judgeProduct(
  entry: Entry,
  item: ProductItem,
  product: ProductFacts,
  facts: FactIndex,
  offenses: MemberOffenses,
): void {
  const { role, taxId, dependentType } = entry
  const { startOption } = item
  if (typeof startOption === 'string' && !product.allowedStartOptions.includes(startOption)) {
    offenses.add('start-option-not-allowed', item, { allowed: product.allowedStartOptions })
  }
  if (role === 'dependent' && dependentType !== null && !product.allowedDependentTypes.includes(dependentType)) {
    offenses.add('dependent-type-not-allowed', item, { allowed: product.allowedDependentTypes })
  }
  // A past admission may be a start at which the person was young enough: it is judged with the start.
  if (role === 'dependent' && startOption !== 'on-admission-date') {
    judgeAge(entry, item, product, facts.today, offenses)
  }
  if (role === null || taxId === null) return
  if (facts.isActive(role, taxId, product.id)) offenses.add('already-enrolled', item)
  if (facts.isOngoing(role, taxId, product.id)) offenses.add('ongoing-enrollment', item)
}

/** Judges the age on a day. A student without a proof of enrollment is judged like all others. */
function judgeAge(
  { dependentType, dateOfBirth, profile, documents }: Entry,
  item: ProductItem,
  { ageLimits = [] }: ProductFacts,
  onDay: LocalDate,
  offenses: MemberOffenses,
): void {
  const limit = ageLimitOf(ageLimits, dependentType)
  if (limit === undefined || dateOfBirth === null) return
  const isProven = documents.some((document) => document['document-type'] === 'proof-of-enrollment')
  const person = agedPersonOf(dateOfBirth, profile)
  const day = tooOldFrom(isProven ? person : { ...person, studentUntil: null }, limit)
  if (day !== null && day <= onDay) offenses.add('dependent-too-old', item, { allowed: allowedAge(limit) })
}

/** Marks all entries with a CPF and product that occur twice, in one entry or in two, in any role. */
function markDuplicates(cases: readonly Case[]): void {
  for (const [taxId, person] of Map.groupBy(cases, (memberCase) => memberCase.entry.taxId)) {
    if (taxId === null || (person.length === 1 && person[0]?.choices.length === 1)) continue
    const first = new Map<string, { memberCase: Case; item: ProductItem }>()
    for (const memberCase of person) {
      for (const { item, product } of memberCase.choices) {
        if (product === null) continue
        const other = first.get(product.id)
        if (other === undefined) first.set(product.id, { memberCase, item })
        else {
          other.memberCase.offenses.add('duplicated-member', other.item)
          memberCase.offenses.add('duplicated-member', item)
        }
      }
    }
  }
}

function reject(memberCase: Case, companyTaxId: string): RejectedMember {
  const { index, echo } = memberCase.entry
  return {
    index,
    ...echo,
    'company-tax-id': companyTaxId,
    offenses: memberCase.offenses.codes(),
    'offense-details': memberCase.offenses.details(),
  }
}

function accept(entry: Entry, products: AcceptedProduct[]): AcceptedMember {
  const { index, primaryTaxId, dependentType, profile, reference, documents, sandbox } = entry
  const person = { taxId: entry.taxId as string, type: entry.role as BeneficiaryType, primaryTaxId, dependentType }
  return { index, ...person, profile, reference, documents, sandbox, products }
}
