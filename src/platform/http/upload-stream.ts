import type { IncomingMessage } from 'node:http'
import { ApiError, invalidBody } from '../core/errors.ts'
import { FILE_TYPES, type FileType, fileTypeOf, SIGNATURE_BYTES } from './file-type.ts'
import { tooLarge, unsupportedFile } from './refused-content.ts'

/** A file that is being received. */
export interface IncomingFile {
  /** The file name of the client; null for a raw body. */
  readonly name: string | null
  readonly chunks: AsyncGenerator<Buffer>
  /** Reads the rest of the request; to be called after the chunks. @throws ApiError when it is not valid to its end. */
  finish(): Promise<void>
}

/** The body of a request as the file itself. */
export function openRawBody(request: IncomingMessage): IncomingFile {
  return { name: null, chunks: chunksOf(request), finish: async () => {} }
}

/**
 * The chunks of a request's body. The memory of each is freed when the next one is read: the garbage collector would let a whole upload
 * pile up. Stopping early leaves the connection open for the response.
 */
export async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of body) {
      yield chunk
      releaseChunk(chunk)
    }
  } catch {
    throw new ApiError('upload-broke-off')
  }
  if (!request.complete) throw new ApiError('upload-broke-off')
}

/** Frees the memory of a chunk at once; the chunk must not be used afterwards. */
export function releaseChunk(chunk: Buffer): void {
  const { buffer, byteLength } = chunk
  const isAlone = buffer.byteLength === byteLength
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

interface Inspected {
  readonly contentType: FileType
  readonly chunks: AsyncGenerator<Buffer>
}

/**
 * Detects the type by the first bytes; the chunks that it returns start with them and end at the limit.
 * @throws ApiError 400 for an empty file, 415 for another type; the chunks throw 413.
 */
export async function inspect(chunks: AsyncGenerator<Buffer>, limitBytes: number): Promise<Inspected> {
  let head = Buffer.alloc(0)
  while (head.length < SIGNATURE_BYTES && fileTypeOf(head) === null) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  if (head.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
  const contentType = fileTypeOf(head)
  if (contentType === null) throw unsupportedFile(FILE_TYPES)
  return { contentType, chunks: limited(head, chunks, limitBytes) }
}

async function* limited(head: Buffer, rest: AsyncGenerator<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let size = head.length
  if (size > limitBytes) throw tooLarge(limitBytes)
  yield head
  for await (const chunk of rest) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    yield chunk
  }
}
