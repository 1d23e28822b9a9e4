import { required } from '#platform/core/log.ts'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { NO_PROFILE } from '../rules/column-profile.ts'
import type { Semaphore } from '#platform/core/semaphore.ts'
import { chunksOf } from '#platform/http/upload-stream.ts'
import { tooLarge } from '#platform/http/refused-content.ts'
import { ApiError, invalidBody, unavailable } from '#platform/core/errors.ts'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import type { Context } from '#platform/http/context.ts'
import { applyChunk, type ImportOrder } from './apply-chunk.ts'
import type { ImportFormat } from './records.ts'
import { readProfile } from './column-profile.ts'
import { deleteImport, describeFile, finishImport, lockImport, insertImport, readImport } from './queries.ts'
import type { NextChunk } from './reader-thread.ts'
import { openReader } from './reader.ts'
import { maxImportBytes, spool, type Spooled } from './spool.ts'
import { maxWorkbookBytes } from '#platform/tables/xlsx/zip.ts'
import { unsupportedTable } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'

interface ImportTerms {
  /** Limits how many files are judged at once; uploads do not wait for it. */
  readonly judging: Semaphore
  /** Stops an import after the current chunk. */
  readonly stopping: AbortSignal
}

/** 409: an import-id cannot be used again. */
function idUsed(): ApiError {
  return new ApiError('import-id-used')
}

const formats: ReadonlyMap<string, ImportFormat> = new Map([
  ['text/csv', 'csv'],
  // The type that browsers give a CSV where Excel is installed; the first bytes tell a workbook.
  ['application/vnd.ms-excel', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  [xlsxType, 'xlsx'],
])

const maxBytesOf: Readonly<Record<ImportFormat, number>> = {
  csv: maxImportBytes,
  ndjson: maxImportBytes,
  xlsx: maxWorkbookBytes,
}

/** @throws ApiError 413 for a declared length over the limit, 415 for another media type. */
export function formatOf({ headers }: IncomingMessage): ImportFormat {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const format = formats.get(type)
  if (format === undefined) throw unsupportedTable(type)
  if (Number(headers['content-length'] ?? 0) > maxBytesOf[format]) throw tooLarge(maxBytesOf[format])
  return format
}

/**
 * Imports members with their benefits from the body of the request: stores the whole file, then imports it chunk by chunk, each in one
 * transaction with its counts. Once the file has arrived the import continues even if the client disconnects.
 * @returns the finished import in wire format.
 * @throws ApiError; the counts of the import say what was imported before.
 */
export async function importRoster(
  context: Context,
  request: IncomingMessage,
  order: ImportOrder,
  terms: ImportTerms,
): Promise<string> {
  const { id, companyTaxId } = order
  const isKnown = companyTaxId === null || (await readProfile(context.database, companyTaxId)) !== null
  if (!isKnown) throw new ApiError('company-not-found')
  const lock = await lockImport(context.database, id)
  if (lock === null) throw idUsed()
  try {
    return await importLocked(context, request, order, terms)
  } finally {
    await lock.release()
    // The rest of the body is read and discarded: many clients read no response before they have sent the whole body.
    request.resume()
  }
}

async function importLocked(
  context: Context,
  request: IncomingMessage,
  order: ImportOrder,
  terms: ImportTerms,
): Promise<string> {
  const { database } = context
  const { id, actor } = order
  if (!(await insertImport(database, { ...order, actor: actor.clientId, at: database.now() }))) throw idUsed()
  const spooled = await receiveFile(context, request, id)
  try {
    await terms.judging.run(() => judgeFile(context, spooled, formatOf(request), order, terms.stopping))
    await finishImport(database, id, 'done', database.now())
  } catch (error) {
    if (error instanceof ApiError && [400, 415].includes(error.statusCode)) {
      await deleteImport(database, id)
      throw error
    }
    if (!isDatabaseAway(error) && !(error instanceof ApiError)) context.log.error({ err: error }, 'import failed')
    await markBroken(context, id)
    // The operator was revoked meanwhile, or has another role.
    if (error instanceof ApiError && [401, 403].includes(error.statusCode)) throw error
    throw importBroken(id)
  } finally {
    await spooled.close()
  }
  return required(await readImport(database, id), 'import').body
}

/** Stores the whole body before any line is judged: an aborted upload changes nothing. */
async function receiveFile(context: Context, request: IncomingMessage, id: string): Promise<Spooled> {
  const chunks = chunksOf(request)
  try {
    const spooled = await spool(folderOf(context), chunks, maxBytesOf[formatOf(request)])
    if (spooled.size > spooled.from) return spooled
    await spooled.close()
    throw invalidBody([{ field: 'file', code: 'empty' }])
  } catch (error) {
    await chunks.return(undefined)
    if (!request.complete && request.destroyed) await markBroken(context, id)
    else await deleteImport(context.database, id)
    if (error instanceof ApiError) throw error
    context.log.error({ err: error }, 'import file could not be stored')
    throw unavailable('import-storage-unavailable')
  }
}

async function judgeFile(
  context: Context,
  { file, size, from, encoding }: Spooled,
  format: ImportFormat,
  order: ImportOrder,
  stopping: AbortSignal,
): Promise<void> {
  const today = context.today()
  const { sheet, companyTaxId } = order
  const profile =
    companyTaxId === null ? NO_PROFILE : required(await readProfile(context.database, companyTaxId), 'company')
  const reader = openReader({
    file,
    size,
    from,
    format,
    encoding,
    sheet,
    profile,
    companyTaxId,
    folder: folderOf(context),
    today,
  })
  const audited = new Set<string>()
  // Workbooks, and files with a byte order mark or in Windows-1252, come from spreadsheets, which need the mark to read UTF-8.
  const mark = from > 0 || encoding !== 'utf-8' || format === 'xlsx' ? '\uFEFF' : ''
  let known: NextChunk | null = null
  try {
    for (;;) {
      const next = await reader.next()
      const { people, header, applied, sheets, unknownColumns, warnings } = next
      const isKnown =
        unknownColumns.length === known?.unknownColumns.length && warnings.length === known.warnings.length
      if (!isKnown) {
        const csvHeader = header === null ? null : mark + header
        const columnProfile = applied.length === 0 ? null : { 'company-tax-id': companyTaxId, columns: applied }
        await describeFile(context.database, order.id, { csvHeader, unknownColumns, warnings, columnProfile, sheets })
        known = next
      }
      if (people === null) return
      if (stopping.aborted) throw importBroken(order.id)
      await applyChunk(context, reader, people, order, audited)
    }
  } finally {
    reader.close()
  }
}

const folderOf = ({ config }: Context): string => join(config.dataDir, 'imports')

/** If the database is unavailable too, `markBrokenImports` marks it later: its lock is free. */
async function markBroken({ database, log }: Context, id: string): Promise<void> {
  try {
    await finishImport(database, id, 'broken', database.now())
  } catch (error) {
    log.warn({ err: error }, 'import could not be marked as broken')
  }
}

function importBroken(id: string): ApiError {
  return new ApiError('import-broke-off', { 'import-id': id }, { headers: { 'retry-after': '2' } })
}
