import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { decideWithin, mayDecide } from './decide.ts'
import type { DecidedItem } from './items.ts'
import { createJob, linesOf } from './job.ts'
import { lockWork, readHeld, readJobStatus, undoJob } from './job-queries.ts'
import { decisionsOf, type ItemResult } from './results.ts'

/**
 * Holds decisions that can be undone: they are judged now, and a job makes them when the time to undo them is over (docs/decisions/0061-decisions-can-be-undone-before-they-are-made.md).
 * @returns the id of the job; or the results, when every item is refused: nothing is held then.
 */
export async function holdDecisions(
  context: Context,
  actor: ClientActor,
  items: readonly DecidedItem[],
): Promise<string | readonly ItemResult[]> {
  const results = await judgeItems(context, actor, items)
  if (results.every(({ accepted }) => !accepted)) return results
  const lines = linesOf(items).map((line, index) => {
    const result = results[index]
    return result === undefined || result.accepted ? line : { line: line.line, id: line.id, refused: result }
  })
  return createJob(context, actor, lines, { undoSeconds: context.config.undoSeconds })
}

/** What the decisions would result in after those that are held; nothing of it is kept. */
async function judgeItems(context: Context, actor: ClientActor, items: readonly DecidedItem[]): Promise<ItemResult[]> {
  const { decisions, refusalOf } = decisionsOf(items)
  const { results, held } = await write(context, actor, { may: mayDecide }, async (tx) => {
    // Before they are judged: a decision that is made meanwhile is judged as made.
    const waiting = await readHeld(tx, [...decisions.keys()])
    const judged = await tx.savepoint(
      () => decideWithin(tx, context, async () => tx, decisions),
      () => false,
    )
    return { results: judged, held: waiting }
  })
  const idsOf = (isPrimary: boolean) =>
    new Set(held.filter((enrollment) => enrollment.isPrimary === isPrimary).map(({ id }) => id))
  const [own, ofPrimary] = [idsOf(false), idsOf(true)]
  return items.map((item): ItemResult => {
    if (own.has(item.id)) return { accepted: false, code: 'decision-held' }
    const result = refusalOf(item) ?? results.get(item.id) ?? { accepted: false, code: 'enrollment-not-found' }
    const waitsForPrimary = !result.accepted && result.code === 'primary-member-not-active' && ofPrimary.has(item.id)
    return waitsForPrimary ? { accepted: true } : result
  })
}

/** Undoes the decisions of a job that has not begun. @throws ApiError 404; 409 when it has begun, or could never be undone. */
export async function undoDecisions(context: Context, actor: ClientActor, jobId: string): Promise<void> {
  // The worker locks the work before the job, too.
  const lock = (sql: Sql) => lockWork(sql, jobId)
  await write(context, actor, { may: mayDecide, lock }, async (tx) => {
    if (!(await undoJob(tx, jobId))) {
      throw new ApiError((await readJobStatus(tx, jobId)) === null ? 'decision-job-not-found' : 'decision-job-started')
    }
    tx.audit({ action: 'decision-job.undone', target: jobId, companyId: null })
  })
}
