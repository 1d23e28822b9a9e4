import type { FastifyRequest } from 'fastify'
import type { ClientActor } from '#platform/core/actor.ts'
import { optionalJson } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { languageOf } from '#platform/http/language.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { cancelShipment, closeShipment, finishShipment, mayWriteShipments, reopenShipment } from './close.ts'
import { CloseBody, SendBody, type ShipmentData, ShipmentPath, ShipmentResponse } from './schema.ts'
import { sendShipment } from './send.ts'
import { shipmentBody, shipmentColumns as columns } from './shipment-body.ts'

const url = '/operator/v1/shipment/:shipmentId'
const id = '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32'

/** What is done with a shipment. */
export function shipmentWriteRoutes(app: App, context: Context): void {
  closeRoutes(app, context)
  sendRoutes(app, context)
}

function closeRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/close`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'closeShipment',
      'x-sdk': 'shipments.close',
      'x-cli': {
        command: 'shipment close',
        examples: { [`shipment close ${id} --skip-not-ready`]: 'what is not ready waits for the next one' },
        columns,
      },
      summary: 'Close an open shipment and make its file',
      description:
        'Its movements become items, its file is made once, and the next shipment of the contract is open. 409 `Shipment has items that are not ' +
        'ready`, with the first of them and their problems, unless `skip-not-ready` is `true`: these wait for the next shipment. A file has up to 16 MiB, ' +
        '100,000 lines and 2,000,000 cells.',
      params: ShipmentPath,
      response: {
        200: ShipmentResponse,
        ...errorResponses(
          'shipment-not-found',
          'shipment-status',
          'shipment-items-not-ready',
          'shipment-empty',
          'shipment-too-large',
        ),
      },
    },
    body: optionalJson(CloseBody),
    handler: async (request) => {
      const options = { skipNotReady: request.body['skip-not-ready'] ?? false, language: languageOf(request) }
      return done(context, request, (...shipment) => closeShipment(...shipment, options))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/reopen`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'reopenShipment',
      'x-sdk': 'shipments.reopen',
      'x-cli': { command: 'shipment reopen', columns },
      summary: 'Reopen a closed shipment',
      description:
        'Deletes its file and its items, and the open shipment after it: the same movements, closed again, make the same bytes. Only the latest ' +
        'one that was closed, of an active contract.',
      params: ShipmentPath,
      response: {
        200: ShipmentResponse,
        ...errorResponses('shipment-not-found', 'shipment-status', 'shipment-not-latest', 'shipment-being-delivered'),
      },
    },
    handler: async (request) => done(context, request, reopenShipment),
  })

  route(app, {
    method: 'POST',
    url: `${url}/cancel`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'cancelShipment',
      'x-sdk': 'shipments.cancel',
      'x-cli': { command: 'shipment cancel', columns },
      summary: 'Cancel an open or closed shipment',
      description: 'Its movements are those of the next one. Its number stays used.',
      params: ShipmentPath,
      response: {
        200: ShipmentResponse,
        ...errorResponses('shipment-not-found', 'shipment-status', 'shipment-being-delivered'),
      },
    },
    handler: async (request) => done(context, request, cancelShipment),
  })
}

function sendRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/send`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'sendShipment',
      'x-sdk': 'shipments.send',
      'x-cli': {
        command: 'shipment send',
        examples: { [`shipment send ${id} --carrier-protocol 2026-118840`]: 'the carrier has the file' },
        columns,
      },
      summary: 'Mark a closed shipment as sent',
      description:
        'The carrier has the file: the movements go to `carrier-processing` with the protocol, by the workers, families together. 409 `Movements ' +
        'of the shipment have changed` names those that were cancelled or are pending since it was closed: reopen and close it, so that the file ' +
        'has none of them. One that changes after this call is an item in `cancelled`. The same call again changes nothing.',
      params: ShipmentPath,
      response: {
        200: ShipmentResponse,
        ...errorResponses(
          'shipment-not-found',
          'shipment-status',
          'shipment-items-changed',
          'shipment-being-delivered',
        ),
      },
    },
    body: optionalJson(SendBody),
    handler: async (request) => {
      const { 'sent-at': sentAt, 'carrier-protocol': carrierProtocol } = request.body
      const input = { sentAt: sentAt ? new Date(sentAt) : null, carrierProtocol: carrierProtocol ?? null }
      return done(context, request, (...shipment) => sendShipment(...shipment, input))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/finish`,
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'finishShipment',
      'x-sdk': 'shipments.finish',
      'x-cli': { command: 'shipment finish', columns },
      summary: 'Finish a sent shipment',
      description:
        'What the carrier has not answered is `unanswered`: these movements stay in `carrier-processing`, and in the queue with `overdue-at-carrier=true`.',
      params: ShipmentPath,
      response: {
        200: ShipmentResponse,
        ...errorResponses('shipment-not-found', 'shipment-status', 'shipment-being-sent'),
      },
    },
    handler: async (request) => done(context, request, finishShipment),
  })
}

/** Does an act with the shipment of the path, and responds with it. */
async function done(
  context: Context,
  request: FastifyRequest<{ Params: { shipmentId: string } }>,
  act: (context: Context, actor: ClientActor, shipmentId: string) => Promise<void>,
): Promise<{ result: ShipmentData }> {
  const shipmentId = request.params.shipmentId
  await act(context, callerOf(request), shipmentId)
  return shipmentBody(context, shipmentId)
}
