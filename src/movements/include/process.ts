import type { Tx } from '../../core/write.ts'
import { withPlansFor } from '../../core/database.ts'
import { decideAtOnce } from '../decide/decide-at-once.ts'
import type { Resolution } from '../../domain/enums.ts'
import { deleteMembersWithoutBenefit } from '../../members/write.ts'
import type { Context } from '../../http/context.ts'
import { type Chunk, EarlierRequestError, insertFailures, processBatch, type Progress } from '../batch/progress.ts'
import {
  insertChunkBenefits,
  insertChunkEnrollments,
  insertChunkMembers,
  lockMembers,
  lockPrimaryBenefits,
  readChunk,
  readFailures,
} from './process-queries.ts'

/**
 * Processes one chunk of an accepted inclusion: inserts its members, benefits and enrollments.
 * @throws EarlierRequestError, NotVisibleYetError.
 */
export async function processInclusion(
  context: Context,
  sql: Tx,
  companyId: string,
  requestId: string,
): Promise<Progress> {
  return processBatch(sql, 'staged_enrollment', companyId, requestId, (at, chunk, resolution) =>
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
  const { primaries, dependents, hasEarlier } = await readChunk(transaction, chunk)
  const sql = withPlansFor(transaction, primaries + dependents)
  if (hasEarlier) throw new EarlierRequestError()
  if (dependents > 0) await lockPrimaryBenefits(sql, chunk)
  await lockMembers(sql, chunk)
  const newMemberIds = (await insertChunkMembers(sql, context.memberKey, at, chunk)).map((member) => member.id)
  if (primaries > 0) await insertChunkBenefits(sql, at, chunk, 'primary')
  if (dependents > 0) await insertChunkBenefits(sql, at, chunk, 'dependent')
  const enrollments = await insertChunkEnrollments(sql, at, chunk, newMemberIds)
  const failures = enrollments.length < primaries + dependents ? await readFailures(sql, chunk) : []
  if (failures.some(({ offenses }) => offenses === null)) throw new EarlierRequestError()
  if (failures.length > 0) {
    await insertFailures(sql, chunk, failures)
    await deleteMembersWithoutBenefit(sql, companyId, newMemberIds)
  }
  const ids = enrollments.map(({ id }) => id)
  await decideAtOnce(sql, context, companyId, ids, resolution)
}
