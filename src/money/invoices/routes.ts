import { ResultOf } from '#platform/http/page.ts'
import { addScope, route } from '#platform/http/route.ts'
import { json } from '#platform/http/bodies.ts'
import { Type } from 'typebox'
import { sendJson } from '#platform/http/json-response.ts'
import { resource } from '#platform/http/resource.ts'
import { deleteInvoice, deleteInvoiceFile, putInvoice, requireOwner, writeSlipStatus } from './write.ts'
import { listInvoiceFiles, readInvoice, invoicePage } from './queries.ts'
import { downloadSchema, downloadTexts, openFileSender } from './send-files.ts'
import {
  InvoiceBody,
  invoiceColumns,
  invoiceIdOf,
  InvoicePath,
  InvoiceQuery,
  OperatorInvoiceList,
  Invoice,
} from './schema.ts'
import { SLIP_STATUSES } from '../rules/invoice.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { write } from '#platform/core/write.ts'
import { Closed, errorResponses, OneOf } from '#platform/http/schemas.ts'
import { invoiceFileUrl, InvoiceFilePath, uploadRoute, writeAndRead } from './file-routes.ts'

const mayRead = ['finance', 'auditor'] as const
const mayWrite = ['finance'] as const

/** `/operator/v1/invoice`: invoices, their files and the status of their payment slips. */
export async function invoiceAdminRoutes(app: App, context: Context): Promise<void> {
  const invoice = resource(app, context, {
    noun: 'invoice',
    mayRead,
    mayWrite,
    item: Invoice,
    read: async (sql, id) => {
      const invoice = await readInvoice(sql, await requireOwner(sql, invoiceIdOf(id)), id, context.today())
      return invoice && `{"result":${invoice}}`
    },
    columns: invoiceColumns,
    id: InvoicePath.properties.invoiceId,
  })

  invoice.put({
    summary: 'Create or replace an invoice',
    description:
      'The files of an existing invoice stay. An id belongs to one company until the invoice is deleted: 409 for another company. ' +
      '`pending-payment` is not an id. A new invoice sends an `invoice.issued` event.',
    cli: {
      file: true,
      examples: {
        'invoice put 2026-11-0042 invoice.json':
          'the file is the body of PUT /operator/v1/invoice; the id is of your choice',
      },
    },
    errors: ['company-not-found', 'invoice-of-another-company'],
    body: json(InvoiceBody),
    run: (actor, id, body) => putInvoice(context, actor, id, body),
  })
  markFileRoute(app, context)
  invoice.remove({
    summary: 'Delete an invoice with its files',
    description:
      'For a mistake: 409 while a payment slip is `paid`. The id is free again. No event is sent; those that were sent stay.',
    cli: {
      examples: { 'invoice delete 2026-11-0042 --dry-run': 'shows it' },
      irreversible: {
        sentence: 'Invoice {invoice-id} and its files would be deleted, which cannot be undone.',
        look: 'readAnyInvoice',
      },
      result: { id: '{invoice-id}', deleted: true },
    },
    errors: ['paid-payment-slip'],
    run: (actor, id) => write(context, actor, { may: mayWrite }, (tx) => deleteInvoice(tx, invoiceIdOf(id))),
  })
  deleteFileRoute(app, context)
  await addScope(app, uploadRoute.name, (scope) => uploadRoute(scope, context))
  invoice.list({
    operationId: 'listAllInvoices',
    summary: 'List the invoices of all companies',
    description:
      'In every status, ordered by due date, then id, with the totals of all that the filters select. Filters are combined with AND.',
    cli: {
      examples: {
        'invoice list --status all-overdue': 'those that are overdue',
        'invoice list --from 2026-11-01 --until 2026-11-30 --columns id,amount,due-date': 'those due in a month',
      },
    },
    errors: ['invalid-date-range'],
    query: InvoiceQuery,
    response: OperatorInvoiceList,
    page: (sql, query) => invoicePage(sql, query, context.today()),
  })
  invoice.get({
    operationId: 'readAnyInvoice',
    summary: 'Read an invoice',
    description: 'With its files and the status of its payment slips.',
  })
  downloadRoute(app, context)
}

function markFileRoute(app: App, context: Context): void {
  route(app, {
    method: 'PATCH',
    url: invoiceFileUrl,
    api: 'operator',
    roles: mayWrite,
    schema: {
      operationId: 'markInvoiceFile',
      'x-sdk': 'invoices.markFile',
      'x-cli': {
        command: 'invoice mark',
        examples: {
          'invoice mark 2026-11-0042 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --status paid': 'the invoice follows',
        },
        columns: invoiceColumns,
      },
      summary: 'Set the status of a payment slip',
      description:
        '`pending`, `paid` or `cancelled`; `overdue` is derived from the due date. 409 for a file that is not a payment slip. When all ' +
        'payment slips that are not cancelled are paid, an `invoice.paid` event is sent.',
      params: InvoiceFilePath,
      response: {
        200: ResultOf(Invoice),
        ...errorResponses('invoice-not-found', 'invoice-file-not-found', 'invoice-file-not-payment-slip'),
      },
    },
    body: json(Closed({ status: OneOf(SLIP_STATUSES) }, { examples: [{ status: 'paid' }] })),
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params.invoiceId)
      const body = await writeAndRead(context, callerOf(request), id, (tx) =>
        writeSlipStatus(tx, id, request.params.fileId, request.body.status, context.today()),
      )
      return sendJson(reply, body)
    },
  })
}

function deleteFileRoute(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: invoiceFileUrl,
    api: 'operator',
    roles: mayWrite,
    schema: {
      operationId: 'deleteInvoiceFile',
      'x-sdk': 'invoices.deleteFile',
      'x-cli': {
        command: 'invoice detach',
        examples: { 'invoice detach 2026-11-0042 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'asks in a terminal' },
        irreversible: {
          sentence: 'File {file-id} of invoice {invoice-id} would be deleted, which cannot be undone.',
          look: 'readAnyInvoice',
        },
        result: { id: '{invoice-id}', 'file-id': '{file-id}', deleted: true },
        message: 'File {file-id} is deleted.',
      },
      summary: 'Delete a file of an invoice',
      description: 'For a mistake: 409 while a payment slip of the invoice is `paid`. No event is sent.',
      params: InvoiceFilePath,
      response: {
        204: Type.Null({ description: 'Deleted.' }),
        ...errorResponses('invoice-not-found', 'invoice-file-not-found', 'paid-payment-slip'),
      },
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params.invoiceId)
      await write(context, callerOf(request), { may: mayWrite }, (tx) =>
        deleteInvoiceFile(tx, id, request.params.fileId, context.today()),
      )
      return reply.status(204).send(null)
    },
  })
}

function downloadRoute(app: App, context: Context): void {
  const { database } = context
  const sendFiles = openFileSender(context)
  route(app, {
    method: 'GET',
    url: '/operator/v1/invoice/:invoiceId/download',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'downloadAnyInvoice',
      'x-sdk': 'invoices.download',
      'x-cli': { command: 'invoice download' },
      summary: 'Download the files of any invoice',
      description: `${downloadTexts.selection} ${downloadTexts.incomplete}`,
      ...downloadSchema,
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params.invoiceId)
      const files = await listInvoiceFiles(database, await requireOwner(database, id), id)
      return sendFiles(request, reply, files, request.query['file-id'])
    },
  })
}
