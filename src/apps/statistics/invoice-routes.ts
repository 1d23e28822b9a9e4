import { Type } from 'typebox'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { addMonths } from '#registry/rules/cut-off.ts'
import { filters } from '#platform/http/filters.ts'
import type { App, Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Cents, Closed, Named, Nullable, Uuid } from '#platform/http/schemas.ts'
import { mayReadMoney } from '#money/prices/put.ts'
import { readInvoiceStatistics } from './invoice-queries.ts'

const InvoiceStatistics = Type.Object(
  {
    result: Type.Array(
      Named(
        'InvoiceMonth',
        Type.Object({
          'reference-month': Month,
          'covered-lives': Type.Integer({
            description: 'Benefits of the contracts that cover the last day of the month.',
          }),
          'carrier-total': Nullable(Cents('What the invoices charge; null: none was read.')),
          'expected-total': Nullable(Cents('What was expected of it; null: no invoice was compared.')),
          'overcharged-total': Cents('What discrepancies of the invoices charge too much.'),
          'claimed-total': Cents('What claims of the month ask for.'),
          'credited-total': Cents('What later invoices credited of what is claimed.'),
        }),
      ),
    ),
  },
  {
    description: 'Every month of the range, the first first.',
  },
)

/** `GET /operator/v1/statistics/invoice`. */
export async function invoiceStatisticsRoute(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/statistics/invoice',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readInvoiceStatistics',
      'x-sdk': 'statistics.invoices',
      'x-cli': {
        command: 'invoice statistics',
        examples: { 'invoice statistics --company-tax-id 12.ABC.345/01DE-35 --month-count 24': 'month by month' },
        columns: {
          MONTH: 'reference-month',
          LIVES: 'covered-lives',
          CHARGED: 'carrier-total',
          EXPECTED: 'expected-total',
          OVERCHARGED: 'overcharged-total',
          CLAIMED: 'claimed-total',
          CREDITED: 'credited-total',
        },
      },
      summary: 'Read lives, costs and differences of invoices by month',
      description:
        'Of the contracts that the filters select, from one snapshot. Of several invoices of a contract and month the latest counts. What is claimed and ' +
        'credited stands at the month of the invoice that is claimed.',
      querystring: Closed({
        'company-tax-id': filters.company,
        'contract-id': Type.Optional({ ...Uuid, description: 'Only this contract.' }),
        'until-month': Type.Optional({
          ...Month,
          description: 'The last month, `YYYY-MM`. Default: that of today.',
        }),
        'month-count': Type.Integer({ minimum: 1, maximum: 36, default: 12, description: 'How many months.' }),
      }),
      response: { 200: InvoiceStatistics },
    },
    handler: async ({ query }, reply) => {
      const until = query['until-month'] ?? context.today().slice(0, 7)
      const from = addMonths(until, 1 - query['month-count'])
      const companyTaxId = query['company-tax-id'] ?? null
      const contractId = query['contract-id'] ?? null
      return sendJson(reply, await readInvoiceStatistics(context.database, { from, until, companyTaxId, contractId }))
    },
  })
}
