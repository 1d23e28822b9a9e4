import type { FastifyReply } from 'fastify'
import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { releaseChunk } from '../http/upload-stream.ts'
import { unavailable } from '../platform/errors.ts'
import { archiveNames } from './archive-name.ts'
import type { ByteRange } from '../http/byte-range.ts'
import type { Context } from '../http/context.ts'
import type { StoredFile } from './queries.ts'
import { layOutZip, type ZipLayout } from './zip.ts'

/** The layout of the ZIP with the files of an invoice. */
export function zipOf(files: readonly StoredFile[]): ZipLayout {
  const names = archiveNames(files.map((file) => file.name))
  return layOutZip(files.map((file, index) => ({ ...file, name: names[index] ?? file.name })))
}

/** Opens a file, or a range of it, and waits for its first bytes. @throws ApiError 503 */
export async function openFile({ storage, log }: Context, file: StoredFile, part?: ByteRange): Promise<Readable> {
  let stream: Readable | null = null
  try {
    const found = await storage.read(file.key, part)
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
    log.error({ err: error, key: file.key }, 'invoice file storage unavailable')
    throw unavailable('Invoice file storage unavailable')
  }
}

/** The ZIP in chunks; one file is open at a time. @param first the stream of the first file, already open. */
export async function* zipChunks(
  context: Context,
  files: readonly StoredFile[],
  layout: ZipLayout,
  first: Readable | null,
): AsyncGenerator<Buffer> {
  let opened = first
  for (const [index, file] of files.entries()) {
    const header = layout.headers[index]
    if (header !== undefined) yield header
    opened ??= await openFile(context, file)
    yield* opened as AsyncIterable<Buffer>
    opened = null
  }
  yield layout.directory
}

/**
 * Sends the response, whose status and headers are set, with these chunks as its body, with back-pressure. An error closes the
 * connection, so that the client notices the incomplete file.
 */
export async function sendBytes({ log }: Context, reply: FastifyReply, chunks: AsyncIterable<Buffer>): Promise<void> {
  // A piped stream would double the cost of a byte.
  const { raw: response } = reply.hijack()
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
    if (!response.destroyed) log.error({ err: error }, 'download of invoice files failed')
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
