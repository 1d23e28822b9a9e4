import type { Sql } from '../../platform/database.ts'
import { resolutionTransition } from '../../enrollments/resolution.ts'
import { moveEnrollments } from '../../enrollments/transition.ts'
import { type DomainEvent, writeEvents } from '../../webhooks/outbox.ts'
import type { FinishedRequestStatus } from '../../domain/enums.ts'
import type { EventType } from '../../domain/events.ts'
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

const requestEvents: Readonly<Record<FinishedRequestStatus, EventType>> = {
  completed: 'request.completed',
  'partial-failure': 'request.partial_failure',
  failed: 'request.failed',
}

/** Whether a step leaves more to do. */
export type Progress = 'more' | 'done'

/** Thrown to undo a step that has to wait for a request accepted earlier. It is retried soon. */
export class WaitsForEarlier extends Error {
  override readonly name = 'WaitsForEarlier'
}

/**
 * Processes a bounded step of an accepted inclusion in the worker's transaction: one chunk becomes members, benefits and enrollments,
 * resolved at once where the request says so; the last one ends the request. Safe to run twice.
 * @throws WaitsForEarlier.
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
  const status = await finishRequest(sql, at, companyId, requestId)
  if (status !== null) {
    const type = requestEvents[status]
    await writeEvents(sql, companyId, at, [{ type, data: { 'request-id': requestId, status } }])
  }
  return 'done'
}

async function processChunk(
  context: Context,
  sql: Sql,
  at: Date,
  chunk: Chunk,
  resolution: RequestProgress['resolution'],
): Promise<void> {
  const { companyId, requestId } = chunk
  const { primaries, dependents, waits } = await readChunk(sql, chunk)
  if (waits) throw new WaitsForEarlier()
  if (dependents > 0) await lockPrimaryBenefits(sql, chunk)
  await lockMembers(sql, chunk)
  const newMemberIds = (await insertChunkMembers(sql, context.memberKey, at, chunk)).map((member) => member.id)
  if (primaries > 0) await insertChunkBenefits(sql, at, chunk, 'primary')
  if (dependents > 0) await insertChunkBenefits(sql, at, chunk, 'dependent')
  const enrollments = await insertChunkEnrollments(sql, at, chunk, newMemberIds)
  await writeEvents(
    sql,
    companyId,
    at,
    enrollments.map(({ id, status }): DomainEvent => {
      return { type: 'enrollment.created', data: { 'request-id': requestId, 'enrollment-id': id, status } }
    }),
  )
  const failures = enrollments.length < primaries + dependents ? await readFailures(sql, chunk) : []
  if (failures.some(({ offenses }) => offenses === null)) throw new WaitsForEarlier()
  if (failures.length > 0) {
    await insertFailures(sql, chunk, failures)
    await deleteMembersWithoutBenefit(sql, companyId, newMemberIds)
  }
  await deleteChunk(sql, chunk)
  if (resolution !== null) {
    const { move, actor } = resolutionTransition(resolution)
    const ids = enrollments.map(({ id }) => id)
    await moveEnrollments(sql, companyId, ids, move, actor, context)
  }
}
