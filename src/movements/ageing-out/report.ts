import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { addDays } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import { dropDrafts, dropObsoleteDrafts, insertDrafts, reportEndings } from '../draft-exclusions/draft-exclusion.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'
import { type AgeingBenefit, endsBy, type Position, readAgeing } from './queries.ts'

/** So many days before the end of a benefit its clients get an event. */
export const REPORT_DAYS = 60

/** What is to be done about the end of a benefit. */
interface Work {
  readonly benefit: AgeingBenefit
  readonly isNew: boolean
  readonly proposes: boolean
  /** Open drafts of another end, or of a benefit that does not end. */
  readonly stale: readonly string[]
}

/**
 * Reports the ends of benefits of dependents who become too old within 60 days, proposes the exclusions where the limit says so, and discards the
 * drafts that no longer hold. Several processes may run it at once: each end of a benefit is reported and proposed once.
 * @returns how many ends were reported, and drafts created or discarded.
 */
export async function reportAgeingOut(
  context: Context,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<number> {
  const by = addDays(context.today(), REPORT_DAYS)
  let done = await dropObsoleteDrafts(context, signal)
  let after: Position | undefined
  while (!signal.aborted) {
    const page = await readAgeing(
      context.database,
      by,
      { companyTaxId: null, contractId: null },
      { limit: CHUNK_SIZE, ...(after && { after }) },
    )
    const work = page.map((benefit) => workOf(benefit, endsBy(benefit, by))).filter(hasWork)
    for (const [companyId, works] of Map.groupBy(work, ({ benefit }) => benefit.companyId)) {
      const reported = await attempts.run({ kind: 'ageing-out', targetId: companyId, companyId }, () =>
        write(context, { kind: 'clock' }, { may: 'service' }, (tx) => reportOf(tx, companyId, works)),
      )
      done += reported ?? 0
    }
    after = page.at(-1)
    if (page.length < CHUNK_SIZE) break
  }
  return done
}

function workOf(benefit: AgeingBenefit, ends: boolean): Work {
  const { lastDay, limit, reported, drafts } = benefit
  const isEnd = ends && lastDay !== null
  return {
    benefit,
    isNew: isEnd && !reported.includes(lastDay),
    proposes: isEnd && limit?.['draft-exclusion'] === true && drafts.every(({ endDate }) => endDate !== lastDay),
    stale: drafts.filter(({ isOpen, endDate }) => isOpen && endDate !== lastDay).map(({ id }) => id),
  }
}

const hasWork = ({ isNew, proposes, stale }: Work): boolean => isNew || proposes || stale.length > 0

async function reportOf(tx: Tx, companyId: string, works: readonly Work[]): Promise<number> {
  const endingOf = ({ benefit }: Work) => ({ ...benefit, cause: 'age-limit', endDate: benefit.lastDay ?? '' }) as const
  const dropped = await dropDrafts(
    tx,
    companyId,
    works.flatMap(({ stale }) => stale),
  )
  const reported = await reportEndings(tx, companyId, works.filter(({ isNew }) => isNew).map(endingOf))
  const drafts = works
    .filter(({ proposes }) => proposes)
    .map((work) => ({ ...endingOf(work), exclusionReason: 'loss-of-dependent-status' }) as const)
  return dropped + reported + (await insertDrafts(tx, companyId, drafts))
}
