/*
 * The rules of an exclusion (Lei 9.656 arts. 30 and 31; RN ANS 557: the family depends on the primary).
 */
import type { LocalDate } from './calendar.ts'
import type { BeneficiaryType } from './enums.ts'
import type { ExclusionDetails } from './exclusion-details.ts'

/** The member's benefits that an exclusion selects. */
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
  /** Of a dependent: whether an extension plan keeps the primary's benefit of the product. */
  readonly isPrimaryExtended: boolean
  /** Of the pending new benefit of a plan or company change: the enrollment that created it. */
  readonly changeId: string | null
}

export interface ExclusionFacts {
  readonly companyId: string
  readonly memberId: string
  /** Active and pending benefits of the member and of the member's dependents. */
  readonly benefits: readonly BenefitFacts[]
  /** Open enrollments of the same people. */
  readonly open: readonly { readonly id: string; readonly memberId: string }[]
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
  | { readonly kind: 'before-start' }
  | { readonly kind: 'primary-not-kept' }

/**
 * Judges an exclusion over the member's companies that the client is entitled to. Ongoing enrollments are checked first, then whether
 * any benefit matches, then ambiguity, the end date, and whether an extension plan can keep a dependent.
 */
export function judgeExclusion(
  memberships: readonly ExclusionFacts[],
  target: ExclusionTarget,
  details: Pick<ExclusionDetails, 'end-date' | 'extension-plan'>,
): ExclusionVerdict {
  const endDate = details['end-date']
  const parts = memberships.flatMap((membership) => partsOf(membership, target))
  const companies = new Set(parts.map((part) => part.benefit.companyId))
  const ongoing = memberships
    .filter(({ companyId }) => companies.size === 0 || companies.has(companyId))
    .flatMap((membership) => ongoingOf(membership, parts, target))
  if (ongoing.length > 0) return { kind: 'ongoing', enrollmentIds: [...new Set(ongoing)].toSorted() }
  const [first] = parts
  if (first === undefined) return { kind: 'none' }
  const ambiguous = target.by === 'primary' ? companies.size > 1 : parts.length > 1
  if (ambiguous) return { kind: 'ambiguous', benefitIds: parts.map((part) => part.benefit.id).toSorted() }
  if (parts.some((part) => endDate < part.benefit.startDate)) return { kind: 'before-start' }
  const isExtendable = ({ benefit }: ExclusionPart) => benefit.type === 'primary' || benefit.isPrimaryExtended
  if (details['extension-plan'] && !parts.every(isExtendable)) return { kind: 'primary-not-kept' }
  return { kind: 'excluded', companyId: first.benefit.companyId, parts }
}

function partsOf(membership: ExclusionFacts, target: ExclusionTarget): ExclusionPart[] {
  return membership.benefits
    .filter(
      (benefit) =>
        benefit.memberId === membership.memberId && benefit.status === 'active' && isSelected(benefit, target),
    )
    .map((benefit) => ({ benefit, cascaded: cascadedOf(membership, benefit) }))
}

function isSelected(benefit: BenefitFacts, target: ExclusionTarget): boolean {
  switch (target.by) {
    case 'product':
      return benefit.productId === target.productId
    case 'benefit':
      return benefit.id === target.benefitId
    case 'primary':
      return benefit.type === 'dependent' && benefit.primaryTaxId === target.primaryTaxId
    default:
      return target satisfies never
  }
}

function cascadedOf(membership: ExclusionFacts, benefit: BenefitFacts): BenefitFacts[] {
  if (benefit.type === 'dependent') return []
  return membership.benefits.filter(
    (one) => one.primaryMemberId === benefit.memberId && one.productId === benefit.productId && one.status === 'active',
  )
}

/**
 * Open enrollments of the member and of the dependents whose benefits would end too, and the plan or company change whose pending new
 * benefit is selected.
 */
function ongoingOf(membership: ExclusionFacts, parts: readonly ExclusionPart[], target: ExclusionTarget): string[] {
  const people = new Set([membership.memberId])
  for (const part of parts) {
    if (part.benefit.companyId !== membership.companyId) continue
    for (const one of part.cascaded) people.add(one.memberId)
  }
  const open = membership.open.filter((one) => people.has(one.memberId)).map((one) => one.id)
  const pending = membership.benefits.filter(
    (benefit) =>
      benefit.memberId === membership.memberId && benefit.status === 'pending' && isSelected(benefit, target),
  )
  return [...open, ...pending.flatMap((benefit) => benefit.changeId ?? [])]
}

/** The day on which a benefit ends: `end-date`, but not before its start. */
export function lastDay(endDate: LocalDate, startDate: LocalDate): LocalDate {
  return endDate < startDate ? startDate : endDate
}
