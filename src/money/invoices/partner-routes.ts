import { ResultOf } from '#platform/http/page.ts'
import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readPendingDateRange } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, DateOnly, errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { listPendingInvoices, readInvoiceFiles, listInvoices, readInvoiceOfCaller } from './queries.ts'
import { invoiceColumns, InvoiceList, invoiceIdOf, InvoicePath, InvoiceQuery, Invoice } from './schema.ts'
import { downloadSchema, downloadTexts, openFileSender } from './send-files.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'

/** The invoices to pay, and the files of an invoice. */
export async function invoiceRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const sendFiles = openFileSender(context)
  route(app, {
    method: 'GET',
    url: '/v1/invoices/pending-payment',
    api: 'partner',
    schema: {
      operationId: 'listPendingInvoices',
      'x-sdk': 'invoices.listPending',
      'x-cli': { command: 'invoice pending', columns: invoiceColumns },
      tags: ['invoices'],
      summary: 'List the invoices to pay',
      description:
        'The invoices that are not fully paid, of all companies that the client may access: `all-pending`, `all-overdue`, ' +
        '`partially-overdue`, `partially-paid`. Ordered by due date, then id.',
      querystring: Closed({
        'from-dt': Type.Optional({ ...DateOnly, description: 'First `due-date`, included.' }),
        'until-dt': Type.Optional({
          ...DateOnly,
          description:
            'Last `due-date`, included; must be greater than `from-dt` (for one day, see `GET /v1/invoices`).',
        }),
        ...pageQuery,
      }),
      response: { 200: InvoiceList, ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const dates = readPendingDateRange(query)
      const page = await listPendingInvoices(database, callerOf(request), dates, pageBounds(query), context.today())
      return sendJson(reply, listBody(page, query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/v1/invoices/:invoiceId/download',
    api: 'partner',
    schema: {
      operationId: 'downloadInvoice',
      'x-sdk': 'invoices.download',
      'x-cli': {
        command: 'invoice download',
        examples: { 'invoice download demo-invoice-1 --output invoice.zip': 'all its files' },
      },
      tags: ['invoices'],
      summary: 'Download the files of an invoice',
      description:
        `${downloadTexts.selection} The response for an invoice of a company that the client may not access, and for an unknown ` +
        `\`file-id\`, is that for an unknown invoice. ${downloadTexts.incomplete}`,
      ...downloadSchema,
    },
    handler: async (request, reply) => {
      const { files } = await readInvoiceFiles(database, callerOf(request), invoiceIdOf(request.params.invoiceId))
      return sendFiles(request, reply, files, request.query['file-id'])
    },
  })
}

/** All invoices of the caller's companies, and one of them. */
export async function invoiceListRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/v1/invoices',
    api: 'partner',
    schema: {
      operationId: 'listInvoices',
      'x-sdk': 'invoices.list',
      'x-cli': { command: 'invoice list' },
      tags: ['invoices'],
      summary: 'List invoices',
      description:
        'Of all companies that the client may access, in every status, ordered by due date, then id. Filters are joined by AND. An ' +
        'unknown company gets the same response as one that is not the caller’s.',
      querystring: InvoiceQuery,
      response: { 200: InvoiceList, ...errorResponses('invalid-date-range', 'not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = await listInvoices(database, callerOf(request), query, context.today())
      if (!page.entitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/v1/invoices/:invoiceId',
    api: 'partner',
    schema: {
      operationId: 'readInvoice',
      'x-sdk': 'invoices.get',
      'x-cli': { command: 'invoice show', examples: { 'invoice show demo-invoice-1': 'the ids of its files too' } },
      tags: ['invoices'],
      summary: 'Read an invoice',
      description:
        'As in the list. The response for an invoice of a company that the client may not access is that for an unknown one.',
      params: InvoicePath,
      response: { 200: ResultOf(Invoice), ...errorResponses('invoice-not-found') },
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params.invoiceId)
      const invoice = await readInvoiceOfCaller(database, callerOf(request), id, context.today())
      if (invoice === null) throw new ApiError('invoice-not-found')
      return sendJson(reply, `{"result":${invoice}}`)
    },
  })
}
