import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { requireActiveClient } from '../http/active-client.ts'
import { chunksOf, tooLarge } from '../http/upload-stream.ts'
import { deleteOrphan } from '../documents/orphans.ts'
import { insertOrphan } from '../documents/queries.ts'
import { newKey } from '../storage/storage.ts'
import { ApiError, invalidBody, unavailable } from '../platform/errors.ts'
import { type FileData, writeInvoiceFile, type Writer } from '../invoices/write.ts'
import { readOwner } from '../invoices/write-queries.ts'
import { readInvoice } from '../invoices/queries.ts'
import { callerOf, type Context } from '../http/context.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const maxFileBytes = 100 * 1024 * 1024

/** The attributes of a file in the query. */
export type FileAttributes = Pick<FileData, 'name' | 'type' | 'slipDueDate'>

/** @throws ApiError 413 for a declared length over the limit, 415 for a form or a malformed content type. */
export function checkHeaders(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > maxFileBytes) throw tooLarge()
  const type = request.headers['content-type']?.trim()
  if (type !== undefined && (/^multipart\//i.test(type) || !isMediaType(type))) {
    throw new ApiError(415, 'Unsupported media type')
  }
}

/**
 * Stores the body of the request as the file: the file first, then the row that refers to it, so that an invoice never has an incomplete
 * file.
 * @returns the invoice as it is now.
 * @throws ApiError; the invoice is unchanged then and nothing is stored.
 */
export async function receiveInvoiceFile(
  context: Context,
  request: FastifyRequest,
  file: FileAttributes & { readonly id: string; readonly fileId: string },
  writer: Writer,
): Promise<string | null> {
  const { id, ...attributes } = file
  const { database } = context
  try {
    const companyId = await readOwner(database, id)
    if (companyId === null) throw new ApiError(404, 'Invoice not found')
    const stored = await storeFile(context, request.raw)
    const contentType = contentTypeOf(request.raw, attributes)
    // After a failed commit it is unknown whether it happened; the retention job decides by the row of the orphan.
    return await database.transaction(async (sql) => {
      await writeInvoiceFile(sql, { companyId, id }, { ...attributes, ...stored, contentType }, writer)
      await requireActiveClient(sql, callerOf(request))
      return readInvoice(sql, companyId, id, writer.today)
    })
  } finally {
    // Discards the rest of the body: many clients read the response only after they have sent everything.
    request.raw.resume()
  }
}

async function storeFile(
  context: Context,
  request: IncomingMessage,
): Promise<{ key: string; size: number; crc32: number }> {
  const key = newKey('invoice')
  const chunks = chunksOf(request)
  const checksum = { crc32: 0 }
  await insertOrphan(context.database, key)
  try {
    const { size } = await context.storage.write(key, measured(chunks, checksum))
    if (size === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
    return { key, size, crc32: checksum.crc32 }
  } catch (error) {
    await chunks.return(undefined)
    await deleteOrphan(context, key)
    if (error instanceof ApiError) throw error
    context.log.error({ err: error }, 'invoice file storage unavailable')
    throw unavailable('Invoice file storage unavailable')
  }
}

/** Passes the chunks on and computes their checksum. @throws ApiError 413 when the file is too large. */
async function* measured(chunks: AsyncIterable<Buffer>, checksum: { crc32: number }): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxFileBytes) throw tooLarge()
    checksum.crc32 = crc32(chunk, checksum.crc32)
    yield chunk
  }
}

function contentTypeOf(request: IncomingMessage, { type }: FileAttributes): string {
  const declared = request.headers['content-type']?.trim()
  // The default of curl for any body.
  if (declared !== undefined && !/^application\/x-www-form-urlencoded\b/i.test(declared)) return declared
  return type === 'payment-slip' ? 'application/pdf' : 'application/octet-stream'
}

function isMediaType(text: string): boolean {
  return (
    text.length <= MAX_TEXT_CHARACTERS &&
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=("[\x20-\x21\x23-\x5b\x5d-\x7e]*"|[\w!#$&^.+:-]+))*;?$/.test(
      text,
    )
  )
}
