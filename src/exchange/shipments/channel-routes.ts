import { ResultOf } from '#platform/http/page.ts'
import { Type } from 'typebox'
import { auditDownload } from '#access/audit/audit-download.ts'
import { deliveryPage } from '../channels/delivery-queries.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageQuery } from '#platform/http/schemas.ts'
import { mayWriteShipments, putItemProtocol } from './close.ts'
import { stopShipmentDelivery } from './deliver.ts'
import { shipmentEmail } from './email.ts'
import { requireShipment } from './queries.ts'
import { DeliveryList, ItemPath, ItemProtocolBody, ShipmentPath, Shipment } from './schema.ts'
import { readShipment } from './shipment-body.ts'

const url = '/operator/v1/shipment/:shipmentId'
const id = '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32'

/** How a closed shipment comes to its carrier. */
export function shipmentChannelRoutes(app: App, context: Context): void {
  deliveryRoutes(app, context)
  emailRoute(app, context)
  protocolRoute(app, context)
}

function deliveryRoutes(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: `${url}/delivery`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'stopShipmentDelivery',
      'x-sdk': 'shipments.stopDelivery',
      'x-cli': { command: 'shipment stop-delivery', message: 'The delivery of shipment {shipment-id} is stopped.' },
      summary: 'Stop the delivery of a shipment',
      description:
        'No further attempt is made, and the shipment can be reopened, cancelled or sent by hand. 409 while one is being made. The carrier may ' +
        'have got the file by an attempt whose answer was lost.',
      params: ShipmentPath,
      response: {
        204: Type.Null({ description: 'Stopped.' }),
        ...errorResponses('shipment-not-found', 'shipment-status', 'shipment-being-delivered'),
      },
    },
    handler: async (request, reply) => {
      await stopShipmentDelivery(context, callerOf(request), request.params.shipmentId)
      return reply.status(204).send(null)
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/delivery`,
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'listShipmentDeliveries',
      'x-sdk': 'shipments.deliveries',
      'x-cli': {
        command: 'shipment deliveries',
        columns: {
          ATTEMPT: 'attempt',
          CHANNEL: 'channel',
          STATUS: 'status',
          RESPONSE: 'response-status',
          ERROR: 'error',
          AT: 'attempted-at',
          NEXT: 'next-attempt-at',
        },
      },
      summary: 'List the attempts to deliver a shipment',
      description: 'The latest first.',
      params: ShipmentPath,
      querystring: Closed(pageQuery),
      response: { 200: DeliveryList, ...errorResponses('shipment-not-found') },
    },
    handler: async (request, reply) => {
      const { query, params } = request
      const { companyId } = await requireShipment(context.database, params.shipmentId)
      const of = { company_id: companyId, shipment_id: params.shipmentId }
      return sendJson(reply, listBody(await deliveryPage(context.database, query, of), query))
    },
  })
}

function emailRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: `${url}/email`,
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'readShipmentEmail',
      'x-sdk': 'shipments.email',
      'x-cli': {
        command: 'shipment email',
        examples: { [`shipment email ${id} --output shipment.eml`]: 'to open in a mail program' },
      },
      summary: 'Read a shipment as an e-mail',
      description:
        'The file of a closed shipment as an attachment of a message (`.eml`) in the template of its contract: it opens as a draft in a mail ' +
        'program. The service sends nothing, and audits it; mark the shipment as sent when you have.',
      params: ShipmentPath,
      response: {
        200: { description: 'The message.', content: binaryContent(['message/rfc822']) },
        ...errorResponses('shipment-not-found', 'shipment-file-not-found', 'channel-not-set'),
      },
    },
    handler: async (request, reply) => {
      const { name, content, companyId } = await shipmentEmail(context, request.params.shipmentId)
      setDownloadHeaders(reply, { name, contentType: 'message/rfc822', size: content.length })
      if (request.method === 'HEAD') return sendHeaders(reply)
      const row = { action: 'shipment.file-downloaded', target: request.params.shipmentId, companyId } as const
      await auditDownload(context, callerOf(request), mayWriteShipments, row)
      return reply.send(content)
    },
  })
}

function protocolRoute(app: App, context: Context): void {
  route(app, {
    method: 'PUT',
    url: `${url}/item/:position/carrier-protocol`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'putShipmentItemProtocol',
      'x-sdk': 'shipments.putItemProtocol',
      'x-cli': {
        command: 'shipment item-protocol',
        arguments: ['carrier-protocol'],
        examples: { [`shipment item-protocol ${id} 3 2026-118840`]: 'what the portal of the carrier answered' },
        message: 'Stored.',
      },
      summary: 'Store the carrier’s protocol of an item',
      description:
        'What a portal answers when a movement is entered there. Of a shipment that was closed; null removes it.',
      params: ItemPath,
      response: {
        200: ResultOf(Shipment),
        ...errorResponses('shipment-not-found', 'shipment-status', 'shipment-item-not-found'),
      },
    },
    body: json(ItemProtocolBody),
    handler: async (request) => {
      const { shipmentId, position } = request.params
      const protocol = request.body['carrier-protocol']
      await putItemProtocol(context, callerOf(request), shipmentId, Number(position), protocol)
      return { result: await readShipment(context, shipmentId) }
    },
  })
}
