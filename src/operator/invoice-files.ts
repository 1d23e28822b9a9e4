import { Type, type Static, type TSchema } from 'typebox'
import { requireActiveClient } from '../http/active-client.ts'
import { sendJson } from '../http/json-response.ts'
import { ApiError, type Detail, invalidParameter } from '../platform/errors.ts'
import { writeSlipStatus } from '../invoices/write.ts'
import { readOwner } from '../invoices/write-queries.ts'
import { readInvoice } from '../invoices/queries.ts'
import { InvoiceAnswer, invoiceIdOf, InvoicePath } from '../invoices/schema.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import { INVOICE_FILE_TYPES, SLIP_STATUSES } from '../domain/invoice.ts'
import { type App, callerOf, type Context, auditActor } from '../http/context.ts'
import { validator } from '../http/validation.ts'
import { DateOnly, errorAnswers, OneOf, Uuid } from '../http/schemas.ts'
import { type Described, refuseEarly, takeInvoiceFile } from './invoice-upload.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const url = '/operator/v1/invoice/:invoiceId/file/:fileId'

const FilePath = Type.Object({
  ...InvoicePath.properties,
  fileId: Type.String({ ...Uuid, description: 'Unique within its invoice.' }),
})

const Query = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_CHARACTERS,
      // No control characters, and none that turns the direction of writing.
      pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]+$',
      description: 'Under which the file is shown and saved, as it is, with its ending.',
      examples: ['boleto novembro.pdf'],
    }),
    type: OneOf(INVOICE_FILE_TYPES, { description: 'What the file is; a `payment-slip` needs its due date.' }),
    'payment-slip-due-date': Type.Optional({
      ...DateOnly,
      description: 'Required for a payment slip, and only for one.',
    }),
  },
  { additionalProperties: false },
)

const Mark = Type.Object(
  { status: OneOf(SLIP_STATUSES) },
  { additionalProperties: false, examples: [{ status: 'paid' }] },
)

const maxUploadsWaiting = 200

/** The files of an invoice: their bytes, and what became of its payment slips. */
export async function invoiceFileRoutes(app: App, context: Context): Promise<void> {
  markRoute(app, context)
  await app.register(async (scope) => bytesRoute(scope as App, context))
}

function markRoute(app: App, context: Context): void {
  app.route({
    method: 'PATCH',
    url,
    config: { api: 'operator', roles: ['finance'] },
    schema: {
      operationId: 'markInvoiceFile',
      tags: ['operator'],
      summary: 'Say what became of a payment slip',
      description:
        '`pending`, `paid` or `cancelled`; overdue follows from the day. Another file than a payment slip: 409. When all slips but ' +
        'cancelled ones are paid, `invoice.paid` is told.',
      params: FilePath,
      body: Mark,
      response: { 200: InvoiceAnswer, ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 503) },
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

function bytesRoute(app: App, context: Context): void {
  // A file on its way to an S3 store holds 5 MiB.
  const uploads = new ConcurrencyLimit({ max: context.config.limits.invoiceUploads, maxWaiting: maxUploadsWaiting })
  // The body stays on the wire until the handler takes it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async () => undefined)
  app.route({
    method: 'PUT',
    url,
    config: { api: 'operator', roles: ['finance'], streamsBody: true },
    schema: {
      operationId: 'putInvoiceFile',
      tags: ['operator'],
      summary: 'Send a file of an invoice, or new bytes of one',
      description:
        'The body is the file, 1 byte to 100 MiB, kept with its `Content-Type` (a payment slip without one is `application/pdf`, another file ' +
        '`application/octet-stream`). A new payment slip is `pending`, one that is replaced keeps its status. A refused or broken ' +
        'transfer keeps nothing and leaves the file as it was.',
      params: FilePath,
      querystring: Query,
      body: { content: { 'application/pdf': binary, 'application/octet-stream': binary } },
      response: { 200: InvoiceAnswer, ...errorAnswers(400, 401, 403, 404, 413, 503), 415: wrongType },
    },
    validatorCompiler: ({ schema, httpPart }) =>
      httpPart === 'body' ? (value: unknown) => ({ value }) : validator(schema as TSchema, httpPart as 'params'),
    // Before anything of the body is read.
    onRequest: async (request) => refuseEarly(request.raw),
    handler: async (request, reply) => {
      const { id, fileId } = readPath(request.params)
      const describedCommand = readQuery(request.query)
      const writer = { ...auditActor(request), today: context.today() }
      const body = await uploads.run(writer.actor, () =>
        takeInvoiceFile(context, request, { id, fileId, ...describedCommand }, writer),
      )
      return sendJson(reply, `{"result":${body}}`)
    },
  })
}

const binary = { schema: { type: 'string', format: 'binary' } }

const wrongType = Type.Unsafe<unknown>({
  ...Type.Ref('Error'),
  description: 'The body is a form or compressed, or its `Content-Type` is malformed: send the file itself.',
})

function readPath(path: Static<typeof FilePath>): { id: string; fileId: string } {
  return { id: invoiceIdOf(path), fileId: path.fileId.toLowerCase() }
}

/** @throws ApiError 400 for a slip without its due date, or one of another file. */
function readQuery(query: Static<typeof Query>): Described {
  const slipDueDate = query['payment-slip-due-date'] ?? null
  const isSlip = query.type === 'payment-slip'
  const faults: Detail[] = []
  if (isSlip && slipDueDate === null) faults.push({ field: 'payment-slip-due-date', code: 'missing' })
  if (!isSlip && slipDueDate !== null) faults.push({ field: 'payment-slip-due-date', code: 'not-applicable' })
  if (faults.length > 0) throw invalidParameter(faults)
  return { name: query.name, type: query.type, slipDueDate }
}
