import type { Tx } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { ContinuationGround } from '#coverage/rules/continuation.ts'
import { insertDrafts } from '../draft-exclusions/draft-exclusion.ts'
import { readFamilies } from './queries.ts'

/** A family whose cover ends because the right to keep the plan has. */
interface EndingContinuation {
  readonly benefitId: string
  readonly ground: ContinuationGround
  readonly leavingDate: LocalDate
  /** The last day covered, if it is after the last day as an employee. */
  readonly endDate: LocalDate
}

/** Proposes the exclusions of families, for a person to confirm. */
export async function insertContinuationDrafts(
  tx: Tx,
  companyId: string,
  endings: readonly EndingContinuation[],
): Promise<void> {
  const family = await readFamilies(
    tx,
    companyId,
    endings.map(({ benefitId }) => benefitId),
  )
  const byPrimary = Map.groupBy(family, (benefit) => benefit.primaryBenefitId)
  const drafts = endings.flatMap(({ benefitId: primaryId, ground, leavingDate, endDate }) => {
    const active = byPrimary.get(primaryId) ?? []
    // The exclusion of the primary is also that of the dependents; after a death each has its own.
    const ids = active.some(({ id }) => id === primaryId) ? [primaryId] : active.map(({ id }) => id)
    const day = endDate > leavingDate ? endDate : leavingDate
    return ids.map(
      (benefitId) => ({ benefitId, cause: 'continuation', exclusionReason: ground, endDate: day }) as const,
    )
  })
  await insertDrafts(tx, companyId, drafts)
}
