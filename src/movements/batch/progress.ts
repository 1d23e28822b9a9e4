import type { FinishedRequestStatus, Resolution } from '../../domain/enums.ts'
import type { Sql } from '../../core/database.ts'
import { requestFinished } from '../../core/events.ts'
import type { Tx } from '../../core/write.ts'

/* The steps of a worker for an accepted batch have these parts in common. */

/** Whether a step leaves more to do. */
export type Progress = 'more' | 'done'

/** A request that was accepted earlier must be processed first. Rolls the step back; the worker retries it soon. */
export class EarlierRequestError extends Error {
  override readonly name = 'EarlierRequestError'
}

/**
 * The request of the work, or its staged rows, are not visible yet: on Citus each server commits for itself, the coordinator, which has the
 * work, first. Rolls the step back; the worker retries it soon.
 */
export class NotVisibleYetError extends Error {
  override readonly name = 'NotVisibleYetError'
}

/** One chunk of an accepted batch: a bounded step of the worker. */
export interface Chunk {
  readonly companyId: string
  readonly requestId: string
  readonly chunk: number
}

interface RequestProgress {
  readonly isProcessing: boolean
  readonly resolution: Resolution | null
  /** The next chunk to process; null when there is none. */
  readonly chunk: number | null
  readonly isLast: boolean
}

/** Tables of the rows that are not processed yet. */
export type StagingTable = 'staged_enrollment' | 'staged_exclusion' | 'staged_alteration'

/** Makes the enrollments of a chunk, and resolves them if the request has a `resolution`. */
export type ProcessChunk = (at: Date, chunk: Chunk, resolution: Resolution | null) => Promise<void>

/**
 * Processes one chunk of an accepted batch in the worker's transaction and deletes it. The last chunk ends the request. Safe to run twice.
 * @throws EarlierRequestError, and NotVisibleYetError.
 */
export async function processBatch(
  sql: Tx,
  table: StagingTable,
  companyId: string,
  requestId: string,
  processChunk: ProcessChunk,
): Promise<Progress> {
  const progress = await readProgress(sql, table, companyId, requestId)
  if (progress?.isProcessing === false) return 'done'
  // The last chunk ends its request: one that is processing has another.
  if (progress === null || progress.chunk === null) throw new NotVisibleYetError()
  const at = sql.at()
  const chunk = { companyId, requestId, chunk: progress.chunk }
  await processChunk(at, chunk, progress.resolution)
  await deleteChunk(sql, table, chunk)
  if (!progress.isLast) return 'more'
  await finishRequest(sql, at, companyId, requestId)
  return 'done'
}

/** Reads the progress of a request; null when there is none. */
async function readProgress(
  sql: Sql,
  table: StagingTable,
  companyId: string,
  requestId: string,
): Promise<RequestProgress | null> {
  const rows = await sql.query<RequestProgress>(
    `select r.status = 'processing' as "isProcessing", r.resolution, c.first as chunk, c.first is not distinct from c.last as "isLast"
     from request r
     cross join (select min(chunk) as first, max(chunk) as last from ${table}
       where company_id = $1 and request_id = $2) c
     where r.company_id = $1 and r.id = $2`,
    [companyId, requestId],
  )
  return rows[0] ?? null
}

/** Deletes a processed chunk. */
async function deleteChunk(sql: Sql, table: StagingTable, { companyId, requestId, chunk }: Chunk): Promise<void> {
  await sql.execute(`delete from ${table} where company_id = $1 and request_id = $2 and chunk = $3`, [
    companyId,
    requestId,
    chunk,
  ])
}

/** A part that did not become an enrollment, as `request.failures` has it. */
interface Failure {
  readonly 'tax-id': string
  readonly 'product-name': string
}

/** Appends parts that did not become enrollments to the request. */
export async function insertFailures(
  sql: Sql,
  { companyId, requestId }: Chunk,
  failures: readonly Failure[],
): Promise<void> {
  await sql.execute('update request set failures = failures || $3::jsonb where company_id = $1 and id = $2', [
    companyId,
    requestId,
    JSON.stringify(failures),
  ])
}

/** Ends the request, once, with its event: `completed`, `partial-failure` or `failed`. */
async function finishRequest(sql: Tx, at: Date, companyId: string, requestId: string): Promise<void> {
  const [row] = await sql.query<{ status: FinishedRequestStatus; reference: string | null }>(
    `update request r set finished_at = $3, status = case
         when r.failures = '[]'::jsonb then 'completed'
         when exists (select 1 from enrollment e where e.company_id = $1 and e.request_id = $2) then 'partial-failure'
         else 'failed' end
     where r.company_id = $1 and r.id = $2 and r.status = 'processing'
     returning r.status, r.reference`,
    [companyId, requestId, at],
  )
  if (row === undefined) return
  sql.emit(companyId, requestFinished({ id: requestId, ...row }))
}
