import type { DomainEvent } from '#platform/core/events.ts'
import { earlier, lastDay, ownEnd } from '../rules/exclusion.ts'
import { settleExtensions } from './settle-extensions.ts'
import { type LeavingBenefit, recordDeaths, recordRefusals, startContinuations } from './continuation-effects.ts'
import { endLate, transferDependents } from './transfer-effects.ts'
import {
  type BenefitEnd,
  deletePendingReplacements,
  type DependentBenefit,
  endBenefits,
  type ExcludedBenefit,
  insertDependentExclusions,
  readExcludedBenefits,
  readOtherDependents,
} from './exclusion-queries.ts'
import { activated, deactivated } from '#platform/core/events.ts'
import { familyKey, type FamilyEnd, readExtensions } from './extension-effects.ts'
import type { EffectContext } from './types.ts'
import type { OpenEnrollment } from './queries.ts'

/**
 * Ends the benefits of completed exclusions: at once if the last day is not in the future, else the scheduled work ends them on that day. With an
 * extension plan they stay active, marked, until the operator ends them (Lei 9.656 arts. 30 and 31); where a primary dies who had kept the plan, its
 * dependents' stay. Dependents who joined a primary after
 * the exclusion was requested get exclusions of their own. A benefit that has ended meanwhile is extended to a later last day. An own exclusion of a dependent, completed with the primary's, has the effect
 * that it asks for, as far as the primary's benefit allows; the earlier day of one that was approved ahead stays. Pending plan changes of the
 * benefits are deleted.
 */
export async function applyExclusions(
  context: EffectContext,
  exclusions: readonly OpenEnrollment[],
): Promise<DomainEvent[]> {
  if (exclusions.length === 0) return []
  const { sql, companyId, at } = context
  const enrollmentIds = exclusions.map(({ id }) => id)
  // What the contract says may have changed since.
  await settleExtensions(sql, companyId, enrollmentIds)
  const read = async () => {
    const found = await readExcludedBenefits(sql, companyId, enrollmentIds)
    const excluded = found.filter(({ status }) => status === 'active')
    const ended = found.filter(({ status }) => status === 'inactive')
    return { excluded, ended, others: await readOtherDependents(sql, companyId, excluded) }
  }
  let { excluded, ended: formerlyEnded, others } = await read()
  // The deletion restores the ends that the benefits had before the plan changes.
  if ((await deletePendingReplacements(sql, at, [...excluded, ...others].map(keyOf))) > 0) {
    ;({ excluded, ended: formerlyEnded, others } = await read())
  }
  const ownIds = new Set(exclusions.filter((exclusion) => exclusion.primaryEnrollmentId === null).map(({ id }) => id))
  const ends = endsOf(context, excluded, others, ownIds)
  const primaryEnds = new Map(
    excluded.flatMap((benefit, index): [string, FamilyEnd][] => {
      const end = ends[index]
      return end?.isPrimary ? [[familyKey(benefit), end]] : []
    }),
  )
  const extensions = await readExtensions(context, formerlyEnded, primaryEnds, ownIds)
  const joined = others.filter(({ isExcluded, isSurvived }) => !isExcluded && !isSurvived)
  await insertDependentExclusions(context, [...joined, ...extensions.joined])
  const events: DomainEvent[] = []
  for (const [ownCompanyId, ownEnds] of Map.groupBy([...ends, ...extensions.ends], (end) => end.companyId)) {
    const ended = await endFamilies({ ...context, companyId: ownCompanyId }, ownEnds)
    if (ownCompanyId === companyId) events.push(...ended)
    else sql.emit(ownCompanyId, ended)
  }
  await followContinuations(context, [...excluded, ...formerlyEnded], [...ends, ...extensions.ends])
  return events
}

/** The continuations that follow from exclusions of primaries: they start, are refused, or lose the primary. */
async function followContinuations(
  context: EffectContext,
  benefits: readonly ExcludedBenefit[],
  ends: readonly FamilyEnd[],
): Promise<void> {
  const keptIds = new Set(ends.filter((end) => end.isPrimary && end.extended).map(({ id }) => id))
  const leaving = benefits
    .filter(({ primaryMemberId }) => primaryMemberId === null)
    .map((benefit) => ({
      ...benefit,
      leavingDate: context.decisions.get(benefit.enrollmentId)?.endDate ?? benefit.requestedEnd,
    })) satisfies LeavingBenefit[]
  await startContinuations(
    context,
    leaving.filter(({ benefitId }) => keptIds.has(benefitId)),
  )
  await recordRefusals(context, leaving)
  await recordDeaths(
    context,
    leaving.filter(({ isSurvived }) => isSurvived),
  )
}

/** The ends of active benefits: of the excluded ones, in their order, then of the other dependents. */
function endsOf(
  { decisions }: EffectContext,
  excluded: readonly ExcludedBenefit[],
  others: readonly DependentBenefit[],
  ownIds: ReadonlySet<string>,
): FamilyEnd[] {
  const isExcludedBefore = new Set(others.filter((other) => other.isExcluded).map(({ benefitId }) => benefitId))
  const primaries = new Map(
    excluded.filter((benefit) => benefit.primaryMemberId === null).map((benefit) => [familyKey(benefit), benefit]),
  )
  return [...excluded, ...others].map((benefit) => {
    const primary = benefit.primaryMemberId === null ? undefined : primaries.get(familyKey(benefit))
    const isOwn =
      primary !== undefined && benefit.enrollmentId !== primary.enrollmentId && ownIds.has(benefit.enrollmentId)
    const givenEnd = isOwn
      ? benefit.requestedEnd
      : (decisions.get(benefit.enrollmentId)?.endDate ?? benefit.requestedEnd)
    const ahead = primary === undefined || isOwn ? null : ownEnd(benefit, primary)
    const outlives = primary?.isSurvived === true && !isOwn
    const isExtended = outlives || (benefit.extensionPlan && (primary ?? benefit).extensionPlan)
    const kept = isExtended && !isExcludedBefore.has(benefit.benefitId) ? ahead : null
    return {
      id: benefit.benefitId,
      companyId: benefit.companyId,
      isPrimary: benefit.primaryMemberId === null,
      endDate: kept ?? lastDay(earlier(givenEnd, ahead), benefit.startDate),
      extended: isExtended && kept === null,
      outlives,
    }
  })
}

const keyOf = ({ companyId, benefitId }: ExcludedBenefit) => ({ companyId, id: benefitId })

/** Ends benefits of one company, primaries' first: no dependent's benefit ends after its primary's. */
async function endFamilies(context: EffectContext, ends: readonly FamilyEnd[]): Promise<DomainEvent[]> {
  const [primaries, dependents] = [ends.filter((end) => end.isPrimary), ends.filter((end) => !end.isPrimary)]
  const ended = []
  for (const group of [primaries, dependents]) {
    if (group.length > 0) ended.push(...(await endBenefits(context, context.today, group)))
  }
  const idsOf = (group: readonly BenefitEnd[]) => group.map(({ id }) => id)
  const late = await endLate(context, idsOf(primaries))
  const transferred = await transferDependents(context, idsOf(dependents))
  const changed = ended.map((benefit) => (benefit.status === 'active' ? activated(benefit) : deactivated(benefit)))
  return [...changed, ...late, ...transferred]
}
