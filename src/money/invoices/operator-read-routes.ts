import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { INVOICE_STATUSES } from '#kernel/enums.ts'
import type { App, Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, DateOnly, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { listAllInvoices } from './operator-queries.ts'
import { listInvoiceFiles, readInvoice } from './queries.ts'
import { invoiceIdOf, InvoicePath, InvoiceResponse, invoiceColumns, OperatorInvoiceList } from './schema.ts'
import { downloadSchema, downloadTexts, openFileSender } from './send-files.ts'
import { requireOwner } from './write.ts'
import { ApiError } from '#platform/core/errors.ts'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { filters } from '#platform/http/filters.ts'

const mayRead = ['finance', 'auditor'] as const

/** Invoices of all companies. */
export async function invoiceReadRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const sendFiles = openFileSender(context)
  route(app, {
    method: 'GET',
    url: '/operator/v1/invoice',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listAllInvoices',
      'x-sdk': 'invoices.list',
      'x-cli': {
        command: 'invoice list',
        examples: {
          'invoice list --status all-overdue': 'those that are overdue',
          'invoice list --from 2026-11-01 --until 2026-11-30 --columns id,amount,due-date': 'those due in a month',
        },
        columns: invoiceColumns,
      },
      summary: 'List the invoices of all companies',
      description:
        'In every status, ordered by due date, then id, with the totals of all that the filters select. Filters are combined with AND.',
      querystring: Closed({
        status: Type.Optional(
          OneOf(INVOICE_STATUSES, { description: 'Only invoices with this `invoice-status` today.' }),
        ),
        'company-tax-id': filters.company,
        'from-dt': Type.Optional({ ...DateOnly, description: 'First `due-date`, included.' }),
        'until-dt': Type.Optional({
          ...DateOnly,
          description: 'Last `due-date`, included; the same as `from-dt` asks for one day.',
        }),
        ...pageQuery,
      }),
      response: { 200: OperatorInvoiceList, ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        status: query.status ?? null,
        companyTaxId: cnpjFilterOf(query),
        ...readDateRange(query),
      }
      const page = await listAllInvoices(database, filter, pageBounds(query), context.today())
      const totals = `{"count":${page.total},"amount":${page.amount}}`
      return sendJson(reply, `${listBody(page, query).slice(0, -1)},"totals":${totals}}`)
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/invoice/:invoiceId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readAnyInvoice',
      'x-sdk': 'invoices.get',
      'x-cli': { command: 'invoice show' },
      summary: 'Read an invoice',
      description: 'With its files and the status of its payment slips.',
      params: InvoicePath,
      response: { 200: InvoiceResponse, ...errorResponses('invoice-not-found') },
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params)
      const invoice = await readInvoice(database, await requireOwner(database, id), id, context.today())
      // It may have been deleted since its owner was read.
      if (invoice === null) throw new ApiError('invoice-not-found')
      return sendJson(reply, `{"result":${invoice}}`)
    },
  })

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
      const id = invoiceIdOf(request.params)
      const files = await listInvoiceFiles(database, await requireOwner(database, id), id)
      return sendFiles(request, reply, files, request.query['file-id'])
    },
  })
}
