/*
 * The clocks that a movement starts: until when the carrier must have it, must prove it, or the person may choose. Those of norms hold for health and
 * dental plans, the limit of a contract for all. All are calculated from the data that the company sent.
 */
import { DEADLINE_KINDS, type DeadlineKind, DUE_DEADLINES, type ExclusionReason } from '#kernel/enums.ts'
import { businessDaysAfter, nearestBusinessDay } from '#kernel/business-days.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { businessDaysOf, type CutOffCalendar } from '#registry/rules/cut-off.ts'

/** Those of the operators' list. After the last day of cover of an exclusion each day is charged until the carrier has it: no norm says so. */
export const LISTED_DEADLINES = [...DUE_DEADLINES, 'exclusion-end'] as const
export type ListedDeadline = (typeof LISTED_DEADLINES)[number]

/** Where each is written. RN: a resolution of the ANS; `contract`: that with the carrier. */
export const DEADLINE_NORMS: Readonly<Record<DeadlineKind, string>> = {
  'inclusion-window': 'RN 557, art. 6',
  newborn: 'Lei 9.656, art. 12, III',
  'carrier-notice': 'RN 561',
  'retroactive-limit': 'contract',
  'effective-exclusion': 'RN 561',
  'proof-of-exclusion': 'RN 561 (RN 412, art. 18)',
  'continuation-option': 'RN 488, art. 10',
  'portability-window': 'RN 438',
}

/** Days from the start of each clock that counts days. */
export const DEADLINE_DAYS = {
  'inclusion-window': 30,
  newborn: 30,
  'carrier-notice': 30,
  'continuation-option': 30,
  'portability-window': 60,
} as const satisfies Partial<Record<DeadlineKind, number>>

const PROOF_BUSINESS_DAYS = 10

/** The terms in which the person acts, not the company or the carrier: one that ends on a day without business ends on the next business day (Civil Code art. 132 § 1). */
const TERMS_OF_PEOPLE: ReadonlySet<keyof typeof DEADLINE_DAYS> = new Set(['continuation-option', 'portability-window'])

/** The product types that the ANS regulates. */
export const REGULATED_PRODUCT_TYPES = ['health-insurance', 'dental-insurance'] as const

/** Exclusions after which the person may take the fulfilled waiting periods to another carrier. */
const PORTABLE_REASONS: ReadonlySet<ExclusionReason> = new Set([
  'dismissal',
  'dismissal-with-cause',
  'resignation',
  'mutual-agreement',
  'end-of-contract',
  'retirement',
  'loss-of-dependent-status',
])

/** As `deadlines` of a movement has it. */
export interface Deadline {
  readonly kind: DeadlineKind
  /** The last day. */
  readonly until: LocalDate
  readonly norm: string
}

/** What the deadlines of a movement follow from; null where it does not apply, or is not known. */
export interface DeadlineFacts {
  readonly acceptedOn: LocalDate
  /** For an inclusion: the latest of admission, start of the dependency and birth. */
  readonly eventDate: LocalDate | null
  /** For the inclusion of a child: its birth or adoption. */
  readonly newbornDate: LocalDate | null
  /** For an exclusion that the beneficiary requested: the day of the request. */
  readonly requestedOn: LocalDate | null
  /** Until when the carrier can be told of it and recognizes its date, by the contract. */
  readonly retroactiveUntil: LocalDate | null
  /** The day on which the carrier heard of it, and by when it must prove it. */
  readonly informedOn: LocalDate | null
  readonly proofUntil: LocalDate | null
  /** For an exclusion whose person may keep the plan and has not answered: the employer's formal notice. */
  readonly noticeDate: LocalDate | null
  /** For an exclusion after which the person may change the carrier: the day on which the person learned of the loss. */
  readonly lossDate: LocalDate | null
}

/** The deadlines of a movement, the earliest first. Those that had passed before it was requested, and could not be met, are none of it. */
export function deadlinesOf(facts: DeadlineFacts): Deadline[] {
  const reachable = (until: LocalDate | null) => (until !== null && until >= facts.acceptedOn ? until : null)
  const days: Readonly<Record<DeadlineKind, LocalDate | null>> = {
    'inclusion-window': reachable(after('inclusion-window', facts.eventDate)),
    newborn: reachable(after('newborn', facts.newbornDate)),
    'carrier-notice': after('carrier-notice', facts.requestedOn),
    'retroactive-limit': reachable(facts.retroactiveUntil),
    'effective-exclusion': facts.informedOn,
    'proof-of-exclusion': facts.proofUntil,
    'continuation-option': after('continuation-option', facts.noticeDate),
    'portability-window': after('portability-window', facts.lossDate),
  }
  return DEADLINE_KINDS.flatMap((kind) => {
    const until = days[kind]
    return until === null ? [] : [{ kind, until, norm: DEADLINE_NORMS[kind] }]
  }).toSorted((a, b) => Number(a.until > b.until) - Number(a.until < b.until))
}

function after(kind: keyof typeof DEADLINE_DAYS, start: LocalDate | null): LocalDate | null {
  return start === null ? null : lastDayOf(kind, start)
}

/** In SQL the function `next_business_day` is the same. */
function lastDayOf(kind: keyof typeof DEADLINE_DAYS, start: LocalDate): LocalDate {
  const day = addDays(start, DEADLINE_DAYS[kind])
  return TERMS_OF_PEOPLE.has(kind) ? nearestBusinessDay(day, 'next', businessDaysOf(null)) : day
}

/** The last day on which a person may choose to keep the plan. @param noticeDate of the employer's formal notice. */
export function continuationOptionUntil(noticeDate: LocalDate): LocalDate {
  return lastDayOf('continuation-option', noticeDate)
}

/** By when a carrier that heard of an exclusion must prove it. @param calendar of the contract, if it has one. */
export function proofUntil(informedOn: LocalDate, calendar: CutOffCalendar | null): LocalDate {
  return businessDaysAfter(informedOn, PROOF_BUSINESS_DAYS, businessDaysOf(calendar))
}

/** The day on which the person learned of the loss of the cover: that of the employer's notice, else the last day covered. */
export function lossDateOf(exclusion: {
  readonly reason: ExclusionReason
  readonly keepsPlan: boolean
  /** Whether it follows from the exclusion of the primary. */
  readonly followsPrimary: boolean
  readonly noticeDate: LocalDate | null
  readonly endDate: LocalDate
}): LocalDate | null {
  const { reason, keepsPlan, followsPrimary, noticeDate, endDate } = exclusion
  const isPortable = PORTABLE_REASONS.has(reason) || (reason === 'death' && followsPrimary)
  return isPortable && !keepsPlan ? (noticeDate ?? endDate) : null
}
