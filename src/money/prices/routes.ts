import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { adjustPriceTable, deletePriceTable, mayReadMoney, mayWritePrices, putPriceTable } from './put.ts'
import { priceTablePage, readPriceTable } from './queries.ts'
import { AdjustmentBody, ContractQuery, PriceTableBody, PriceTable } from './schema.ts'

const example = '01995e0f-1a02-7b11-8c22-5d6e7f809102'

/** `/operator/v1/price-table`: what the plans of contracts cost. */
export async function priceTableRoutes(app: App, context: Context): Promise<void> {
  const priceTable = resource(app, context, {
    noun: 'price-table',
    mayRead: mayReadMoney,
    mayWrite: mayWritePrices,
    item: PriceTable,
    read: readPriceTable,
    columns: {
      'PRICE-TABLE-ID': 'price-table-id',
      'CONTRACT-ID': 'contract-id',
      PLAN: 'carrier-plan-code',
      'VALID-FROM': 'valid-from',
      KIND: 'kind',
    },
  })

  priceTable.put({
    summary: 'Create or replace a price table',
    description:
      'A plan has one table for a day; in a month the latest one counts that is valid on its first day. The contract stays. A table that a closed month ' +
      'may follow from does not change.',
    cli: {
      file: true,
      examples: { [`price-table put ${example} table.json`]: 'the file is the body of the PUT' },
    },
    errors: ['contract-not-found', 'month-closed'],
    body: json(PriceTableBody),
    run: (actor, id, body) => putPriceTable(context, actor, id, body),
  })
  priceTable.act('adjust', {
    summary: 'Make the price table that follows a yearly adjustment',
    description: 'A new table of the same contract, plan and kind; the former one stays for the months before.',
    cli: {
      examples: { [`price-table adjust ${example} --valid-from 2027-03-01 --basis-points 1523`]: 'by 15.23 %' },
    },
    errors: ['month-closed'],
    body: json(AdjustmentBody),
    run: (actor, id, body) => adjustPriceTable(context, actor, id, body),
  })
  priceTable.remove({
    summary: 'Delete a price table',
    description: 'Not one that a closed month may follow from.',
    errors: ['month-closed'],
    run: (actor, id) => deletePriceTable(context, actor, id),
  })
  priceTable.list({
    summary: 'List the price tables',
    description: 'Ordered by contract and plan, the latest first.',
    query: ContractQuery,
    page: priceTablePage,
  })
  priceTable.get({ summary: 'Read a price table', description: 'With what RN 563 says of its bands.' })
}
