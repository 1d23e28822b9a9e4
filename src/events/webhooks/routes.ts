import { route } from '#platform/http/route.ts'
import { json } from '#platform/http/bodies.ts'
import { callerOf } from '#platform/http/context.ts'
import type { Sql } from '#platform/core/database.ts'
import { Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { ENDPOINT_STATUSES } from '../rules/webhook.ts'
import type { App, Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { ApiError } from '#platform/core/errors.ts'
import { eventNotFound, readEvent, redeliverEvent, wakeDelivery } from './event-queries.ts'
import { listAllDeliveries, listAllEndpoints, lockEndpointClient, readAnyEndpoint, readAnyEvent } from './queries.ts'
import {
  DeliveryQuery,
  EndpointPath,
  EventPath,
  EventResponse,
  ofClient,
  OperatorDeliveryList,
  OperatorEndpointList,
  OperatorEndpointResponse,
  OperatorEventResponse,
  Redelivery,
} from './schema.ts'

const mayRead = ['analyst', 'auditor'] as const

/** The webhook endpoints of all clients and what was sent to them. Secrets are in no response. */
export async function webhookOperatorRoutes(app: App, context: Context): Promise<void> {
  endpointRoutes(app, context)
  deliveryRoute(app, context)
  eventRoutes(app, context)
}

function endpointRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/webhook-endpoint',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listAllWebhookEndpoints',
      'x-sdk': 'webhooks.list',
      'x-cli': {
        command: 'webhook endpoints',
        examples: { 'webhook endpoints --failing': 'those whose last delivery failed' },
        columns: {
          'ENDPOINT-ID': 'id',
          CLIENT: 'client-name',
          URL: 'url',
          STATUS: 'status',
          PENDING: 'pending-deliveries',
          'FAILING-SINCE': 'failing-since',
          'LAST-SUCCESS': 'last-success-at',
        },
      },
      summary: 'List the webhook endpoints of all clients',
      description:
        'With the health of their deliveries, oldest first, without those of revoked clients. Filters are combined with AND.',
      querystring: Closed({
        'client-id': ofClient,
        failing: Type.Boolean({
          default: false,
          description: '`true`: only those whose last attempt failed, or that were disabled for it.',
        }),
        status: Type.Optional(OneOf(ENDPOINT_STATUSES, { description: 'Only those with this status.' })),
        ...pageQuery,
      }),
      response: { 200: OperatorEndpointList },
    },
    handler: async (request, reply) => {
      const { query, role } = request
      const filter = { clientId: query['client-id'] ?? null, failing: query.failing, status: query.status ?? null }
      const page = await listAllEndpoints(database, filter, pageBounds(query), role !== 'auditor')
      return sendJson(reply, listBody(page, query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/webhook-endpoint/:webhookEndpointId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readAnyWebhookEndpoint',
      'x-sdk': 'webhooks.get',
      'x-cli': {
        command: 'webhook endpoint',
        examples: { 'webhook endpoint 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'with its last error' },
      },
      summary: 'Read a webhook endpoint of any client',
      description: 'With the health of its deliveries.',
      params: EndpointPath,
      response: { 200: OperatorEndpointResponse, ...errorResponses('webhook-endpoint-not-found') },
    },
    handler: async (request, reply) => {
      const item = await readAnyEndpoint(database, request.params.webhookEndpointId, request.role !== 'auditor')
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}

function deliveryRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/webhook-delivery',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listAllWebhookDeliveries',
      'x-sdk': 'webhooks.deliveries',
      'x-cli': {
        command: 'webhook attempts',
        examples: {
          'webhook attempts --endpoint-id 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --status failed':
            'what failed at one endpoint',
        },
        columns: {
          CLIENT: 'client-name',
          'ENDPOINT-ID': 'endpoint-id',
          'EVENT-ID': 'event-id',
          TYPE: 'event-type',
          ATTEMPT: 'attempt',
          STATUS: 'status',
          RESPONSE: 'response-status',
          ERROR: 'error',
          'ATTEMPTED-AT': 'attempted-at',
        },
      },
      summary: 'List the attempts to deliver events to the endpoints of all clients',
      description:
        'One item for each attempt, also the pending one: those of the newest event first, of each event the last attempt first. Filters are ' +
        'combined with AND.',
      querystring: DeliveryQuery,
      response: { 200: OperatorDeliveryList },
    },
    handler: async (request, reply) => {
      const { query } = request
      return sendJson(reply, listBody(await listAllDeliveries(database, query), query))
    },
  })
}

function eventRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/webhook-event/:webhookEventId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readAnyWebhookEvent',
      'x-sdk': 'webhooks.event',
      'x-cli': { command: 'webhook sent' },
      summary: 'Read an event with what was sent',
      description: 'Of any company, or a test of any client: the body of its deliveries and the attempts.',
      params: EventPath,
      response: { 200: OperatorEventResponse, ...errorResponses('webhook-event-not-found') },
    },
    handler: async (request, reply) =>
      sendJson(reply, `{"result":${await readAnyEvent(database, request.params.webhookEventId)}}`),
  })

  route(app, {
    method: 'POST',
    url: '/operator/v1/webhook-event/:webhookEventId/redeliver',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'redeliverAnyWebhookEvent',
      'x-sdk': 'webhooks.redeliver',
      'x-cli': {
        command: 'webhook resend',
        arguments: ['webhook-endpoint-id'],
        examples: {
          'webhook resend 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45':
            'with the same webhook-id',
        },
        message: 'Event {webhook-event-id} is sent again to {webhook-endpoint-id}.',
      },
      summary: 'Deliver an event again to an endpoint',
      description:
        'With the same `webhook-id` and body, now; the number of attempts continues, the schedule of retries starts again. 404 for an event ' +
        'that the client of the endpoint may not read, or of a type that the endpoint does not receive.',
      params: EventPath,
      response: {
        200: EventResponse,
        ...errorResponses('webhook-event-not-found', 'webhook-endpoint-not-found', 'webhook-endpoint-disabled'),
      },
    },
    body: json(Redelivery),
    handler: async (request, reply) => {
      const id = request.params.webhookEventId
      const endpointId = request.body['webhook-endpoint-id']
      const lock = (sql: Sql) => lockEndpointClient(sql, endpointId)
      const options = { may: ['analyst'], lock, retriesUniqueViolation: true } as const
      const item = await write({ database }, callerOf(request), options, async (sql, { clientId, status }) => {
        if (status === 'disabled') throw new ApiError('webhook-endpoint-disabled')
        const owner = { clientId }
        const event = await readEvent(sql, owner, id)
        const endpoints = await redeliverEvent(sql, owner, id, event, sql.at(), endpointId)
        if (endpoints === 0) throw eventNotFound()
        const { companyId } = event
        sql.audit({ action: 'webhook-event.redelivered', target: id, companyId })
        await wakeDelivery(sql)
        return event.item
      })
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}
