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

/** The ZIP that the files of an invoice make, but for their bytes. */
export function zipOf(files: readonly StoredFile[]): ZipLayout {
  const names = archiveNames(files.map((file) => file.name))
  return layOutZip(files.map((file, index) => ({ ...file, name: names[index] ?? file.name })))
}

/** The bytes of a file, or of a part of it, once the first are at hand. @throws ApiError 503 */
export async function openFile({ storage, log }: Context, file: StoredFile, part?: ByteRange): Promise<Readable> {
  let stream: Readable | null = null
  try {
    const found = await storage.read(file.key, part)
    stream = found.stream
    if (found.size !== (part === undefined ? file.size : part.last - part.first + 1)) {
      throw new Error('the file is not as it was kept')
    }
    await once(stream, 'readable')
    // It may fail before somebody reads on, and tells then.
    stream.on('error', () => {})
    return stream
  } catch (error) {
    stream?.destroy()
    log.error({ err: error, key: file.key }, 'invoice file storage away')
    throw unavailable('Invoice file storage unavailable')
  }
}

/** The ZIP, piece by piece: one file is open at a time. @param first the stream of the first file, opened before. */
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
 * Sends the answer, whose status and headers are set, with these bytes as its body: the next are asked for when its reader has
 * room for them. What fails from here on breaks the connection, so that nobody takes half a file for a whole one.
 */
export async function sendBytes({ log }: Context, reply: FastifyReply, chunks: AsyncIterable<Buffer>): Promise<void> {
  // Written here, because a stream that is piped costs as much again as the bytes.
  const { raw: response } = reply.hijack()
  // From here on there is the transfer only.
  if (reply.request.permits !== null) reply.request.permits.isWorkEnded = true
  response.on('error', () => {})
  reply.server.minimumSpeed.watchResponse(response)
  try {
    response.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    for await (const chunk of chunks) {
      if (response.destroyed) return
      if (response.write(chunk)) continue
      await drained(response)
      // The collector would let many pile up before it looks.
      if (!response.destroyed) releaseChunk(chunk)
    }
    response.end()
  } catch (error) {
    if (!response.destroyed) log.error({ err: error }, 'a download of invoice files broke off')
    response.destroy()
  }
}

/** Resolves when the reader has taken what was written, or is gone. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  await new Promise<void>((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end)
      resolve()
    }
    response.on('drain', end).on('close', end)
  })
}
