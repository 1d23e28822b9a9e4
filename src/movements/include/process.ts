import type { Sql } from '../../platform/database.ts'
import { resolutionTransition } from '../../enrollments/resolution.ts'
import { moveEnrollments } from '../../enrollments/transition.ts'
import { deleteMembersWithoutBenefit } from '../../enrollments/transition-queries.ts'
import { writeEvents } from '../../webhooks/outbox.ts'
import { InvariantError } from '../../platform/log.ts'
import { memberId } from '../../members/member-id.ts'
import type { FinishedRequestStatus } from '../../domain/enums.ts'
import type { EventType } from '../../domain/events.ts'
import type { Context } from '../../http/context.ts'
import { hasEarlier, insertChunk } from './chunk-queries.ts'
import {
  type Chunk,
  endChunk,
  type Failure,
  finishRequest,
  insertBenefits,
  insertEnrollments,
  insertMembers,
  lockMembers,
  lockPrimaries,
  readFailures,
  readMade,
  readProgress,
  readUnplaced,
  reassignIds,
  type RequestStatusValue,
} from './process-queries.ts'

const requestEvents: Readonly<Record<FinishedRequestStatus, EventType>> = {
  completed: 'request.completed',
  'partial-failure': 'request.partial_failure',
  failed: 'request.failed',
}

/** What a step leaves: more to do, nothing, or a wait for another request. */
export type Progress = 'more' | 'done'

/** Thrown to undo a step that waits for a request accepted before it: for its people, or for its primaries. It is tried again soon. */
export class WaitsForEarlier extends Error {
  override readonly name = 'WaitsForEarlier'
}

type Next = NonNullable<RequestStatusValue['next']>

/**
 * Takes an accepted inclusion one bounded step further, inside the worker's transaction: one chunk becomes members, benefits
 * and enrollments, resolved at once where the request says so; the last one ends the request. Safe to run twice.
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
  if (progress.next !== null) {
    const chunk: Chunk = { companyId, requestId, chunk: progress.next.chunk }
    if (progress.others && (await hasEarlier(sql, chunk))) throw new WaitsForEarlier()
    const failures = (await madeAtOnce(sql, chunk, progress.next, at))
      ? []
      : await insertInParts(context, sql, chunk, progress.next, at)
    if (progress.resolution !== null) await resolve(context, sql, chunk, progress.resolution)
    await endChunk(sql, chunk, failures)
    if (progress.left > 1) return 'more'
  }
  const status = await finishRequest(sql, companyId, requestId, at)
  if (status !== null) {
    const type = requestEvents[status]
    await writeEvents(sql, companyId, at, [{ type, data: { 'request-id': requestId, status } }])
  }
  return 'done'
}

/** Makes the chunk in one statement. Undone, and false, when anything stood in the way of anybody: then the parts tell what. */
async function madeAtOnce(sql: Sql, chunk: Chunk, next: Next, at: Date): Promise<boolean> {
  const known = next.known > 0 ? (await lockMembers(sql, chunk)).length : 0
  await sql.run('savepoint chunk')
  const { newcomers, begun } = await insertChunk(sql, chunk, {
    known: known > 0,
    count: next.primaries + next.dependents,
    at,
  })
  if (newcomers + known === next.people && begun === next.primaries + next.dependents) return true
  await sql.run('rollback to savepoint chunk')
  return false
}

/** The same statement by statement, each seeing what the one before made. @returns who did not become an enrollment, and why. */
async function insertInParts(context: Context, sql: Sql, chunk: Chunk, next: Next, at: Date): Promise<Failure[]> {
  const { people, primaries, dependents } = next
  if (dependents > 0) await lockPrimaries(sql, chunk)
  const newMemberIds = await placeMembers(context, sql, chunk, people, at)
  let begun = primaries > 0 ? await insertBenefits(sql, chunk, 'primary', at) : 0
  if (dependents > 0) begun += await insertBenefits(sql, chunk, 'dependent', at)
  const count = primaries + dependents
  await insertEnrollments(sql, chunk, { at, newMemberIds, count })
  const failures = begun === count ? [] : await readFailures(sql, chunk)
  if (failures.some((failure) => failure.waits)) throw new WaitsForEarlier()
  if (failures.length > 0) await deleteMembersWithoutBenefit(sql, chunk.companyId, newMemberIds)
  return failures
}

/**
 * Gives everybody in the chunk a row and holds it. A second round finds those who were removed meanwhile, the later ones
 * those whose id is taken by somebody whose CPF was corrected: they get the next id of the keyed hash.
 * @returns the ids of the members made now.
 */
async function placeMembers(context: Context, sql: Sql, chunk: Chunk, people: number, at: Date): Promise<string[]> {
  const made = await insertMembers(sql, chunk, at)
  if (made.length === people) return made
  const known = await lockMembers(sql, chunk)
  if (known.length === people) return made
  for (let n = 0; n <= 100; n += 1) {
    await lockMembers(sql, chunk)
    const unplaced = await readUnplaced(sql, chunk)
    if (unplaced.length === 0) return made
    if (n > 0) {
      const ids = unplaced.map((taxId) => ({ 'tax-id': taxId, 'member-id': memberId(context.memberKey, taxId, n) }))
      await reassignIds(sql, chunk, ids)
    }
    made.push(...(await insertMembers(sql, chunk, at)))
  }
  throw new InvariantError('a hundred ids of one person are taken by others')
}

async function resolve(context: Context, sql: Sql, chunk: Chunk, resolution: 'approve' | 'reject'): Promise<void> {
  const { move, actor } = resolutionTransition(resolution)
  await moveEnrollments(sql, chunk.companyId, await readMade(sql, chunk), move, actor, context)
}
