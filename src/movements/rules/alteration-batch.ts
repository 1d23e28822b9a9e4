/*
 * The rules of a batch of alterations: those of an alteration for each entry, and what entries mean to each other.
 */
import { type AlterationAssessment, type AlterationFacts, assessAlteration, unusableDocument } from './alteration.ts'
import {
  type AlterationPart,
  type AlterationWarning,
  type DestinationProduct,
  fieldOfDestination,
} from './alteration.ts'
import type { AlterationRequest } from './alteration-data.ts'
import { asInSingleCall } from './entry-offenses.ts'
import type { FieldError } from '#kernel/fields.ts'
import type { AlterationEntry, AlterationOffenseDetail } from './alteration-entries.ts'
import type { AlterationOffense } from '#kernel/alteration-offenses.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type RequirementItem, strictest } from '#registry/rules/requirement.ts'
import {
  itemsToWaitFor,
  type MissingOfEntry,
  RequestedDocuments,
  type RequirementFacts,
} from '#registry/rules/requested-documents.ts'

/** The person of an entry, a member of the company. */
export interface AlteredPerson {
  readonly memberId: string
  /** The company of `new-company-tax-id`, else the company itself; null: unknown, or not one of the client's. */
  readonly destinationCompanyId: string | null
  readonly facts: Omit<
    AlterationFacts,
    'companyId' | 'destinationCompanyId' | 'products' | 'usableDocumentIds' | 'dependentsAlterable'
  >
}

/** What is known of the people of a batch. */
export interface AlterationBatchFacts {
  readonly companyTaxId: string
  readonly companyId: string
  readonly today: LocalDate
  /** By the index of the entry; without one the person is no member of the company. */
  readonly people: ReadonlyMap<number, AlteredPerson>
  /** Products of each destination company, without retired ones. */
  readonly products: ReadonlyMap<string, readonly DestinationProduct[]>
  /** Documents that exist, are uploaded, belong to the client and are unused. */
  readonly usableDocumentIds: readonly string[]
  readonly dependentsAlterable: boolean
  /** Absent: no rule is about alterations. */
  readonly requirements?: RequirementFacts | undefined
}

interface RejectedAlteration {
  readonly index: number
  readonly 'tax-id': unknown
  readonly 'company-tax-id': string
  /** Sorted and unique. */
  readonly offenses: readonly AlterationOffense[]
  readonly 'offense-details': readonly AlterationOffenseDetail[]
}

export interface AcceptedAlteration {
  readonly index: number
  readonly taxId: string
  readonly memberId: string
  readonly destinationCompanyId: string
  readonly request: AlterationRequest
  readonly parts: readonly AcceptedAlterationPart[]
}

interface AcceptedAlterationPart extends AlterationPart {
  readonly pendingItems?: readonly RequirementItem[] | undefined
}

interface AlterationBatchJudgement {
  /** Only offending entries, in batch order. */
  readonly rejected: RejectedAlteration[]
  readonly accepted: AcceptedAlteration[]
  /** In batch order. */
  readonly warnings: readonly (AlterationWarning & { readonly index: number })[]
  /** What the rules of required documents ask for and the batch does not have, in batch order. */
  readonly missingDocuments: readonly MissingOfEntry[]
}

interface Case {
  readonly entry: AlterationEntry
  readonly person: AlteredPerson | undefined
  readonly parts: readonly AcceptedAlterationPart[]
  readonly warnings: readonly AlterationWarning[]
  readonly offenses: AlterationOffenseDetail[]
}

/** Judges a batch by the facts of its company: every offense of every entry, whether or not the valid ones are then accepted. Linear. */
export function judgeAlterationBatch(
  entries: readonly AlterationEntry[],
  facts: AlterationBatchFacts,
): AlterationBatchJudgement {
  const usable = new Set(facts.usableDocumentIds)
  const missingDocuments: MissingOfEntry[] = []
  const documents = new RequestedDocuments('alteration', facts.requirements, facts.today)
  const cases = entries
    .map((entry) => judgeEntry(entry, facts, usable))
    .map((alterationCase) => judgeDocuments(alterationCase, documents, missingDocuments))
  markDuplicates(cases)
  return {
    missingDocuments,
    warnings: cases.flatMap(({ entry: { index }, offenses, warnings }) =>
      offenses.length > 0 ? [] : warnings.map((warning) => ({ index, ...warning })),
    ),
    rejected: cases
      .filter(({ offenses }) => offenses.length > 0)
      .map((alterationCase) => reject(alterationCase, facts.companyTaxId)),
    accepted: cases.flatMap(({ entry: { index, taxId, request }, person, parts, offenses }) => {
      if (offenses.length > 0 || taxId === null || request === null) return []
      const { memberId, destinationCompanyId } = person ?? { memberId: null, destinationCompanyId: null }
      if (memberId === null || destinationCompanyId === null) return []
      return [{ index, taxId, memberId, destinationCompanyId, request, parts }]
    }),
  }
}

/** The offenses of what an assessment found. */
export function offensesOf(
  { isAlterable, transferErrors, ongoing, fieldErrors }: AlterationAssessment,
  request: AlterationRequest,
): AlterationOffenseDetail[] {
  const field = fieldOfDestination(request)
  return [
    ...(isAlterable ? [] : [noActiveBenefit]),
    ...transferErrors.map(invalidData),
    ...ongoing.map(
      ({ benefit }) => ({ code: 'ongoing-enrollment', field, 'product-name': benefit.productName }) as const,
    ),
    ...fieldErrors.map(invalidData),
  ]
}

const invalidData = (error: FieldError): AlterationOffenseDetail => ({
  code: 'invalid-alteration-data',
  ...asInSingleCall(error),
})
const noActiveBenefit: AlterationOffenseDetail = { code: 'no-active-benefit', field: 'tax-id' }

function judgeEntry(entry: AlterationEntry, facts: AlterationBatchFacts, usable: ReadonlySet<string>): Case {
  const { companyId, today, dependentsAlterable } = facts
  const { index, taxId, request } = entry
  const person = facts.people.get(index)
  const destinationCompanyId = person?.destinationCompanyId ?? null
  const offenses = [...entry.offenses]
  if (taxId !== null && person === undefined) offenses.push({ code: 'member-not-found', field: 'tax-id' })
  const documentIds = request?.documents.map((document) => document['document-id']) ?? []
  if (request !== null) {
    if (request.companyId !== null && request.companyId !== companyId) {
      offenses.push(invalidData({ field: 'alteration-data.company-id', code: 'not-company-tax-id' }))
    }
    const born = request.registration['date-of-birth']
    if (typeof born === 'string' && born > today) {
      const message = { key: 'not-after-today' } as const
      offenses.push(invalidData({ field: 'alteration-data.date-of-birth', code: 'invalid', message }))
    }
    const unusable = documentIds.findIndex((id) => !usable.has(id))
    if (unusable >= 0) offenses.push({ ...invalidData(unusableDocument(unusable)), 'document-index': unusable })
    if (person !== undefined && destinationCompanyId === null) {
      offenses.push(invalidData({ field: 'alteration-data.new-company-tax-id', code: 'unknown' }))
    }
  }
  if (person === undefined) return { entry, person, parts: [], warnings: [], offenses }
  if (request === null || destinationCompanyId === null) {
    const isAlterable = person.facts.benefits.some(
      ({ type, status }) => status === 'active' && (type === 'primary' || dependentsAlterable),
    )
    if (!isAlterable) offenses.push(noActiveBenefit)
    return { entry, person, parts: [], warnings: [], offenses }
  }
  const products = facts.products.get(destinationCompanyId) ?? []
  // The documents are judged above.
  const own = { companyId, destinationCompanyId, products, usableDocumentIds: documentIds, dependentsAlterable }
  const found = { ...person.facts, ...own }
  const assessment = assessAlteration(request, found, today)
  offenses.push(...offensesOf(assessment, request))
  const { parts, warnings } = assessment
  return { entry, person, parts, warnings, offenses }
}

/** Adds what a case lacks to `found`, the offense to one that is refused without it, and to its parts what they wait for. */
function judgeDocuments(alterationCase: Case, requested: RequestedDocuments, found: MissingOfEntry[]): Case {
  const { index, taxId, request } = alterationCase.entry
  if (requested.isEmpty || taxId === null || request === null) return alterationCase
  const { documents } = request
  const parts = alterationCase.parts.map((part) => {
    const { benefit, name: productName, destinationProductId } = part
    const productId = destinationProductId ?? benefit.productId
    const missing = requested.missing({
      benefitId: benefit.id,
      productId,
      productName,
      exclusionReason: null,
      documents,
    })
    found.push(...missing.map((document) => ({ index, 'tax-id': taxId, ...document })))
    if (strictest(missing) === 'offense') {
      const field = 'alteration-data.documents'
      alterationCase.offenses.push({ code: 'missing-documents', field, 'product-name': productName })
    }
    return { ...part, pendingItems: itemsToWaitFor(missing) }
  })
  return { ...alterationCase, parts }
}

/** Marks all entries that alter a person whom another one alters, or that give the CPF that another one gives. */
function markDuplicates(cases: readonly Case[]): void {
  const mark = (field: string, keyOf: (entry: AlterationEntry) => unknown) => {
    for (const [key, group] of Map.groupBy(cases, ({ entry }) => keyOf(entry) ?? null)) {
      if (key === null || group.length < 2) continue
      for (const { offenses } of group) offenses.push({ code: 'duplicated-member', field })
    }
  }
  mark('tax-id', ({ taxId }) => taxId)
  mark('alteration-data.tax-id', ({ request }) => request?.registration['tax-id'])
}

function reject({ entry, offenses }: Case, companyTaxId: string): RejectedAlteration {
  return {
    index: entry.index,
    'tax-id': entry.echo,
    'company-tax-id': companyTaxId,
    offenses: [...new Set(offenses.map(({ code }) => code))].sort(),
    'offense-details': offenses,
  }
}
