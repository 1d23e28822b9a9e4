import { v7 as uuidv7 } from 'uuid'
import { writeAudit } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'
import { lastDay } from '../domain/exclusion.ts'
import { endLate, followPrimaries } from './transfer-effects.ts'
import {
  type Ending,
  type EndingBenefit,
  endBenefits,
  insertDependentExclusions,
  readJoined,
  readTargets,
  voidReplacements,
} from './exclusion-queries.ts'
import { deactivated } from './benefit-events.ts'
import type { EffectContext } from './transition-types.ts'
import type { OpenEnrollment } from './transition-queries.ts'

/**
 * Ends the benefits of completed exclusions: at once when the last day has come, else on that day by the clock. With an
 * extension plan they stay active, marked, until the operator ends them (Lei 9.656 arts. 30 and 31). Dependents who joined
 * a primary since are ended by exclusions of their own. A plan change that lay ahead is void.
 */
export async function applyExclusions(
  context: EffectContext,
  exclusions: readonly OpenEnrollment[],
): Promise<DomainEvent[]> {
  if (exclusions.length === 0) return []
  const { sql, companyId, at, move } = context
  const requested = await readTargets(
    sql,
    companyId,
    exclusions.map((one) => one.id),
  )
  const joined = await readJoined(
    sql,
    companyId,
    requested.map((target) => target.enrollmentId),
    requested.map((target) => target.benefitId),
  )
  await recordJoined(sql, companyId, at, joined)
  const leaders = new Map(requested.map((target) => [`${target.memberId} ${target.productId}`, target]))
  const ending = [...requested, ...joined].map((target) => ({
    id: target.benefitId,
    companyId: target.companyId,
    isPrimary: target.primaryMemberId === null,
    endDate: lastDay(move.endDate ?? target.endDate, target.startDate),
    extended: leaders.get(`${target.primaryMemberId} ${target.productId}`)?.extensionPlan ?? target.extensionPlan,
  }))
  await voidReplacements(
    sql,
    at,
    ending.map((benefit) => benefit.id),
  )
  const events: DomainEvent[] = []
  for (const [company, some] of Map.groupBy(ending, (benefit) => benefit.companyId)) {
    const ended = await endFamilies({ ...context, companyId: company }, some)
    if (company === companyId) events.push(...ended)
    else await writeEvents(sql, company, at, ended)
  }
  return events
}

/** Ends benefits of one company, primaries' first: no dependent's ends after its primary's, whatever its own exclusion says. */
async function endFamilies(
  context: EffectContext,
  ending: readonly (Ending & { readonly isPrimary: boolean })[],
): Promise<DomainEvent[]> {
  const { sql, companyId, at, today } = context
  const [primaries, dependents] = [ending.filter((one) => one.isPrimary), ending.filter((one) => !one.isPrimary)]
  const ended = []
  for (const some of [primaries, dependents]) {
    if (some.length > 0) ended.push(...(await endBenefits(sql, companyId, at, today, some)))
  }
  const late = await endLate(
    context,
    primaries.map((one) => one.id),
  )
  const following = await followPrimaries(
    context,
    companyId,
    dependents.map((one) => one.id),
  )
  return [...ended.map(deactivated), ...late, ...following]
}

/** Gives dependents who joined since the exclusion was asked for one of their own, done by the service. */
async function recordJoined(sql: Sql, companyId: string, at: Date, joined: readonly EndingBenefit[]): Promise<void> {
  if (joined.length === 0) return
  const rows = joined.map((target) => ({
    id: uuidv7(),
    primaryEnrollmentId: target.enrollmentId,
    benefitId: target.benefitId,
  }))
  const requests = new Map(
    (await insertDependentExclusions(sql, companyId, at, rows)).map((one) => [one.id, one.requestId]),
  )
  await writeEvents(
    sql,
    companyId,
    at,
    rows.flatMap(({ id }) =>
      (['created', 'completed'] as const).map((status) => ({
        type: `enrollment.${status}` as const,
        data: { 'request-id': requests.get(id) ?? '', 'enrollment-id': id, status },
      })),
    ),
  )
  await writeAudit(
    sql,
    rows.map(({ id }) => ({ actor: 'service', action: 'enrollment.completed', target: id, companyId, origin: null })),
  )
}
