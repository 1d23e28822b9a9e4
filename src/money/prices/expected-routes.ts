import { type Static, Type } from 'typebox'
import { storedExpected } from '../months/figure-queries.ts'
import { findClosedMonth } from '../months/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { Month as MonthSchema } from '#registry/contracts/calendar-schema.ts'
import { ContractPath } from '#registry/contracts/schema.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { BENEFICIARY_TYPES } from '#kernel/enums.ts'
import { ALL_PRICE_CATEGORIES } from '../rules/price-table.ts'
import type { App, Context } from '#platform/http/context.ts'
import { sendHeaders } from '#platform/http/download.ts'
import { route } from '#platform/http/route.ts'
import { type ItemFormat, openItemStream } from '#platform/http/row-stream.ts'
import { Closed, Cnpj, DateOnly, errorResponses, Named, Nullable, OneOf, Text, Uuid } from '#platform/http/schemas.ts'
import { mayReadMoney } from './put.ts'
import { expectedLine, type ContractPrices, coveredInMonth, pricingOf, readContractPrices } from './pricing-queries.ts'

const timeoutMs = 15 * 60_000

const cents = (description: string) => Type.Integer({ description: `${description}, in cents.` })

const ExpectedLine = Named(
  'ExpectedCharge',
  Type.Object({
    'benefit-id': Uuid,
    'member-id': Uuid,
    'member-name': Text,
    'beneficiary-type': OneOf(BENEFICIARY_TYPES),
    'employee-id': Nullable(Type.String()),
    'cost-center': Nullable(Type.String({ description: 'Of the primary, as registered now.' })),
    'product-id': Uuid,
    'carrier-plan-code': Nullable(Type.String()),
    'start-date': DateOnly,
    'end-date': Nullable(DateOnly),
    'price-table-id': Nullable({ ...Uuid, description: 'Null: no price table is of the plan in the month.' }),
    category: Nullable(
      OneOf(ALL_PRICE_CATEGORIES, {
        description: 'The row of the price table.',
      }),
    ),
    age: Nullable(Type.Integer({ description: 'On the day that counts, in whole years.' })),
    price: Nullable(cents('Of a whole month')),
    'covered-days': Nullable(Type.Integer({ description: 'Days of the month that are covered.' })),
    amount: Nullable(cents('What the carrier should charge')),
    'contribution-rule-id': Nullable({ ...Uuid, description: 'Null: no contribution rule holds for the person.' }),
    'employee-amount': Nullable(cents('What the employee pays of it')),
  }),
)

const response = {
  description:
    'Those who are covered on a day of the month, with how each amount comes about. A response that breaks off is not the whole list.',
  content: {
    'application/json': {
      schema: Type.Object({
        result: Named(
          'ExpectedInvoice',
          Type.Object({
            'contract-id': Uuid,
            'company-tax-id': Cnpj,
            'reference-month': MonthSchema,
            lines: Type.Array(ExpectedLine),
            total: cents('Of the lines that have a price'),
            'employee-total': cents('What employees pay of it'),
            'lines-without-price': Type.Integer({
              description: 'Lines without an `amount`: a price table is missing.',
            }),
          }),
        ),
      }),
    },
  },
}

/** `GET /operator/v1/contract/{contractId}/expected-invoice`. */
export async function expectedInvoiceRoute(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/contract/:contractId/expected-invoice',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readExpectedInvoice',
      'x-sdk': 'contracts.expectedInvoice',
      'x-cli': {
        command: 'contract expected-invoice',
        examples: {
          'contract expected-invoice 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 --reference-month 2026-11':
            'what the carrier should charge, person by person',
        },
      },
      summary: 'Calculate what the carrier should charge in a month',
      description:
        'By the price tables, the contribution rules and the settings `age-on` and `proration` of the contract, and the covers as they are known now; of a ' +
        'closed month as it was when it was closed. A setting that is needed and not set is an error that names it. A benefit that is not active yet is not expected.',
      params: ContractPath,
      querystring: Closed({ 'reference-month': MonthSchema }),
      response: { 200: response, ...errorResponses('contract-not-found', 'price-setting-missing') },
    },
    handler: async (request, reply) => {
      const contractId = request.params.contractId
      const month = request.query['reference-month']
      const prices = await readContractPrices(database, contractId)
      if (prices === null) throw new ApiError('contract-not-found')
      const { text, values, encode } = await expectedItems(database, prices, contractId, month)
      void reply.type('application/json; charset=utf-8')
      if (request.method === 'HEAD') return sendHeaders(reply)
      const statement = { text, values, timeoutMs }
      const head = {
        'contract-id': contractId,
        'company-tax-id': prices.companyTaxId,
        'reference-month': month,
      }
      const format = formatOf(head, encode)
      return reply.send(await openItemStream(context, reply, statement, format))
    },
  })
}

type ExpectedLineData = Static<typeof ExpectedLine>

/** The statement of what is expected in a month, and what makes a line of a row. @throws ApiError 409 where a setting is missing. */
async function expectedItems(database: Sql, prices: ContractPrices, contractId: string, month: Month) {
  const closed = await findClosedMonth(database, prices.companyId, month)
  if (closed === null) {
    const pricing = pricingOf(prices, month)
    const encode = (item: string): ExpectedLineData => expectedLine(JSON.parse(item), pricing, month)
    return { ...coveredInMonth(prices.companyId, contractId, month), encode }
  }
  const missing = closed.figures?.missingSettings[contractId]
  if (missing !== undefined) throw new ApiError('price-setting-missing', { 'missing-settings': missing })
  return { ...storedExpected(closed, contractId), encode: (item: string): ExpectedLineData => JSON.parse(item) }
}

function formatOf(head: object, lineOf: (item: string) => ExpectedLineData): ItemFormat {
  const totals = { total: 0, 'employee-total': 0, 'lines-without-price': 0 }
  return {
    head: `{"result":{${JSON.stringify(head).slice(1, -1)},"lines":[`,
    separator: ',',
    encode: (item) => {
      const shown = lineOf(item)
      totals.total += shown.amount ?? 0
      totals['employee-total'] += shown['employee-amount'] ?? 0
      totals['lines-without-price'] += Number(shown.amount === null)
      return JSON.stringify(shown)
    },
    tail: () => `],${JSON.stringify(totals).slice(1)}}`,
  }
}
