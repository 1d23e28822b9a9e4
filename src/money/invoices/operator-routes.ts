import { addScope, route } from '#platform/http/route.ts'
import { json } from '#platform/http/bodies.ts'
import { type Static, Type } from 'typebox'
import { sendJson } from '#platform/http/json-response.ts'
import { findCompanies } from '#access/clients/queries.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { deleteInvoice, deleteInvoiceFile } from './delete.ts'
import { writeInvoice, writeSlipStatus } from './write.ts'
import { InvoiceResponse, InvoiceBody, invoiceColumns, invoiceIdOf, InvoicePath, newInvoiceIdOf } from './schema.ts'
import { SLIP_STATUSES } from '../rules/invoice.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { write } from '#platform/core/write.ts'
import { Closed, errorResponses, OneOf } from '#platform/http/schemas.ts'
import { invoiceFileUrl, InvoiceFilePath, uploadRoute, writeAndRead } from './file-routes.ts'

/** `/operator/v1/invoice`: invoices, their files and the status of their payment slips. */
export async function invoiceAdminRoutes(app: App, context: Context): Promise<void> {
  putRoute(app, context)
  markFileRoute(app, context)
  deleteRoute(app, context)
  deleteFileRoute(app, context)
  await addScope(app, uploadRoute.name, (scope) => uploadRoute(scope, context))
}

function putRoute(app: App, context: Context): void {
  route(app, {
    method: 'PUT',
    url: '/operator/v1/invoice/:invoiceId',
    api: 'operator',
    roles: ['finance'],
    schema: {
      operationId: 'putInvoice',
      'x-sdk': 'invoices.put',
      'x-cli': {
        command: 'invoice put',
        file: true,
        examples: {
          'invoice put 2026-11-0042 invoice.json':
            'the file is the body of PUT /operator/v1/invoice; the id is of your choice',
        },
        columns: invoiceColumns,
      },
      summary: 'Create or replace an invoice',
      description:
        'The files of an existing invoice stay. An id belongs to one company until the invoice is deleted: 409 for another company. ' +
        '`pending-payment` is not an id. A new invoice sends an `invoice.issued` event.',
      params: InvoicePath,
      response: { 200: InvoiceResponse, ...errorResponses('company-not-found', 'invoice-of-another-company') },
    },
    body: json(InvoiceBody),
    handler: async (request, reply) => {
      const id = newInvoiceIdOf(request.params)
      const { taxId, ...data } = readBody(request.body)
      const body = await writeAndRead(context, callerOf(request), id, async (sql) => {
        const [company] = await findCompanies(sql, [taxId])
        if (company === undefined) throw new ApiError('company-not-found')
        await writeInvoice(sql, company.id, { id, ...data }, context.today())
        return company.id
      })
      return sendJson(reply, body)
    },
  })
}

function markFileRoute(app: App, context: Context): void {
  route(app, {
    method: 'PATCH',
    url: invoiceFileUrl,
    api: 'operator',
    roles: ['finance'],
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
        200: InvoiceResponse,
        ...errorResponses('invoice-not-found', 'invoice-file-not-found', 'invoice-file-not-payment-slip'),
      },
    },
    body: json(Closed({ status: OneOf(SLIP_STATUSES) }, { examples: [{ status: 'paid' }] })),
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params)
      const fileId = request.params.fileId.toLowerCase()
      const body = await writeAndRead(context, callerOf(request), id, (sql) =>
        writeSlipStatus(sql, id, fileId, request.body.status, context.today()),
      )
      return sendJson(reply, body)
    },
  })
}

function deleteRoute(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: '/operator/v1/invoice/:invoiceId',
    api: 'operator',
    roles: ['finance'],
    schema: {
      operationId: 'deleteInvoice',
      'x-sdk': 'invoices.delete',
      'x-cli': {
        command: 'invoice delete',
        examples: { 'invoice delete 2026-11-0042 --dry-run': 'shows it' },
        irreversible: {
          sentence: 'Invoice {invoice-id} and its files would be deleted, which cannot be undone.',
          look: 'readAnyInvoice',
        },
        result: { id: '{invoice-id}', deleted: true },
        message: 'Invoice {invoice-id} is deleted.',
      },
      summary: 'Delete an invoice with its files',
      description:
        'For a mistake: 409 while a payment slip is `paid`. The id is free again. No event is sent; those that were sent stay.',
      params: InvoicePath,
      response: {
        204: Type.Null({ description: 'Deleted.' }),
        ...errorResponses('invoice-not-found', 'paid-payment-slip'),
      },
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params)
      await write(context, callerOf(request), { may: ['finance'] }, (tx) => deleteInvoice(tx, id))
      return reply.status(204).send(null)
    },
  })
}

function deleteFileRoute(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: invoiceFileUrl,
    api: 'operator',
    roles: ['finance'],
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
      const id = invoiceIdOf(request.params)
      const fileId = request.params.fileId.toLowerCase()
      await write(context, callerOf(request), { may: ['finance'] }, (tx) =>
        deleteInvoiceFile(tx, id, fileId, context.today()),
      )
      return reply.status(204).send(null)
    },
  })
}

function readBody(body: Static<typeof InvoiceBody>) {
  if (body['reference-period-end'] < body['reference-period-start']) {
    throw invalidBody([{ field: 'reference-period-end', code: 'before-reference-period-start' }])
  }
  return {
    taxId: parseCnpj(body['company-tax-id']) ?? '',
    configId: body['invoice-config-id']?.toLowerCase() ?? null,
    carrierName: body['carrier-name'].trim(),
    amount: body.amount,
    dueDate: body['due-date'],
    periodStart: body['reference-period-start'],
    periodEnd: body['reference-period-end'],
  }
}
