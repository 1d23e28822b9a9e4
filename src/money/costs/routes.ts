import { errorResponses } from '#platform/http/schemas.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { costList } from './cost-list.ts'
import { findCompanyOfCaller } from './queries.ts'
import { CostList, costQuery } from './schema.ts'

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

/** `/operator/v1/company/{company-tax-id}/cost`. */
export async function operatorCostRoutes(app: App, { database }: Context): Promise<void> {
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
