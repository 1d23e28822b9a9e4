import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { requireActiveClient } from '../http/active-client.ts'
import { chunksOf, tooLarge } from '../http/upload-stream.ts'
import { deleteOrphan } from '../documents/orphans.ts'
import { insertOrphan } from '../documents/queries.ts'
import { newKey } from '../storage/storage-key.ts'
import { ApiError, invalidBody, unavailable } from '../platform/errors.ts'
import { type FileData, writeInvoiceFile, type Writer } from '../invoices/write.ts'
import { readOwner } from '../invoices/write-queries.ts'
import { readInvoice } from '../invoices/queries.ts'
import { callerOf, type Context } from '../http/context.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const maxFileBytes = 100 * 1024 * 1024

/** What the query says of a file. */
export type Described = Pick<FileData, 'name' | 'type' | 'slipDueDate'>

/** @throws ApiError 413 for a declared length over the limit, 415 for what is not the file itself. */
export function refuseEarly(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > maxFileBytes) throw tooLarge()
  const type = request.headers['content-type']?.trim()
  if (type !== undefined && (/^multipart\//i.test(type) || !isMediaType(type))) {
    throw new ApiError(415, 'Unsupported media type')
  }
}

/**
 * Takes the body of the request as the file: bytes first, then the row that refers to them, so that no invoice ever has half a
 * file.
 * @returns the invoice as it is now.
 * @throws ApiError, after which the invoice is as it was and nothing new is kept.
 */
export async function takeInvoiceFile(
  context: Context,
  request: FastifyRequest,
  file: Described & { readonly id: string; readonly fileId: string },
  writer: Writer,
): Promise<string | null> {
  const { id, ...describedCommand } = file
  const { database } = context
  try {
    const companyId = await readOwner(database, id)
    if (companyId === null) throw new ApiError(404, 'Invoice not found')
    const bytes = await keepBytes(context, request.raw)
    const contentType = contentTypeOf(request.raw, describedCommand)
    // Whether a commit that broke off has happened is not known here: the sweep tells by the loose row, and removes.
    return await database.transaction(async (sql) => {
      await writeInvoiceFile(sql, { companyId, id }, { ...describedCommand, ...bytes, contentType }, writer)
      await requireActiveClient(sql, callerOf(request))
      return readInvoice(sql, companyId, id, writer.today)
    })
  } finally {
    // What is left of the body is read and dropped: many senders read no answer before they have sent everything.
    request.raw.resume()
  }
}

async function keepBytes(
  context: Context,
  request: IncomingMessage,
): Promise<{ key: string; size: number; crc32: number }> {
  const key = newKey('invoice')
  const chunks = chunksOf(request)
  const sum = { crc32: 0 }
  await insertOrphan(context.database, key)
  try {
    const { size } = await context.storage.write(key, measured(chunks, sum))
    if (size === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
    return { key, size, crc32: sum.crc32 }
  } catch (error) {
    await chunks.return(undefined)
    await deleteOrphan(context, key)
    if (error instanceof ApiError) throw error
    context.log.error({ err: error }, 'storage away')
    throw unavailable('Invoice file storage unavailable')
  }
}

/** The chunks, summed up on their way. @throws ApiError 413 as soon as there are too many. */
async function* measured(chunks: AsyncIterable<Buffer>, sum: { crc32: number }): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxFileBytes) throw tooLarge()
    sum.crc32 = crc32(chunk, sum.crc32)
    yield chunk
  }
}

function contentTypeOf(request: IncomingMessage, { type }: Described): string {
  const declared = request.headers['content-type']?.trim()
  // What curl says by itself of any bytes is no type of a file.
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
