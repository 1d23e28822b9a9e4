import type { Static } from 'typebox'
import { sendJson } from '../http/json-response.ts'
import { requireActiveClient } from '../http/active-client.ts'
import { findCompanies } from '../auth/client-queries.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { writeInvoice } from '../invoices/write.ts'
import { readInvoice } from '../invoices/queries.ts'
import { InvoiceResponse, InvoiceBody, invoiceIdOf, InvoicePath } from '../invoices/schema.ts'
import { parseCnpj } from '../domain/tax-id.ts'
import { type App, callerOf, type Context, auditActor } from '../http/context.ts'
import { errorResponses } from '../http/schemas.ts'
import { invoiceFileRoutes } from './invoice-files.ts'

/** `/operator/v1/invoice`: invoices and their files. */
export async function invoiceAdminRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  app.route({
    method: 'PUT',
    url: '/operator/v1/invoice/:invoiceId',
    config: { api: 'operator', roles: ['finance'] },
    schema: {
      operationId: 'putInvoice',
      summary: 'Create or replace an invoice',
      description:
        'The files of an existing invoice stay. An id belongs to one company for ever: 409 for another company. A new invoice sends an ' +
        '`invoice.issued` event.',
      params: InvoicePath,
      body: InvoiceBody,
      response: { 200: InvoiceResponse, ...errorResponses(404, 409) },
    },
    handler: async (request, reply) => {
      const id = invoiceIdOf(request.params)
      const { taxId, ...data } = readBody(request.body)
      const writer = { ...auditActor(request), today: context.today() }
      const invoice = await database.transaction(async (sql) => {
        const [company] = await findCompanies(sql, [taxId])
        if (company === undefined) throw new ApiError(404, 'Company not found')
        await writeInvoice(sql, company.id, { id, ...data }, writer)
        await requireActiveClient(sql, callerOf(request))
        return readInvoice(sql, company.id, id, writer.today)
      })
      return sendJson(reply, `{"result":${invoice}}`)
    },
  })

  await app.register(async (scope) => invoiceFileRoutes(scope as App, context))
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
