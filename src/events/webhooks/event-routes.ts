import { daysOf } from '#platform/http/filters.ts'
import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { limitRedelivery } from '#platform/http/limits/rate-limit.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { EVENT_TYPES } from '#kernel/events.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { eventNotFound, listDeliveries, listEvents, readEvent, redeliverEvent, wakeDelivery } from './event-queries.ts'
import { DeliveryList, EventResponse, EventList, EventPath } from './schema.ts'

const url = '/v1/webhook-event'
const eventUrl = `${url}/:webhookEventId`
const Query = Type.Object(pageQuery, { additionalProperties: false })
const ListQuery = Closed({
  type: Type.Optional(OneOf(EVENT_TYPES, { description: 'Only events of this type.' })),
  'company-tax-id': Type.Optional(
    Type.String({ format: 'cnpj', description: 'CNPJ, formatted or not: only events of this company, so no tests.' }),
  ),
  ...daysOf('timestamp'),
  after: Type.Optional({
    ...Uuid,
    description:
      'Only events after this one, the oldest first, up to ten seconds ago: to follow the events without a webhook. Send the `id` of the last ' +
      'event that you have, at first `00000000-0000-0000-0000-000000000000`.',
  }),
  ...pageQuery,
})

/** `/v1/webhook-event`: the events of the caller's companies and their deliveries. */
export async function webhookEventRoutes(app: App, context: Context): Promise<void> {
  readRoutes(app, context)
  redeliverRoute(app, context)
}

function readRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'listWebhookEvents',
      'x-sdk': 'webhookEvents.list',
      'x-cli': {
        command: 'webhook events',
        examples: {
          'webhook events --limit 20 --where type=enrollment.rejected': 'the last twenty of a type',
          'webhook events --after 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --json': 'those after one, oldest first',
        },
        columns: { TIMESTAMP: 'timestamp', TYPE: 'type', 'EVENT-ID': 'id', STATUS: 'data.status' },
      },
      tags: ['webhooks'],
      summary: 'List events, newest first or after one',
      description:
        'The events of the companies that the client may access, whether it has an endpoint or not, and its own tests, in the order of ' +
        '`id`, so that timestamps may differ from it by some milliseconds; deleted after 90 days. Filters are joined by AND. An event may appear after a newer one: to miss none, read them with ' +
        '`after`, which leaves out the last ten seconds. An `after` that the client may not read, as one that was deleted, is 404.',
      querystring: ListQuery,
      response: {
        200: EventList,
        ...errorResponses('invalid-date-range', 'not-entitled', 'webhook-event-not-found'),
      },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        type: query.type ?? null,
        companyTaxId: query['company-tax-id'] ?? null,
        ...readDateRange(query),
        after: query.after ?? null,
      }
      const page = await listEvents(database, callerOf(request), filter, pageBounds(query))
      if (!page.entitled) throw notEntitled('company')
      if (!page.known) throw eventNotFound()
      return sendJson(reply, listBody(page, query))
    },
  })
  route(app, {
    method: 'GET',
    url: eventUrl,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'readWebhookEvent',
      'x-sdk': 'webhookEvents.get',
      'x-cli': {
        command: 'webhook event',
        examples: { 'webhook event 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the ids of what it tells' },
      },
      tags: ['webhooks'],
      summary: 'Read an event',
      description: 'The response for an event of a company that the client may not access is that for an unknown one.',
      params: EventPath,
      response: { 200: EventResponse, ...errorResponses('webhook-event-not-found') },
    },
    handler: async (request, reply) => {
      const { item } = await readEvent(database, callerOf(request), request.params.webhookEventId)
      return sendJson(reply, `{"result":${item}}`)
    },
  })
  route(app, {
    method: 'GET',
    url: `${eventUrl}/delivery`,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'listWebhookDeliveries',
      'x-sdk': 'webhookEvents.deliveries',
      'x-cli': {
        command: 'webhook deliveries',
        columns: {
          'ENDPOINT-ID': 'endpoint-id',
          ATTEMPT: 'attempt',
          STATUS: 'status',
          RESPONSE: 'response-status',
          ERROR: 'error',
          'ATTEMPTED-AT': 'attempted-at',
          'NEXT-ATTEMPT-AT': 'next-attempt-at',
        },
      },
      tags: ['webhooks'],
      summary: 'List the attempts to deliver an event',
      description: 'One item for each attempt, in their order, to the endpoints of this client that still exist.',
      params: EventPath,
      querystring: Query,
      response: { 200: DeliveryList, ...errorResponses('webhook-event-not-found') },
    },
    handler: async (request, reply) => {
      const [caller, id] = [callerOf(request), request.params.webhookEventId]
      await readEvent(database, caller, id)
      const page = await listDeliveries(database, caller, id, pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })
}

function redeliverRoute(app: App, { database, rateLimits }: Context): void {
  route(app, {
    method: 'POST',
    url: `${eventUrl}/redeliver`,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'redeliverWebhookEvent',
      'x-sdk': 'webhookEvents.redeliver',
      'x-cli': {
        command: 'webhook redeliver',
        examples: { 'webhook redeliver 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'with the same webhook-id' },
        message: 'Event {webhook-event-id} is sent again.',
      },
      tags: ['webhooks'],
      summary: 'Deliver an event again',
      description:
        'To every enabled endpoint of this client that subscribes to its type (a test: to its own endpoint), also to those that were created ' +
        'later or have received it, with the same `webhook-id` and body. The number of attempts continues, the schedule of retries starts ' +
        'again. At most 60 redeliveries and tests a minute.',
      params: EventPath,
      response: { 200: EventResponse, ...errorResponses('webhook-event-not-found') },
    },
    handler: async (request, reply) => {
      const [caller, id] = [callerOf(request), request.params.webhookEventId]
      await limitRedelivery(rateLimits, caller)
      const { saveResponse } = request
      const event = await readEvent(database, caller, id)
      const { companyId } = event
      const companyIds = companyId === null ? [] : [companyId]
      const options = {
        may: 'partner',
        companies: { ids: companyIds, entitled: 'all', error: eventNotFound },
        retriesUniqueViolation: true,
        saveResponse,
      } as const
      const body = await write({ database }, caller, options, async (tx) => {
        await redeliverEvent(tx, caller, id, event, tx.at())
        tx.audit({ action: 'webhook-event.redelivered', target: id, companyId })
        await wakeDelivery(tx)
        const result = `{"result":${event.item}}`
        tx.respond(result, companyIds)
        return result
      })
      return sendJson(reply, body)
    },
  })
}
