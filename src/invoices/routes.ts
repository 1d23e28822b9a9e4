import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { byteRange } from '../http/byte-range.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { readDateRange } from '../http/date-range.ts'
import { binaryContent, openFile, sendBytes, sendHeaders, setDownloadHeaders } from '../http/download.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import { Closed, DateOnly, errorResponses, pageBounds, pageQuery, Uuid } from '../http/schemas.ts'
import { ApiError } from '../platform/errors.ts'
import { archiveNames } from './archive-name.ts'
import { listPendingInvoices, readInvoiceFiles, type StoredFile } from './queries.ts'
import { InvoiceList, invoiceIdOf, InvoicePath } from './schema.ts'
import { layOutZip, type ZipLayout } from './zip.ts'

const maxDownloadsWaiting = 2_000

/** The invoices to pay, and the files of an invoice. */
export async function invoiceRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const downloads = new ConcurrencyLimit({ max: context.config.limits.downloads, maxWaiting: maxDownloadsWaiting })
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
      response: { 200: InvoiceList, ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const dates = readDateRange(query)
      const page = await listPendingInvoices(database, callerOf(request), dates, pageBounds(query), context.today())
      return sendJson(reply, listBody(page, query))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/invoices/:invoiceId/download',
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
      querystring: Closed({
        'file-id': Type.Optional({ ...Uuid, description: 'Of one of the `files`: only this file, not in a ZIP.' }),
      }),
      response: {
        200: filesResponse,
        206: partResponse,
        ...errorResponses('invoice-not-found', 'range-not-satisfiable', 'invoice-storage-unavailable'),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { files } = await readInvoiceFiles(database, caller, invoiceIdOf(request.params))
      const fileId = request.query['file-id']?.toLowerCase()
      const file = files?.find((one) => one.fileId === fileId)
      if (files === null || (fileId !== undefined && file === undefined)) throw new ApiError('invoice-not-found')
      if (request.method === 'HEAD') {
        if (file === undefined) setZipHeaders(reply, zipOf(files))
        else setFileHeaders(reply, file)
        return sendHeaders(reply)
      }
      // The download counts until the last byte is sent or the client disconnects.
      await downloads.run(caller.clientId, () =>
        file === undefined ? sendZip(context, reply, files) : sendFile(context, request, reply, file),
      )
      return reply
    },
  })
}

const filesResponse = {
  description: 'The ZIP (`invoice-files.zip`), or the file with the type and name of its upload.',
  content: binaryContent(['application/zip', 'application/pdf', 'application/octet-stream', '*/*']),
}

const partResponse = {
  description: 'The part of the file that `Range` selects.',
  content: binaryContent(['application/pdf', 'application/octet-stream', '*/*']),
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
