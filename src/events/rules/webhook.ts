/*
 * Deliveries of webhooks: their statuses and the schedule of their attempts.
 */

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const

/** Why an endpoint is disabled: its client requested it, it responded with 410, or a delivery failed for a whole schedule. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds from a failed attempt to the next; the tenth attempt is the last. */
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
 * When the next attempt is made after a failed one; null after the last.
 * @param step the number of the failed attempt in its schedule, from 1.
 * @param random from 0 to 1: up to a tenth earlier or later, so that attempts that failed together are spread.
 */
export function nextAttempt(step: number, failedAt: Date, random: number): Date | null {
  const delay = retryDelaysMs[step - 1]
  if (delay === undefined) return null
  return new Date(failedAt.getTime() + Math.round(delay * (1 - jitter + 2 * jitter * random)))
}

type AttemptOutcome = 'succeeded' | 'failed' | 'gone'

/** The outcome of an attempt: 2xx is success, 410 ends the deliveries to the endpoint, everything else is a failure. */
export function outcomeOf(responseStatus: number): AttemptOutcome {
  if (responseStatus >= 200 && responseStatus < 300) return 'succeeded'
  return responseStatus === 410 ? 'gone' : 'failed'
}
