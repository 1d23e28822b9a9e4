import type { Progress } from '#platform/http/district.ts'
import { EarlierRequestError, NotVisibleYetError } from '../postponed.ts'
import type { Tx } from '#platform/core/write.ts'
import type { MovementKind, Resolution } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { decideMissing, type ItemsOfMovements } from '../missing-documents/facts.ts'
import { decideAtOnce } from '../decide/decide-at-once.ts'
import {
  type Chunk,
  deleteChunk,
  finishRequest,
  insertFailures,
  insertOutcomesOfChunk,
  readChunk,
  readProgress,
} from './process-queries.ts'

/** A part that did not become an enrollment, as `request.failures` has it. */
export interface Failure {
  readonly 'tax-id': string
  readonly 'product-name': string
  readonly 'product-id': string | null
  readonly offenses: readonly string[]
}

/** What became of the items of a chunk. */
export interface Applied {
  readonly enrollmentIds: readonly string[]
  /** What they wait for. */
  readonly missing: ItemsOfMovements
  readonly failures: readonly Failure[]
}

/** Makes the enrollments of a chunk of one kind. */
export type ApplyItems = (context: Context, sql: Tx, at: Date, chunk: Chunk) => Promise<Applied>

/**
 * Processes one chunk of an accepted batch in the worker's transaction and deletes it: its items become enrollments, which are decided at
 * once if the request has a `resolution`. The last chunk ends the request. Safe to run twice.
 * @throws EarlierRequestError, and NotVisibleYetError.
 */
export async function processBatch(
  context: Context,
  tx: Tx,
  apply: Readonly<Record<MovementKind, ApplyItems>>,
  companyId: string,
  requestId: string,
): Promise<Progress> {
  const progress = await readProgress(tx, companyId, requestId)
  if (progress?.isProcessing === false) return 'done'
  // The last chunk ends its request: one that is processing has another.
  if (progress === null || progress.chunk === null) throw new NotVisibleYetError()
  const { kind, resolution, requestedBy, isOfDraft, isLast } = progress
  const { hasEarlier, ...sizes } = await readChunk(tx, companyId, requestId, progress.chunk)
  if (hasEarlier) throw new EarlierRequestError()
  const chunk = { companyId, requestId, chunk: progress.chunk, requestedBy, isOfDraft, ...sizes }
  const at = tx.at()
  const applied = await apply[kind](context, tx, at, chunk)
  if (context.config.environment === 'staging') await insertOutcomesOfChunk(tx, chunk)
  await decideApplied(context, tx, chunk, applied, resolution)
  await deleteChunk(tx, chunk)
  if (!isLast) return 'more'
  await finishRequest(tx, at, companyId, requestId)
  return 'done'
}

async function decideApplied(
  context: Context,
  sql: Tx,
  chunk: Chunk,
  { enrollmentIds, missing, failures }: Applied,
  resolution: Resolution | null,
): Promise<void> {
  if (failures.length > 0) await insertFailures(sql, chunk, failures)
  const complete = await decideMissing(sql, context, chunk.companyId, enrollmentIds, missing)
  await decideAtOnce(sql, context, chunk.companyId, complete, resolution)
}
