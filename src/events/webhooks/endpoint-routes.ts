import { route } from '#platform/http/route.ts'
import { json, optionalJson } from '#platform/http/bodies.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { limitRedelivery } from '#platform/http/limits/rate-limit.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import type { Client } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { checkConflicts, checkTarget } from './endpoint-url.ts'
import {
  deleteEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpointCount,
  readEndpoint,
  replaceSecret,
  resumeDeliveries,
  updateEndpoint,
} from './endpoint-queries.ts'
import { testData } from './event-schema.ts'
import { insertTestEvent, readEvent, redeliverEvent, wakeDelivery } from './event-queries.ts'
import {
  endpointColumns,
  EndpointList,
  EndpointPatch,
  EndpointPath,
  EndpointResponse,
  EventResponse,
  NewEndpoint,
  SecretResponse,
  TestBody,
} from './schema.ts'
import { encryptSecret, makeWebhookSecret } from './signing.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'

const url = '/v1/webhook-endpoint'
const endpointUrl = `${url}/:webhookEndpointId`
const oldSecretMs = 86_400_000

/** `/v1/webhook-endpoint`: changes of the endpoints of a client, and their secrets. */
export async function webhookEndpointRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  patchRoute(app, context)
  deleteRoute(app, context)
  rotateRoute(app, context)
  testRoute(app, context)
}

/** Runs an audited write of the caller. @param work returns the response body; null: it has none. */
async function writeEndpoint<Body extends string | null>(
  context: Context,
  request: FastifyRequest,
  action: AuditAction,
  target: string,
  work: (tx: Tx, caller: Client) => Promise<Body>,
): Promise<Body> {
  const caller = callerOf(request)
  const { saveResponse } = request
  // The later of two concurrent writes of one URL is repeated, and finds the URL in use.
  const options = { may: 'partner', retriesUniqueViolation: true, saveResponse } as const
  return write(context, caller, options, async (tx) => {
    const body = await work(tx, caller)
    tx.audit({ action, target, companyId: null })
    tx.respond(body ?? '')
    return body
  })
}

function withSecret(item: string, secret: string): string {
  return `{"result":${JSON.stringify({ ...(JSON.parse(item) as object), secret })}}`
}

function createRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'createWebhookEndpoint',
      'x-sdk': 'webhookEndpoints.create',
      'x-cli': {
        command: 'webhook create',
        arguments: ['url'],
        options: { 'event-types': 'type' },
        examples: {
          'webhook create https://payroll.example/hook --type enrollment.completed': 'for one type of event',
        },
      },
      tags: ['webhooks'],
      summary: 'Create a webhook endpoint',
      description:
        'From now on the URL receives the events of the companies that the client may access when an event is sent. The secret verifies ' +
        'the signature (Standard Webhooks 1.0); it is shown only in this response. A client may have 20 endpoints unless the operator ' +
        'allows more (`too-many-endpoints`), and one for each URL (`duplicate-url`).',
      response: { 200: SecretResponse, ...errorResponses('duplicate-url', 'too-many-endpoints') },
    },
    body: json(NewEndpoint),
    handler: async (request, reply) => {
      const urlHash = checkTarget(context, request.body.url)
      const [id, secret] = [uuidv7(), makeWebhookSecret()]
      const body = await writeEndpoint(context, request, 'webhook-endpoint.created', id, async (sql, caller) => {
        await lockEndpointCount(sql, caller)
        await checkConflicts(sql, caller, urlHash, null, context.config.webhookEndpoints)
        const endpoint = await insertEndpoint(sql, caller, {
          id,
          url: request.body.url,
          urlHash,
          eventTypes: [...new Set(request.body['event-types'])],
          secretId: uuidv7(),
          encryptedSecret: encryptSecret(context.cipher, id, secret),
          at: sql.at(),
        })
        return withSecret(endpoint, secret)
      })
      return sendJson(reply, body)
    },
  })
}

function patchRoute(app: App, context: Context): void {
  route(app, {
    method: 'PATCH',
    url: endpointUrl,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'updateWebhookEndpoint',
      'x-sdk': 'webhookEndpoints.update',
      'x-cli': {
        command: 'webhook update',
        options: { 'event-types': 'type' },
        examples: { 'webhook update 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --status enabled': 'after it was disabled' },
        columns: endpointColumns,
      },
      tags: ['webhooks'],
      summary: 'Change a webhook endpoint',
      description:
        'Fields that are not sent stay as they are. A disabled endpoint receives no events that happen meanwhile; its pending deliveries ' +
        'are sent when it is enabled again.',
      params: EndpointPath,
      response: { 200: EndpointResponse, ...errorResponses('duplicate-url', 'webhook-endpoint-not-found') },
    },
    body: json(EndpointPatch),
    handler: async (request, reply) => {
      const { url: newUrl, 'event-types': types, status } = request.body
      const urlHash = newUrl === undefined ? null : checkTarget(context, newUrl)
      const id = request.params.webhookEndpointId
      const eventTypes = types === undefined ? null : [...new Set(types)]
      const change = { url: newUrl ?? null, urlHash, eventTypes, status: status ?? null }
      const body = await writeEndpoint(context, request, 'webhook-endpoint.updated', id, async (sql, caller) => {
        if (urlHash !== null) {
          await readEndpoint(sql, caller, id)
          await checkConflicts(sql, caller, urlHash, id)
        }
        const updated = await updateEndpoint(sql, caller, id, change, sql.at())
        if (change.status === 'enabled') {
          await resumeDeliveries(sql, id, sql.at())
          await wakeDelivery(sql)
        }
        return `{"result":${updated}}`
      })
      return sendJson(reply, body)
    },
  })
}

function deleteRoute(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: endpointUrl,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'deleteWebhookEndpoint',
      'x-sdk': 'webhookEndpoints.delete',
      'x-cli': {
        command: 'webhook delete',
        result: { id: '{webhook-endpoint-id}', deleted: true },
        message: 'Webhook endpoint {webhook-endpoint-id} is deleted.',
      },
      tags: ['webhooks'],
      summary: 'Delete a webhook endpoint',
      description: 'Nothing more is sent to it; its pending deliveries are deleted.',
      params: EndpointPath,
      response: { 204: Type.Null({ description: 'Deleted.' }), ...errorResponses('webhook-endpoint-not-found') },
    },
    handler: async (request, reply) => {
      const id = request.params.webhookEndpointId
      await writeEndpoint(context, request, 'webhook-endpoint.deleted', id, async (sql, caller) => {
        await deleteEndpoint(sql, caller, id, sql.at())
        return null
      })
      return reply.status(204).send(null)
    },
  })
}

function rotateRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${endpointUrl}/rotate-secret`,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'rotateWebhookSecret',
      'x-sdk': 'webhookEndpoints.rotateSecret',
      'x-cli': {
        command: 'webhook rotate',
        examples: { 'webhook rotate 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the secret is shown this once' },
        isShown: true,
        message: 'The secret is shown this once. The one before it signs too for 24 hours.',
      },
      tags: ['webhooks'],
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'The new secret is shown only in this response. For 24 hours every delivery is signed with the new and the current secret, then ' +
        'with the new one alone. A secret from before the current one expires now.',
      params: EndpointPath,
      response: { 200: SecretResponse, ...errorResponses('webhook-endpoint-not-found') },
    },
    handler: async (request, reply) => {
      const id = request.params.webhookEndpointId
      const secret = makeWebhookSecret()
      const body = await writeEndpoint(context, request, 'webhook-endpoint.secret-rotated', id, async (sql, caller) => {
        const oldUntil = new Date(sql.at().getTime() + oldSecretMs)
        const encrypted = encryptSecret(context.cipher, id, secret)
        const endpoint = await replaceSecret(sql, caller, id, { id: uuidv7(), encrypted, at: sql.at(), oldUntil })
        return withSecret(endpoint, secret)
      })
      return sendJson(reply, body)
    },
  })
}

function testRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${endpointUrl}/test`,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'testWebhookEndpoint',
      'x-sdk': 'webhookEndpoints.test',
      tags: ['webhooks'],
      summary: 'Send a test event to a webhook endpoint',
      description:
        'Sends a `webhook.test`, or an event of another type with made-up `data`, whatever the `event-types` of the endpoint; nothing else ' +
        'changes. The result is in the deliveries of the event, which is in the event list of the client too. At most 60 redeliveries and ' +
        'tests a minute.',
      params: EndpointPath,
      response: { 200: EventResponse, ...errorResponses('webhook-endpoint-not-found', 'webhook-endpoint-disabled') },
    },
    body: optionalJson(TestBody),
    handler: async (request, reply) => {
      const endpointId = request.params.webhookEndpointId
      const { 'event-type': type = 'webhook.test' } = request.body
      await limitRedelivery(context.rateLimits, callerOf(request))
      const body = await writeEndpoint(context, request, 'webhook-endpoint.tested', endpointId, async (sql, caller) => {
        const endpoint = await readEndpoint(sql, caller, endpointId)
        if ((JSON.parse(endpoint) as { status: string }).status !== 'enabled') {
          throw new ApiError('webhook-endpoint-disabled')
        }
        const id = uuidv7()
        await insertTestEvent(sql, caller, endpointId, { id, type, data: testData(type, endpointId), at: sql.at() })
        const event = await readEvent(sql, caller, id)
        await redeliverEvent(sql, caller, id, event, sql.at())
        await wakeDelivery(sql)
        return `{"result":${event.item}}`
      })
      return sendJson(reply, body)
    },
  })
}

/** `/v1/webhook-endpoint`: the endpoints of a client. */
export async function webhookEndpointReadRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'listWebhookEndpoints',
      'x-sdk': 'webhookEndpoints.list',
      'x-cli': { command: 'webhook list', columns: endpointColumns },
      tags: ['webhooks'],
      summary: 'List the webhook endpoints',
      description: 'The endpoints of this client, oldest first, without their secrets.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: EndpointList },
    },
    handler: async (request, reply) => {
      const page = await listEndpoints(database, callerOf(request), pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })
  route(app, {
    method: 'GET',
    url: `${url}/:webhookEndpointId`,
    api: 'partner',
    isForPrograms: true,
    schema: {
      operationId: 'readWebhookEndpoint',
      'x-sdk': 'webhookEndpoints.get',
      'x-cli': {
        command: 'webhook show',
        examples: { 'webhook show 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'and why it is disabled' },
      },
      tags: ['webhooks'],
      summary: 'Read a webhook endpoint',
      description: 'Without its secret.',
      params: EndpointPath,
      response: { 200: EndpointResponse, ...errorResponses('webhook-endpoint-not-found') },
    },
    handler: async (request, reply) => {
      const item = await readEndpoint(database, callerOf(request), request.params.webhookEndpointId)
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}
