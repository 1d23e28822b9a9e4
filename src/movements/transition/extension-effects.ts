import { earlier, type EndedFacts, extendedEnd } from '../rules/exclusion.ts'
import type { BenefitEnd, ExcludedBenefit } from './exclusion-queries.ts'
import { readEndedDependents, readEndedFacts } from './extension-queries.ts'
import type { EffectContext } from './types.ts'

/** The end of a benefit of one company; primaries' are set first. */
export interface FamilyEnd extends BenefitEnd {
  readonly companyId: string
  readonly isPrimary: boolean
}

interface Ended extends ExcludedBenefit {
  readonly isExcluded?: boolean
}

const noLimit = '9999-12-31'

/** The primary's benefit of a dependent's, or of a primary itself, among those of one call. */
export const familyKey = (benefit: Pick<ExcludedBenefit, 'memberId' | 'primaryMemberId' | 'productId'>) =>
  `${benefit.primaryMemberId ?? benefit.memberId} ${benefit.productId}`

/**
 * The extensions of benefits that ended before their exclusions were completed: to the later day of the exclusion, a primary's together with the dependents'
 * that ended with it. A dependent's own exclusion has the effect that it asks for, as far as the primary's benefit allows.
 * @param primaryEnds the ends that active benefits of primaries get in the same call, by `familyKey`.
 * @param ownIds the exclusions that are not part of a primary's.
 * @returns the ends, and the dependents among them that have no exclusion in the request yet.
 */
export async function readExtensions(
  { sql, companyId, decisions, today }: EffectContext,
  ended: readonly ExcludedBenefit[],
  primaryEnds: ReadonlyMap<string, FamilyEnd>,
  ownIds: ReadonlySet<string>,
): Promise<{ ends: FamilyEnd[]; joined: ExcludedBenefit[] }> {
  const all: readonly Ended[] = [...ended, ...(await readEndedDependents(sql, companyId, ended))]
  const facts = new Map<string, EndedFacts>()
  for (const [ownCompanyId, benefits] of Map.groupBy(all, (benefit) => benefit.companyId)) {
    const ids = benefits.map(({ benefitId }) => benefitId)
    for (const [id, found] of await readEndedFacts(sql, ownCompanyId, ids)) facts.set(id, found)
  }
  const givenEnd = (exclusion: Ended) => decisions.get(exclusion.enrollmentId)?.endDate ?? exclusion.requestedEnd
  const extended = new Map<string, { readonly former: string; readonly end: FamilyEnd }>()
  const ends: FamilyEnd[] = []
  const joined: ExcludedBenefit[] = []
  for (const exclusion of all.toSorted(
    (a, b) => Number(a.primaryMemberId !== null) - Number(b.primaryMemberId !== null),
  )) {
    const known = facts.get(exclusion.benefitId)
    if (known === undefined || exclusion.endDate === null) continue
    const isPrimary = exclusion.primaryMemberId === null
    const primary = isPrimary ? undefined : extended.get(familyKey(exclusion))
    const primaryEnd = isPrimary ? undefined : (primary?.end ?? primaryEnds.get(familyKey(exclusion)))
    const isFollower = primaryEnd !== undefined && !ownIds.has(exclusion.enrollmentId)
    if ((isFollower || exclusion.isExcluded !== undefined) && !endedWith(exclusion, primary?.former)) continue
    const isKept = exclusion.extensionPlan && (isPrimary || primaryEnd?.extended === true) && known.ownEnd === null
    const requested = isFollower
      ? earlier(givenEnd(exclusion), known.ownEnd)
      : primaryEnd
        ? exclusion.requestedEnd
        : givenEnd(exclusion)
    const limit = primaryEnd === undefined ? known.primaryEnd : primaryEnd.extended ? noLimit : primaryEnd.endDate
    const day = extendedEnd({ ...exclusion, isKept }, { ...known, primaryEnd: limit }, requested, today)
    if (day === null) continue
    const end = {
      id: exclusion.benefitId,
      companyId: exclusion.companyId,
      isPrimary,
      endDate: day,
      extended: isKept,
      extends: true,
    }
    ends.push(end)
    if (isPrimary) extended.set(familyKey(exclusion), { former: exclusion.endDate, end })
    if (exclusion.isExcluded === false) joined.push(exclusion)
  }
  return { ends, joined }
}

/** Whether a dependent's benefit ended on the same day as the primary's, or never began because that one ended. */
function endedWith({ startDate, endDate }: Ended, primaryEnd: string | undefined): boolean {
  if (primaryEnd === undefined || endDate === null) return false
  return endDate === primaryEnd || (endDate < startDate && startDate > primaryEnd)
}
