import { type Sql, withPlansFor } from '../../platform/database.ts'
import { resolveAtOnce } from '../accepted.ts'
import { writeEvents } from '../../webhooks/outbox.ts'
import type { FinishedRequestStatus } from '../../domain/enums.ts'
import type { EventTypeOf } from '../../domain/events.ts'
import { deleteMembersWithoutBenefit } from '../../members/write.ts'
import type { Context } from '../../http/context.ts'
import {
  type Chunk,
  deleteChunk,
  finishRequest,
  insertChunkBenefits,
  insertChunkEnrollments,
  insertChunkMembers,
  insertFailures,
  lockMembers,
  lockPrimaryBenefits,
  readChunk,
  readFailures,
  readProgress,
  type RequestProgress,
} from './process-queries.ts'

const requestEvents: Readonly<Record<FinishedRequestStatus, EventTypeOf<'request'>>> = {
  completed: 'request.completed',
  'partial-failure': 'request.partial_failure',
  failed: 'request.failed',
}

/** Whether a step leaves more to do. */
export type Progress = 'more' | 'done'

/** A request that was accepted earlier must be processed first. Rolls the step back; the worker retries it soon. */
export class EarlierRequestError extends Error {
  override readonly name = 'EarlierRequestError'
}

/**
 * Processes one chunk of an accepted inclusion in the worker's transaction: inserts its members, benefits and enrollments, and resolves
 * them if the request has a `resolution`. The last chunk ends the request. Safe to run twice.
 * @throws EarlierRequestError.
 */
export async function processInclusion(
  context: Context,
  sql: Sql,
  companyId: string,
  requestId: string,
): Promise<Progress> {
  const progress = await readProgress(sql, companyId, requestId)
  if (progress === null) return 'done'
  const at = new Date()
  if (progress.chunk !== null) {
    await processChunk(context, sql, at, { companyId, requestId, chunk: progress.chunk }, progress.resolution)
    if (!progress.isLast) return 'more'
  }
  const finished = await finishRequest(sql, at, companyId, requestId)
  if (finished !== null) {
    const { status, reference } = finished
    const ofClient = reference === null ? {} : { reference }
    const data = { 'request-id': requestId, status, ...ofClient }
    await writeEvents(sql, companyId, at, [{ type: requestEvents[status], data }])
  }
  return 'done'
}

async function processChunk(
  context: Context,
  transaction: Sql,
  at: Date,
  chunk: Chunk,
  resolution: RequestProgress['resolution'],
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
  await deleteChunk(sql, chunk)
  const ids = enrollments.map(({ id }) => id)
  await resolveAtOnce(sql, context, companyId, ids, resolution)
}
