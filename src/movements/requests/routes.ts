import { route } from '#platform/http/route.ts'
import { availableParallelism } from 'node:os'
import { Type } from 'typebox'
import { sendJson } from '#platform/http/json-response.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { type FoundRequest, readRequest } from './queries.ts'
import { RequestStatus } from './schema.ts'

/** When to read a request again that is still processed. */
const pollSeconds = 2

/** From this length on a request takes PostgreSQL tens of milliseconds: thousands of parts. */
const largeLength = 256 * 1024
/** Requests that are known to be large. */
const maxKnown = 10_000

/**
 * Reads large requests of a client one at a time: several at once would take all cores from the other clients. Which ones are large is known
 * after the first read.
 */
function largeReads(maxWaitMs: number) {
  const limit = new ConcurrencyLimit({ max: 1, reserve: availableParallelism(), maxWaitMs })
  const known = new Set<string>()
  return async (clientId: string, requestId: string, read: () => Promise<FoundRequest>) => {
    const seen = await (known.has(requestId) ? limit.run(clientId, read) : read())
    if ((seen.body?.length ?? 0) < largeLength) return seen
    if (known.size === maxKnown) known.clear()
    known.add(requestId)
    return seen
  }
}

/** `GET /v1/request/{request-id}`: the status of a movement request. */
export async function requestRoutes(app: App, { database, config }: Context): Promise<void> {
  const inTurn = largeReads(config.limits.maxWaitMs)
  route(app, {
    method: 'GET',
    url: '/v1/request/:requestId',
    api: 'partner',
    schema: {
      operationId: 'readRequest',
      'x-sdk': 'requests.get',
      'x-cli': {
        command: 'request show',
        examples: { 'request show 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the status of each member and product' },
      },
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
      const caller = callerOf(request)
      const { requestId } = request.params
      const seen = await inTurn(caller.clientId, requestId, () => readRequest(database, caller, requestId))
      if (!seen.found) throw new ApiError('request-not-found')
      if (seen.body === null) throw notEntitled('request')
      if (seen.isProcessing) void reply.header('retry-after', pollSeconds)
      return sendJson(reply, seen.body)
    },
  })
}
