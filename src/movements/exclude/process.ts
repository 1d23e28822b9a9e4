import type { Tx } from '../../core/write.ts'
import type { Resolution } from '../../domain/enums.ts'
import { lockFamilies } from '../transition/families.ts'
import type { Context } from '../../http/context.ts'
import { withPlansFor } from '../../core/database.ts'
import { decideAtOnce } from '../decide/decide-at-once.ts'
import { type Chunk, EarlierRequestError, insertFailures, processBatch, type Progress } from '../batch/progress.ts'
import { insertChunkExclusions, readChunk, readFailures } from './process-queries.ts'

/**
 * Processes one chunk of an accepted batch of exclusions: inserts its enrollments.
 * @throws EarlierRequestError, NotVisibleYetError.
 */
export async function processExclusion(
  context: Context,
  sql: Tx,
  companyId: string,
  requestId: string,
): Promise<Progress> {
  return processBatch(sql, 'staged_exclusion', companyId, requestId, (at, chunk, resolution) =>
    processChunk(context, sql, at, chunk, resolution),
  )
}

async function processChunk(
  context: Context,
  transaction: Tx,
  at: Date,
  chunk: Chunk,
  resolution: Resolution | null,
): Promise<void> {
  const { companyId } = chunk
  const { benefitIds, hasEarlier } = await readChunk(transaction, chunk)
  if (hasEarlier) throw new EarlierRequestError()
  const sql = withPlansFor(transaction, benefitIds.length)
  await lockFamilies(sql, companyId, benefitIds)
  const failures = await readFailures(sql, chunk)
  if (failures.length > 0)
    await insertFailures(
      sql,
      chunk,
      failures.map(({ failure }) => failure),
    )
  const failedIds = failures.map(({ enrollmentId }) => enrollmentId)
  const enrollments = await insertChunkExclusions({ sql, companyId, at }, chunk, failedIds)
  const ids = enrollments.map(({ id }) => id)
  await decideAtOnce(sql, context, companyId, ids, resolution)
}
