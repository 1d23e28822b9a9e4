import type { Tx } from '../../core/write.ts'
import type { LocalDate } from '../../domain/calendar.ts'
import type { ContinuationGround } from '../../domain/continuation.ts'
import { insertDrafts } from '../draft-exclusions/draft-exclusion.ts'

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
  await insertDrafts(
    tx,
    companyId,
    endings.map(({ benefitId, ground, leavingDate, endDate }) => ({
      benefitId,
      cause: 'continuation',
      exclusionReason: ground,
      endDate: endDate > leavingDate ? endDate : leavingDate,
    })),
  )
}
