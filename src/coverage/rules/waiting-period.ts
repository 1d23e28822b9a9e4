/* Whether a carrier may set a waiting period for who is included (RN 557 art. 6). It is information: the carrier decides. */
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { ContractLives } from '#kernel/broker-enums.ts'
import { DEADLINE_DAYS } from './deadline.ts'

export const WAITING_PERIOD_STATUSES = ['exempt', 'may-apply', 'unknown'] as const
export const WAITING_PERIOD_REASONS = [
  'newborn-in-time',
  'requested-in-time',
  'requested-late',
  'fewer-than-30-lives',
  'lives-unknown',
  'event-date-unknown',
] as const

export interface WaitingPeriod {
  readonly status: (typeof WAITING_PERIOD_STATUSES)[number]
  readonly reason: (typeof WAITING_PERIOD_REASONS)[number]
  /** null: no day exempts, or it is not known. */
  readonly 'last-day-for-exemption': LocalDate | null
}

export interface WaitingPeriodFacts {
  readonly acceptedOn: LocalDate
  /** The latest of admission, start of the dependency and birth. */
  readonly eventDate: LocalDate | null
  /** For a child: its birth or adoption. */
  readonly newbornDate: LocalDate | null
  /** The lives of the contract that has the product. */
  readonly lives: ContractLives | null
  readonly contractStart: LocalDate | null
}

/** What is known of the waiting period of an inclusion in a health or dental plan. */
export function waitingPeriodOf(facts: WaitingPeriodFacts): WaitingPeriod {
  const { acceptedOn, eventDate, newbornDate, lives, contractStart } = facts
  const lastOfBirth = newbornDate === null ? null : addDays(newbornDate, DEADLINE_DAYS.newborn)
  if (lastOfBirth !== null && acceptedOn <= lastOfBirth) {
    return { status: 'exempt', reason: 'newborn-in-time', 'last-day-for-exemption': lastOfBirth }
  }
  if (lives === 'up-to-29') {
    return { status: 'may-apply', reason: 'fewer-than-30-lives', 'last-day-for-exemption': lastOfBirth }
  }
  if (eventDate === null) return { status: 'unknown', reason: 'event-date-unknown', 'last-day-for-exemption': null }
  // The date of the event or of the contract, whichever is later.
  const since = contractStart !== null && contractStart > eventDate ? contractStart : eventDate
  const last = addDays(since, DEADLINE_DAYS['inclusion-window'])
  if (lives === null) return { status: 'unknown', reason: 'lives-unknown', 'last-day-for-exemption': last }
  const isInTime = acceptedOn <= last
  return {
    status: isInTime ? 'exempt' : 'may-apply',
    reason: isInTime ? 'requested-in-time' : 'requested-late',
    'last-day-for-exemption': last,
  }
}
