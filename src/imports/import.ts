import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Semaphore } from '../platform/semaphore.ts'
import { chunksOf, tooLarge } from '../http/upload-stream.ts'
import { ApiError, invalidBody, unavailable } from '../platform/errors.ts'
import { isDatabaseAway } from '../platform/database.ts'
import type { Context } from '../http/context.ts'
import { applyChunk } from './apply-chunk.ts'
import type { ImportFormat } from './records.ts'
import type { ImportOrder } from './import-order.ts'
import { deleteImport, finishImport, lockImport, insertImport, readImport } from './queries.ts'
import { openReader } from './reader.ts'
import { maxImportBytes, spool, type Spooled } from './spool.ts'

export interface ImportTerms {
  /** Files wait here once they have arrived: a caller's upload never does. */
  readonly judging: Semaphore
  /** Ends an import after the chunk under way. */
  readonly stopping: AbortSignal
}

/** 409: an import-id has one import for ever. */
function usedBefore(): ApiError {
  return new ApiError(409, 'Import id already used')
}

/** @throws ApiError 413 for a declared length over the limit, 415 for another media type. */
export function formatOf({ headers }: IncomingMessage): ImportFormat {
  if (Number(headers['content-length'] ?? 0) > maxImportBytes) throw tooLarge()
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'text/csv') return 'csv'
  if (type === 'application/x-ndjson') return 'ndjson'
  throw new ApiError(415, 'Unsupported media type')
}

/**
 * Takes the body of the request as members with their benefits: first the whole file, then chunk by chunk, each in one
 * transaction with its count. Once the file has arrived the import goes on, whether or not the caller stays.
 * @returns the import as it ended, in wire format.
 * @throws ApiError, after which nothing was taken, or what was taken stands in the import's own counts.
 */
export async function importRoster(
  context: Context,
  request: IncomingMessage,
  order: ImportOrder,
  terms: ImportTerms,
): Promise<string> {
  const lock = await lockImport(context.database, order.id)
  if (lock === null) throw usedBefore()
  try {
    return await importHeld(context, request, order, terms)
  } finally {
    await lock.release()
    // What is left of the body is read and dropped: many senders read no answer before they have sent everything.
    request.resume()
  }
}

async function importHeld(
  context: Context,
  request: IncomingMessage,
  order: ImportOrder,
  terms: ImportTerms,
): Promise<string> {
  const { database } = context
  const { id, dryRun, caller } = order
  if (!(await insertImport(database, { id, actor: caller.clientId, dryRun, at: new Date() }))) throw usedBefore()
  const spooled = await takeFile(context, request, id)
  try {
    await terms.judging.run(() => judgeFile(context, spooled, formatOf(request), order, terms.stopping))
    await finishImport(database, id, 'done', new Date())
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 400) {
      await deleteImport(database, id)
      throw error
    }
    if (!isDatabaseAway(error) && !(error instanceof ApiError)) context.log.error({ err: error }, 'import broke off')
    await breakOff(context, id)
    // The operator was removed while it ran, or has another role.
    if (error instanceof ApiError && [401, 403].includes(error.statusCode)) throw error
    throw brokenOff(id)
  } finally {
    await spooled.close()
  }
  return (await readImport(database, id))?.body ?? ''
}

/** The whole body, before anything is judged. A transfer that breaks off leaves the book as it was. */
async function takeFile(context: Context, request: IncomingMessage, id: string): Promise<Spooled> {
  const chunks = chunksOf(request)
  try {
    const spooled = await spool(join(context.config.dataDir, 'imports'), chunks, maxImportBytes)
    if (spooled.size > spooled.from) return spooled
    await spooled.close()
    throw invalidBody([{ field: 'file', code: 'empty' }])
  } catch (error) {
    await chunks.return(undefined)
    if (!request.complete && request.destroyed) await breakOff(context, id)
    else await deleteImport(context.database, id)
    if (error instanceof ApiError) throw error
    context.log.error({ err: error }, 'import could not be kept')
    throw unavailable('Import file could not be kept')
  }
}

async function judgeFile(
  context: Context,
  { file, from, encoding }: Spooled,
  format: ImportFormat,
  order: ImportOrder,
  stopping: AbortSignal,
): Promise<void> {
  const today = context.today()
  const reading = openReader({ file, from, format, encoding, today })
  const audited = new Set<string>()
  try {
    for (let lookups = await reading.next(); lookups !== null; lookups = await reading.next()) {
      if (stopping.aborted) throw brokenOff(order.id)
      await applyChunk(context, reading, lookups, order, audited)
    }
  } finally {
    await reading.close()
  }
}

/** If the database is away too, whoever asks next finds that nobody holds the import and marks it. */
async function breakOff({ database, log }: Context, id: string): Promise<void> {
  try {
    await finishImport(database, id, 'broken', new Date())
  } catch (error) {
    log.warn({ err: error }, 'import could not be marked as broken')
  }
}

function brokenOff(id: string): ApiError {
  return new ApiError(503, 'Import broke off', { 'import-id': id }, { 'retry-after': '2' })
}
