import fastifyMultipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidBody } from '../core/errors.ts'
import type { App } from './context.ts'
import type { IncomingFile } from './upload-stream.ts'

const fieldName = 'file'

/** Routes of the scope may read forms, with `openMultipart`. */
export async function acceptForms(scope: App): Promise<void> {
  await scope.register(fastifyMultipart, {
    // The size of the file is limited by its reader.
    limits: { files: 1, fields: 20, parts: 21, fieldSize: 1_024, headerPairs: 20, fileSize: Infinity },
    // The field `file` is the file, with or without a file name and a type.
    isPartAFile: (name, _type, fileName) => name === fieldName || fileName !== undefined,
  })
}

/** Whether the body is a form with the file in it, rather than the file itself. */
export function isMultipart({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type']?.trim() ?? '')
}

/**
 * The one file of a form, in its field `file`; other fields are ignored. Resolves when the file starts.
 * @throws ApiError 400 when the form is malformed or has no such file; `finish` throws it for a second file.
 */
export async function openMultipart(request: FastifyRequest): Promise<IncomingFile> {
  const refusal = (error: unknown) => refusalOf(error, request)
  // The parser would wait for the rest of a request whose client has gone.
  if (brokeOff(request)) throw new ApiError('upload-broke-off')
  const headOf = keepHead(request.raw)
  const parts = partsOf(request)
  const file = await firstFile(parts).catch((error: unknown) => {
    throw refusal(error)
  })
  const finish = async () => {
    if (!file.file.readableEnded) throw new ApiError('upload-broke-off')
    try {
      while (!(await parts.next()).done);
    } catch (error) {
      if (!isOfOtherField(error) || brokeOff(request)) throw refusal(error)
    }
  }
  return {
    name: file.filename === undefined ? null : nameOf(file.filename, headOf()),
    chunks: chunksOf(file, refusal),
    finish,
  }
}

/** More than the fields that may stand before the file. */
const maxHeadBytes = 32 * 1024

/** Keeps the beginning of the form: the parser reads names as UTF-8 only, and loses what is none. @returns what was kept, and ends that. */
function keepHead(body: FastifyRequest['raw']): () => string {
  let head = ''
  const keep = (chunk: Buffer) => {
    head += chunk.toString('latin1', 0, maxHeadBytes - head.length)
    if (head.length === maxHeadBytes) body.off('data', keep)
  }
  body.on('data', keep)
  return () => {
    body.off('data', keep)
    return head
  }
}

/** The name of a file; one that is not UTF-8 is in Windows-1252. */
function nameOf(read: string, head: string): string {
  if (!read.includes('\ufffd')) return read
  for (const [, sent = ''] of head.matchAll(/filename="([^"\r\n]*)"/gi)) {
    const bytes = Buffer.from(sent, 'latin1')
    if (bytes.toString('utf8').endsWith(read)) return new TextDecoder('windows-1252').decode(bytes)
  }
  return read
}

function partsOf(request: FastifyRequest) {
  try {
    return request.parts()
  } catch {
    throw invalidBody()
  }
}

async function firstFile(parts: ReturnType<FastifyRequest['parts']>): Promise<MultipartFile> {
  for (;;) {
    const next = await parts.next()
    if (next.done) throw missing()
    const part = next.value
    if (part.type !== 'file') continue
    if (part.fieldname === fieldName) return part
    // Ends the parsing.
    part.file.destroy()
    throw missing()
  }
}

const missing = () => invalidBody([{ field: fieldName, code: 'missing' }])

async function* chunksOf({ file }: MultipartFile, refusal: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>
  } catch (error) {
    throw refusal(error)
  }
}

/** The library refuses fields for their names and for JSON that it cannot read; it tells so at the end of the form. */
const isOfOtherField = (error: unknown) =>
  ['FST_PROTO_VIOLATION', 'FST_INVALID_JSON_FIELD_ERROR'].includes(String((error as { code?: unknown }).code))

const brokeOff = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

function refusalOf(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof ApiError) return error
  if (brokeOff(request)) return new ApiError('upload-broke-off')
  const isRepeated = (error as { code?: unknown }).code === 'FST_FILES_LIMIT'
  return invalidBody(isRepeated ? [{ field: fieldName, code: 'repeated' }] : [])
}
