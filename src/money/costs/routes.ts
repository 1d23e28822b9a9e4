import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Actor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import { endUnread } from '#platform/http/limits/end-transfer.ts'
import { sendHeaders } from '#platform/http/download.ts'
import { Closed, errorResponses } from '#platform/http/schemas.ts'
import { figuresHead, figuresJson, figuresLines, readTaxFigures, type TaxFigures } from './tax-figures.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { costList } from './cost-list.ts'
import { findCompanyOfCaller } from './queries.ts'
import { CostList, costQuery, TaxFiguresItem } from './schema.ts'

const description =
  'By the carriers’ files of the month: of each contract the last invoice and the last statement of co-participation that were read. What an ' +
  'invoice charges without a person is split by the groups’ amounts, so that the totals are those of the files to the cent. Ordered by key.'
const columns = {
  KEY: 'key',
  NAME: 'name',
  PEOPLE: 'people',
  TOTAL: 'total',
  EMPLOYEE: 'employee-amount',
}

/** `/v1/company/{company-tax-id}/cost`: for clients that see money. */
export async function costRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/cost',
    api: 'partner',
    schema: {
      operationId: 'listCosts',
      'x-sdk': 'costs.list',
      'x-cli': { command: 'company cost', columns },
      tags: ['invoices'],
      summary: 'List what the people of a company cost in a month',
      description: `${description} The response for a company whose invoices the client may not see is that for an unknown CNPJ.`,
      params: CompanyPath,
      querystring: costQuery,
      response: { 200: CostList, ...errorResponses('not-entitled') },
    },
    handler: async (request) => {
      const companyId = await findCompanyOfCaller(database, callerOf(request), request.params.companyTaxId)
      if (companyId === null) throw notEntitled('company')
      return costList(database, companyId, request.query)
    },
  })
}

/** `/operator/v1/company/{company-tax-id}/cost` and `/tax-figure`. */
export async function operatorCostRoutes(app: App, context: Context): Promise<void> {
  taxRoute(app, context)
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/company/:companyTaxId/cost',
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'listCompanyCosts',
      'x-sdk': 'costs.list',
      'x-cli': { command: 'company cost', columns },
      summary: 'List what the people of a company cost in a month',
      description,
      params: CompanyPath,
      querystring: costQuery,
      response: { 200: CostList, ...errorResponses('company-not-found') },
    },
    handler: async (request) => {
      const companyId = await requireCompany(database, request.params.companyTaxId)
      return costList(database, companyId, request.query)
    },
  })
}

function taxRoute(app: App, context: Context): void {
  const { database, streams } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/company/:companyTaxId/tax-figure',
    api: 'operator',
    roles: ['finance'],
    schema: {
      operationId: 'listTaxFigures',
      'x-sdk': 'costs.taxFigures',
      'x-cli': {
        command: 'company tax-figures',
        examples: {
          'company tax-figures 12ABC34501DE35 --year 2026 --output figures.csv': 'for the payroll of the company',
        },
      },
      summary: 'Read what a company declares of its health plans in a year',
      description:
        'The figures of eSocial S-1210 (`planSaude`) and EFD-Reinf R-4010 by employee, month, carrier and dependent: what the employee was charged, ' +
        'co-participation included. Employees whose employer pays all are absent. `deducted` is nature 9219, `whole-cost` nature 9911. Of several ' +
        'registrations at the ANS of a carrier that with the highest amount counts. No XML: payroll sends it. CSV with Brazilian forms, or NDJSON by `Accept`. A ' +
        'response that breaks off is not the whole year. Each download is audited.',
      params: CompanyPath,
      querystring: Closed({
        year: Type.Integer({ minimum: 2000, maximum: 2100, description: 'A calendar year.', examples: [2026] }),
      }),
      response: {
        200: {
          description: 'Month by month, by the employees’ CPFs.',
          content: {
            'text/csv': { schema: { type: 'string', examples: ['Competência;CPF do titular;Matrícula;...\r\n'] } },
            'application/x-ndjson': { schema: TaxFiguresItem },
          },
        },
        ...errorResponses('company-not-found'),
      },
    },
    handler: async (request, reply) => {
      const companyId = await auditTaxFigures(context, callerOf(request), request.params.companyTaxId)
      const type = acceptedType(request.headers.accept, ['text/csv', 'application/x-ndjson'])
      const { year } = request.query
      const name = `informe-${request.params.companyTaxId}-${year}.${type === 'text/csv' ? 'csv' : 'ndjson'}`
      void reply.header('content-disposition', `attachment; filename="${name}"`).type(`${type}; charset=utf-8`)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const permit = await streams.acquire(callerOf(request).clientId, { end: () => endUnread(reply.raw) })
      const chunks = textOf(readTaxFigures(database, companyId, year), type)
      return reply.send(Readable.from(chunks).once('close', () => permit.release()))
    },
  })
}

async function* textOf(
  figures: AsyncIterable<TaxFigures>,
  type: 'text/csv' | 'application/x-ndjson',
): AsyncGenerator<string> {
  if (type === 'text/csv') yield figuresHead
  for await (const figure of figures) {
    yield type === 'text/csv' ? figuresLines(figure) : `${JSON.stringify(figuresJson(figure))}\n`
  }
}

/** Audits a download of declared figures. @returns the company. @throws ApiError 404. */
async function auditTaxFigures(context: Context, actor: Actor, taxId: string): Promise<string> {
  return write(context, actor, { may: ['finance'] }, async (tx) => {
    const companyId = await requireCompany(tx, taxId)
    tx.audit({ action: 'tax-figures.downloaded', target: taxId, companyId })
    return companyId
  })
}
