import { ENROLLMENT_STATES, type EnrollmentState } from './values.ts'

/*
 * The state machine of an enrollment (contract, Enrollment status). Pure: given the same facts it says the same.
 */

export type EnrollmentStatus = EnrollmentState

/** Whoever may move an enrollment; `partner` and `service` only ever begin one or end what goes along. */
export type ActorKind = 'partner' | 'operator' | 'resolution' | 'clock' | 'service'

const queue: readonly EnrollmentStatus[] = ['created', 'broker-processing', 'carrier-processing']
const pending: readonly EnrollmentStatus[] = ['pending-documents', 'pending-correction']
const terminal: readonly EnrollmentStatus[] = ['completed', 'rejected', 'cancelled']

/** States that an operator's transition may name; nothing returns to `scheduled`. */
export const transitionTargets = ENROLLMENT_STATES.filter((status) => status !== 'scheduled')

/** Terminal states never change. */
export function isTerminal(status: EnrollmentStatus): boolean {
  return terminal.includes(status)
}

/** Whether the state asks for a reason that the partner reads. */
export function needsReason(status: EnrollmentStatus): boolean {
  return status === 'rejected' || pending.includes(status)
}

/**
 * Whether an enrollment may go from one state to another.
 * Completing and rejecting are open until the end, cancelling until the carrier was reached; otherwise one step forward at a
 * time, the pending states from and to the queue, `scheduled` to `created` alone.
 */
export function mayMove(from: EnrollmentStatus, to: EnrollmentStatus, reachedCarrier: boolean): boolean {
  if (isTerminal(from) || from === to || to === 'scheduled') return false
  if (to === 'cancelled') return !reachedCarrier
  if (isTerminal(to)) return true
  if (from === 'scheduled') return to === 'created'
  if (pending.includes(from)) return queue.includes(to)
  if (pending.includes(to)) return true
  return queue.indexOf(to) === queue.indexOf(from) + 1
}

/** The event that tells of a transition to the state (contract additions, events). */
export function eventOf(status: EnrollmentStatus): string {
  if (isTerminal(status)) return `enrollment.${status}`
  return pending.includes(status) ? 'enrollment.pending' : 'enrollment.updated'
}

/** The reason that a dependent's inclusion bears when it falls with its primary's. */
export const rejectedWithPrimary = "Primary member's inclusion was rejected"

export interface InclusionFacts {
  readonly id: string
  readonly status: EnrollmentStatus
  readonly reachedCarrier: boolean
  readonly memberId: string
  readonly memberType: 'primary' | 'dependent'
  readonly primaryMemberId: string | null
  readonly productId: string
  /** Whether the primary's benefit of the product is active; of no meaning for a primary. */
  readonly primaryActive: boolean
}

export interface Step {
  readonly id: string
  readonly status: EnrollmentStatus
  readonly reason: string | null
}

export type Verdict = { readonly moved: true } | { readonly moved: false; readonly error: string }

export const illegalTransition = 'Illegal transition'
export const primaryNotActive = 'Primary member is not active in this product'

/**
 * Judges a transition of several inclusions of one company together: primaries first, so that a family may be completed in
 * one call, and a primary that is rejected or cancelled takes its dependents' open inclusions of the product along.
 * @param asked the ids that the call names; `inclusions` holds them and the open inclusions of their dependents.
 * @returns a verdict for each asked id, and every step to take, those of dependents that fall included.
 */
export function judgeInclusions(
  inclusions: readonly InclusionFacts[],
  asked: ReadonlySet<string>,
  to: EnrollmentStatus,
  reason: string | null,
): { verdicts: Map<string, Verdict>; steps: Step[] } {
  const verdicts = new Map<string, Verdict>()
  const steps = new Map<string, Step>()
  const activated = new Set<string>()
  const family = (memberId: string | null, productId: string) => `${memberId} ${productId}`
  const dependents = Map.groupBy(
    inclusions.filter((one) => one.memberType === 'dependent'),
    (one) => family(one.primaryMemberId, one.productId),
  )
  const order = inclusions.toSorted(
    (a, b) => Number(a.memberType === 'dependent') - Number(b.memberType === 'dependent'),
  )
  for (const one of order) {
    if (!asked.has(one.id)) continue
    const already = steps.get(one.id)
    const now = already?.status ?? one.status
    if (already?.status === to) {
      verdicts.set(one.id, { moved: true })
    } else if (!mayMove(now, to, one.reachedCarrier)) {
      verdicts.set(one.id, { moved: false, error: illegalTransition })
    } else if (
      to === 'completed' &&
      one.memberType === 'dependent' &&
      !one.primaryActive &&
      !activated.has(family(one.primaryMemberId, one.productId))
    ) {
      verdicts.set(one.id, { moved: false, error: primaryNotActive })
    } else {
      steps.set(one.id, { id: one.id, status: to, reason })
      verdicts.set(one.id, { moved: true })
      if (one.memberType === 'dependent') continue
      if (to === 'completed') activated.add(family(one.memberId, one.productId))
      if (to !== 'rejected' && to !== 'cancelled') continue
      for (const dependent of dependents.get(family(one.memberId, one.productId)) ?? []) {
        if (isTerminal(dependent.status) || steps.has(dependent.id)) continue
        steps.set(dependent.id, { id: dependent.id, status: 'rejected', reason: rejectedWithPrimary })
      }
    }
  }
  return { verdicts, steps: [...steps.values()] }
}
