import type { Tx } from '../../core/write.ts'
import { withPlansFor } from '../../core/database.ts'
import type { DomainEvent } from '../../core/events.ts'
import { countMovements } from '../../core/telemetry/metrics.ts'
import {
  isTerminal,
  type Judged,
  judgeTransitions,
  type MoveWarning,
  movementRules,
  type Step,
  type Verdict,
} from '../../domain/enrollment-status.ts'
import { type EnrollmentStatus, REQUEST_TYPES, type RequestType } from '../../domain/enums.ts'
import type { EffectContext, Move, TransitionContext } from './types.ts'
import { applyTransfers, transferDependents } from './transfer-effects.ts'
import { applyExclusions } from './exclusion-effects.ts'
import { lockFamilies } from './families.ts'
import { activated } from '../../core/events.ts'
import { updateEnrollmentStatus } from './enrollments.ts'
import {
  activateBenefits,
  applyRegistrationData,
  lockEnrollments,
  type OpenEnrollment,
  readBenefitIds,
  withdrawBenefits,
} from './queries.ts'

/**
 * The only function that changes the status of enrollments: for the operator, `resolution` and the scheduled work. Runs in the
 * caller's transaction and writes the statuses, their effects on benefits and members, history, audit and events.
 * @param moves by id of enrollments of this company; each is judged separately, primaries first.
 * @returns a verdict for every id that the company has, an unknown one has none; and all steps, also of dependents that were not named.
 */
export async function moveEach(
  tx: Tx,
  companyId: string,
  moves: ReadonlyMap<string, Move>,
  context: TransitionContext,
): Promise<Judged> {
  const sql = withPlansFor(tx, moves.size)
  const ids = [...moves.keys()]
  await lockFamilies(sql, companyId, await readBenefitIds(sql, companyId, ids))
  const found = await lockEnrollments(sql, companyId, moves, context.today())
  const judged = judgeTransitions(found, moves)
  const { steps } = judged
  if (steps.length === 0) return judged
  const at = sql.at()
  const byId = new Map(found.map((one) => [one.id, one]))
  const moved = steps.map((step) => ({ step, enrollment: byId.get(step.id) as OpenEnrollment }))
  const transitions = moved.map(({ step, enrollment }) => {
    const move = moves.get(step.cause)
    const pendingItems = step.status === move?.status ? (move.pendingItems ?? []) : []
    return { ...step, requestId: enrollment.requestId, pendingItems }
  })
  await updateEnrollmentStatus({ sql, companyId, at }, transitions)
  sql.afterCommit(() => countEnded(moved))
  const followed = new Map(steps.map(({ id, cause }) => [id, moves.get(cause) as Move]))
  const warnings = new Map<string, readonly MoveWarning[]>()
  const { memberKey } = context
  const effects = { sql, companyId, at, moves: followed, today: context.today(), memberKey, warnings }
  sql.emit(companyId, await applyEffects(effects, moved))
  for (const [id, ofMove] of warnings) judged.verdicts.set(id, { moved: true, warnings: ofMove })
  return judged
}

/** `moveEach` with one move for all. */
export async function moveEnrollments(
  tx: Tx,
  companyId: string,
  ids: readonly string[],
  move: Move,
  context: TransitionContext,
): Promise<Map<string, Verdict>> {
  const moves = new Map(ids.map((id) => [id, move]))
  return (await moveEach(tx, companyId, moves, context)).verdicts
}

interface Moved {
  readonly step: Step
  readonly enrollment: OpenEnrollment
}

/** The effect of completed enrollments on benefits. */
const completionEffects: Readonly<
  Record<RequestType, (context: EffectContext, enrollments: readonly OpenEnrollment[]) => Promise<DomainEvent[]>>
> = {
  inclusion: activateInclusions,
  exclusion: applyExclusions,
  alteration: (context, alterations) =>
    applyTransfers(
      context,
      alterations.filter((one) => one.isTransfer),
    ),
}

/** Applies the effects of the new statuses on benefits and members. @returns events not written yet. */
async function applyEffects(context: EffectContext, moved: readonly Moved[]): Promise<DomainEvent[]> {
  const withdrawn = moved
    .filter(
      ({ step, enrollment }) => movementRules[enrollment.enrollmentType].createsBenefit && isWithdrawn(step.status),
    )
    .map(({ enrollment }) => enrollment.benefitId)
  if (withdrawn.length > 0) await withdrawBenefits(context, withdrawn)
  const completed = moved.filter(({ step }) => step.status === 'completed').map(({ enrollment }) => enrollment)
  if (completed.length === 0) return []
  const withData = completed.filter((one) => movementRules[one.enrollmentType].changesProfile).map((one) => one.id)
  if (withData.length > 0) await applyRegistrationData(context, withData)
  const events: DomainEvent[] = []
  for (const type of REQUEST_TYPES) {
    const ofType = completed.filter((one) => one.enrollmentType === type)
    events.push(...(await completionEffects[type](context, ofType)))
  }
  return events
}

function countEnded(moved: readonly Moved[]): void {
  for (const { step, enrollment } of moved) {
    if (isTerminal(step.status)) countMovements(enrollment.enrollmentType, step.status)
  }
}

function isWithdrawn(status: EnrollmentStatus): boolean {
  return status === 'rejected' || status === 'cancelled'
}

/** Activates benefits. A dependent whose primary was transferred before is transferred too. */
async function activateInclusions(
  context: EffectContext,
  inclusions: readonly OpenEnrollment[],
): Promise<DomainEvent[]> {
  if (inclusions.length === 0) return []
  for (const [id, warnings] of await activateBenefits(context, inclusions)) context.warnings.set(id, warnings)
  const events = inclusions.map(({ benefitId, memberId }) => activated({ id: benefitId, memberId }))
  const dependents = inclusions.filter((one) => one.memberType === 'dependent').map((one) => one.benefitId)
  return [...events, ...(await transferDependents(context, dependents))]
}
