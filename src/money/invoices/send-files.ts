import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { byteRange } from '#platform/http/byte-range.ts'
import { endUnread } from '#platform/http/limits/end-transfer.ts'
import { callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, openFile, sendBytes, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { Closed, errorResponses, Uuid } from '#platform/http/schemas.ts'
import { ApiError } from '#platform/core/errors.ts'
import { archiveNames, layOutZip, type ZipLayout } from './zip.ts'
import type { StoredFile } from './queries.ts'
import { InvoicePath } from './schema.ts'

/** Parameters and responses of a download, in both APIs. */
export const downloadSchema = {
  params: InvoicePath,
  querystring: Closed({
    'file-id': Type.Optional({ ...Uuid, description: 'Of one of the `files`: only this file, not in a ZIP.' }),
  }),
  response: {
    200: {
      description: 'The ZIP (`invoice-files.zip`), or the file with the type and name of its upload.',
      content: binaryContent(['application/zip', 'application/pdf', 'application/octet-stream', '*/*']),
    },
    206: {
      description: 'The part of the file that `Range` selects.',
      content: binaryContent(['application/pdf', 'application/octet-stream', '*/*']),
    },
    ...errorResponses('invoice-not-found', 'range-not-satisfiable', 'invoice-storage-unavailable'),
  },
}

/** What the description of a download says in both APIs: the selection, and what an incomplete response means. */
export const downloadTexts = {
  selection:
    'Without `file-id` a ZIP of all files; with it one file, of which `Range` selects a part (`If-Range` with the `ETag`). HEAD ' +
    'returns type, size and name.',
  incomplete: 'If the connection closes before `Content-Length` bytes, the file storage failed: repeat the call.',
}

/**
 * Opens a function that sends files of an invoice, a limited number at once for each client.
 * The function takes all files of the invoice (null: there is no such invoice) and the id of the one to send (absent: the ZIP of all).
 * @throws ApiError 404 of the function, for no invoice and an unknown file.
 */
export function openFileSender(context: Context) {
  const { downloads: max, maxWaitMs } = context.config.limits
  const downloads = new ConcurrencyLimit({ max, maxWaitMs })
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    files: readonly StoredFile[] | null,
    id: string | undefined,
  ): Promise<FastifyReply> => {
    const fileId = id
    const file = files?.find((file) => file.fileId === fileId)
    if (files === null || (fileId !== undefined && file === undefined)) throw new ApiError('invoice-not-found')
    if (request.method === 'HEAD') {
      if (file === undefined) setZipHeaders(reply, zipOf(files))
      else setFileHeaders(reply, file)
      return sendHeaders(reply)
    }
    // The download counts until the last byte is sent or the client disconnects.
    const send = () => (file === undefined ? sendZip(context, reply, files) : sendFile(context, request, reply, file))
    await downloads.run(callerOf(request).clientId, send, { end: () => endUnread(reply.raw) })
    return reply
  }
}

function zipOf(files: readonly StoredFile[]): ZipLayout {
  const names = archiveNames(files.map((file) => file.name))
  return layOutZip(files.map((file, index) => ({ ...file, name: names[index] ?? file.name })))
}

async function sendZip(context: Context, reply: FastifyReply, files: readonly StoredFile[]): Promise<void> {
  const layout = zipOf(files)
  // Opened before the status is sent: a 503 is still possible.
  const first = files[0] === undefined ? null : await openFile(context, 'invoice', files[0])
  try {
    setZipHeaders(reply, layout)
    await sendBytes(context, reply, zipChunks(context, files, layout, first))
  } finally {
    first?.destroy()
  }
}

/** The ZIP in chunks; one file is open at a time. */
async function* zipChunks(
  context: Context,
  files: readonly StoredFile[],
  { headers, directory }: ZipLayout,
  first: Readable | null,
): AsyncGenerator<Buffer> {
  let opened = first
  for (const [index, file] of files.entries()) {
    const header = headers[index]
    if (header !== undefined) yield header
    opened ??= await openFile(context, 'invoice', file)
    yield* opened as AsyncIterable<Buffer>
    opened = null
  }
  yield directory
}

async function sendFile(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
): Promise<void> {
  const { range, 'if-range': condition } = request.headers
  const part = condition === undefined || condition === etagOf(file) ? byteRange(range, file.size) : null
  if (part === 'unsatisfiable') {
    throw new ApiError('range-not-satisfiable', {}, { headers: { 'content-range': `bytes */${file.size}` } })
  }
  const stream = await openFile(context, 'invoice', file, part ?? undefined)
  try {
    setFileHeaders(reply, file)
    if (part !== null) {
      void reply.status(206).headers({
        'content-length': part.last - part.first + 1,
        'content-range': `bytes ${part.first}-${part.last}/${file.size}`,
      })
    }
    await sendBytes(context, reply, stream)
  } finally {
    stream.destroy()
  }
}

function setZipHeaders(reply: FastifyReply, { size }: ZipLayout): void {
  setDownloadHeaders(reply, { name: 'invoice-files.zip', contentType: 'application/zip', size })
  void reply.headers({ 'content-disposition': 'attachment; filename="invoice-files.zip"', 'accept-ranges': 'none' })
}

function setFileHeaders(reply: FastifyReply, file: StoredFile): void {
  setDownloadHeaders(reply, file)
  void reply.headers({ 'accept-ranges': 'bytes', etag: etagOf(file) })
}

/** A new upload has a new storage key, and so a new tag. */
function etagOf(file: StoredFile): string {
  return `"${createHash('sha256').update(file.key).digest('base64url').slice(0, 22)}"`
}
