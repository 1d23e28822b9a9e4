import { Type } from 'typebox'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { listEndpoints, readEndpoint } from './endpoint-queries.ts'
import { endpointColumns, EndpointList, EndpointPath, EndpointResponse } from './schema.ts'

const url = '/v1/webhook-endpoint'

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
