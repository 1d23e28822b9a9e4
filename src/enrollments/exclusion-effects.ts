import { v7 as uuidv7 } from 'uuid'
import { writeAudit } from '../account/audit.ts'
import type { Sql } from '../database.ts'
import { type Happening, writeEvents } from '../events/outbox.ts'
import { lastDay } from '../rules/exclusion.ts'
import {
  type EndingBenefit,
  endBenefits,
  insertJoinedExclusions,
  readJoined,
  readTargets,
  voidSuccessors,
} from './ending-queries.ts'
import { deactivated } from './happenings.ts'
import type { EffectContext } from './transition.ts'
import type { OpenEnrollment } from './transition-queries.ts'

/**
 * Ends the benefits of completed exclusions: at once when the last day has come, else on that day by the clock. With an
 * extension plan they stay active, marked, until the operator ends them (Lei 9.656 arts. 30 and 31). Dependents who joined
 * a primary since are ended by exclusions of their own. A plan change that lay ahead is void.
 */
export async function applyExclusions(
  context: EffectContext,
  exclusions: readonly OpenEnrollment[],
): Promise<Happening[]> {
  if (exclusions.length === 0) return []
  const { sql, companyId, at, today, move } = context
  const asked = await readTargets(
    sql,
    companyId,
    exclusions.map((one) => one.id),
  )
  const joined = await readJoined(
    sql,
    companyId,
    asked.map((target) => target.enrollmentId),
    asked.map((target) => target.benefitId),
  )
  await recordJoined(sql, companyId, at, joined)
  // A dependent's own exclusion may name a later day than its primary's: it ends with the primary all the same.
  const leaders = new Map(asked.map((target) => [`${target.memberId} ${target.productId}`, target]))
  const ending = [...asked, ...joined].map((target) => {
    const leader = leaders.get(`${target.primaryMemberId} ${target.productId}`)
    const day = move.endDate ?? earlier(target.endDate, leader?.endDate)
    const extended = leader?.extensionPlan ?? target.extensionPlan
    return { id: target.benefitId, companyId: target.companyId, endDate: lastDay(day, target.startDate), extended }
  })
  await voidSuccessors(
    sql,
    ending.map((benefit) => benefit.id),
  )
  const happened: Happening[] = []
  for (const [home, some] of Map.groupBy(ending, (benefit) => benefit.companyId)) {
    const ended = (await endBenefits(sql, home, at, today, some)).map(deactivated)
    if (home === companyId) happened.push(...ended)
    else await writeEvents(sql, home, at, ended)
  }
  return happened
}

function earlier(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one
}

/** Gives dependents who joined since the exclusion was asked for one of their own, done by the service. */
async function recordJoined(sql: Sql, companyId: string, at: Date, joined: readonly EndingBenefit[]): Promise<void> {
  if (joined.length === 0) return
  const rows = joined.map((target) => ({ id: uuidv7(), leaderId: target.enrollmentId, benefitId: target.benefitId }))
  const requests = new Map(
    (await insertJoinedExclusions(sql, companyId, at, rows)).map((one) => [one.id, one.requestId]),
  )
  await writeEvents(
    sql,
    companyId,
    at,
    rows.flatMap(({ id }) =>
      ['created', 'completed'].map((status) => ({
        type: `enrollment.${status}`,
        data: { 'request-id': requests.get(id) ?? '', 'enrollment-id': id, status },
      })),
    ),
  )
  await writeAudit(
    sql,
    rows.map(({ id }) => ({ actor: 'service', action: 'enrollment.completed', target: id, companyId, origin: null })),
  )
}
