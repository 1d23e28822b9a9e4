import { Type } from 'typebox'
import { auditDownload } from '#access/audit/audit-download.ts'
import { ApiError } from '#platform/core/errors.ts'
import { maskFields } from '#kernel/masking.ts'
import { ITEM_STATUSES, type ItemStatus } from '#kernel/broker-enums.ts'
import { optionalJson } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { languageOf } from '#platform/http/language.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { listItems, readOpenItems } from './items.ts'
import { cutOffOn, withOpenShipment } from './open.ts'
import { shipmentChannelRoutes } from './channel-routes.ts'
import { cancelShipment, closeShipment, finishShipment, mayWriteShipments, reopenShipment } from './close.ts'
import { deliverShipment } from './deliver.ts'
import { readShipmentFile, requireShipment, shipmentPage, type StoredShipment } from './queries.ts'
import { CloseBody, ItemList, SendBody, ShipmentPath, ShipmentQuery, Shipment } from './schema.ts'
import { sendShipment } from './send.ts'
import { listed, readShipment, shipmentColumns } from './shipment-body.ts'
import { acknowledgementRoutes } from './acknowledgement-routes.ts'
import type { OpenItems } from './render-thread.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/shipment'
const example = '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32'

/** `/operator/v1/shipment`: the shipments of contracts, their items and their files. */
export async function shipmentRoutes(app: App, context: Context): Promise<void> {
  const shipment = resource(app, context, {
    noun: 'shipment',
    mayRead,
    mayWrite: mayWriteShipments,
    item: Shipment,
    read: async (_sql, id) => readShipment(context, id),
    columns: shipmentColumns,
  })
  actRoutes(shipment, context)
  deliverRoute(shipment, context)
  acknowledgementRoutes(app, context)
  shipmentChannelRoutes(app, context)
  itemRoute(app, context)
  fileRoute(app, context)
  shipment.list({
    summary: 'List the shipments of contracts',
    description:
      'The latest first. Each active contract has one open shipment; the movements of the products of the contract in `created` and ' +
      '`broker-processing` are in it. In the list an open one has only the count `waiting`.',
    cli: { ids: 'shipment-id', examples: { 'shipment list --status open': 'those that take movements' } },
    query: ShipmentQuery,
    page: async (sql, query) => {
      const { total, items } = await shipmentPage(sql, query)
      return { total, items: JSON.stringify(await listed(context, JSON.parse(items) as StoredShipment[])) }
    },
  })
  shipment.get({
    summary: 'Read a shipment',
    description: 'With its counts; of an open one as its file would be now.',
  })
}

type Shipments = ReturnType<typeof resource>

/** What is done with a shipment here. */
function actRoutes(shipment: Shipments, context: Context): void {
  shipment.act('close', {
    summary: 'Close an open shipment and make its file',
    description:
      'Its movements become items, its file is made once, and the next shipment of the contract is open. 409 `Shipment has items that are not ' +
      'ready`, with the first of them and their problems, unless `skip-not-ready` is `true`: these wait for the next shipment. A file has up to 16 MiB, ' +
      '100,000 lines and 2,000,000 cells.',
    cli: {
      examples: { [`shipment close ${example} --skip-not-ready`]: 'what is not ready waits for the next one' },
    },
    errors: ['shipment-status', 'shipment-items-not-ready', 'shipment-empty', 'shipment-too-large'],
    body: optionalJson(CloseBody),
    run: (actor, id, { 'skip-not-ready': skipNotReady = false }, request) =>
      closeShipment(context, actor, id, { skipNotReady, language: languageOf(request) }),
  })
  shipment.act('reopen', {
    summary: 'Reopen a closed shipment',
    description:
      'Deletes its file and its items, and the open shipment after it: the same movements, closed again, make the same bytes. Only the latest ' +
      'one that was closed, of an active contract.',
    errors: ['shipment-status', 'shipment-not-latest', 'shipment-being-delivered'],
    run: (actor, id) => reopenShipment(context, actor, id),
  })
  shipment.act('cancel', {
    summary: 'Cancel an open or closed shipment',
    description: 'Its movements are those of the next one. Its number stays used.',
    errors: ['shipment-status', 'shipment-being-delivered'],
    run: (actor, id) => cancelShipment(context, actor, id),
  })
  shipment.act('finish', {
    summary: 'Finish a sent shipment',
    description:
      'What the carrier has not answered is `unanswered`: these movements stay in `carrier-processing`, and in the queue with `overdue-at-carrier=true`.',
    errors: ['shipment-status', 'shipment-being-sent'],
    run: (actor, id) => finishShipment(context, actor, id),
  })
}

/** How a closed shipment comes to its carrier. */
function deliverRoute(shipment: Shipments, context: Context): void {
  shipment.act('send', {
    summary: 'Mark a closed shipment as sent',
    description:
      'The carrier has the file: the movements go to `carrier-processing` with the protocol, by the workers, families together. 409 `Movements ' +
      'of the shipment have changed` names those that were cancelled or are pending since it was closed: reopen and close it, so that the file ' +
      'has none of them. One that changes after this call is an item in `cancelled`. The same call again changes nothing.',
    cli: {
      examples: { [`shipment send ${example} --carrier-protocol 2026-118840`]: 'the carrier has the file' },
    },
    errors: ['shipment-status', 'shipment-items-changed', 'shipment-being-delivered'],
    body: optionalJson(SendBody),
    run: (actor, id, { 'sent-at': sentAt, 'carrier-protocol': carrierProtocol = null }) =>
      sendShipment(context, actor, id, { sentAt: sentAt ? new Date(sentAt) : null, carrierProtocol }),
  })
  shipment.act('deliver', {
    summary: 'Deliver a closed shipment to its carrier',
    description:
      'By the channel of the contract, `sftp` or `connector`: the workers take the file to the carrier, and mark the shipment as sent once it is ' +
      'there. They try again for three days, as with webhooks. The same call again tries now. A file that is there is not put twice; a ' +
      'connector gets an `Idempotency-Key`.',
    cli: { examples: { [`shipment deliver ${example}`]: 'the workers put the file, or call the connector' } },
    errors: ['shipment-status', 'shipment-items-changed', 'channel-not-set'],
    run: (actor, id) => deliverShipment(context, actor, id),
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
      const { shipmentId: id } = request.params
      const stored = await requireShipment(context.database, id)
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      const bounds = pageBounds(query)
      const key = { companyId: stored.companyId, id }
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
      const { shipmentId: target } = request.params
      const file = await readShipmentFile(context.database, target)
      if (file === null) throw new ApiError('shipment-file-not-found')
      setDownloadHeaders(reply, { name: file.name, contentType: file.mediaType, size: file.content.length })
      void reply.header('etag', `"${file.sha256.toString('hex')}"`)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const row = { action: 'shipment.file-downloaded', target, companyId: file.companyId } as const
      await auditDownload(context, callerOf(request), mayReadFile, row)
      return reply.send(file.content)
    },
  })
}
