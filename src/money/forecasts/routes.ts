import { Type } from 'typebox'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { ContractPath } from '#registry/contracts/schema.ts'
import { findCompanyOfCaller } from '../costs/queries.ts'
import { mayReadMoney } from '../prices/put.ts'
import { freezeForecast, mayFreeze } from './freeze.ts'
import { readForecastContract } from './queries.ts'
import { readCompanyForecast, readForecast, shownToPartners } from './read.ts'
import { CompanyForecast, Forecast, ForecastOfCompany, ForecastQuery, FreezeBody } from './schema.ts'

const description =
  'What the next invoice charges for premiums, by the ledger of each benefit: covers, prices, and open movements as if they were completed. ' +
  'Co-participation, fees and discounts are not forecast. Once the invoice of a month is read, the forecast is the one that was stored, with its `variance`.'

/** `/operator/v1/contract/{contract-id}/forecast`, and those of companies. */
export async function forecastRoutes(app: App, context: Context): Promise<void> {
  freezeRoute(app, context)
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/contract/:contractId/forecast',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readForecast',
      'x-sdk': 'contracts.forecast',
      'x-cli': {
        command: 'contract forecast',
        examples: {
          'contract forecast 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01': 'the next invoice',
        },
      },
      summary: 'Forecast the next invoice of a contract',
      description,
      params: ContractPath,
      querystring: ForecastQuery,
      response: { 200: Type.Object({ result: Forecast }), ...errorResponses('contract-not-found') },
    },
    handler: async ({ params, query }) => {
      const contract = await readForecastContract(database, params.contractId)
      if (contract === null) throw new ApiError('contract-not-found')
      return { result: await readForecast(database, contract, query['reference-month'], context.today()) }
    },
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/company/:companyTaxId/forecast',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readCompanyForecast',
      'x-sdk': 'companies.forecast',
      'x-cli': { command: 'company forecast' },
      summary: 'Forecast the next invoices of a company',
      description,
      params: CompanyPath,
      querystring: ForecastQuery,
      response: { 200: Type.Object({ result: CompanyForecast }), ...errorResponses('company-not-found') },
    },
    handler: async ({ params, query }) => {
      const companyId = await requireCompany(database, params.companyTaxId)
      const company = { companyId, companyTaxId: params.companyTaxId }
      return { result: await readCompanyForecast(database, company, query['reference-month'], context.today()) }
    },
  })
}

/** `/v1/company/{company-tax-id}/forecast`: for clients that see money. */
export async function partnerForecastRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/forecast',
    api: 'partner',
    schema: {
      operationId: 'readForecastOfCompany',
      'x-sdk': 'companies.forecast',
      'x-cli': { command: 'company forecast' },
      tags: ['invoices'],
      summary: 'Forecast the next invoices of a company',
      description: `${description} The response for a company whose invoices the client may not see is that for an unknown CNPJ.`,
      params: CompanyPath,
      querystring: ForecastQuery,
      response: { 200: Type.Object({ result: ForecastOfCompany }), ...errorResponses('not-entitled') },
    },
    handler: async (request) => {
      const { companyTaxId } = request.params
      const companyId = await findCompanyOfCaller(database, callerOf(request), companyTaxId)
      if (companyId === null) throw notEntitled('company')
      const company = { companyId, companyTaxId }
      const forecast = await readCompanyForecast(database, company, request.query['reference-month'], context.today())
      return { result: shownToPartners(forecast) }
    },
  })
}

function freezeRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: '/operator/v1/contract/:contractId/forecast/freeze',
    api: 'operator',
    roles: mayFreeze,
    schema: {
      operationId: 'freezeForecast',
      'x-sdk': 'contracts.freezeForecast',
      'x-cli': {
        command: 'contract forecast-freeze',
        examples: {
          'contract forecast-freeze 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 --reference-month 2027-01':
            'before the invoice of January comes',
        },
      },
      summary: 'Store the forecast of a month',
      description:
        'Person by person, in place of the one that is stored, until an invoice of the month is read. The service does so on the day after each cut-off.',
      params: ContractPath,
      response: {
        200: Type.Object({ result: Forecast }),
        ...errorResponses('contract-not-found', 'price-setting-missing', 'forecast-frozen'),
      },
    },
    body: json(FreezeBody),
    handler: async (request) => {
      const { contractId } = request.params
      const month = request.body['reference-month']
      await freezeForecast(context, callerOf(request), contractId, month)
      const contract = await readForecastContract(context.database, contractId)
      if (contract === null) throw new ApiError('contract-not-found')
      return { result: await readForecast(context.database, contract, month, context.today()) }
    },
  })
}
