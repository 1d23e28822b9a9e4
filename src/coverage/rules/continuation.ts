/*
 * Who may keep the plan after leaving the company, for how long, and until when the answer counts (Lei 9.656/1998 arts. 30 and 31; RN ANS
 * 488/2022). What the norm leaves open is a setting of the contract, or rounded in the person's favor with a note that says so.
 */
import { RETIREMENT_REMAINDERS, type RetirementRemainder } from '#kernel/broker-enums.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { continuationOptionUntil } from './deadline.ts'
import type { ContinuationOption, ExclusionReason } from '#kernel/enums.ts'

/** Why a person leaves, as far as the calculation depends on it. */
export const LEAVING_REASONS = [
  'dismissal',
  'dismissal-with-cause',
  'resignation',
  'mutual-agreement',
  'retirement',
] as const
export type LeavingReason = (typeof LEAVING_REASONS)[number]

export const CONTINUATION_GROUNDS = ['dismissal', 'retirement'] as const
export type ContinuationGround = (typeof CONTINUATION_GROUNDS)[number]

/** Why nothing is kept. */
export const NOT_ELIGIBLE_REASONS = [
  'no-contribution',
  'with-cause',
  'resignation',
  'mutual-agreement',
  'post-paid-plan',
  'less-than-a-year',
] as const
export type NotEligibleReason = (typeof NOT_ELIGIBLE_REASONS)[number]

/** What the term depends on, in the order of the text. */
export const CONTINUATION_NOTES = [
  'third-of-contribution',
  'fraction-rounded-up',
  'minimum-term',
  'maximum-term',
  'ten-years-or-more',
  'year-for-year',
  ...RETIREMENT_REMAINDERS,
  'starts-when-leaving',
] as const
export type ContinuationNote = (typeof CONTINUATION_NOTES)[number]

/** The setting of a contract without which a term cannot be calculated. */
export const REMAINDER_SETTING = 'retirement-remainder'

const [minimumMonths, maximumMonths] = [6, 24]
const monthsWithoutEnd = 120

export interface ContinuationFacts {
  readonly reason: LeavingReason
  /** Whether the person paid a part of the premium; co-participation and what is paid for dependents only do not count (Lei 9.656 art. 30 § 6). */
  readonly contributed: boolean
  readonly contributionMonths: number
  /** Retired, and employed on: whatever ends the employment, the right is that of the retired, and starts then (RN 488 art. 22). */
  readonly keepsWorking: boolean
  /** The plan is paid by what is used. */
  readonly isPostPaid: boolean
  readonly noticeDate: LocalDate | null
  /** The last day of the cover as an employee; null: not known yet. */
  readonly endDate: LocalDate | null
  /** The contract's setting; null: not set. */
  readonly remainder: RetirementRemainder | null
}

interface ContinuationTerm {
  readonly ground: ContinuationGround
  /** null: without an end. */
  readonly months: number | null
  readonly notes: readonly ContinuationNote[]
  readonly norms: readonly string[]
}

export type ContinuationVerdict =
  | { readonly kind: 'not-eligible'; readonly reason: NotEligibleReason; readonly norms: readonly string[] }
  | { readonly kind: 'missing-setting'; readonly setting: typeof REMAINDER_SETTING }
  | ({
      readonly kind: 'eligible'
      readonly optionUntil: LocalDate | null
      readonly termStart: LocalDate | null
      readonly termEnd: LocalDate | null
    } & ContinuationTerm)

/** Calculates what the law lets a person keep. */
export function calculateContinuation(facts: ContinuationFacts): ContinuationVerdict {
  const refused = refusalOf(facts)
  if (refused !== null) return { kind: 'not-eligible', ...refused }
  const term = groundOf(facts) === 'dismissal' ? dismissalTerm(facts) : retirementTerm(facts)
  if (term === null) return { kind: 'missing-setting', setting: REMAINDER_SETTING }
  if (term.months === 0) return { kind: 'not-eligible', reason: 'less-than-a-year', norms: term.norms }
  // Who keeps working has no last day yet.
  const isOpen = facts.keepsWorking && facts.endDate === null
  const notes = isOpen ? [...term.notes, 'starts-when-leaving' as const] : term.notes
  const norms = facts.keepsWorking ? [...term.norms, 'RN 488 art. 22'] : term.norms
  const optionUntil = facts.noticeDate === null ? null : continuationOptionUntil(facts.noticeDate)
  return { kind: 'eligible', ...term, notes, norms, optionUntil, ...termDates(facts.endDate, term.months) }
}

/** The first and the last day of a term that follows the last day as an employee. */
function termDates(
  endDate: LocalDate | null,
  months: number | null,
): { readonly termStart: LocalDate | null; readonly termEnd: LocalDate | null } {
  if (endDate === null) return { termStart: null, termEnd: null }
  const termStart = addDays(endDate, 1)
  return { termStart, termEnd: months === null ? null : addDays(sameDayAfter(termStart, months), -1) }
}

/** The day of the same number so many months later, or the next day where the month has none (art. 132 § 3 of the civil code). */
export function sameDayAfter(day: LocalDate, months: number): LocalDate {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number)
  const first = new Date(Date.UTC(2000, 0, 1))
  first.setUTCFullYear(year, month - 1 + months, 1)
  const lastDay = new Date(first)
  lastDay.setUTCMonth(first.getUTCMonth() + 1, 0)
  return addDays(first.toISOString().slice(0, 10), Math.min(dayOfMonth, lastDay.getUTCDate() + 1) - 1)
}

const withoutRight = {
  'dismissal-with-cause': 'with-cause',
  resignation: 'resignation',
  'mutual-agreement': 'mutual-agreement',
} as const satisfies Record<Exclude<LeavingReason, ContinuationGround>, NotEligibleReason>

/** Whose right it is; null: a person who leaves this way has none. Who had retired and worked on has that of the retired. */
export function groundOf({
  reason,
  keepsWorking,
}: Pick<ContinuationFacts, 'reason' | 'keepsWorking'>): ContinuationGround | null {
  if (keepsWorking) return 'retirement'
  return reason === 'dismissal' || reason === 'retirement' ? reason : null
}

function refusalOf(
  facts: ContinuationFacts,
): { readonly reason: NotEligibleReason; readonly norms: readonly string[] } | null {
  const { reason } = facts
  const ground = groundOf(facts)
  if (ground === null) {
    const refused = withoutRight[reason as keyof typeof withoutRight]
    return { reason: refused, norms: ['Lei 9.656/1998 art. 30'] }
  }
  const article = ground === 'dismissal' ? '30' : '31'
  if (!facts.contributed || facts.contributionMonths === 0) {
    return { reason: 'no-contribution', norms: [`Lei 9.656/1998 art. ${article}`, 'Lei 9.656/1998 art. 30 § 6'] }
  }
  if (facts.isPostPaid) return { reason: 'post-paid-plan', norms: ['RN 488'] }
  return null
}

function dismissalTerm({ contributionMonths }: ContinuationFacts): ContinuationTerm {
  const third = Math.ceil(contributionMonths / 3)
  const months = Math.min(maximumMonths, Math.max(minimumMonths, third))
  const limit = third < months ? ('minimum-term' as const) : third > months ? ('maximum-term' as const) : null
  const isRounded = limit === null && contributionMonths % 3 !== 0
  const rounded = isRounded ? (['fraction-rounded-up'] as const) : []
  return {
    ground: 'dismissal',
    months,
    notes: ['third-of-contribution', ...rounded, ...(limit === null ? [] : [limit])],
    norms: ['Lei 9.656/1998 art. 30 § 1', 'RN 488 art. 4'],
  }
}

/** null: the contract does not say what becomes of the remainder of a year. */
function retirementTerm({ contributionMonths, remainder }: ContinuationFacts): ContinuationTerm | null {
  if (contributionMonths >= monthsWithoutEnd) {
    const norms = ['Lei 9.656/1998 art. 31', 'RN 488']
    return { ground: 'retirement', months: null, notes: ['ten-years-or-more'], norms }
  }
  const rest = contributionMonths % 12
  if (rest !== 0 && remainder === null) return null
  const months = remainder === 'whole-years' ? contributionMonths - rest : contributionMonths
  const norms = ['Lei 9.656/1998 art. 31 § 1', 'RN 488']
  const ruled = rest === 0 || remainder === null ? [] : [remainder]
  return { ground: 'retirement', months, notes: ['year-for-year', ...ruled], norms }
}

export const CONTINUATION_STATUSES = [
  'notice-pending',
  'offered',
  'accepted',
  'active',
  'declined',
  'expired',
  'ended',
  'no-right',
] as const
export type ContinuationStatus = (typeof CONTINUATION_STATUSES)[number]

export const CONTINUATION_END_REASONS = ['term', 'new-job', 'request', 'company-plan-ended', 'death-of-all'] as const
export type ContinuationEndReason = (typeof CONTINUATION_END_REASONS)[number]

/** What an act takes a continuation from. Who has received no notice cannot have declined (RN 488 arts. 10 to 12). */
export const CONTINUATION_ACTS = {
  notice: ['notice-pending', 'offered'],
  accepted: ['notice-pending', 'offered'],
  declined: ['offered'],
  end: ['accepted', 'active'],
} as const satisfies Readonly<Record<string, readonly ContinuationStatus[]>>

/** Days before the end of a term on which it is reported. */
export const ENDING_DAYS = 60

/** Whether a day cannot be that of an answer: before the notice, after the last day to answer, or after today. */
export function isOptionDateOutOfRange(optionDate: LocalDate, noticeDate: LocalDate | null, today: LocalDate): boolean {
  if (optionDate > today) return true
  return noticeDate !== null && (optionDate < noticeDate || optionDate > continuationOptionUntil(noticeDate))
}

/** Why an exclusion with `extension-plan` keeps nothing: it is an ordinary one. */
export const CONTINUATION_REFUSALS = ['declined', ...NOT_ELIGIBLE_REASONS] as const
export type ContinuationRefusal = (typeof CONTINUATION_REFUSALS)[number]

/** What `exclusion-details` say of a continuation. */
interface ContinuationItems {
  readonly 'exclusion-reason': ExclusionReason
  readonly contributed?: boolean | undefined
  readonly 'contribution-months'?: number | null | undefined
  readonly 'keeps-working-after-retirement'?: boolean | undefined
  readonly option?: ContinuationOption | null | undefined
}

/**
 * Why an exclusion with `extension-plan` keeps nothing, by what was sent; null: it keeps the benefits. Without the months the right cannot be
 * judged, and the plan is kept without a term.
 */
export function refusalOfItems(
  items: ContinuationItems,
  settings: Pick<ContinuationFacts, 'isPostPaid' | 'remainder'>,
): ContinuationRefusal | null {
  const { contributed, 'contribution-months': months, option } = items
  const reason = leavingReasonOf(items['exclusion-reason'])
  if (contributed === false) return 'no-contribution'
  if (typeof months === 'number' && reason !== null) {
    const verdict = calculateContinuation({
      reason,
      contributed: true,
      contributionMonths: months,
      keepsWorking: items['keeps-working-after-retirement'] === true,
      noticeDate: null,
      endDate: null,
      ...settings,
    })
    if (verdict.kind === 'not-eligible') return verdict.reason
  }
  return option === 'declined' ? 'declined' : null
}

/** The reason as the calculation has it; null: nothing is kept after it. */
export function leavingReasonOf(reason: ExclusionReason): LeavingReason | null {
  return LEAVING_REASONS.find((leavingReason) => leavingReason === reason) ?? null
}
