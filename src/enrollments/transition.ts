import { writeAudit } from '../account/audit.ts'
import type { Origin } from '../access/scope.ts'
import type { Sql } from '../database.ts'
import { type Happening, writeEvents } from '../events/outbox.ts'
import {
  type ActorKind,
  type EnrollmentStatus,
  eventOf,
  judgeInclusions,
  type Step,
  type Verdict,
} from '../rules/enrollment.ts'
import {
  activateBenefits,
  applyProfiles,
  applySteps,
  lockBenefits,
  lockEnrollments,
  type OpenEnrollment,
  withdrawBenefits,
} from './transition-queries.ts'

/** Who moves: the actor of the history, and for the audit the client id (an operator's) or the kind itself. */
export interface Actor {
  readonly kind: ActorKind
  readonly id: string | null
  readonly origin: Origin | null
}

export interface Move {
  readonly status: EnrollmentStatus
  readonly reason: string | null
  /** Completing an inclusion: the day the carrier gave, else the one accepted. */
  readonly startDate?: string | null
  /** Completing an exclusion: the last day covered. */
  readonly endDate?: string | null
  readonly cardNumber?: string | null
}

/**
 * The one way in which enrollments change their state: for the operator, `resolution` and the clock alike. Runs inside the
 * caller's transaction and leaves there the new states, their effect on benefits and members, history, audit and events.
 * @param ids enrollments of this company; each is judged by itself, primaries first.
 * @returns a verdict for every id that the company has; an unknown one has none.
 */
export async function moveEnrollments(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  move: Move,
  actor: Actor,
): Promise<Map<string, Verdict>> {
  await lockBenefits(sql, companyId, ids)
  const found = await lockEnrollments(sql, companyId, ids)
  const { verdicts, steps } = judgeInclusions(found, new Set(ids), move.status, move.reason)
  if (steps.length === 0) return verdicts
  const at = new Date()
  const byId = new Map(found.map((one) => [one.id, one]))
  const moved = steps.map((step) => ({ step, enrollment: byId.get(step.id) as OpenEnrollment }))
  await applySteps(sql, companyId, at, actor, steps)
  const happened = await applyEffects(sql, companyId, at, moved, move)
  await writeEvents(sql, companyId, at, [...moved.map(eventOfStep), ...happened])
  await writeAudit(
    sql,
    steps.map((step) => ({
      actor: actor.id ?? actor.kind,
      action: `enrollment.${step.status}`,
      target: step.id,
      companyId,
      origin: actor.origin,
    })),
  )
  return verdicts
}

interface Moved {
  readonly step: Step
  readonly enrollment: OpenEnrollment
}

/** What the new states mean for benefits and members (contract, Benefit status). */
async function applyEffects(
  sql: Sql,
  companyId: string,
  at: Date,
  moved: readonly Moved[],
  move: Move,
): Promise<Happening[]> {
  const completed = moved.filter(({ step }) => step.status === 'completed').map(({ enrollment }) => enrollment)
  const fallen = moved
    .filter(({ step }) => step.status === 'rejected' || step.status === 'cancelled')
    .map(({ enrollment }) => enrollment.benefitId)
  if (fallen.length > 0) await withdrawBenefits(sql, companyId, fallen)
  if (completed.length === 0) return []
  const set = { startDate: move.startDate ?? null, cardNumber: move.cardNumber ?? null }
  const benefitIds = completed.map((enrollment) => enrollment.benefitId)
  await activateBenefits(sql, companyId, at, benefitIds, set)
  await applyProfiles(
    sql,
    companyId,
    at,
    completed.map((enrollment) => enrollment.id),
  )
  return completed.map((enrollment) => ({
    type: 'benefit.activated',
    data: { 'benefit-id': enrollment.benefitId, 'member-id': enrollment.memberId, status: 'active' },
  }))
}

function eventOfStep({ step, enrollment }: Moved): Happening {
  return {
    type: eventOf(step.status),
    data: { 'request-id': enrollment.requestId, 'enrollment-id': enrollment.id, status: step.status },
  }
}
