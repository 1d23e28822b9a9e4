import type { IncomingMessage } from 'node:http'
import type { Origin } from '../http/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { ApiError, unavailable } from '../platform/errors.ts'
import { displayName } from '../http/content-disposition.ts'
import type { Context } from '../http/context.ts'
import { type IncomingFile, inspect, openRawBody, tooLarge } from '../http/upload-stream.ts'
import { deleteOrphan } from './orphans.ts'
import { isMultipart, openMultipart } from '../http/multipart.ts'
import { fillSlot, insertOrphan, lockUnusedDocuments } from './queries.ts'
import { newKey } from '../storage/storage.ts'

/** The largest document. */
export const maxFileBytes = 20 * 1024 * 1024

// The parts of a multipart body around the file.
const maxFormBytes = 1024 * 1024

export interface OpenSlot {
  readonly documentId: string
  readonly clientId: string
  readonly origin: Origin
}

/** 410: the upload URL was used or has expired. */
export function uploadUrlUsed(): ApiError {
  return new ApiError(410, 'Upload address expired or used')
}

/** 429: the client has too many slots and documents that no movement has used, or too many bytes of them. */
export function tooManyUnused(): ApiError {
  return new ApiError(
    429,
    'Too many unused documents: use them in movements; what no movement uses is deleted after 7 days',
    {},
    { 'retry-after': '3600' },
  )
}

/**
 * Stores the body of the request as the file of the slot: the file first, then the row that refers to it, so that a slot never has an
 * incomplete file. Of concurrent uploads the first to end wins.
 * @throws ApiError; nothing is stored then and the slot stays open.
 */
export async function receiveUpload(context: Context, request: IncomingMessage, slot: OpenSlot): Promise<void> {
  checkDeclaredLength(request)
  let incoming: IncomingFile | null = null
  try {
    incoming = isMultipart(request) ? await openMultipart(request) : openRawBody(request)
    await store(context, incoming, slot)
  } catch (error) {
    await incoming?.chunks.return(undefined)
    throw error
  } finally {
    // Discards the rest of the body: many clients read the response only after they have sent everything.
    request.resume()
  }
}

function checkDeclaredLength(request: IncomingMessage): void {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxFileBytes + (isMultipart(request) ? maxFormBytes : 0)) throw tooLarge()
}

async function store(context: Context, incoming: IncomingFile, slot: OpenSlot): Promise<void> {
  const { database } = context
  const { contentType, chunks } = await inspect(incoming.chunks, maxFileBytes)
  const key = newKey('document')
  await insertOrphan(database, key)
  const size = await writeFile(context, key, incoming, chunks)
  const name = displayName(incoming.name, contentType, slot.documentId)
  // After a failed commit it is unknown whether it happened; the retention job decides by the row of the orphan.
  const outcome = await database.transaction(async (sql) => {
    const at = new Date()
    const unused = await lockUnusedDocuments(sql, slot.clientId)
    if (unused === undefined) return 'spent'
    if (unused.bytes + size > context.config.limits.unusedDocumentBytes) return 'full'
    const filled = await fillSlot(sql, { id: slot.documentId, key, contentType, size, name, at })
    if (filled) {
      const { clientId: actor, documentId: target, origin } = slot
      await writeAudit(sql, { actor, action: 'document.uploaded', target, companyId: null, origin })
    }
    return filled ? 'filled' : 'spent'
  })
  if (outcome === 'filled') return
  await deleteOrphan(context, key)
  throw outcome === 'full' ? tooManyUnused() : uploadUrlUsed()
}

async function writeFile(
  context: Context,
  key: string,
  incoming: IncomingFile,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  try {
    const { size } = await context.storage.write(key, chunks)
    await incoming.finished
    return size
  } catch (error) {
    await deleteOrphan(context, key)
    if (error instanceof ApiError) throw error
    context.log.error({ err: error }, 'document storage unavailable')
    throw storageUnavailable()
  }
}

/** 503: the storage of documents cannot be reached. */
export function storageUnavailable(): ApiError {
  return unavailable('Document storage unavailable')
}
