/*
 * The rules of a batch of exclusions: those of an exclusion for each entry, and what entries mean to each other.
 */
import type { Sandbox } from '#kernel/sandbox.ts'
import { type ExclusionDetails, impossibleDays } from '#coverage/rules/exclusion-details.ts'
import type { ExclusionEntry, ExclusionOffenseDetail } from './exclusion-entries.ts'
import type { ExclusionOffense } from '#kernel/exclusion-offenses.ts'
import { type ContractLimits, LimitWarnings } from '#registry/rules/retroactive-limit.ts'
import {
  detailsErrors,
  type ExclusionWarning,
  exclusionWarnings,
  isAmbiguous,
  missingItems,
  openChanges,
  selectParts,
} from './exclusion.ts'
import { type RequirementItem, strictest } from '#registry/rules/requirement.ts'
import {
  itemsToWaitFor,
  type MissingOfEntry,
  RequestedDocuments,
  type RequirementFacts,
} from '#registry/rules/requested-documents.ts'
import type { BenefitFacts, DetailsError, ExclusionFacts, ExclusionPart, ExclusionTarget } from './exclusion.ts'

/** What is known of the people of a batch in its company. */
export interface ExclusionBatchFacts {
  readonly companyTaxId: string
  readonly companyId: string
  readonly today: string
  readonly members: readonly { readonly id: string; readonly taxId: string }[]
  /** CPFs of the batch that only other companies of the caller know. */
  readonly taxIdsElsewhere: readonly string[]
  /** Active and pending benefits of the members and of their dependents. */
  readonly benefits: readonly BenefitFacts[]
  /** Documents that exist, are uploaded, belong to the client and are unused. */
  readonly usableDocumentIds: readonly string[]
  /** How far back the active contracts recognize movements. */
  readonly limits?: readonly ContractLimits[]
  /** Absent: no rule is about exclusions. */
  readonly requirements?: RequirementFacts | undefined
}

interface RejectedExclusion {
  readonly index: number
  readonly 'tax-id': unknown
  readonly 'company-tax-id': string
  /** Sorted and unique. */
  readonly offenses: readonly ExclusionOffense[]
  readonly 'offense-details': readonly ExclusionOffenseDetail[]
}

export interface AcceptedExclusion {
  readonly index: number
  readonly details: ExclusionDetails
  readonly reference: string | null
  readonly sandbox: Sandbox | null
  readonly parts: readonly ExclusionPart[]
  /** What the exclusions of benefits wait for, by the benefit's id. */
  readonly pendingItems: ReadonlyMap<string, readonly RequirementItem[]>
  /** Entries of one family have the same number, the index of one of them. */
  readonly family: number
}

interface ExclusionBatchJudgement {
  /** Only offending entries, in batch order. */
  readonly rejected: RejectedExclusion[]
  readonly accepted: AcceptedExclusion[]
  /** In batch order. */
  readonly warnings: readonly (ExclusionWarning & { readonly index: number })[]
  /** What the rules of required documents ask for and the batch does not have, in batch order. */
  readonly missingDocuments: readonly MissingOfEntry[]
}

interface Case {
  readonly entry: ExclusionEntry
  readonly parts: readonly ExclusionPart[]
  readonly offenses: ExclusionOffenseDetail[]
}

/**
 * Judges a batch by the facts of its company: every offense of every entry, whether or not the valid ones are then accepted. A
 * dependent who would be excluded with a primary is excluded by the dependent's own entry where there is one. Linear.
 */
export function judgeExclusionBatch(
  entries: readonly ExclusionEntry[],
  facts: ExclusionBatchFacts,
): ExclusionBatchJudgement {
  const memberships = membershipsOf(facts)
  const usable = new Set(facts.usableDocumentIds)
  const elsewhere = new Set(facts.taxIdsElsewhere)
  const cases = entries.map((entry) => judgeEntry(entry, memberships, elsewhere, usable, facts.today))
  markDuplicates(cases)
  const documents = new RequestedDocuments('exclusion', facts.requirements, facts.today)
  const missingDocuments = judgeDocuments(cases, documents)
  const rejected = cases.filter(({ offenses }) => offenses.length > 0)
  const accepted = cases.filter(({ offenses }) => offenses.length === 0)
  const owners = new Map(
    accepted.flatMap((exclusionCase) => exclusionCase.parts.map(({ benefit }) => [benefit.id, exclusionCase] as const)),
  )
  const limits = new LimitWarnings(facts.limits ?? [], facts.today)
  const families = new Families()
  for (const { entry, parts } of accepted) {
    for (const dependent of parts.flatMap(({ cascaded }) => cascaded)) {
      const owner = owners.get(dependent.id)
      if (owner !== undefined) families.join(entry.index, owner.entry.index)
    }
  }
  return {
    rejected: rejected.map((exclusionCase) => reject(exclusionCase, facts.companyTaxId)),
    accepted: accepted.map((exclusionCase) => {
      const { entry } = exclusionCase
      const parts = exclusionCase.parts.map(({ benefit, cascaded }) => ({
        benefit,
        cascaded: cascaded.filter(({ id }) => !owners.has(id)),
      }))
      const items = benefitsOf(parts).map(
        (benefit) => [benefit.id, itemsToWaitFor(missingOf(entry, benefit, documents))] as const,
      )
      return {
        index: entry.index,
        details: entry.details as ExclusionDetails,
        reference: entry.reference,
        sandbox: entry.sandbox,
        parts,
        pendingItems: new Map(items.flatMap(([id, some]) => (some === undefined ? [] : [[id, some]]))),
        family: families.of(entry.index),
      }
    }),
    warnings: accepted.flatMap(({ entry: { index, details }, parts }) =>
      details === null ? [] : exclusionWarnings(parts, details, limits).map((warning) => ({ index, ...warning })),
    ),
    missingDocuments,
  }
}

/** The facts of each member by CPF. */
function membershipsOf({ companyId, members, benefits }: ExclusionBatchFacts): Map<string, ExclusionFacts> {
  const byMember = new Map<string | null, BenefitFacts[]>(members.map(({ id }) => [id, []]))
  for (const benefit of benefits) {
    byMember.get(benefit.memberId)?.push(benefit)
    byMember.get(benefit.primaryMemberId)?.push(benefit)
  }
  return new Map(
    members.map(({ id, taxId }) => [taxId, { companyId, memberId: id, benefits: byMember.get(id) ?? [], openIds: [] }]),
  )
}

const errorFields: Readonly<Record<DetailsError, Pick<ExclusionOffenseDetail, 'field' | 'reason'>>> = {
  'before-start': { field: 'exclusion-details.end-date', reason: 'before-start-date' },
  'primary-not-kept': { field: 'exclusion-details.extension-plan', reason: 'primary-not-kept' },
}

const selectorFields: Readonly<Record<ExclusionTarget['by'], string>> = {
  product: 'product-id',
  benefit: 'benefit-id',
  primary: 'primary-member-tax-id',
  company: 'tax-id',
}

function judgeEntry(
  entry: ExclusionEntry,
  memberships: ReadonlyMap<string, ExclusionFacts>,
  elsewhere: ReadonlySet<string>,
  usableDocumentIds: ReadonlySet<string>,
  today: string,
): Case {
  const { taxId, target, details } = entry
  const offenses = [...entry.offenses]
  for (const [index, document] of (details?.documents ?? []).entries()) {
    if (usableDocumentIds.has(document['document-id'])) continue
    const field = 'exclusion-details.documents'
    const message = { key: 'unusable-document', index } as const
    offenses.push({ code: 'invalid-exclusion-details', field, reason: 'unknown', 'document-index': index, message })
  }
  for (const error of details === null ? [] : impossibleDays(details, today, entry.cameOn ?? today)) {
    offenses.push({ code: 'invalid-exclusion-details', field: `exclusion-details.${error.field}`, reason: error.code })
  }
  const membership = taxId === null ? undefined : memberships.get(taxId)
  if (taxId !== null && membership === undefined) {
    offenses.push({ code: elsewhere.has(taxId) ? 'no-active-benefit' : 'member-not-found', field: 'tax-id' })
  }
  if (membership === undefined || target === null) return { entry, parts: [], offenses }
  const field = selectorFields[target.by]
  const parts = selectParts(membership, target, details?.['exclusion-reason'])
  const open = openChanges(membership, target)
  for (const { benefit } of open) {
    offenses.push({ code: 'ongoing-enrollment', field, 'product-name': benefit.productName })
  }
  if (parts.length === 0 && open.length === 0) offenses.push({ code: 'no-active-benefit', field })
  if (isAmbiguous(parts, target)) offenses.push({ code: 'ambiguous-product', field })
  for (const error of details === null ? [] : detailsErrors(parts, details)) {
    offenses.push({ code: 'invalid-exclusion-details', ...errorFields[error] })
  }
  for (const item of details === null ? [] : missingItems(parts, details)) {
    offenses.push({
      code: 'invalid-exclusion-details',
      field: `exclusion-details.${item}`,
      reason: 'required-by-contract',
    })
  }
  return { entry, parts, offenses }
}

/** Marks all entries that select a benefit that another one selects. */
function markDuplicates(cases: readonly Case[]): void {
  const selecting = new Map<string, Case[]>()
  for (const exclusionCase of cases) {
    for (const { benefit } of exclusionCase.parts) {
      const others = selecting.get(benefit.id)
      if (others === undefined) selecting.set(benefit.id, [exclusionCase])
      else others.push(exclusionCase)
    }
  }
  for (const exclusionCase of cases) {
    for (const { benefit } of exclusionCase.parts) {
      if ((selecting.get(benefit.id)?.length ?? 0) < 2) continue
      exclusionCase.offenses.push({ code: 'duplicated-member', field: 'tax-id', 'product-name': benefit.productName })
    }
  }
}

const benefitsOf = (parts: readonly ExclusionPart[]): BenefitFacts[] =>
  parts.flatMap(({ benefit, cascaded }) => [benefit, ...cascaded])

/** Judges the documents of all entries, and adds the offense to those that are refused without one. */
function judgeDocuments(cases: readonly Case[], documents: RequestedDocuments): MissingOfEntry[] {
  if (documents.isEmpty) return []
  const selected = new Set(cases.flatMap(({ parts }) => parts.map(({ benefit }) => benefit.id)))
  return cases.flatMap(({ entry, parts, offenses }) => {
    const cascaded = parts.flatMap((part) => part.cascaded).filter(({ id }) => !selected.has(id))
    return [...parts.map(({ benefit }) => benefit), ...cascaded].flatMap((benefit) => {
      const missing = missingOf(entry, benefit, documents)
      if (strictest(missing) === 'offense') {
        const field = 'exclusion-details.documents'
        offenses.push({ code: 'missing-documents', field, 'product-name': benefit.productName })
      }
      return missing
    })
  })
}

/** What the exclusion of a benefit lacks. The documents of an entry are those of all who go with its person. */
function missingOf(
  { index, details }: ExclusionEntry,
  { id, productId, productName, taxId }: BenefitFacts,
  requested: RequestedDocuments,
): MissingOfEntry[] {
  if (details === null) return []
  const { 'exclusion-reason': exclusionReason, documents } = details
  const part = { benefitId: id, productId, productName, exclusionReason, documents }
  return requested.missing(part).map((document) => ({ index, 'tax-id': taxId, ...document }))
}

function reject({ entry, offenses }: Case, companyTaxId: string): RejectedExclusion {
  return {
    index: entry.index,
    'tax-id': entry.echo,
    'company-tax-id': companyTaxId,
    offenses: [...new Set(offenses.map(({ code }) => code))].sort(),
    'offense-details': offenses,
  }
}

/** Entries of which one excludes a dependent of another; a union-find. */
class Families {
  readonly #parents = new Map<number, number>()

  of(index: number): number {
    let root = index
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      const next = this.#parents.get(parent)
      if (next !== undefined) this.#parents.set(root, next)
      root = parent
    }
    return root
  }

  join(a: number, b: number): void {
    const [first, second] = [this.of(a), this.of(b)]
    if (first !== second) this.#parents.set(Math.max(first, second), Math.min(first, second))
  }
}
