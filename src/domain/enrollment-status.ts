import { type BeneficiaryType, ENROLLMENT_STATUSES, type EnrollmentStatus, type RequestType } from './enums.ts'

/*
 * The state machine of an enrollment. Pure: given the same facts it says the same.
 */

/** Whoever may move an enrollment; `partner` and `service` only ever begin one or end what goes along. */
export type ActorKind = 'partner' | 'operator' | 'resolution' | 'clock' | 'service'

const queue: readonly EnrollmentStatus[] = ['created', 'broker-processing', 'carrier-processing']
const pending: readonly EnrollmentStatus[] = ['pending-documents', 'pending-correction']
const terminal: readonly EnrollmentStatus[] = ['completed', 'rejected', 'cancelled']

/** States that an operator's transition may name; nothing returns to `scheduled`. */
export const transitionTargets = ENROLLMENT_STATUSES.filter((status) => status !== 'scheduled')

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

/** The event that tells of a transition to the state. */
export function eventOf(status: EnrollmentStatus): string {
  if (isTerminal(status)) return `enrollment.${status}`
  return pending.includes(status) ? 'enrollment.pending' : 'enrollment.updated'
}

/** The reason that a dependent's inclusion bears when it falls with its primary's. */
export const rejectedWithPrimary = "Primary member's inclusion was rejected"

export interface EnrollmentFacts {
  readonly id: string
  readonly enrollmentType: RequestType
  readonly status: EnrollmentStatus
  readonly reachedCarrier: boolean
  readonly memberId: string
  readonly memberType: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly productId: string
  /** An exclusion that goes along with its primary's: the primary's enrollment. */
  readonly primaryEnrollmentId: string | null
  /** A dependent's inclusion: whether the primary's benefit of the product is active. */
  readonly primaryActive: boolean
  /** A change whose benefit has ended, or whose destination is taken meanwhile: it cannot complete. */
  readonly impossible: boolean
}

export interface Step {
  readonly id: string
  readonly status: EnrollmentStatus
  readonly reason: string | null
}

export type Verdict = { readonly moved: true } | { readonly moved: false; readonly error: string }

export const illegalTransition = 'Illegal transition'
export const primaryNotActive = 'Primary member is not active in this product'

export interface Judged {
  /** One for each asked id. */
  readonly verdicts: Map<string, Verdict>
  /** Every step to take, those of dependents that follow their primary included. */
  readonly steps: Step[]
}

/**
 * Judges a transition of several enrollments of one company together: primaries first, so that a family may be moved in one
 * call. A primary's inclusion that is rejected or cancelled takes its dependents' open ones along; a primary's exclusion is
 * resolved with those of its dependents, alike.
 * @param found the asked enrollments and whoever depends on them or leads them.
 */
export function judgeTransition(
  found: readonly EnrollmentFacts[],
  asked: ReadonlySet<string>,
  to: EnrollmentStatus,
  reason: string | null,
): Judged {
  const families = new Families(found)
  const verdicts = new Map<string, Verdict>()
  const steps = new Map<string, Step>()
  const order = found.filter((one) => asked.has(one.id)).toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
  for (const one of order) {
    if (steps.get(one.id)?.status === to) {
      verdicts.set(one.id, { moved: true })
      continue
    }
    const error = refusal(one, to, families, steps)
    if (error !== null) {
      verdicts.set(one.id, { moved: false, error })
      continue
    }
    verdicts.set(one.id, { moved: true })
    steps.set(one.id, { id: one.id, status: to, reason })
    for (const step of followersOf(one, to, reason, families)) if (!steps.has(step.id)) steps.set(step.id, step)
  }
  return { verdicts, steps: [...steps.values()] }
}

/** Whoever others depend on comes first. */
function rank(one: EnrollmentFacts): number {
  return Number(one.memberType === 'dependent') + Number(one.primaryEnrollmentId !== null)
}

function refusal(
  one: EnrollmentFacts,
  to: EnrollmentStatus,
  families: Families,
  steps: ReadonlyMap<string, Step>,
): string | null {
  const now = steps.get(one.id)?.status ?? one.status
  if (!mayMove(now, to, one.reachedCarrier)) return illegalTransition
  if (to === 'completed') {
    if (one.impossible) return illegalTransition
    const needsPrimary = one.enrollmentType === 'inclusion' && one.memberType === 'dependent'
    if (needsPrimary && !one.primaryActive && !families.isPrimaryCompleted(one, steps)) return primaryNotActive
  }
  if (to === 'cancelled' && families.led(one).some((follower) => follower.reachedCarrier)) return illegalTransition
  if ((to === 'rejected' || to === 'cancelled') && families.isLed(one, steps)) return illegalTransition
  return null
}

function followersOf(one: EnrollmentFacts, to: EnrollmentStatus, reason: string | null, families: Families): Step[] {
  if (one.enrollmentType === 'inclusion' && one.memberType === 'primary' && (to === 'rejected' || to === 'cancelled')) {
    return families.dependents(one).map(({ id }) => ({ id, status: 'rejected', reason: rejectedWithPrimary }))
  }
  if (one.enrollmentType !== 'exclusion' || !isTerminal(to)) return []
  // An exclusion of a dependent's own ends with the primary's benefit, but is not refused with it.
  const own = to === 'completed' && one.memberType === 'primary' ? families.dependents(one) : []
  return [...families.led(one), ...own].map(({ id }) => ({ id, status: to, reason }))
}

/** Who belongs to whom among the enrollments found; open ones only. */
class Families {
  readonly #byId: ReadonlyMap<string, EnrollmentFacts>
  readonly #dependents: ReadonlyMap<string, EnrollmentFacts[]>
  readonly #primaries: ReadonlyMap<string, EnrollmentFacts[]>
  readonly #led: ReadonlyMap<string | null, EnrollmentFacts[]>

  constructor(found: readonly EnrollmentFacts[]) {
    const open = found.filter((one) => !isTerminal(one.status))
    this.#byId = new Map(found.map((one) => [one.id, one]))
    this.#led = Map.groupBy(open, (one) => one.primaryEnrollmentId)
    this.#dependents = Map.groupBy(
      open.filter((one) => one.memberType === 'dependent'),
      (one) => `${one.enrollmentType} ${one.primaryMemberId} ${one.productId}`,
    )
    this.#primaries = Map.groupBy(
      open.filter((one) => one.memberType === 'primary'),
      (one) => `${one.enrollmentType} ${one.memberId} ${one.productId}`,
    )
  }

  /** Open movements of the same kind of the primary's dependents in the product. */
  dependents(one: EnrollmentFacts): readonly EnrollmentFacts[] {
    return this.#dependents.get(`${one.enrollmentType} ${one.memberId} ${one.productId}`) ?? []
  }

  /** Open exclusions that went along with this one. */
  led(one: EnrollmentFacts): readonly EnrollmentFacts[] {
    return this.#led.get(one.id) ?? []
  }

  /** Whether it goes along with a primary's exclusion that is still open after these steps. */
  isLed(one: EnrollmentFacts, steps: ReadonlyMap<string, Step>): boolean {
    if (one.primaryEnrollmentId === null) return false
    const leader = this.#byId.get(one.primaryEnrollmentId)
    return leader !== undefined && !isTerminal(steps.get(leader.id)?.status ?? leader.status)
  }

  /** Whether one of these steps completes the inclusion of the dependent's primary. */
  isPrimaryCompleted(one: EnrollmentFacts, steps: ReadonlyMap<string, Step>): boolean {
    const primaries = this.#primaries.get(`inclusion ${one.primaryMemberId} ${one.productId}`) ?? []
    return primaries.some((primary) => steps.get(primary.id)?.status === 'completed')
  }
}
