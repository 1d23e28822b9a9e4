import type { FastifyReply } from 'fastify'
import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { type ApiError, unavailable } from '../core/errors.ts'
import type { ByteRange } from './byte-range.ts'
import { attachmentOf } from './content-disposition.ts'
import type { Context } from './context.ts'
import { closeAfterUpgrade } from './upgrade-request.ts'
import { releaseChunk } from './upload-stream.ts'

/** The prefixes of the storage keys. */
export type FileKind = 'document' | 'invoice' | 'carrier' | 'roster'

interface Download {
  readonly name: string
  readonly contentType: string
  readonly size: number
}

/** The content of a file in the OpenAPI document, by media type. */
export function binaryContent(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
}

/** Logs the error of a file. @returns 503: the storage of files cannot be reached. */
export function storageUnavailable({ log }: Context, kind: FileKind, key: string, error: unknown): ApiError {
  log.error({ err: error, key }, `${kind} storage unavailable`)
  return unavailable(`${kind}-storage-unavailable`)
}

/** Opens a stored file, or a range of it, and waits for its first bytes. @throws ApiError 503 */
export async function openFile(
  context: Context,
  kind: FileKind,
  file: { readonly key: string; readonly size: number },
  part?: ByteRange,
): Promise<Readable> {
  let stream: Readable | null = null
  try {
    const found = await context.storage.read(file.key, part)
    stream = found.stream
    if (found.size !== (part === undefined ? file.size : part.last - part.first + 1)) {
      throw new Error('the size of the stored file has changed')
    }
    await once(stream, 'readable')
    // An error before the next read is reported by that read.
    stream.on('error', () => {})
    return stream
  } catch (error) {
    stream?.destroy()
    throw storageUnavailable(context, kind, file.key, error)
  }
}

/** Sets the headers of a download: a browser saves the file and never runs it. */
export function setDownloadHeaders(reply: FastifyReply, { name, contentType, size }: Download): void {
  void reply.headers({
    'content-type': contentType,
    'content-length': size,
    'content-disposition': attachmentOf(name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

/** Responds to a HEAD with the headers that are set. A payload that is no stream would replace `content-length`. */
export function sendHeaders(reply: FastifyReply): FastifyReply {
  return reply.send(Readable.from([]))
}

/**
 * Sends the response, whose status and headers are set, with these chunks as its body, with back-pressure. An error closes the
 * connection, so that the client notices the incomplete file.
 */
export async function sendBytes({ log }: Context, reply: FastifyReply, chunks: AsyncIterable<Buffer>): Promise<void> {
  // A piped stream would double the cost of a byte.
  const { raw: response } = reply.hijack()
  void closeAfterUpgrade(reply)
  // Only the transfer is left.
  if (reply.request.permits !== null) reply.request.permits.isWorkEnded = true
  response.on('error', () => {})
  reply.server.minimumSpeed.watchResponse(response)
  try {
    response.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    for await (const chunk of chunks) {
      if (response.destroyed) return
      if (response.write(chunk)) continue
      await drained(response)
      // The garbage collector would free the chunks late.
      if (!response.destroyed) releaseChunk(chunk)
    }
    response.end()
  } catch (error) {
    if (!response.destroyed) log.error({ err: error }, 'download failed')
    response.destroy()
  }
}

/** Resolves when the client has read what was written, or has disconnected. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
