import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { adjustPriceTable, deletePriceTable, mayReadMoney, mayWritePrices, putPriceTable } from './put.ts'
import { listPriceTables, readPriceTable } from './queries.ts'
import {
  AdjustmentBody,
  ContractQuery,
  PriceTableBody,
  PriceTableList,
  PriceTablePath,
  PriceTableResponse,
} from './schema.ts'

const url = '/operator/v1/price-table'
const columns = {
  'PRICE-TABLE-ID': 'price-table-id',
  'CONTRACT-ID': 'contract-id',
  PLAN: 'carrier-plan-code',
  'VALID-FROM': 'valid-from',
  KIND: 'kind',
}
const example = '01995e0f-1a02-7b11-8c22-5d6e7f809102'

/** `/operator/v1/price-table`: what the plans of contracts cost. */
export async function priceTableRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  writeRoutes(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'listPriceTables',
      'x-sdk': 'priceTables.list',
      'x-cli': { command: 'price-table list', columns },
      summary: 'List the price tables',
      description: 'Ordered by contract and plan, the latest first.',
      querystring: ContractQuery,
      response: { 200: PriceTableList },
    },
    handler: async (request, reply) => {
      const contractId = request.query['contract-id']?.toLowerCase() ?? null
      const page = await listPriceTables(database, contractId, pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:priceTableId`,
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readPriceTable',
      'x-sdk': 'priceTables.get',
      'x-cli': { command: 'price-table show' },
      summary: 'Read a price table',
      description: 'With what RN 563 says of its bands.',
      params: PriceTablePath,
      response: { 200: PriceTableResponse, ...errorResponses('price-table-not-found') },
    },
    handler: async (request) => {
      const result = await readPriceTable(database, request.params.priceTableId.toLowerCase())
      if (result === null) throw new ApiError('price-table-not-found')
      return { result }
    },
  })
}

function writeRoutes(app: App, context: Context): void {
  route(app, {
    method: 'PUT',
    url: `${url}/:priceTableId`,
    api: 'operator',
    roles: mayWritePrices,
    schema: {
      operationId: 'putPriceTable',
      'x-sdk': 'priceTables.put',
      'x-cli': {
        command: 'price-table put',
        file: true,
        examples: { [`price-table put ${example} table.json`]: 'the file is the body of the PUT' },
        columns,
      },
      summary: 'Create or replace a price table',
      description:
        'A plan has one table for a day; in a month the latest one counts that is valid on its first day. The contract stays. A table that a closed month ' +
        'may follow from does not change.',
      params: PriceTablePath,
      response: { 200: PriceTableResponse, ...errorResponses('contract-not-found', 'month-closed') },
    },
    body: json(PriceTableBody),
    handler: async (request) => {
      const id = request.params.priceTableId.toLowerCase()
      return { result: await putPriceTable(context, callerOf(request), id, request.body) }
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:priceTableId/adjust`,
    api: 'operator',
    roles: mayWritePrices,
    schema: {
      operationId: 'adjustPriceTable',
      'x-sdk': 'priceTables.adjust',
      'x-cli': {
        command: 'price-table adjust',
        examples: { [`price-table adjust ${example} --valid-from 2027-03-01 --basis-points 1523`]: 'by 15.23 %' },
        columns,
      },
      summary: 'Make the price table that follows a yearly adjustment',
      description: 'A new table of the same contract, plan and kind; the former one stays for the months before.',
      params: PriceTablePath,
      response: { 200: PriceTableResponse, ...errorResponses('price-table-not-found', 'month-closed') },
    },
    body: json(AdjustmentBody),
    handler: async (request) => {
      const id = request.params.priceTableId.toLowerCase()
      return { result: await adjustPriceTable(context, callerOf(request), id, request.body) }
    },
  })

  route(app, {
    method: 'DELETE',
    url: `${url}/:priceTableId`,
    api: 'operator',
    roles: mayWritePrices,
    schema: {
      operationId: 'deletePriceTable',
      'x-sdk': 'priceTables.delete',
      'x-cli': {
        command: 'price-table delete',
        result: { 'price-table-id': '{price-table-id}', deleted: true },
        message: 'Price table {price-table-id} is deleted.',
      },
      summary: 'Delete a price table',
      description: 'Not one that a closed month may follow from.',
      params: PriceTablePath,
      response: {
        204: Type.Null({ description: 'Deleted.' }),
        ...errorResponses('price-table-not-found', 'month-closed'),
      },
    },
    handler: async (request, reply) => {
      await deletePriceTable(context, callerOf(request), request.params.priceTableId.toLowerCase())
      return reply.status(204).send()
    },
  })
}
