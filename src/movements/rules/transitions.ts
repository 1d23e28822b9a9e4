/*
 * Transitions of several enrollments of one company together: families are judged as a whole.
 */
import type { LocalDate } from '#kernel/calendar.ts'
import { explainTransition, isTerminal, mayTransition, transitionTargets } from '#coverage/rules/enrollment-status.ts'
import type { BeneficiaryType, EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import type { ErrorCode } from '#kernel/error-codes.ts'
import { movementRules } from '#kernel/movement-rules.ts'
import type { StartWarning } from '#kernel/warnings.ts'

/** The reason of a dependent's inclusion that is rejected with its primary's. */
const rejectedWithPrimary = "Primary member's inclusion was rejected"
/** The reason of a dependent's inclusion that is rejected when the primary's exclusion completes. */
const primaryExcluded = "Primary member's benefit was excluded"
/** The reason of an open movement whose benefit ended so that it can have no effect any more. */
export const benefitHasEnded = 'Benefit has ended'
export const primaryHasEnded = "Primary member's benefit has ended"

export interface EnrollmentFacts {
  readonly id: string
  readonly enrollmentType: MovementKind
  readonly status: EnrollmentStatus
  readonly reachedCarrier: boolean
  readonly memberId: string
  readonly memberType: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly productId: string
  /** For a dependent's exclusion that is part of the primary's: the primary's enrollment. */
  readonly primaryEnrollmentId: string | null
  /** For an exclusion: whether an extension plan keeps the benefit. */
  readonly extensionPlan: boolean
  /** For a dependent's inclusion: whether the primary's benefit of the product is active. */
  readonly primaryActive: boolean
  /** Whether it cannot complete: the benefit of an alteration has ended or its destination is taken, that of an exclusion has ended for good. */
  readonly impossible: boolean
  /** For an exclusion: whether the end that the operator sent is before the start of the benefit. */
  readonly endsBeforeStart: boolean
}

export interface Step {
  readonly id: string
  readonly status: EnrollmentStatus
  readonly reason: string | null
}

type TransitionError = Extract<ErrorCode, 'illegal-transition' | 'primary-member-not-active' | 'before-start-date'>

/** What a transition did otherwise than it was asked to. */
export interface TransitionWarning {
  readonly warning: StartWarning
  /** The day on which the benefit starts. */
  readonly 'start-date': LocalDate
}

export type TransitionResult =
  | { readonly accepted: true; readonly warnings?: readonly TransitionWarning[] }
  | {
      readonly accepted: false
      readonly code: TransitionError
      readonly from: EnrollmentStatus
      /** The statuses that the enrollment can go to now. */
      readonly allowed: readonly EnrollmentStatus[]
      /** It is open, and it or a part that goes with it was sent to the carrier. */
      readonly reachedCarrier: boolean
    }

/** What a transition sets. */
interface Target {
  readonly status: EnrollmentStatus
  readonly reason: string | null
}

interface JudgedTransition extends Step {
  /** The requested enrollment whose transition it follows: its own id, or that of the primary's. */
  readonly cause: string
}

export interface Judged {
  /** One for each requested id. */
  readonly results: Map<string, TransitionResult>
  /** All steps, including the cascaded ones of dependents. */
  readonly steps: JudgedTransition[]
}

/**
 * Judges transitions of several enrollments of one company together: primaries first, so that a family can be decided on in one
 * call. When a primary's inclusion is rejected or cancelled, and when a primary's exclusion without an extension plan completes, the open
 * inclusions of its dependents are rejected; the exclusions of dependents are resolved in the same way as the primary's.
 * @param found the requested enrollments, those that depend on them and those that they depend on.
 * @param targets of the requested enrollments, by id.
 */
export function judgeTransitions(found: readonly EnrollmentFacts[], targets: ReadonlyMap<string, Target>): Judged {
  const families = new Families(found)
  const results = new Map<string, TransitionResult>()
  const steps = new Map<string, JudgedTransition>()
  for (const enrollment of found.toSorted(byRank)) {
    const target = targets.get(enrollment.id)
    if (target === undefined) continue
    const { status: to, reason } = target
    if (steps.get(enrollment.id)?.status === to) {
      results.set(enrollment.id, { accepted: true })
      continue
    }
    const code = transitionError(enrollment, to, families, steps)
    if (code !== null) {
      const from = steps.get(enrollment.id)?.status ?? enrollment.status
      const allowed = transitionTargets.filter(
        (status) => transitionError(enrollment, status, families, steps) === null,
      )
      results.set(enrollment.id, {
        accepted: false,
        code,
        from,
        allowed,
        reachedCarrier: families.reachedCarrier(enrollment, steps),
      })
      continue
    }
    results.set(enrollment.id, { accepted: true })
    for (const step of [
      { id: enrollment.id, status: to, reason },
      ...cascadedSteps(enrollment, to, reason, families),
    ]) {
      if (!steps.has(step.id)) steps.set(step.id, { ...step, cause: enrollment.id })
    }
  }
  return { results, steps: [...steps.values()] }
}

/** What the error of a transition has beside its code. */
export function refusalOf(
  { code, from, allowed }: Extract<TransitionResult, { accepted: false }>,
  to: EnrollmentStatus,
) {
  if (code !== 'illegal-transition') return {}
  const message = explainTransition(from, to, allowed)
  return { from, to, allowed: [...allowed], details: [{ field: 'status', code, message }] }
}

type Ranked = Pick<EnrollmentFacts, 'id' | 'memberType' | 'primaryEnrollmentId'>

/** Orders enrollments: primaries come before their dependents. */
export function byRank(a: Ranked, b: Ranked): number {
  return rank(a) - rank(b) || (a.id < b.id ? -1 : 1)
}

function rank(enrollment: Ranked): number {
  return Number(enrollment.memberType === 'dependent') + Number(enrollment.primaryEnrollmentId !== null)
}

function transitionError(
  enrollment: EnrollmentFacts,
  to: EnrollmentStatus,
  families: Families,
  steps: ReadonlyMap<string, Step>,
): TransitionError | null {
  const now = steps.get(enrollment.id)?.status ?? enrollment.status
  if (!mayTransition(now, to, enrollment.reachedCarrier)) return 'illegal-transition'
  if (to === 'completed') {
    if (enrollment.impossible) return 'illegal-transition'
    if (enrollment.endsBeforeStart) return 'before-start-date'
    const needsPrimary =
      movementRules[enrollment.enrollmentType].needsActivePrimary && enrollment.memberType === 'dependent'
    if (needsPrimary && !enrollment.primaryActive && !families.isPrimaryCompleted(enrollment, steps))
      return 'primary-member-not-active'
  }
  if (to === 'cancelled' && families.reachedCarrier(enrollment, steps)) return 'illegal-transition'
  if ((to === 'rejected' || to === 'cancelled') && families.isCascaded(enrollment, steps)) return 'illegal-transition'
  return null
}

function cascadedSteps(
  enrollment: EnrollmentFacts,
  to: EnrollmentStatus,
  reason: string | null,
  families: Families,
): readonly Step[] {
  switch (enrollment.enrollmentType) {
    case 'inclusion': {
      if (enrollment.memberType !== 'primary' || (to !== 'rejected' && to !== 'cancelled')) return []
      return families
        .dependents(enrollment, 'inclusion')
        .map(({ id }) => ({ id, status: 'rejected', reason: rejectedWithPrimary }))
    }
    case 'exclusion': {
      if (!isTerminal(to)) return []
      const parts = families.cascaded(enrollment).map(({ id }) => ({ id, status: to, reason }))
      if (to !== 'completed' || enrollment.memberType === 'dependent') return parts
      // A dependent's own exclusion is completed with the primary's, but not rejected or cancelled with it.
      const own = families.dependents(enrollment, 'exclusion').map(({ id }) => ({ id, status: to, reason }))
      const inclusions = enrollment.extensionPlan ? [] : families.dependents(enrollment, 'inclusion')
      const rejected = inclusions.map(({ id }) => ({ id, status: 'rejected', reason: primaryExcluded }) as const)
      return [...parts, ...own, ...rejected]
    }
    case 'alteration':
      return []
    default:
      return enrollment.enrollmentType satisfies never
  }
}

/** How the open enrollments depend on each other. */
class Families {
  readonly #byId: ReadonlyMap<string, EnrollmentFacts>
  readonly #dependents: ReadonlyMap<string, EnrollmentFacts[]>
  readonly #primaries: ReadonlyMap<string, EnrollmentFacts[]>
  readonly #cascaded: ReadonlyMap<string | null, EnrollmentFacts[]>
  /** The parts of a primary's exclusion, by its id; open or not. */
  readonly #parts: ReadonlyMap<string | null, EnrollmentFacts[]>

  constructor(found: readonly EnrollmentFacts[]) {
    const open = found.filter((enrollment) => !isTerminal(enrollment.status))
    this.#byId = new Map(found.map((enrollment) => [enrollment.id, enrollment]))
    this.#cascaded = Map.groupBy(open, (enrollment) => enrollment.primaryEnrollmentId)
    this.#parts = Map.groupBy(found, (enrollment) => enrollment.primaryEnrollmentId)
    this.#dependents = Map.groupBy(
      open.filter((enrollment) => enrollment.memberType === 'dependent'),
      (enrollment) => `${enrollment.enrollmentType} ${enrollment.primaryMemberId} ${enrollment.productId}`,
    )
    this.#primaries = Map.groupBy(
      open.filter((enrollment) => enrollment.memberType === 'primary'),
      (enrollment) => `${enrollment.enrollmentType} ${enrollment.memberId} ${enrollment.productId}`,
    )
  }

  /** Open enrollments of a type of the primary's dependents in the product. */
  dependents({ memberId, productId }: EnrollmentFacts, type: MovementKind): readonly EnrollmentFacts[] {
    return this.#dependents.get(`${type} ${memberId} ${productId}`) ?? []
  }

  /** Open exclusions of dependents that are part of this one. */
  cascaded(enrollment: EnrollmentFacts): readonly EnrollmentFacts[] {
    return this.#cascaded.get(enrollment.id) ?? []
  }

  /** Whether it is open after these steps, and it or a part of it was sent to the carrier. */
  reachedCarrier(enrollment: EnrollmentFacts, steps: ReadonlyMap<string, Step>): boolean {
    if (isTerminal(steps.get(enrollment.id)?.status ?? enrollment.status)) return false
    return (
      enrollment.reachedCarrier || (this.#parts.get(enrollment.id) ?? []).some(({ reachedCarrier }) => reachedCarrier)
    )
  }

  /** Whether it is part of a primary's exclusion that is still open after these steps. */
  isCascaded(enrollment: EnrollmentFacts, steps: ReadonlyMap<string, Step>): boolean {
    if (enrollment.primaryEnrollmentId === null) return false
    const primary = this.#byId.get(enrollment.primaryEnrollmentId)
    return primary !== undefined && !isTerminal(steps.get(primary.id)?.status ?? primary.status)
  }

  /** Whether one of these steps completes the inclusion of the dependent's primary. */
  isPrimaryCompleted(enrollment: EnrollmentFacts, steps: ReadonlyMap<string, Step>): boolean {
    const primaries = this.#primaries.get(`inclusion ${enrollment.primaryMemberId} ${enrollment.productId}`) ?? []
    return primaries.some((primary) => steps.get(primary.id)?.status === 'completed')
  }
}
