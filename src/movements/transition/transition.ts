import type { Tx } from '#platform/core/write.ts'
import type { DomainEvent } from '#platform/core/events.ts'
import { countMovements } from '#platform/core/telemetry/metrics.ts'
import { isTerminal } from '#coverage/rules/enrollment-status.ts'
import {
  type Judged,
  judgeTransitions,
  type TransitionWarning,
  type Step,
  type TransitionResult,
} from '../rules/transitions.ts'
import { movementRules } from '#kernel/movement-rules.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { proofUntil } from '#coverage/rules/deadline.ts'
import { type EnrollmentStatus, MOVEMENT_KINDS, type MovementKind } from '#kernel/enums.ts'
import type { EffectContext, Decision, TransitionContext } from './types.ts'
import { applyTransfers, transferDependents } from './transfer-effects.ts'
import { applyExclusions } from './exclusion-effects.ts'
import { lockFamilies } from './families.ts'
import { activated } from '#platform/core/events.ts'
import { updateEnrollmentStatus } from './enrollments.ts'
import { answerItems } from './shipment-items.ts'
import { activateBenefits, withdrawBenefits } from './inclusion-effects.ts'
import { lockEnrollments, type OpenEnrollment, readBenefitIds } from './queries.ts'
import { applyRegistrationData, setCardNumbers } from './registration-effects.ts'

/**
 * The only function that changes the status of enrollments: for the operator, `resolution` and the scheduled work. Runs in the
 * caller's transaction and writes the statuses, their effects on benefits and members, history, audit and events.
 * @param decisions by id of enrollments of this company; each is judged separately, primaries first.
 * @returns a result for every id that the company has, an unknown one has none; and all steps, also of dependents that were not named.
 */
export async function transitionEach(
  sql: Tx,
  companyId: string,
  decisions: ReadonlyMap<string, Decision>,
  context: TransitionContext,
): Promise<Judged> {
  const ids = [...decisions.keys()]
  await lockFamilies(sql, companyId, await readBenefitIds(sql, companyId, ids))
  const found = await lockEnrollments(sql, companyId, decisions, context.today())
  const judged = judgeTransitions(found, decisions)
  const { steps } = judged
  if (steps.length === 0) return judged
  const at = sql.at()
  const byId = new Map(found.map((enrollment) => [enrollment.id, enrollment]))
  const changed = steps.map((step) => ({ step, enrollment: byId.get(step.id) as OpenEnrollment }))
  const transitions = changed.map(({ step, enrollment }) => {
    const decision = decisions.get(step.cause)
    // What follows from another's decision gets nothing of its own.
    const own = step.status === decision?.status ? decision : undefined
    const { pendingItems = [], carrierProtocol = null } = own ?? {}
    const informed = informing(step, enrollment, own?.informedOn ?? context.today())
    const isAnswer = decision?.isAnswer === true
    return { ...step, requestId: enrollment.requestId, pendingItems, carrierProtocol, isAnswer, ...informed }
  })
  await updateEnrollmentStatus({ sql, companyId, at }, transitions)
  await answerItems(
    sql,
    at,
    changed.map(({ step, enrollment }) => ({ ...step, companyId: enrollment.destinationCompanyId ?? companyId })),
  )
  sql.afterCommit(() => countEnded(changed))
  const followed = new Map(steps.map(({ id, cause }) => [id, decisions.get(cause) as Decision]))
  const warnings = new Map<string, readonly TransitionWarning[]>()
  const { memberKey } = context
  const effects = { sql, companyId, at, decisions: followed, today: context.today(), memberKey, warnings }
  sql.emit(companyId, await applyEffects(effects, changed))
  for (const [id, ofOne] of warnings) judged.results.set(id, { accepted: true, warnings: ofOne })
  return judged
}

/** When the carrier hears of an exclusion that the beneficiary requested, and by when it must prove it. */
function informing({ status }: Step, { uninformed }: OpenEnrollment, informedOn: LocalDate) {
  if (status !== 'carrier-processing' || uninformed === null) return {}
  return { informedOn, proofUntil: proofUntil(informedOn, uninformed.calendar) }
}

/** `transitionEach` with one decision for all. */
export async function transitionAll(
  tx: Tx,
  companyId: string,
  ids: readonly string[],
  decision: Decision,
  context: TransitionContext,
): Promise<Map<string, TransitionResult>> {
  const decisions = new Map(ids.map((id) => [id, decision]))
  return (await transitionEach(tx, companyId, decisions, context)).results
}

interface Changed {
  readonly step: Step
  readonly enrollment: OpenEnrollment
}

/** The effect of completed enrollments on benefits. */
const completionEffects: Readonly<
  Record<MovementKind, (context: EffectContext, enrollments: readonly OpenEnrollment[]) => Promise<DomainEvent[]>>
> = {
  inclusion: activateInclusions,
  exclusion: applyExclusions,
  async alteration(context, alterations) {
    await setCardNumbers(context, alterations)
    return applyTransfers(
      context,
      alterations.filter((alteration) => alteration.isTransfer),
    )
  },
}

/** Applies the effects of the new statuses on benefits and members. @returns events not written yet. */
async function applyEffects(context: EffectContext, changed: readonly Changed[]): Promise<DomainEvent[]> {
  const withdrawn = changed
    .filter(
      ({ step, enrollment }) => movementRules[enrollment.enrollmentType].createsBenefit && isWithdrawn(step.status),
    )
    .map(({ enrollment }) => enrollment.benefitId)
  if (withdrawn.length > 0) await withdrawBenefits(context, withdrawn)
  const completed = changed.filter(({ step }) => step.status === 'completed').map(({ enrollment }) => enrollment)
  if (completed.length === 0) return []
  const withData = completed
    .filter((enrollment) => movementRules[enrollment.enrollmentType].changesProfile)
    .map((enrollment) => enrollment.id)
  if (withData.length > 0) await applyRegistrationData(context, withData)
  const events: DomainEvent[] = []
  for (const type of MOVEMENT_KINDS) {
    const ofType = completed.filter((enrollment) => enrollment.enrollmentType === type)
    events.push(...(await completionEffects[type](context, ofType)))
  }
  return events
}

function countEnded(changed: readonly Changed[]): void {
  for (const { step, enrollment } of changed) {
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
  const dependents = inclusions
    .filter((inclusion) => inclusion.memberType === 'dependent')
    .map((inclusion) => inclusion.benefitId)
  return [...events, ...(await transferDependents(context, dependents))]
}
