import { daysBetween, nextBillingDate } from './calendar.ts'
import type { LocalDate } from './calendar.ts'
import type { Batch, Echo, Entry, EntryWarning, ProductItem } from './inclusion-batch.ts'
import { FactIndex } from './inclusion-facts.ts'
import type { InclusionFacts, ProductFacts } from './inclusion-facts.ts'
import { judgeAgainstPrimary, primaryAdmission, primaryStates } from './inclusion-primaries.ts'
import type { Case, Choice } from './inclusion-primaries.ts'
import type { BeneficiaryType, ScheduledReason, StartOption } from './enums.ts'
import { MemberOffenses, type OffenseDetail } from './member-offenses.ts'
import type { Offense } from './offenses.ts'

/** An entry of the rejected-members body. */
export interface RejectedMember extends Echo {
  index: number
  'company-tax-id': string
  offenses: Offense[]
  'offense-details': OffenseDetail[]
}

export interface InclusionWarning {
  index: number
  /** Absent when it is missing or invalid. */
  'tax-id'?: string
  warning: EntryWarning['warning'] | 'late-inclusion'
  field: string
}

export interface AcceptedProduct {
  productId: string
  productName: string
  startOption: StartOption
  startDate: LocalDate
  /** The start date when it is in the future, else null; likewise the reason. */
  scheduledActionDate: LocalDate | null
  scheduledReason: ScheduledReason | null
}

/** `profile` has wire keys and normal forms, only of what was sent. */
export interface AcceptedMember extends Pick<
  Entry,
  'index' | 'primaryTaxId' | 'dependentType' | 'profile' | 'reference' | 'documents'
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
}

/** An inclusion is late more than this many days after the admission, or after the start of the dependency. */
const LATE_AFTER_DAYS = 30

/**
 * Judges a batch by the facts of its company: every offense of every member, whether or not the valid members are then accepted.
 * Linear in the size of batch and facts.
 */
export function judge(batch: Batch, facts: InclusionFacts): Judgement {
  const index = new FactIndex(facts)
  const cases = batch.entries.map((entry) => judgeAlone(entry, index))
  markDuplicates(cases)
  const primaries = primaryStates(cases, batch.primaryTaxIds)
  for (const one of cases) if (one.entry.role === 'dependent') judgeAgainstPrimary(one, primaries, index)

  const judgement: Judgement = { rejected: [], warnings: [], accepted: [] }
  const dependents: AcceptedMember[] = []
  for (const one of cases) {
    const { entry } = one
    if (one.offenses.size > 0) {
      judgement.rejected.push(reject(one, facts.companyTaxId))
      warn(judgement.warnings, entry, index.today, entry.admissionDate ?? null)
      continue
    }
    const state = entry.primaryTaxId === null ? undefined : primaries.get(entry.primaryTaxId)
    const admission = (productId: string): LocalDate | null =>
      entry.primaryTaxId === null
        ? (entry.admissionDate ?? null)
        : primaryAdmission(entry.primaryTaxId, productId, state, index)
    const member = accept(one, index.today, admission)
    if (member.type === 'primary') judgement.accepted.push(member)
    else dependents.push(member)
    const admitted = member.products[0] === undefined ? null : admission(member.products[0].productId)
    warn(judgement.warnings, entry, index.today, admitted)
  }
  judgement.accepted.push(...dependents)
  return judgement
}

/** Judges an entry without the others: its products, its documents, the benefits that the person has. */
function judgeAlone(entry: Entry, facts: FactIndex): Case {
  const offenses = new MemberOffenses(entry.offenses)
  const choices: Choice[] = []
  let productsAreIdentified = entry.items !== null
  for (const item of entry.items ?? []) {
    const product = item.nameKey === null ? null : (facts.productByNameKey.get(item.nameKey) ?? null)
    if (product === null) {
      productsAreIdentified = false
      offenses.add(item.nameKey === null ? 'missing-product-name' : 'unknown-product', item)
    } else if (product.productType !== item.productType) {
      productsAreIdentified = false
      offenses.add('product-type-mismatch', item)
      continue
    }
    if (item.startOption === null) offenses.add('invalid-start-option', item)
    else if (item.startOption === undefined) offenses.add('missing-start-option', item)
    choices.push({ item, product })
    if (product !== null) judgeProduct(entry, item, product, facts, offenses)
  }
  if (entry.dateOfBirth !== null && entry.dateOfBirth > facts.today) offenses.add('invalid-date-of-birth')
  for (const document of entry.documents) {
    if (!facts.usableDocumentIds.has(document['document-id'])) offenses.add('invalid-documents')
  }
  if (entry.role === 'primary' && entry.admissionDate === undefined) {
    if (choices.some((choice) => choice.item.startOption === 'on-admission-date')) {
      offenses.add('missing-admission-date')
    }
  }
  return { entry, offenses, choices, productsAreIdentified }
}

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
    offenses.add('start-option-not-allowed', item)
  }
  if (role === 'dependent' && dependentType !== null && !product.allowedDependentTypes.includes(dependentType)) {
    offenses.add('dependent-type-not-allowed', item)
  }
  if (role === null || taxId === null) return
  if (facts.isActive(role, taxId, product.id)) offenses.add('already-enrolled', item)
  if (facts.isOngoing(role, taxId, product.id)) offenses.add('ongoing-enrollment', item)
}

/** Marks all entries with a CPF and product that occur twice, in one entry or in two, in any role. */
function markDuplicates(cases: readonly Case[]): void {
  for (const [taxId, person] of Map.groupBy(cases, (one) => one.entry.taxId)) {
    if (taxId === null || (person.length === 1 && person[0]?.choices.length === 1)) continue
    const first = new Map<string, { one: Case; item: ProductItem }>()
    for (const one of person) {
      for (const { item, product } of one.choices) {
        if (product === null) continue
        const other = first.get(product.id)
        if (other === undefined) first.set(product.id, { one, item })
        else {
          other.one.offenses.add('duplicated-member', other.item)
          one.offenses.add('duplicated-member', item)
        }
      }
    }
  }
}

function reject(one: Case, companyTaxId: string): RejectedMember {
  const { index, echo } = one.entry
  return {
    index,
    ...echo,
    'company-tax-id': companyTaxId,
    offenses: one.offenses.codes(),
    'offense-details': one.offenses.details(),
  }
}

function accept(
  { entry, choices }: Case,
  today: LocalDate,
  admission: (productId: string) => LocalDate | null,
): AcceptedMember {
  const { index, primaryTaxId, dependentType, profile, reference, documents } = entry
  const products = choices.map(({ item, product }) =>
    start(product as ProductFacts, item.startOption as StartOption, today, admission),
  )
  const person = { taxId: entry.taxId as string, type: entry.role as BeneficiaryType, primaryTaxId, dependentType }
  return { index, ...person, profile, reference, documents, products }
}

/** When a benefit starts, and whether its movement waits for that day. */
function start(
  product: ProductFacts,
  startOption: StartOption,
  today: LocalDate,
  admission: (productId: string) => LocalDate | null,
): AcceptedProduct {
  let startDate = today
  let scheduledReason: ScheduledReason | null = null
  if (startOption === 'on-admission-date') {
    startDate = admission(product.id) as LocalDate
    if (startDate > today) scheduledReason = 'future-admission-date'
  } else if (startOption === 'on-next-billing-period') {
    startDate = nextBillingDate(today, product.billingDay, product.cutOffDay)
    scheduledReason = 'next-billing-period'
  }
  const scheduledActionDate = scheduledReason === null ? null : startDate
  return {
    productId: product.id,
    productName: product.name,
    startOption,
    startDate,
    scheduledActionDate,
    scheduledReason,
  }
}

/** @param admitted the admission date; of a dependent that of its primary. */
function warn(warnings: InclusionWarning[], entry: Entry, today: LocalDate, admitted: LocalDate | null): void {
  const { index, taxId } = entry
  const member = taxId === null ? { index } : { index, 'tax-id': taxId }
  for (const { warning, field } of entry.warnings) warnings.push({ ...member, warning, field })
  const dependency = entry.role === 'dependent' ? entry.dependencyDate : null
  const since = dependency ?? admitted
  if (since !== null && daysBetween(since, today) > LATE_AFTER_DAYS) {
    const field = dependency === null ? 'admission-date' : 'dependency-date'
    warnings.push({ ...member, warning: 'late-inclusion', field })
  }
}
