/*
 * What is told to whoever listens, and how often it is tried. Pure: chance is handed over.
 */

/** Everything that the service tells of; `webhook.test` only ever to the endpoint that asked for it. */
export const EVENT_TYPES = [
  'request.completed',
  'request.partial_failure',
  'request.failed',
  'enrollment.created',
  'enrollment.updated',
  'enrollment.pending',
  'enrollment.completed',
  'enrollment.rejected',
  'enrollment.cancelled',
  'benefit.activated',
  'benefit.deactivated',
  'invoice.issued',
  'invoice.overdue',
  'invoice.paid',
  'webhook.test',
] as const

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const

/** Why an endpoint is disabled: its client asked for it, it answered 410, or it failed for a whole schedule. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds from a failed attempt to the next: the first is made at once, the tenth is the last. */
export const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const jitter = 0.1

/**
 * When the next attempt is made after one that failed; null after the last.
 * @param step of the failed attempt in its schedule, from 1.
 * @param chance from 0 to 1: a tenth earlier to a tenth later, so that those who failed together do not return together.
 */
export function nextAttempt(step: number, failedAt: Date, chance: number): Date | null {
  const delay = retryDelaysMs[step - 1]
  if (delay === undefined) return null
  return new Date(failedAt.getTime() + Math.round(delay * (1 - jitter + 2 * jitter * chance)))
}

export type AttemptOutcome = 'succeeded' | 'failed' | 'gone'

/** What the status of an answer means: 2xx is success, 410 asks never to be called again, a redirect is not followed. */
export function outcomeOf(responseStatus: number): AttemptOutcome {
  if (responseStatus >= 200 && responseStatus < 300) return 'succeeded'
  return responseStatus === 410 ? 'gone' : 'failed'
}
