import { writeAudit } from '../audit/audit-log.ts'
import { afterCommit, type Sql } from '../platform/database.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'
import { countMovements } from '../telemetry/metrics.ts'
import { eventOf, judgeTransition, type Step, type Verdict } from '../domain/enrollment-status.ts'
import type { EnrollmentStatus } from '../domain/enums.ts'
import type { Actor, EffectContext, Move, TransitionContext } from './transition-types.ts'
import { applyTransfers, followPrimaries } from './transfer-effects.ts'
import { applyExclusions } from './exclusion-effects.ts'
import { lockFamilies } from './family-queries.ts'
import { activated } from './benefit-events.ts'
import { applyRegistrationData } from './profile-queries.ts'
import { updateEnrollmentStatus } from './write.ts'
import {
  activateBenefits,
  lockEnrollments,
  type OpenEnrollment,
  readBenefitIds,
  withdrawBenefits,
} from './transition-queries.ts'

/**
 * The only way in which enrollments change their status: for the operator, `resolution` and the clock alike. Writes, in the caller's
 * transaction, the new statuses, their effects on benefits and members, history, audit and events.
 * @param ids enrollments of this company; each is judged by itself, primaries first.
 * @returns a verdict for every id that the company has; an unknown one has none.
 */
export async function moveEnrollments(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  move: Move,
  actor: Actor,
  context: TransitionContext,
): Promise<Map<string, Verdict>> {
  await lockFamilies(sql, companyId, await readBenefitIds(sql, companyId, ids))
  const found = await lockEnrollments(sql, companyId, ids)
  const { verdicts, steps } = judgeTransition(found, new Set(ids), move.status, move.reason)
  if (steps.length === 0) return verdicts
  const at = new Date()
  const byId = new Map(found.map((one) => [one.id, one]))
  const moved = steps.map((step) => ({ step, enrollment: byId.get(step.id) as OpenEnrollment }))
  await updateEnrollmentStatus(sql, companyId, at, actor, steps)
  await writeEvents(sql, companyId, at, moved.map(eventOfStep))
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
  afterCommit(sql, () => countEnded(moved))
  const events = await applyEffects(
    { sql, companyId, at, move, today: context.today(), memberKey: context.memberKey },
    moved,
  )
  await writeEvents(sql, companyId, at, events)
  return verdicts
}

interface Moved {
  readonly step: Step
  readonly enrollment: OpenEnrollment
}

/** Applies the effects of the new statuses to benefits and members. */
async function applyEffects(context: EffectContext, moved: readonly Moved[]): Promise<DomainEvent[]> {
  const { sql, companyId, at } = context
  const refused = moved
    .filter(({ step, enrollment }) => enrollment.enrollmentType === 'inclusion' && isRefused(step.status))
    .map(({ enrollment }) => enrollment.benefitId)
  if (refused.length > 0) await withdrawBenefits(sql, companyId, refused)
  const completed = moved.filter(({ step }) => step.status === 'completed').map(({ enrollment }) => enrollment)
  if (completed.length === 0) return []
  const of = (type: OpenEnrollment['enrollmentType']) => completed.filter((one) => one.enrollmentType === type)
  const withData = [...of('inclusion'), ...of('alteration')].map((one) => one.id)
  if (withData.length > 0) await applyRegistrationData(sql, companyId, at, withData)
  return [
    ...(await activate(context, of('inclusion'))),
    ...(await applyExclusions(context, of('exclusion'))),
    ...(await applyTransfers(
      context,
      of('alteration').filter((one) => one.isChange),
    )),
  ]
}

function countEnded(moved: readonly Moved[]): void {
  for (const { step, enrollment } of moved) {
    if (step.status === 'completed' || isRefused(step.status)) countMovements(enrollment.enrollmentType, step.status)
  }
}

function isRefused(status: EnrollmentStatus): boolean {
  return status === 'rejected' || status === 'cancelled'
}

/** Activates benefits. A dependent whose primary has changed plan or company meanwhile follows at once. */
async function activate(context: EffectContext, inclusions: readonly OpenEnrollment[]): Promise<DomainEvent[]> {
  if (inclusions.length === 0) return []
  const { sql, companyId, at, move } = context
  const benefitIds = inclusions.map((enrollment) => enrollment.benefitId)
  await activateBenefits(sql, companyId, at, benefitIds, {
    startDate: move.startDate ?? null,
    cardNumber: move.cardNumber ?? null,
  })
  const events = inclusions.map(({ benefitId, memberId }) => activated({ id: benefitId, memberId }))
  const joined = inclusions.filter((one) => one.memberType === 'dependent').map((one) => one.benefitId)
  return [...events, ...(await followPrimaries(context, companyId, joined))]
}

function eventOfStep({ step, enrollment }: Moved): DomainEvent {
  return {
    type: eventOf(step.status),
    data: { 'request-id': enrollment.requestId, 'enrollment-id': enrollment.id, status: step.status },
  }
}
