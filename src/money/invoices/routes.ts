import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readPendingDateRange } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, DateOnly, errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { listPendingInvoices, readInvoiceFiles } from './queries.ts'
import { invoiceColumns, InvoiceList, invoiceIdOf } from './schema.ts'
import { downloadSchema, downloadTexts, openFileSender } from './send-files.ts'

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
