import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { responseSaver } from '../http/idempotency/idempotency.ts'
import { limitRedelivery } from '../http/limits/rate-limit.ts'
import { auditWrite } from '../audit/audit-log.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'
import { ApiError, invalidBody, invalidCredentials } from '../platform/errors.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { errorAnswers, pageBounds, pageQuery } from '../http/schemas.ts'
import { normalizeUrl, blockedTarget, targetMessage } from './ssrf-filter.ts'
import {
  countEndpoints,
  deleteEndpoint,
  findEndpointAt,
  insertEndpoint,
  listEndpoints,
  lockEndpointCount,
  readEndpoint,
  replaceSecret,
  resumeDeliveries,
  updateEndpoint,
} from './endpoint-queries.ts'
import { insertTestEvent, readEvent, redeliverEvent, wakeDelivery } from './event-queries.ts'
import {
  EndpointAnswer,
  EndpointList,
  EndpointPatch,
  EndpointPath,
  EventAnswer,
  NewEndpoint,
  SecretAnswer,
} from './schema.ts'
import { makeWebhookSecret, encryptSecret } from './signing.ts'

const url = '/v1/webhook-endpoint'
const one = `${url}/:webhookEndpointId`
const oldSecretMs = 86_400_000

/** Who is told of events, and with which secret it is signed. */
export async function webhookEndpointRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  readRoutes(app, context)
  patchRoute(app, context)
  deleteRoute(app, context)
  rotateRoute(app, context)
  testRoute(app, context)
}

function notFound(): ApiError {
  return new ApiError(404, 'Webhook endpoint not found')
}

/**
 * Runs a write of the caller's in a transaction and audits it. What it returns, if a text, is what is answered: it is kept under
 * the call's key.
 */
async function write<T>(
  context: Context,
  request: FastifyRequest,
  action: string,
  target: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const keep = responseSaver(context.responseStore, request)
  // Of two that take one URL at once, the later one finds it taken.
  return context.database.transactionRetryingUniqueViolation(async (sql) => {
    const done = await work(sql)
    await auditWrite(sql, request, { action, target, companyId: null })
    if (typeof done === 'string') await keep(sql, done)
    return done
  })
}

/** @returns the hash by which the URL is told apart. @throws ApiError 400 for an address that the sender would not call. */
function checkTarget({ config }: Context, text: string): Buffer {
  const rules = { httpsOnly: config.environment === 'production', allowPrivate: config.webhookAllowPrivate }
  const fault = blockedTarget(text, rules)
  if (fault !== null) throw invalidBody([{ field: 'url', code: fault, message: targetMessage(fault, rules) }])
  return createHash('sha256').update(normalizeUrl(text)).digest()
}

/** @throws ApiError 400 where another endpoint of the caller's has the URL: each event would come twice. */
async function refuseDuplicate(sql: Sql, caller: Caller, urlHash: Buffer, ownId: string | null): Promise<void> {
  const id = await findEndpointAt(sql, caller, urlHash, ownId)
  if (id === null) return
  const message = `The webhook endpoint ${id} has this URL: change that one with PATCH, or delete it first.`
  throw invalidBody([{ field: 'url', code: 'duplicate-url', message }])
}

/** @throws ApiError 400 where the caller has as many endpoints as it may. */
async function refuseTooMany(sql: Sql, caller: Caller, most: number): Promise<void> {
  if ((await countEndpoints(sql, caller)) < most) return
  const message =
    `A client may have ${most} webhook endpoints: delete one, change the URL of one with PATCH, or ask the operator of the service to ` +
    'raise VIGENCIA_WEBHOOK_ENDPOINTS.'
  throw invalidBody([{ field: 'url', code: 'too-many-endpoints', message }])
}

function withSecret(item: string, secret: string): string {
  return `{"result":${JSON.stringify({ ...(JSON.parse(item) as object), secret })}}`
}

function createRoute(app: App, context: Context): void {
  app.route({
    method: 'POST',
    url,
    config: { api: 'partner' },
    schema: {
      operationId: 'createWebhookEndpoint',
      tags: ['webhooks'],
      summary: 'Be told of events at an address',
      description:
        'Of the companies that the client may access when an event is sent, from now on. The secret, shown this once, verifies ' +
        'the signature (Standard Webhooks 1.0). At most 20 endpoints a client unless the operator allows more (`too-many-endpoints`), and one for a ' +
        'URL (`duplicate-url`).',
      body: NewEndpoint,
      response: { 200: SecretAnswer, ...errorAnswers(400, 401, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const urlHash = checkTarget(context, request.body.url)
      const [id, secret] = [uuidv7(), makeWebhookSecret()]
      const answer = await write(context, request, 'webhook-endpoint.created', id, async (sql) => {
        await lockEndpointCount(sql, caller)
        await refuseDuplicate(sql, caller, urlHash, null)
        await refuseTooMany(sql, caller, context.config.webhookEndpoints)
        const made = await insertEndpoint(sql, caller, {
          id,
          url: request.body.url,
          urlHash,
          eventTypes: [...new Set(request.body['event-types'])],
          secretId: uuidv7(),
          sealed: encryptSecret(context.cipher, id, secret),
          at: new Date(),
        })
        if (made === undefined) throw invalidCredentials()
        return withSecret(made, secret)
      })
      return sendJson(reply, answer)
    },
  })
}

function readRoutes(app: App, { database }: Context): void {
  app.route({
    method: 'GET',
    url,
    config: { api: 'partner' },
    schema: {
      operationId: 'listWebhookEndpoints',
      tags: ['webhooks'],
      summary: 'List the webhook endpoints',
      description: 'Of this client, oldest first, without their secrets.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: EndpointList, ...errorAnswers(400, 401, 503) },
    },
    handler: async (request, reply) => {
      const page = await listEndpoints(database, callerOf(request), pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })
  app.route({
    method: 'GET',
    url: one,
    config: { api: 'partner' },
    schema: {
      operationId: 'readWebhookEndpoint',
      tags: ['webhooks'],
      summary: 'Read a webhook endpoint',
      description: 'Without its secret.',
      params: EndpointPath,
      response: { 200: EndpointAnswer, ...errorAnswers(400, 401, 404, 503) },
    },
    handler: async (request, reply) => {
      const item = await readEndpoint(database, callerOf(request), request.params.webhookEndpointId)
      if (item === null) throw notFound()
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}

function patchRoute(app: App, context: Context): void {
  app.route({
    method: 'PATCH',
    url: one,
    config: { api: 'partner' },
    schema: {
      operationId: 'updateWebhookEndpoint',
      tags: ['webhooks'],
      summary: 'Change a webhook endpoint',
      description:
        'What is not sent stays. A disabled endpoint is not told of what happens meanwhile; what was waiting for it goes on when it ' +
        'is enabled again.',
      params: EndpointPath,
      body: EndpointPatch,
      response: { 200: EndpointAnswer, ...errorAnswers(400, 401, 404, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      const { body } = request
      const urlHash = body.url === undefined ? null : checkTarget(context, body.url)
      const id = request.params.webhookEndpointId.toLowerCase()
      const types = body['event-types']
      const change = {
        url: body.url ?? null,
        urlHash,
        eventTypes: types === undefined ? null : [...new Set(types)],
        status: body.status ?? null,
      }
      const answer = await write(context, request, 'webhook-endpoint.updated', id, async (sql) => {
        const [at, caller] = [new Date(), callerOf(request)]
        if (urlHash !== null) {
          if (typeof (await readEndpoint(sql, caller, id)) !== 'string') throw notFound()
          await refuseDuplicate(sql, caller, urlHash, id)
        }
        const updated = await updateEndpoint(sql, caller, id, change, at)
        if (updated === null) throw notFound()
        if (change.status === 'enabled') {
          await resumeDeliveries(sql, id, at)
          await wakeDelivery(sql)
        }
        return `{"result":${updated}}`
      })
      return sendJson(reply, answer)
    },
  })
}

function deleteRoute(app: App, context: Context): void {
  app.route({
    method: 'DELETE',
    url: one,
    config: { api: 'partner' },
    schema: {
      operationId: 'deleteWebhookEndpoint',
      tags: ['webhooks'],
      summary: 'Delete a webhook endpoint',
      description: 'It is told nothing more, not even what was waiting for it.',
      params: EndpointPath,
      response: { 204: Type.Null({ description: 'Deleted.' }), ...errorAnswers(400, 401, 404, 503) },
    },
    handler: async (request, reply) => {
      const id = request.params.webhookEndpointId.toLowerCase()
      await write(context, request, 'webhook-endpoint.deleted', id, async (sql) => {
        if (!(await deleteEndpoint(sql, callerOf(request), id, new Date()))) throw notFound()
      })
      return reply.status(204).send(null)
    },
  })
}

function rotateRoute(app: App, context: Context): void {
  app.route({
    method: 'POST',
    url: `${one}/rotate-secret`,
    config: { api: 'partner' },
    schema: {
      operationId: 'rotateWebhookSecret',
      tags: ['webhooks'],
      summary: 'Give a webhook endpoint a new secret',
      description:
        'Shown this once. For 24 hours everything is signed with both, the new one first; then with the new one alone. An older one ' +
        'that still lived ends now.',
      params: EndpointPath,
      response: { 200: SecretAnswer, ...errorAnswers(400, 401, 404, 503) },
    },
    handler: async (request, reply) => {
      const id = request.params.webhookEndpointId.toLowerCase()
      const secret = makeWebhookSecret()
      const answer = await write(context, request, 'webhook-endpoint.secret-rotated', id, async (sql) => {
        const at = new Date()
        const oldUntil = new Date(at.getTime() + oldSecretMs)
        const sealed = encryptSecret(context.cipher, id, secret)
        const rotated = await replaceSecret(sql, callerOf(request), id, { id: uuidv7(), sealed, at, oldUntil })
        if (rotated === null) throw notFound()
        return withSecret(rotated, secret)
      })
      return sendJson(reply, answer)
    },
  })
}

function testRoute(app: App, context: Context): void {
  app.route({
    method: 'POST',
    url: `${one}/test`,
    config: { api: 'partner' },
    schema: {
      operationId: 'testWebhookEndpoint',
      tags: ['webhooks'],
      summary: 'Send a test event to a webhook endpoint',
      description:
        'A `webhook.test`, whatever types it hears of. What became of it is in the deliveries of the event; it stands in the event ' +
        'list of the client too. At most 60 redeliveries and tests a minute.',
      params: EndpointPath,
      response: { 200: EventAnswer, ...errorAnswers(400, 401, 404, 409, 503) },
    },
    handler: async (request, reply) => {
      const endpointId = request.params.webhookEndpointId.toLowerCase()
      const caller = callerOf(request)
      await limitRedelivery(context.rateLimits, caller)
      const answer = await write(context, request, 'webhook-endpoint.tested', endpointId, async (sql) => {
        const endpoint = await readEndpoint(sql, caller, endpointId)
        if (typeof endpoint !== 'string') throw notFound()
        if ((JSON.parse(endpoint) as { status: string }).status !== 'enabled') {
          throw new ApiError(409, 'Webhook endpoint is disabled')
        }
        const [id, at] = [uuidv7(), new Date()]
        await insertTestEvent(sql, caller, endpointId, id, at)
        const event = await readEvent(sql, caller, id)
        if (!event) throw invalidCredentials()
        await redeliverEvent(sql, caller, id, event, at)
        await wakeDelivery(sql)
        return `{"result":${event.item}}`
      })
      return sendJson(reply, answer)
    },
  })
}
