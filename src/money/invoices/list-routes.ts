import { route } from '#platform/http/route.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { listInvoices, readInvoiceOfCaller } from './list-queries.ts'
import { invoiceIdOf, InvoiceList, InvoicePath, InvoiceQuery, InvoiceResponse } from './schema.ts'

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
      response: { 200: InvoiceResponse, ...errorResponses('invoice-not-found') },
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params.invoiceId)
      const invoice = await readInvoiceOfCaller(database, callerOf(request), id, context.today())
      if (invoice === null) throw new ApiError('invoice-not-found')
      return sendJson(reply, `{"result":${invoice}}`)
    },
  })
}
