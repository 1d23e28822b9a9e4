import { Type } from 'typebox'
import { findCompanyOfCaller } from '#money/costs/queries.ts'
import { mayReadMoney } from '#money/prices/put.ts'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { addMonths } from '#registry/rules/cut-off.ts'
import { COMPANY_CLASSES } from '#kernel/reconciliation.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { CompanyPath, filters } from '#platform/http/filters.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, Named, Nullable, OneOf } from '#platform/http/schemas.ts'
import { CountAndTotal } from './schema.ts'
import { readCompanyTrend, readTrend, TREND_GROUPS } from './trend-queries.ts'

const months = {
  'until-month': Type.Optional({ ...Month, description: 'The last month, `YYYY-MM`. Default: that of today.' }),
  'month-count': Type.Integer({ minimum: 1, maximum: 36, default: 12, description: 'How many months.' }),
}

const amounts = {
  found: CountAndTotal,
  'too-much': CountAndTotal,
  'too-little': CountAndTotal,
  claimed: CountAndTotal,
  credited: CountAndTotal,
}

const Trend = Type.Object(
  {
    result: Type.Array(
      Named(
        'DiscrepancyTrend',
        Type.Object({
          'reference-month': Month,
          key: Type.String({ description: 'The class, the id of the contract or the carrier, or the CNPJ.' }),
          name: Nullable(Type.String({ description: 'Of the contract, the company or the carrier.' })),
          ...amounts,
          explained: CountAndTotal,
          accepted: CountAndTotal,
          'median-days-to-credit': Nullable(
            Type.Integer({
              description: 'From the day on which a claim was sent to that of the invoice that credits it.',
            }),
          ),
          repeated: Type.Integer({ description: 'Those that the benefit had in the month before, too.' }),
        }),
      ),
    ),
  },
  { description: 'A group of a month is left out where nothing was found.' },
)

const CompanyTrend = Type.Object(
  {
    result: Type.Array(
      Named(
        'CompanyDiscrepancyTrend',
        Type.Object({ 'reference-month': Month, class: OneOf(COMPANY_CLASSES), ...amounts }),
      ),
    ),
  },
  { description: 'A class of a month is left out where nothing was found.' },
)

const rangeOf = (context: Context, query: { readonly 'until-month'?: string; readonly 'month-count': number }) => {
  const until = query['until-month'] ?? context.today().slice(0, 7)
  return { until, from: addMonths(until, 1 - query['month-count']) }
}

/** `GET /operator/v1/statistics/discrepancy` and `GET /v1/company/{company-tax-id}/discrepancy-trend`. */
export async function trendRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/statistics/discrepancy',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readDiscrepancyTrend',
      'x-sdk': 'statistics.discrepancies',
      'x-cli': {
        command: 'discrepancy trend',
        examples: { 'discrepancy trend --group-by carrier --month-count 6': 'which carrier charges what wrong' },
        columns: {
          MONTH: 'reference-month',
          KEY: 'key',
          NAME: 'name',
          FOUND: 'found.count',
          'TOO-MUCH': 'too-much.total',
          'TOO-LITTLE': 'too-little.total',
          CLAIMED: 'claimed.total',
          CREDITED: 'credited.total',
          REPEATED: 'repeated',
        },
      },
      summary: 'Read what was found in invoices, month by month',
      description:
        'Of the invoices that count, by class, contract, company or carrier, from one snapshot. What is claimed and credited stands at the month of the ' +
        'invoice that is claimed.',
      querystring: Closed({
        'company-tax-id': filters.company,
        'contract-id': filters.contract,
        'group-by': OneOf(TREND_GROUPS, { default: 'class', description: 'What the amounts are of.' }),
        ...months,
      }),
      response: { 200: Trend },
    },
    handler: async ({ query }, reply) =>
      sendJson(
        reply,
        await readTrend(database, query['group-by'], {
          ...rangeOf(context, query),
          companyTaxId: query['company-tax-id'] ?? null,
          contractId: query['contract-id'] ?? null,
        }),
      ),
  })
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/discrepancy-trend',
    api: 'partner',
    schema: {
      operationId: 'readCompanyDiscrepancyTrend',
      'x-sdk': 'discrepancies.trend',
      'x-cli': {
        command: 'company discrepancy-trend',
        columns: {
          MONTH: 'reference-month',
          CLASS: 'class',
          FOUND: 'found.count',
          'TOO-MUCH': 'too-much.total',
          'TOO-LITTLE': 'too-little.total',
        },
      },
      tags: ['discrepancies'],
      summary: 'Read what was found in the invoices of a company, month by month',
      description:
        'By class, of the contracts that the broker set to show what differs. The response for a company whose invoices the client may not see is that ' +
        'for an unknown CNPJ.',
      params: CompanyPath,
      querystring: Closed(months),
      response: { 200: CompanyTrend, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const companyId = await findCompanyOfCaller(database, callerOf(request), request.params.companyTaxId)
      if (companyId === null) throw notEntitled('company')
      const { from, until } = rangeOf(context, request.query)
      return sendJson(reply, await readCompanyTrend(database, companyId, from, until))
    },
  })
}
