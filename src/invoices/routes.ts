import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { listBody, sendJson } from '../http/json-response.ts'
import { ApiError } from '../platform/errors.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import { byteRange } from '../http/byte-range.ts'
import { attachmentOf } from '../http/content-disposition.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { readDateRange } from '../http/date-range.ts'
import { Closed, DateOnly, errorResponses, pageBounds, pageQuery, Uuid } from '../http/schemas.ts'
import { openFile, sendBytes, zipChunks, zipOf } from './download.ts'
import { listPendingInvoices } from './pending-queries.ts'
import { type StoredFile, readInvoiceFiles } from './queries.ts'
import { InvoiceList, invoiceIdOf, InvoicePath } from './schema.ts'

const maxDownloadsWaiting = 2_000

/** The invoices to pay, and the files of an invoice. */
export async function invoiceRoutes(app: App, context: Context): Promise<void> {
  pendingRoute(app, context)
  downloadRoutes(app, context)
}

function pendingRoute(app: App, context: Context): void {
  app.route({
    method: 'GET',
    url: '/v1/invoices/pending-payment',
    config: { api: 'partner' },
    schema: {
      operationId: 'listPendingInvoices',
      tags: ['invoices'],
      summary: 'List the invoices to pay',
      description:
        'The invoices that are not fully paid, of all companies that the client may access: `all-pending`, `all-overdue`, ' +
        '`partially-overdue`, `partially-paid`. Ordered by due date, then id.',
      querystring: Closed({
        'from-dt': Type.Optional({ ...DateOnly, description: 'First `due-date`, included.' }),
        'until-dt': Type.Optional({
          ...DateOnly,
          description: 'Last `due-date`, included; must be greater than `from-dt`.',
        }),
        ...pageQuery,
      }),
      response: { 200: InvoiceList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const dates = readDateRange(query)
      const bounds = pageBounds(query)
      const page = await listPendingInvoices(context.database, callerOf(request), dates, bounds, context.today())
      return sendJson(reply, listBody(page, query))
    },
  })
}

const url = '/v1/invoices/:invoiceId/download'
const Query = Closed({
  'file-id': Type.Optional({ ...Uuid, description: 'Of one of the `files`: only this file, not in a ZIP.' }),
})

function downloadRoutes(app: App, context: Context): void {
  const downloads = new ConcurrencyLimit({ max: context.config.limits.downloads, maxWaiting: maxDownloadsWaiting })
  app.route({
    method: 'GET',
    url,
    exposeHeadRoute: false,
    config: { api: 'partner' },
    schema: {
      operationId: 'downloadInvoice',
      tags: ['invoices'],
      summary: 'Download the files of an invoice',
      description:
        'Without `file-id` a ZIP of all files; with it one file, of which `Range` selects a part (`If-Range` with the `ETag`). HEAD ' +
        'returns type, size and name. The response for an invoice of a company that the client may not access, and for an unknown ' +
        '`file-id`, is that for an unknown invoice. If the connection closes before `Content-Length` bytes, the file storage failed: ' +
        'repeat the call.',
      params: InvoicePath,
      querystring: Query,
      response: { 200: filesResponse, 206: partResponse, ...errorResponses(404, 416) },
    },
    handler: async (request, reply) => sendFiles(context, downloads, request, reply, request.params, request.query),
  })
  app.route({
    method: 'HEAD',
    url,
    config: { api: 'partner' },
    schema: { hide: true, params: InvoicePath, querystring: Query },
    handler: async (request, reply) => {
      const { files, file } = await findFiles(context, request, request.params, request.query)
      if (file === null) setZipHeaders(reply, zipOf(files).size)
      else setFileHeaders(reply, file)
      return reply.send()
    },
  })
}

const binary = { schema: { type: 'string', format: 'binary' } }

const filesResponse = {
  description: 'The ZIP (`invoice-files.zip`), or the file with the type and name of its upload.',
  content: { 'application/zip': binary, 'application/pdf': binary, 'application/octet-stream': binary, '*/*': binary },
}

const partResponse = {
  description: 'The part of the file that `Range` selects.',
  content: { 'application/pdf': binary, 'application/octet-stream': binary, '*/*': binary },
}

type Path = { invoiceId: string }
type FileQuery = { 'file-id'?: string }

/** Sends the file or the ZIP; the download counts until the last byte is sent or the client disconnects. */
async function sendFiles(
  context: Context,
  downloads: ConcurrencyLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  path: Path,
  query: FileQuery,
): Promise<FastifyReply> {
  const { files, file } = await findFiles(context, request, path, query)
  await downloads.run(callerOf(request).clientId, () =>
    file === null ? sendZip(context, reply, files) : sendFile(context, request, reply, file),
  )
  return reply
}

async function sendZip(context: Context, reply: FastifyReply, files: readonly StoredFile[]): Promise<void> {
  const layout = zipOf(files)
  const first = files[0] === undefined ? null : await openFile(context, files[0])
  try {
    setZipHeaders(reply, layout.size)
    await sendBytes(context, reply, zipChunks(context, files, layout, first))
  } finally {
    first?.destroy()
  }
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
    throw new ApiError(416, 'Range not satisfiable', {}, { 'content-range': `bytes */${file.size}` })
  }
  const stream = await openFile(context, file, part ?? undefined)
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

/** All files of the invoice, and the one that `file-id` names. */
async function findFiles(
  { database }: Context,
  request: FastifyRequest,
  path: Path,
  query: FileQuery,
): Promise<{ files: readonly StoredFile[]; file: StoredFile | null }> {
  const found = await readInvoiceFiles(database, callerOf(request), invoiceIdOf(path))
  const fileId = query['file-id']?.toLowerCase()
  const file = found.files?.find((one) => one.fileId === fileId) ?? null
  if (found.files === null || (fileId !== undefined && file === null)) throw new ApiError(404, 'Invoice not found')
  return { files: found.files, file }
}

/** A browser saves an uploaded file and never runs it. */
const downloadHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

function setZipHeaders(reply: FastifyReply, size: number): void {
  void reply.headers({
    'content-type': 'application/zip',
    'content-length': size,
    'content-disposition': 'attachment; filename="invoice-files.zip"',
    'accept-ranges': 'none',
    ...downloadHeaders,
  })
}

function setFileHeaders(reply: FastifyReply, file: StoredFile): void {
  void reply.headers({
    'content-type': file.contentType,
    'content-length': file.size,
    'content-disposition': attachmentOf(file.name),
    'accept-ranges': 'bytes',
    etag: etagOf(file),
    ...downloadHeaders,
  })
}

/** A new upload has a new storage key, and so a new tag. */
function etagOf(file: StoredFile): string {
  return `"${createHash('sha256').update(file.key).digest('base64url').slice(0, 22)}"`
}
