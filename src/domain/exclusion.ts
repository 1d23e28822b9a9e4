/*
 * Exclusion (Lei 9.656 arts. 30 and 31; RN ANS 557: the family depends on the primary). Pure.
 */
import type { LocalDate } from './calendar.ts'
import { type DocumentReference, hasAtMostCharacters, isAbsent, readDate, readDocuments } from './member-fields.ts'
import { EXCLUSION_REASONS, type BeneficiaryType, type ExclusionReason } from './enums.ts'

export interface ExclusionDetails {
  readonly 'end-date': LocalDate
  readonly 'exclusion-reason': ExclusionReason
  readonly 'exclusion-reason-details': string | null
  readonly 'extension-plan': boolean
  readonly documents: readonly DocumentReference[]
}

export type DetailsReading =
  | { readonly ok: true; readonly details: ExclusionDetails }
  | { readonly ok: false; readonly error: string; readonly faults: readonly { field: string; code: string }[] }

export const invalidDetails = 'Invalid exclusion-details'
export const otherRequiresDetails = "Exclusion reason 'other' requires details"
export const extensionNotAvailable = 'Extension plan is only available for dismissal or retirement'

const maxReasonCharacters = 500
const withExtension: ReadonlySet<ExclusionReason> = new Set(['dismissal', 'retirement'])
const known = new Set(['end-date', 'exclusion-reason', 'exclusion-reason-details', 'extension-plan', 'documents'])

/** Reads `exclusion-details` as it came. Null and blank count as not sent. */
export function readExclusionDetails(value: unknown): DetailsReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      ok: false,
      error: invalidDetails,
      faults: [{ field: 'exclusion-details', code: value === undefined ? 'missing' : 'invalid' }],
    }
  }
  const sent = value as Record<string, unknown>
  const faults: { field: string; code: string }[] = []
  const blame = (field: string, code: string) => faults.push({ field: `exclusion-details.${field}`, code })
  for (const field of Object.keys(sent)) if (!known.has(field)) blame(field.slice(0, 100), 'unknown')
  const endDate = readDate(sent['end-date'])
  if (endDate === undefined || endDate === null) blame('end-date', endDate === undefined ? 'missing' : 'invalid')
  const reason = EXCLUSION_REASONS.find((one) => one === sent['exclusion-reason'])
  if (reason === undefined) blame('exclusion-reason', isAbsent(sent['exclusion-reason']) ? 'missing' : 'invalid')
  const extension = sent['extension-plan'] ?? false
  if (typeof extension !== 'boolean') blame('extension-plan', 'invalid')
  const why = readReasonDetails(sent['exclusion-reason-details'])
  if (why === undefined) blame('exclusion-reason-details', 'invalid')
  const documents = readDocuments(sent['documents'])
  if (documents === null) blame('documents', 'invalid')
  if (faults.length > 0 || !endDate || reason === undefined || typeof extension !== 'boolean') {
    return { ok: false, error: invalidDetails, faults }
  }
  if (reason === 'other' && !why) return { ok: false, error: otherRequiresDetails, faults: [] }
  if (extension && !withExtension.has(reason)) return { ok: false, error: extensionNotAvailable, faults: [] }
  return {
    ok: true,
    details: {
      'end-date': endDate,
      'exclusion-reason': reason,
      'exclusion-reason-details': why ?? null,
      'extension-plan': extension,
      documents: documents ?? [],
    },
  }
}

/** The text, null when absent, undefined when it is none of 1 to 500 characters. */
function readReasonDetails(value: unknown): string | null | undefined {
  if (isAbsent(value)) return null
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return hasAtMostCharacters(text, maxReasonCharacters) ? text : undefined
}

/** Whom and what an exclusion names. */
export type ExclusionTarget =
  | { readonly by: 'primary'; readonly primaryTaxId: string }
  | { readonly by: 'product'; readonly productId: string }
  | { readonly by: 'benefit'; readonly benefitId: string }

export interface BenefitFacts {
  readonly id: string
  readonly companyId: string
  readonly memberId: string
  readonly taxId: string
  readonly productId: string
  readonly productName: string
  readonly type: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly primaryTaxId: string | null
  readonly status: 'pending' | 'active'
  readonly startDate: LocalDate
  /** A dependent's: whether an extension plan keeps the primary's benefit of the product. */
  readonly isPrimaryKept: boolean
  /** Of a pending new benefit of a plan or company change: the enrollment that made it. */
  readonly changeId: string | null
}

export interface ExclusionFacts {
  readonly companyId: string
  readonly memberId: string
  /** Benefits in force of the member, and those of whoever is the member's dependent. */
  readonly benefits: readonly BenefitFacts[]
  /** Open enrollments of the same people. */
  readonly open: readonly { readonly id: string; readonly memberId: string }[]
}

export interface ExclusionPart {
  readonly benefit: BenefitFacts
  /** Benefits of dependents that go with a primary's. */
  readonly along: readonly BenefitFacts[]
}

export type ExclusionVerdict =
  | { readonly kind: 'excluded'; readonly companyId: string; readonly parts: readonly ExclusionPart[] }
  | { readonly kind: 'ongoing'; readonly enrollmentIds: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly benefitIds: readonly string[] }
  | { readonly kind: 'before-start' }
  | { readonly kind: 'primary-not-kept' }

/**
 * Judges an exclusion over the caller's companies that know the member. Ongoing enrollments come first, then whether there is
 * anything to exclude, then ambiguity, then the end date, then whether an extension plan can keep a dependent: never guess whom to exclude.
 */
export function judgeExclusion(
  homes: readonly ExclusionFacts[],
  target: ExclusionTarget,
  details: Pick<ExclusionDetails, 'end-date' | 'extension-plan'>,
): ExclusionVerdict {
  const endDate = details['end-date']
  const parts = homes.flatMap((home) => partsOf(home, target))
  const companies = new Set(parts.map((part) => part.benefit.companyId))
  const ongoing = homes
    .filter((home) => companies.size === 0 || companies.has(home.companyId))
    .flatMap((home) => ongoingOf(home, parts, target))
  if (ongoing.length > 0) return { kind: 'ongoing', enrollmentIds: [...new Set(ongoing)].toSorted() }
  const [first] = parts
  if (first === undefined) return { kind: 'none' }
  const ambiguous = target.by === 'primary' ? companies.size > 1 : parts.length > 1
  if (ambiguous) return { kind: 'ambiguous', benefitIds: parts.map((part) => part.benefit.id).toSorted() }
  if (parts.some((part) => endDate < part.benefit.startDate)) return { kind: 'before-start' }
  const isKept = ({ benefit }: ExclusionPart) => benefit.type === 'primary' || benefit.isPrimaryKept
  if (details['extension-plan'] && !parts.every(isKept)) return { kind: 'primary-not-kept' }
  return { kind: 'excluded', companyId: first.benefit.companyId, parts }
}

function partsOf(home: ExclusionFacts, target: ExclusionTarget): ExclusionPart[] {
  return home.benefits
    .filter((benefit) => benefit.memberId === home.memberId && benefit.status === 'active' && isNamed(benefit, target))
    .map((benefit) => ({ benefit, along: alongOf(home, benefit) }))
}

function isNamed(benefit: BenefitFacts, target: ExclusionTarget): boolean {
  if (target.by === 'product') return benefit.productId === target.productId
  if (target.by === 'benefit') return benefit.id === target.benefitId
  return benefit.type === 'dependent' && benefit.primaryTaxId === target.primaryTaxId
}

function alongOf(home: ExclusionFacts, benefit: BenefitFacts): BenefitFacts[] {
  if (benefit.type === 'dependent') return []
  return home.benefits.filter(
    (one) => one.primaryMemberId === benefit.memberId && one.productId === benefit.productId && one.status === 'active',
  )
}

/** Open enrollments of the member and of whoever would go along; a change ahead counts for whoever names its new benefit. */
function ongoingOf(home: ExclusionFacts, parts: readonly ExclusionPart[], target: ExclusionTarget): string[] {
  const people = new Set([home.memberId])
  for (const part of parts) {
    if (part.benefit.companyId !== home.companyId) continue
    for (const one of part.along) people.add(one.memberId)
  }
  const open = home.open.filter((one) => people.has(one.memberId)).map((one) => one.id)
  const ahead = home.benefits.filter(
    (benefit) => benefit.memberId === home.memberId && benefit.status === 'pending' && isNamed(benefit, target),
  )
  return [...open, ...ahead.flatMap((benefit) => benefit.changeId ?? [])]
}

/** The day on which a benefit ends: `end-date`, but never before its own start. */
export function lastDay(endDate: LocalDate, startDate: LocalDate): LocalDate {
  return endDate < startDate ? startDate : endDate
}
