/*
 * The rules of an exclusion (Lei 9.656 arts. 30 and 31; RN ANS 557: the family depends on the primary).
 */
import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType, ExclusionReason } from '#kernel/enums.ts'
import type { LimitWarning, LimitWarnings } from '#registry/rules/retroactive-limit.ts'
import { type ExclusionDetails, missingContinuationItems } from '#coverage/rules/exclusion-details.ts'

/** The member's benefits that an exclusion selects. */
export type ExclusionTarget =
  | { readonly by: 'primary'; readonly primaryTaxId: string }
  | { readonly by: 'product'; readonly productId: string }
  | { readonly by: 'benefit'; readonly benefitId: string }
  /** Everything in the company. */
  | { readonly by: 'company' }

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
  /** For a primary: whether employees pay a part of the price, by the contract of the product, and no continuation has its items already. */
  readonly isContributory: boolean
  /** For a dependent: whether an extension plan keeps the primary's benefit of the product. */
  readonly isPrimaryExtended: boolean
  /** For a primary: the family keeps it under a continuation that was accepted. */
  readonly keepsContinuation: boolean
  /** The open exclusion, plan change or company change of the benefit. */
  readonly openChangeId: string | null
  /** For the pending new benefit of a plan or company change: the enrollment that created it, and the benefit that it will replace. */
  readonly changeId: string | null
  readonly replacesId: string | null
}

export interface ExclusionFacts {
  readonly companyId: string
  readonly memberId: string
  /** Active and pending benefits of the member and of the member's dependents. */
  readonly benefits: readonly BenefitFacts[]
  /** Open enrollments of the member, except corrections of registration data. */
  readonly openIds: readonly string[]
}

export interface ExclusionPart {
  readonly benefit: BenefitFacts
  /** Benefits of dependents that end with a primary's. */
  readonly cascaded: readonly BenefitFacts[]
}

export type ExclusionVerdict =
  | { readonly kind: 'excluded'; readonly companyId: string; readonly parts: readonly ExclusionPart[] }
  | { readonly kind: 'ongoing'; readonly enrollmentIds: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly benefitIds: readonly string[] }
  | { readonly kind: DetailsError }
  | { readonly kind: 'items-missing'; readonly fields: readonly string[] }

/** What is worth a look; nothing is refused for it. */
export interface ExclusionWarning extends LimitWarning {
  readonly field: 'exclusion-details.end-date'
  readonly 'product-name': string
}

/** The warnings of an accepted exclusion, one for each product. Who keeps the plan has no end of cover. */
export function exclusionWarnings(
  parts: readonly ExclusionPart[],
  { 'end-date': day, 'extension-plan': keepsPlan }: DatedDetails,
  limits: LimitWarnings,
): ExclusionWarning[] {
  if (keepsPlan) return []
  const products = new Map(parts.map(({ benefit }) => [benefit.productId, benefit.productName]))
  return [...products].flatMap(([productId, name]) => {
    const limit = limits.of({ kind: 'exclusion', productId, day })
    return limit === null ? [] : [{ ...limit, field: 'exclusion-details.end-date', 'product-name': name }]
  })
}

/** Details that do not fit the selected benefits. */
export type DetailsError = 'before-start' | 'primary-not-kept'

type DatedDetails = Pick<ExclusionDetails, 'end-date' | 'extension-plan'> & Partial<ExclusionDetails>

/**
 * Judges an exclusion over the member's companies that the client is entitled to. Ongoing enrollments are checked first, then whether
 * any benefit matches, then ambiguity, the end date, and whether an extension plan can keep a dependent.
 */
export function judgeExclusion(
  memberships: readonly ExclusionFacts[],
  target: ExclusionTarget,
  details: DatedDetails,
): ExclusionVerdict {
  const parts = memberships.flatMap((membership) => selectParts(membership, target, details['exclusion-reason']))
  const ongoing =
    target.by === 'primary'
      ? openOfMember(memberships, parts)
      : memberships.flatMap((membership) => openChanges(membership, target).map(({ id }) => id))
  if (ongoing.length > 0) return { kind: 'ongoing', enrollmentIds: [...new Set(ongoing)].toSorted() }
  const [first] = parts
  if (first === undefined) return { kind: 'none' }
  if (isAmbiguous(parts, target)) {
    return { kind: 'ambiguous', benefitIds: parts.map((part) => part.benefit.id).toSorted() }
  }
  const [error] = detailsErrors(parts, details)
  if (error !== undefined) return { kind: error }
  const fields = missingItems(parts, details)
  if (fields.length > 0) return { kind: 'items-missing', fields }
  return { kind: 'excluded', companyId: first.benefit.companyId, parts }
}

/**
 * The active benefits of the member that the target selects. The active benefits of a primary's dependents in the product end with the
 * primary's, but not those that have an open exclusion of their own. The death of a primary who had kept the plan ends the primary's only: the
 * dependents keep it (Lei 9.656 art. 30 § 3).
 */
export function selectParts(
  membership: ExclusionFacts,
  target: ExclusionTarget,
  reason: ExclusionReason | undefined,
): ExclusionPart[] {
  return selected(membership, target, 'active').map((benefit) => ({
    benefit,
    cascaded: reason === 'death' && benefit.keepsContinuation ? [] : cascadedOf(membership, benefit),
  }))
}

/**
 * The open exclusions, plan changes and company changes of the benefits that the target selects. A change completed ahead of its day
 * counts where its new benefit is selected without the one that it replaces; together with that one it is void.
 */
export function openChanges(
  membership: ExclusionFacts,
  target: ExclusionTarget,
): { readonly id: string; readonly benefit: BenefitFacts }[] {
  const active = selected(membership, target, 'active')
  const replaced = new Set<string | null>(active.map(({ id }) => id))
  const ahead = selected(membership, target, 'pending').filter(({ replacesId }) => !replaced.has(replacesId))
  return [
    ...active.flatMap((benefit) => (benefit.openChangeId === null ? [] : [{ id: benefit.openChangeId, benefit }])),
    ...ahead.flatMap((benefit) => (benefit.changeId === null ? [] : [{ id: benefit.changeId, benefit }])),
  ]
}

/** A product that the member has in two roles, and a dependent's benefits in several companies, are ambiguous. */
export function isAmbiguous(parts: readonly ExclusionPart[], { by }: ExclusionTarget): boolean {
  switch (by) {
    case 'primary':
      return new Set(parts.map(({ benefit }) => benefit.companyId)).size > 1
    case 'product':
    case 'benefit':
      return parts.length > 1
    case 'company':
      return false
    default:
      return by satisfies never
  }
}

/** Why the details do not fit the selected benefits. */
export function detailsErrors(parts: readonly ExclusionPart[], details: DatedDetails): DetailsError[] {
  const isBeforeStart = parts.some(({ benefit }) => details['end-date'] < benefit.startDate)
  const isExtendable = ({ benefit }: ExclusionPart) => benefit.type === 'primary' || benefit.isPrimaryExtended
  return [
    ...(isBeforeStart ? (['before-start'] as const) : []),
    ...(details['extension-plan'] && !parts.every(isExtendable) ? (['primary-not-kept'] as const) : []),
  ]
}

/** What a contributory contract needs of a person who may keep the plan, and the details do not have. */
export function missingItems(
  parts: readonly ExclusionPart[],
  details: Readonly<Partial<ExclusionDetails>>,
): readonly string[] {
  return parts.some(({ benefit }) => benefit.isContributory) ? missingContinuationItems(details) : []
}

function selected(
  { memberId, benefits }: ExclusionFacts,
  target: ExclusionTarget,
  status: BenefitFacts['status'],
): BenefitFacts[] {
  return benefits.filter(
    (benefit) => benefit.memberId === memberId && benefit.status === status && isSelected(benefit, target),
  )
}

function isSelected(benefit: BenefitFacts, target: ExclusionTarget): boolean {
  switch (target.by) {
    case 'product':
      return benefit.productId === target.productId
    case 'benefit':
      return benefit.id === target.benefitId
    case 'primary':
      return benefit.type === 'dependent' && benefit.primaryTaxId === target.primaryTaxId
    case 'company':
      return true
    default:
      return target satisfies never
  }
}

function cascadedOf(membership: ExclusionFacts, benefit: BenefitFacts): BenefitFacts[] {
  if (benefit.type === 'dependent') return []
  return membership.benefits.filter(
    (candidate) =>
      candidate.primaryMemberId === benefit.memberId &&
      candidate.productId === benefit.productId &&
      candidate.status === 'active' &&
      candidate.openChangeId === null,
  )
}

/** The member's open enrollments in the companies of the selected benefits; in all companies when none is selected. */
function openOfMember(memberships: readonly ExclusionFacts[], parts: readonly ExclusionPart[]): string[] {
  const companies = new Set(parts.map(({ benefit }) => benefit.companyId))
  return memberships
    .filter(({ companyId }) => companies.size === 0 || companies.has(companyId))
    .flatMap(({ openIds }) => openIds)
}

/** The day on which a benefit ends: `end-date`, but not before its start. */
export function lastDay(endDate: LocalDate, startDate: LocalDate): LocalDate {
  return endDate < startDate ? startDate : endDate
}

interface PresentEnd {
  readonly startDate: LocalDate | null
  readonly endDate: LocalDate | null
}

/**
 * The last day that an exclusion of its own, approved ahead, gave a dependent's benefit; null when it has none. An end that the primary's gave is
 * the primary's, or the day before the start of a benefit that would begin later.
 */
export function ownEnd(dependent: PresentEnd, primary: Pick<PresentEnd, 'endDate'>): LocalDate | null {
  const { startDate, endDate } = dependent
  if (endDate === null || endDate === primary.endDate) return null
  return startDate !== null && endDate < startDate ? null : endDate
}

/** The earlier of a day and another one, if there is one. */
export function earlier(day: LocalDate, other: LocalDate | null): LocalDate {
  return other !== null && other < day ? other : day
}

/** What decides whether an exclusion extends a benefit that has ended meanwhile. */
export interface EndedFacts {
  /** The member has the product again, or an inclusion of it is open. */
  readonly isReincluded: boolean
  /** The first day of another cover of the product that ends after this one. */
  readonly nextStart: LocalDate | null
  /** For a dependent: the last day of the primary's benefit. */
  readonly primaryEnd: LocalDate | null
  /** For a dependent: the last day of an earlier completed exclusion of its own. */
  readonly ownEnd: LocalDate | null
}

/**
 * The last day that an exclusion gives a benefit that has ended meanwhile: its own, or the primary's where that is earlier; null when it cannot extend
 * it: the day is not later, the exclusion was accepted after the end, or the person has the product again.
 */
export function extendedEnd(
  ended: { readonly endDate: LocalDate | null; readonly acceptedOn: LocalDate; readonly isKept: boolean },
  { isReincluded, nextStart, primaryEnd }: EndedFacts,
  requestedEnd: LocalDate,
  today: LocalDate,
): LocalDate | null {
  const day = earlier(requestedEnd, primaryEnd)
  if (ended.endDate === null || day <= ended.endDate || ended.acceptedOn > ended.endDate) return null
  const isActive = ended.isKept || day > today
  const overlaps = isReincluded && isActive ? true : nextStart !== null && (ended.isKept || nextStart <= day)
  return overlaps ? null : day
}
