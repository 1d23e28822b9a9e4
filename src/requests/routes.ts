import { Type } from 'typebox'
import { sendJson } from '../http/json-response.ts'
import { ApiError, notEntitled } from '../platform/errors.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { errorResponses, Uuid } from '../http/schemas.ts'
import { readRequest } from './queries.ts'
import { RequestStatus } from './schema.ts'

/** When to read a request again that is still processed. */
const pollSeconds = 2

/** `GET /v1/request/{request-id}`: the status of a movement request. */
export async function requestRoutes(app: App, { database }: Context): Promise<void> {
  app.route({
    method: 'GET',
    url: '/v1/request/:requestId',
    config: { api: 'partner' },
    schema: {
      operationId: 'readRequest',
      tags: ['requests'],
      summary: 'Read a request, part by part',
      description:
        'Contains every part from the beginning. While `status` is `processing`, `Retry-After` tells when to read it again; `enrollment-status` and ' +
        '`enrollment-summary` change afterwards too. The body is the object itself, without an envelope.',
      params: Type.Object({ requestId: Uuid }),
      response: {
        200: RequestStatus,
        ...errorResponses('request-not-found', ['not-entitled', 'Not entitled to access this request']),
      },
    },
    handler: async (request, reply) => {
      const seen = await readRequest(database, callerOf(request), request.params.requestId)
      if (!seen.found) throw new ApiError('request-not-found')
      if (seen.body === null) throw notEntitled('request')
      if (seen.isProcessing) void reply.header('retry-after', pollSeconds)
      return sendJson(reply, seen.body)
    },
  })
}
