import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { languageOf } from '#platform/http/language.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { parseSearch } from '#kernel/search.ts'
import { readContractIds } from '#registry/contracts/queries.ts'
import { ContractPath } from '#registry/contracts/schema.ts'
import { findCompanyOfCaller } from '../costs/queries.ts'
import { readContractPrices } from '../prices/pricing-queries.ts'
import { mayReadMoney } from '../prices/put.ts'
import type { ChargeListFilter } from './queries.ts'
import { ChargeQuery, CompanyChargeQuery } from './schema.ts'
import { chargeResponse, sendCharges } from './send.ts'

const description =
  'One item for each benefit, and one for each line of nobody: the terms of each month of cover, whose sum is the amount, and the causes of the change ' +
  'since the last invoice. Of a month whose invoice was not read yet it is what the forecast has, person by person. People by name, then the lines of nobody.'
const columns = {
  NAME: 'member-name',
  PRODUCT: 'product-name',
  AMOUNT: 'amount',
  EXPECTED: 'expected',
  DIFFERENCE: 'difference',
  EMPLOYEE: 'employee.amount',
  SENTENCE: 'sentence',
}

/** `GET /operator/v1/contract/{contract-id}/charge` and `GET /v1/company/{company-tax-id}/charge`: why each amount is what it is. */
export async function chargeRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/contract/:contractId/charge',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'listCharges',
      'x-sdk': 'contracts.charges',
      'x-cli': {
        command: 'contract charges',
        columns,
        examples: {
          'contract charges 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 --reference-month 2027-01 --has-difference':
            'why the invoice charges what nothing explains',
        },
      },
      summary: 'Explain what an invoice charges, person by person',
      description,
      params: ContractPath,
      querystring: ChargeQuery,
      response: { 200: chargeResponse, ...errorResponses('contract-not-found') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const { contractId } = request.params
      const prices = await readContractPrices(database, contractId)
      if (prices === null) throw new ApiError('contract-not-found')
      const of = {
        companyId: prices.companyId,
        contractIds: [contractId],
        month: query['reference-month'],
        today: context.today(),
      }
      const filter = {
        ...filterOf(query),
        lineNumber: query['line-number'],
        name: parseParameter('q', query.q, parseSearch)?.text,
      }
      const options = { filter, view: 'operator', language: languageOf(request) } as const
      return sendCharges(context, request, reply, { of, options, query })
    },
  })
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/charge',
    api: 'partner',
    schema: {
      operationId: 'listCompanyCharges',
      'x-sdk': 'costs.charges',
      'x-cli': { command: 'company charges', columns },
      tags: ['invoices'],
      summary: 'Explain what the invoices of a company charge, person by person',
      description: `${description} Of all contracts of the company. The response for a company whose invoices the client may not see is that for an unknown CNPJ.`,
      params: CompanyPath,
      querystring: CompanyChargeQuery,
      response: { 200: chargeResponse, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const companyId = await findCompanyOfCaller(database, callerOf(request), request.params.companyTaxId)
      if (companyId === null) throw notEntitled('company')
      const contractIds = await readContractIds(database, companyId)
      const of = { companyId, contractIds, month: query['reference-month'], today: context.today() }
      const options = { filter: filterOf(query), view: 'company', language: languageOf(request) } as const
      return sendCharges(context, request, reply, { of, options, query })
    },
  })
}

const filterOf = (query: {
  readonly 'benefit-id'?: string
  readonly 'member-id'?: string
  readonly cause?: NonNullable<ChargeListFilter['cause']>
  readonly certainty?: NonNullable<ChargeListFilter['certainty']>
  readonly class?: NonNullable<ChargeListFilter['class']>
  readonly 'has-difference'?: boolean
  readonly variance?: NonNullable<ChargeListFilter['variance']>
}) => ({
  benefitId: query['benefit-id'],
  memberId: query['member-id'],
  cause: query.cause,
  certainty: query.certainty,
  class: query.class,
  variance: query.variance,
  hasDifference: query['has-difference'],
})
