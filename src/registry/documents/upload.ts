import type { ClientActor } from '#platform/core/actor.ts'
import type { FastifyRequest } from 'fastify'
import { write } from '#platform/core/write.ts'
import { ApiError } from '#platform/core/errors.ts'
import { displayName } from '#platform/http/content-disposition.ts'
import type { Context } from '#platform/http/context.ts'
import type { FileType } from '#platform/http/file-type.ts'
import { type IncomingFile, inspect, openRawBody } from '#platform/http/upload-stream.ts'
import { tooLarge } from '#platform/http/refused-content.ts'
import { deleteOrphan, storeFile } from './orphans.ts'
import { isMultipart, openMultipart } from '#platform/http/multipart.ts'
import { fillSlot, lockUnusedDocuments } from './queries.ts'

/** The largest document. */
const maxFileBytes = 20 * 1024 * 1024

// The parts of a multipart body around the file.
const maxFormBytes = 1024 * 1024

export interface OpenSlot {
  readonly documentId: string
  /** The client that made the slot: who has the URL acts for it. */
  readonly actor: ClientActor
}

/** 410: the upload URL was used or has expired. */
export function uploadUrlUsed(): ApiError {
  return new ApiError('upload-address-expired')
}

/** 429: the client has too many slots and documents that no movement has used, or too many bytes of them. */
export function tooManyUnused(): ApiError {
  return new ApiError('too-many-unused-documents', {}, { headers: { 'retry-after': '3600' } })
}

/** A file that is stored, and an orphan until a row refers to it. */
export interface ReceivedFile {
  readonly key: string
  readonly contentType: FileType
  readonly size: number
  readonly name: string
}

/**
 * Stores the body of the request as a file: the file first, then the row that refers to it, so that no row ever has an incomplete file.
 * @param save inserts the row; the file is deleted when it returns an error.
 * @throws ApiError; nothing is stored then.
 */
export async function receiveFile(
  context: Context,
  request: FastifyRequest,
  id: string,
  save: (file: ReceivedFile) => Promise<ApiError | null>,
): Promise<void> {
  checkDeclaredLength(request)
  let incoming: IncomingFile | null = null
  try {
    incoming = isMultipart(request) ? await openMultipart(request) : openRawBody(request.raw)
    await store(context, incoming, id, save)
  } catch (error) {
    await incoming?.chunks.return(undefined)
    throw error
  } finally {
    // Discards the rest of the body: many clients read the response only after they have sent everything. The parser of a form is
    // detached here: doing it later, it would pause the body for ever, and the connection with it.
    request.raw.unpipe()
    request.raw.resume()
  }
}

function checkDeclaredLength(request: FastifyRequest): void {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxFileBytes + (isMultipart(request) ? maxFormBytes : 0)) throw tooLarge(maxFileBytes)
}

async function store(
  context: Context,
  incoming: IncomingFile,
  id: string,
  save: (file: ReceivedFile) => Promise<ApiError | null>,
): Promise<void> {
  const { contentType, chunks } = await inspect(incoming.chunks, maxFileBytes)
  const { key, size } = await storeFile(context, 'document', chunks, () => incoming.finish())
  // After a failed commit it is unknown whether it happened; the retention job decides by the row of the orphan.
  const error = await save({ key, contentType, size, name: displayName(incoming.name, contentType, id) })
  if (error === null) return
  await deleteOrphan(context, key)
  throw error
}

/** Stores the body of the request as the file of the slot. Of concurrent uploads the first to end wins. @throws ApiError; the slot stays open. */
export async function receiveUpload(context: Context, request: FastifyRequest, slot: OpenSlot): Promise<void> {
  const { actor, documentId: target } = slot
  // The URL is the permission: the slot says whether its client is active.
  const service = { kind: 'service', origin: actor.origin } as const
  await receiveFile(context, request, target, ({ key, contentType, size, name }) =>
    write(context, service, { may: 'service' }, async (sql) => {
      const unused = await lockUnusedDocuments(sql, actor)
      const at = sql.at()
      if (unused.bytes + size > context.config.limits.unusedDocumentBytes) return tooManyUnused()
      if (!(await fillSlot(sql, { id: target, key, contentType, size, name, at }))) return uploadUrlUsed()
      sql.as(actor).audit({ action: 'document.uploaded', target, companyId: null })
      return null
    }),
  )
}
