import { Type } from 'typebox'
import { auditDownload } from '#access/audit/audit-download.ts'
import { ApiError } from '#platform/core/errors.ts'
import { maskFields } from '#kernel/masking.ts'
import { ITEM_STATUSES, type ItemStatus, SHIPMENT_STATUSES } from '#kernel/operator-enums.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { languageOf } from '#platform/http/language.ts'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { listItems, readOpenItems } from './items.ts'
import { cutOffOn, withOpenShipment } from './open.ts'
import { shipmentChannelRoutes } from './channel-routes.ts'
import { listShipments, readShipment, readShipmentFile } from './queries.ts'
import { ItemList, ShipmentList, ShipmentPath, ShipmentResponse } from './schema.ts'
import { listed, shipmentBody, shipmentColumns } from './shipment-body.ts'
import { acknowledgementRoutes } from './acknowledgement-routes.ts'
import type { OpenItems } from './render-thread.ts'
import { shipmentWriteRoutes } from './write-routes.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/shipment'

/** `/operator/v1/shipment`: the shipments of contracts, their items and their files. */
export async function shipmentRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  shipmentWriteRoutes(app, context)
  acknowledgementRoutes(app, context)
  shipmentChannelRoutes(app, context)
  itemRoute(app, context)
  fileRoute(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listShipments',
      'x-sdk': 'shipments.list',
      'x-cli': {
        command: 'shipment list',
        ids: 'shipment-id',
        examples: { 'shipment list --status open': 'those that take movements' },
        columns: shipmentColumns,
      },
      summary: 'List the shipments of contracts',
      description:
        'The latest first. Each active contract has one open shipment; the movements of the products of the contract in `created` and ' +
        '`broker-processing` are in it. In the list an open one has only the count `waiting`.',
      querystring: Closed({
        'contract-id': Type.Optional({ ...Uuid, description: 'Of one contract.' }),
        'company-tax-id': Type.Optional(Type.String({ format: 'cnpj', description: 'CNPJ, formatted or not.' })),
        status: Type.Optional(OneOf(SHIPMENT_STATUSES, { description: 'Default: every status.' })),
        ...pageQuery,
      }),
      response: { 200: ShipmentList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        contractId: query['contract-id'] ?? null,
        companyTaxId: cnpjFilterOf(query),
        status: query.status ?? null,
      }
      const { total, shipments } = await listShipments(database, filter, pageBounds(query))
      return sendJson(reply, listBody({ total, items: JSON.stringify(await listed(context, shipments)) }, query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:shipmentId`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readShipment',
      'x-sdk': 'shipments.get',
      'x-cli': { command: 'shipment show' },
      summary: 'Read a shipment',
      description: 'With its counts; of an open one as its file would be now.',
      params: ShipmentPath,
      response: { 200: ShipmentResponse, ...errorResponses('shipment-not-found') },
    },
    handler: (request) => shipmentBody(context, request.params.shipmentId),
  })
}

function itemRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: `${url}/:shipmentId/item`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listShipmentItems',
      'x-sdk': 'shipments.items',
      'x-cli': {
        command: 'shipment items',
        ids: 'enrollment-id',
        examples: {
          'shipment items 01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32 --status not-ready':
            'what the file cannot have, and why',
        },
        columns: {
          POSITION: 'position',
          'ENROLLMENT-ID': 'enrollment-id',
          TYPE: 'enrollment-type',
          NAME: 'member-name',
          'MEMBER-TAX-ID': 'member-tax-id',
          PRODUCT: 'product-name',
          STATUS: 'status',
          PROBLEM: 'problems[].code',
          COLUMN: 'problems[].column',
        },
      },
      summary: 'List the items of a shipment',
      description:
        'In the order of the file: families together, the primary first. Of an open shipment as the file would be now; those with problems are not ' +
        'in it. Only admins and analysts get whole CPFs.',
      params: ShipmentPath,
      querystring: Closed({
        status: Type.Optional(OneOf(ITEM_STATUSES, { description: 'Default: every status.' })),
        ...pageQuery,
      }),
      response: { 200: ItemList, ...errorResponses('shipment-not-found') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const stored = await readShipment(context.database, request.params.shipmentId)
      if (stored === null) throw new ApiError('shipment-not-found')
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      const bounds = pageBounds(query)
      const key = { companyId: stored.companyId, id: request.params.shipmentId }
      if (stored.status !== 'open') {
        const page = await listItems(context.database, key, query.status ?? null, bounds)
        const items = JSON.stringify(isMasked ? maskFields(page.items) : page.items)
        return sendJson(reply, listBody({ ...page, items }, query))
      }
      const { status = null } = query
      const cutOff = cutOffOn(context.today(), stored)
      const open = await withOpenShipment(context.database, stored, cutOff, (items) =>
        items.page({ status, ...bounds }),
      )
      const result = await readOpenItems(context.database, stored.contractId, open.items, languageOf(request))
      const text = JSON.stringify(isMasked ? maskFields(result) : result)
      return sendJson(reply, listBody({ total: totalOf(open, status), items: text }, query))
    },
  })
}

/** How many items of an open shipment have the status; null: any. */
function totalOf({ ready, notReady }: OpenItems, status: ItemStatus | null): number {
  if (status === null) return ready + notReady
  if (status === 'ready') return ready
  return status === 'not-ready' ? notReady : 0
}

const mayReadFile = ['analyst'] as const

function fileRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: `${url}/:shipmentId/file`,
    api: 'operator',
    roles: mayReadFile,
    schema: {
      operationId: 'readShipmentFile',
      'x-sdk': 'shipments.file',
      'x-cli': {
        command: 'shipment file',
        examples: {
          'shipment file 01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32 --output shipment.csv': 'the bytes, the same each time',
        },
      },
      summary: 'Read the file of a shipment',
      description:
        'The bytes as they were made when the shipment was closed: each download is the same, and audited. `ETag` is their SHA-256. 404 before.',
      params: ShipmentPath,
      response: {
        200: {
          description: 'The bytes of the file.',
          content: binaryContent(['text/csv', 'text/plain', 'application/x-ndjson', xlsxType]),
          headers: { ETag: { description: 'The SHA-256 of the bytes.', type: 'string' } },
        },
        ...errorResponses('shipment-not-found', 'shipment-file-not-found'),
      },
    },
    handler: async (request, reply) => {
      const file = await readShipmentFile(context.database, request.params.shipmentId)
      if (file === undefined) throw new ApiError('shipment-not-found')
      if (file === null) throw new ApiError('shipment-file-not-found')
      setDownloadHeaders(reply, { name: file.name, contentType: file.mediaType, size: file.content.length })
      void reply.header('etag', `"${file.sha256.toString('hex')}"`)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const row = {
        action: 'shipment.file-downloaded',
        target: request.params.shipmentId,
        companyId: file.companyId,
      } as const
      await auditDownload(context, callerOf(request), mayReadFile, row)
      return reply.send(file.content)
    },
  })
}
