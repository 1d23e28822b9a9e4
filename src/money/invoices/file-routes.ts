import { ResultOf } from '#platform/http/page.ts'
import { route } from '#platform/http/route.ts'
import { endBody } from '#platform/http/limits/end-transfer.ts'
import { stream } from '#platform/http/bodies.ts'
import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { Type, type Static } from 'typebox'
import { storeFile } from '#registry/documents/orphans.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { INVOICE_FILE_TYPES } from '#kernel/enums.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { isProgram, PROGRAM_BYTES } from '#platform/http/file-type.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { Closed, DateOnly, errorResponse, errorResponses, OneOf, Uuid } from '#platform/http/schemas.ts'
import { chunksOf } from '#platform/http/upload-stream.ts'
import { tooLarge } from '#platform/http/refused-content.ts'
import { readInvoice } from './queries.ts'
import { invoiceIdOf, InvoicePath, Invoice } from './schema.ts'
import { type FileData, requireOwner, writeInvoiceFile } from './write.ts'
import type { Actor } from '#platform/core/actor.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { ApiError, type Detail, invalidBody, invalidParameter } from '#platform/core/errors.ts'

const maxFileBytes = 100 * 1024 * 1024

export const invoiceFileUrl = '/operator/v1/invoice/:invoiceId/file/:fileId'

/** The path parameters of a file. */
export const InvoiceFilePath = Type.Object({
  ...InvoicePath.properties,
  fileId: Type.String({ ...Uuid, description: 'Unique within its invoice.' }),
})

const Query = Closed({
  name: Type.String({
    minLength: 1,
    maxLength: MAX_TEXT_CHARACTERS,
    // Without control characters and bidirectional formatting characters.
    pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]+$',
    description: 'The file name with its extension, as shown and saved.',
    examples: ['boleto novembro.pdf'],
  }),
  type: OneOf(INVOICE_FILE_TYPES, { description: 'A `payment-slip` needs its due date.' }),
  'payment-slip-due-date': Type.Optional({
    ...DateOnly,
    description: 'Required for a payment slip, and only for one.',
  }),
})

/**
 * Runs a write that leaves the invoice.
 * @param work returns the company of the invoice.
 * @returns the response body: the invoice as it is now.
 */
export async function writeAndRead(
  context: Context,
  actor: Actor,
  id: string,
  work: (tx: Tx) => Promise<string>,
): Promise<string> {
  return write(context, actor, { may: ['finance'] }, async (tx) => {
    const companyId = await work(tx)
    return `{"result":${await readInvoice(tx, companyId, id, context.today())}}`
  })
}

/** The upload of a file of an invoice. */
export function uploadRoute(app: App, context: Context): void {
  // An upload to an S3 store uses 5 MiB of memory.
  const { invoiceUploads, maxWaitMs } = context.config.limits
  const uploads = new ConcurrencyLimit({ max: invoiceUploads, maxWaitMs })
  route(app, {
    method: 'PUT',
    url: invoiceFileUrl,
    api: 'operator',
    roles: ['finance'],
    schema: {
      operationId: 'putInvoiceFile',
      summary: 'Upload or replace a file of an invoice',
      description:
        'The body is the file, 1 byte to 100 MiB, stored with its `Content-Type` (default: `application/pdf` for a payment slip, ' +
        '`application/octet-stream` for any other file). A new payment slip is `pending`, a replaced one keeps its status. After a refused ' +
        'or incomplete upload the file is as before.',
      params: InvoiceFilePath,
      querystring: Query,
      response: {
        200: ResultOf(Invoice),
        ...errorResponses('upload-broke-off', 'invoice-not-found', 'invoice-storage-unavailable'),
        415: errorResponse(
          'The body is a form, compressed or a program, or its `Content-Type` is malformed: send the file itself.',
        ),
      },
    },
    body: stream(binaryContent(['application/pdf', 'application/octet-stream'])),
    // Before the body is read.
    before: async (request) => checkHeaders(request.raw),
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params.invoiceId)
      const attributes = { fileId: request.params.fileId, ...readQuery(request.query) }
      const { clientId } = callerOf(request)
      const end = () => endBody(request.raw)
      const body = await uploads.run(clientId, () => receiveFile(context, request, id, attributes), { end })
      return sendJson(reply, body)
    },
  })
}

/** @throws ApiError 400 for a payment slip without due date, or another file with one. */
function readQuery(query: Static<typeof Query>): Pick<FileData, 'name' | 'type' | 'slipDueDate'> {
  const slipDueDate = query['payment-slip-due-date'] ?? null
  const isSlip = query.type === 'payment-slip'
  const details: Detail[] = []
  if (isSlip && slipDueDate === null) details.push({ field: 'payment-slip-due-date', code: 'missing' })
  if (!isSlip && slipDueDate !== null) details.push({ field: 'payment-slip-due-date', code: 'not-applicable' })
  if (details.length > 0) throw invalidParameter(details)
  return { name: query.name, type: query.type, slipDueDate }
}

/** @throws ApiError 413 for a declared length over the limit, 415 for a form or a malformed content type. */
function checkHeaders(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > maxFileBytes) throw tooLarge(maxFileBytes)
  const type = request.headers['content-type']?.trim()
  if (type !== undefined && (/^multipart\//i.test(type) || !isMediaType(type))) {
    throw new ApiError('unsupported-media-type')
  }
}

/**
 * Stores the body of the request as the file: the file first, then the row that refers to it, so that an invoice never has an incomplete
 * file.
 * @returns the response body.
 * @throws ApiError; the invoice is unchanged then and nothing is stored.
 */
async function receiveFile(
  context: Context,
  request: FastifyRequest,
  id: string,
  attributes: Omit<FileData, 'key' | 'size' | 'crc32' | 'contentType'>,
): Promise<string> {
  try {
    await requireOwner(context.database, id)
    const file = { ...attributes, ...(await storeBody(context, request.raw, attributes.name)) }
    const contentType = contentTypeOf(request.raw, file.type)
    // After a failed commit it is unknown whether it happened; the retention job decides by the row of the orphan.
    return await writeAndRead(context, callerOf(request), id, (tx) =>
      writeInvoiceFile(tx, id, { ...file, contentType }, context.today()),
    )
  } finally {
    // Discards the rest of the body: many clients read the response only after they have sent everything.
    request.raw.resume()
  }
}

async function storeBody(context: Context, request: IncomingMessage, name: string) {
  const chunks = chunksOf(request)
  const checksum = { crc32: 0 }
  try {
    const stored = await storeFile(context, 'invoice', measured(chunks, checksum, name), (size) => {
      if (size === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
    })
    return { ...stored, ...checksum }
  } finally {
    await chunks.return(undefined)
  }
}

/** Passes the chunks on and computes their checksum. @throws ApiError 413 when the file is too large, 415 for a program. */
async function* measured(
  chunks: AsyncIterable<Buffer>,
  checksum: { crc32: number },
  name: string,
): AsyncGenerator<Buffer> {
  let size = 0
  let head = Buffer.alloc(0)
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxFileBytes) throw tooLarge(maxFileBytes)
    if (head.length < PROGRAM_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, PROGRAM_BYTES - head.length)])
      if (isProgram(name, head)) throw notAProgram()
    }
    checksum.crc32 = crc32(chunk, checksum.crc32)
    yield chunk
  }
}

/** Partners download and open these files. */
function notAProgram(): ApiError {
  return new ApiError('unsupported-media-type', {
    details: [{ field: 'file', code: 'invalid', message: { key: 'program' } }],
  })
}

function contentTypeOf(request: IncomingMessage, type: FileData['type']): string {
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
