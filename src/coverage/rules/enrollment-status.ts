/*
 * The statuses of an enrollment, and from which to which it may go.
 */
import { ENROLLMENT_STATUSES, TERMINAL_STATUSES } from '#kernel/enums.ts'
import type { EnrollmentStatus, TerminalStatus } from '#kernel/enums.ts'
import type { EventTypeOf } from '#kernel/events.ts'
import type { Message } from '#kernel/messages.ts'

const queue: readonly EnrollmentStatus[] = ['created', 'broker-processing', 'carrier-processing']
const pending: readonly EnrollmentStatus[] = ['pending-documents', 'pending-correction']
const terminal: readonly EnrollmentStatus[] = TERMINAL_STATUSES

/** Statuses that a transition of an operator may name; no enrollment returns to `scheduled`. */
export const transitionTargets = ENROLLMENT_STATUSES.filter((status) => status !== 'scheduled')

/** Terminal statuses never change. */
export function isTerminal(status: EnrollmentStatus): status is TerminalStatus {
  return terminal.includes(status)
}

/** Whether the enrollment waits for the partner. */
export function isPending(status: EnrollmentStatus): boolean {
  return pending.includes(status)
}

/** Whether the status requires a reason, which the partner reads. */
export function needsReason(status: EnrollmentStatus): boolean {
  return status === 'rejected' || pending.includes(status)
}

/**
 * Whether an enrollment may go from one status to another.
 * An open one may be completed and rejected, and cancelled until it reached the carrier. Otherwise it goes one step forward in the
 * queue, between the queue and the pending statuses, and from `scheduled` to `created`.
 */
export function mayTransition(from: EnrollmentStatus, to: EnrollmentStatus, reachedCarrier: boolean): boolean {
  if (isTerminal(from) || from === to || to === 'scheduled') return false
  if (to === 'cancelled') return !reachedCarrier
  if (isTerminal(to)) return true
  if (from === 'scheduled') return to === 'created'
  if (pending.includes(from)) return queue.includes(to)
  if (pending.includes(to)) return true
  return queue.indexOf(to) === queue.indexOf(from) + 1
}

/** The event of a transition to each status. */
export const transitionEvents: Readonly<Record<EnrollmentStatus, EventTypeOf<'enrollment'>>> = {
  scheduled: 'enrollment.updated',
  created: 'enrollment.updated',
  'broker-processing': 'enrollment.updated',
  'carrier-processing': 'enrollment.updated',
  'pending-documents': 'enrollment.pending',
  'pending-correction': 'enrollment.pending',
  completed: 'enrollment.completed',
  rejected: 'enrollment.rejected',
  cancelled: 'enrollment.cancelled',
}

/** Why an enrollment cannot go to a status. */
export function explainTransition(
  from: EnrollmentStatus,
  to: EnrollmentStatus,
  allowed: readonly EnrollmentStatus[],
): Message {
  if (isTerminal(from)) return { key: 'final-status', from }
  if (from === to)
    return allowed.length === 0 ? { key: 'same-status', from } : { key: 'same-status-next', from, allowed }
  return allowed.length === 0 ? { key: 'illegal-status', from, to } : { key: 'illegal-status-next', from, to, allowed }
}
