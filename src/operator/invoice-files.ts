import { Type, type Static } from 'typebox'
import { requireActiveClient } from '../http/active-client.ts'
import { sendJson } from '../http/json-response.ts'
import { ApiError, type Detail, invalidParameter } from '../platform/errors.ts'
import { writeSlipStatus } from '../invoices/write.ts'
import { readOwner } from '../invoices/write-queries.ts'
import { readInvoice } from '../invoices/queries.ts'
import { InvoiceResponse, invoiceIdOf, InvoicePath } from '../invoices/schema.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import { INVOICE_FILE_TYPES, SLIP_STATUSES } from '../domain/invoice.ts'
import { type App, callerOf, type Context, auditActor } from '../http/context.ts'
import { binaryContent } from '../http/download.ts'
import { streamBodies } from '../http/upload-stream.ts'
import { Closed, DateOnly, errorResponse, errorResponses, OneOf, Uuid } from '../http/schemas.ts'
import { checkHeaders, type FileAttributes, receiveInvoiceFile } from './invoice-upload.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const url = '/operator/v1/invoice/:invoiceId/file/:fileId'

const FilePath = Type.Object({
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

const StatusBody = Closed({ status: OneOf(SLIP_STATUSES) }, { examples: [{ status: 'paid' }] })

const maxUploadsWaiting = 200

/** The upload of an invoice's files, and the status of its payment slips. */
export async function invoiceFileRoutes(app: App, context: Context): Promise<void> {
  statusRoute(app, context)
  await app.register(async (scope) => uploadRoute(scope as App, context))
}

function statusRoute(app: App, context: Context): void {
  app.route({
    method: 'PATCH',
    url,
    config: { api: 'operator', roles: ['finance'] },
    schema: {
      operationId: 'markInvoiceFile',
      summary: 'Set the status of a payment slip',
      description:
        '`pending`, `paid` or `cancelled`; `overdue` is derived from the due date. 409 for a file that is not a payment slip. When all ' +
        'payment slips that are not cancelled are paid, an `invoice.paid` event is sent.',
      params: FilePath,
      body: StatusBody,
      response: { 200: InvoiceResponse, ...errorResponses(404, 409) },
    },
    handler: async (request, reply) => {
      const { status } = request.body
      const { id, fileId } = readPath(request.params)
      const writer = { ...auditActor(request), today: context.today() }
      const body = await context.database.transaction(async (sql) => {
        const companyId = await readOwner(sql, id)
        if (companyId === null) throw new ApiError(404, 'Invoice not found')
        await writeSlipStatus(sql, { companyId, id }, fileId, status, writer)
        await requireActiveClient(sql, callerOf(request))
        return readInvoice(sql, companyId, id, writer.today)
      })
      return sendJson(reply, `{"result":${body}}`)
    },
  })
}

function uploadRoute(app: App, context: Context): void {
  // An upload to an S3 store uses 5 MiB of memory.
  const uploads = new ConcurrencyLimit({ max: context.config.limits.invoiceUploads, maxWaiting: maxUploadsWaiting })
  streamBodies(app)
  app.route({
    method: 'PUT',
    url,
    config: { api: 'operator', roles: ['finance'], streamsBody: true },
    schema: {
      operationId: 'putInvoiceFile',
      summary: 'Upload or replace a file of an invoice',
      description:
        'The body is the file, 1 byte to 100 MiB, stored with its `Content-Type` (default: `application/pdf` for a payment slip, ' +
        '`application/octet-stream` for any other file). A new payment slip is `pending`, a replaced one keeps its status. After a refused ' +
        'or incomplete upload the file is as before.',
      params: FilePath,
      querystring: Query,
      body: { content: binaryContent(['application/pdf', 'application/octet-stream']) },
      response: {
        200: InvoiceResponse,
        ...errorResponses(404),
        415: errorResponse(
          'The body is a form or compressed, or its `Content-Type` is malformed: send the file itself.',
        ),
      },
    },
    // Before the body is read.
    onRequest: async (request) => checkHeaders(request.raw),
    handler: async (request, reply) => {
      const { id, fileId } = readPath(request.params)
      const attributes = readQuery(request.query)
      const writer = { ...auditActor(request), today: context.today() }
      const body = await uploads.run(writer.actor, () =>
        receiveInvoiceFile(context, request, { id, fileId, ...attributes }, writer),
      )
      return sendJson(reply, `{"result":${body}}`)
    },
  })
}

function readPath(path: Static<typeof FilePath>): { id: string; fileId: string } {
  return { id: invoiceIdOf(path), fileId: path.fileId.toLowerCase() }
}

/** @throws ApiError 400 for a payment slip without due date, or another file with one. */
function readQuery(query: Static<typeof Query>): FileAttributes {
  const slipDueDate = query['payment-slip-due-date'] ?? null
  const isSlip = query.type === 'payment-slip'
  const details: Detail[] = []
  if (isSlip && slipDueDate === null) details.push({ field: 'payment-slip-due-date', code: 'missing' })
  if (!isSlip && slipDueDate !== null) details.push({ field: 'payment-slip-due-date', code: 'not-applicable' })
  if (details.length > 0) throw invalidParameter(details)
  return { name: query.name, type: query.type, slipDueDate }
}
