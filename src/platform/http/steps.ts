import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { runForClient } from '../core/connection-shares.ts'
import { ApiError } from '../core/errors.ts'
import { networkOf } from '../core/networks.ts'
import { countMovementRequest, countRequest, countResponse } from '../core/telemetry/metrics.ts'
import { maskForAuditor } from '#kernel/masking.ts'
import { clientAddressOf } from './client-address.ts'
import { compress, isCompressible } from './compression.ts'
import type { App, Context, RequestClient } from './context.ts'
import { rejectSlowBody } from './error-response.ts'
import { claimKey, hashBody, storeResponse } from './idempotency/idempotency.ts'
import { inLanguage, lacksSentences } from './language.ts'
import { limitConnections } from './limits/limit-connections.ts'
import { MinimumSpeed } from './limits/minimum-speed.ts'
import { limitCall } from './limits/rate-limit.ts'
import { RequestLimits } from './limits/request-limits.ts'
import { unsupportedCoding } from './refused-content.ts'
import { openSpans } from './request-spans.ts'
import { requireRole } from './require-role.ts'
import { securityHeaders } from './security-headers.ts'
import { parseJson } from './strict-json.ts'
import { closeAfterUpgrade } from './upgrade-request.ts'
import { RawJson, takesBody, validateParameters } from './validation.ts'

/** Sets the caller of a request on a route that needs one. @throws ApiError 401 or 403. */
type Authenticate = (context: Context, request: FastifyRequest) => Promise<void>

/**
 * The steps of requests, in their order. Those of a body and of a role are of the routes that need them, from their registration; what else
 * differs by route is in its `config`, which `route` makes (src/platform/http/route.ts).
 * @param missingRoute the error of a path without a route.
 */
export function addSteps(
  app: App,
  context: Context,
  authenticate: Authenticate,
  missingRoute: (request: FastifyRequest) => ApiError,
): void {
  const { config, database, log, rateLimits, responseStore } = context
  const inSpan = openSpans(context.tracing)
  app.decorate('publicUrl', config.publicUrl ?? '')
  app.decorate('minimumSpeed', new MinimumSpeed(config.limits.minimumSpeed))
  limitConnections(app.server, config.limits.connections, config.trustedProxies)
  const limits = new RequestLimits(config.limits, config.databaseConnections, app.minimumSpeed)
  app.decorateRequest('clientAddress', '')
  for (const name of ['caller', 'role', 'sessionId', 'permits', 'keyed', 'sentences'] as const)
    app.decorateRequest(name, null)
  app.decorateRequest('databaseClient')
  app.decorateRequest('accessedCompanyIds')
  app.decorateRequest('saveResponse', async () => {})

  // 1. Metrics and log, headers, caller, limits, quota; then `before` of the route.
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    void reply.headers(securityHeaders).header('x-request-id', request.id)
    checkHost(request)
    if (request.routeOptions.config.api !== undefined) void reply.header('cache-control', 'no-store')
    await authenticate(context, request)
    if (request.caller !== null) request.databaseClient.id = request.caller.clientId
    await limits.begin(request, reply, () => rejectSlowBody(request.raw.socket))
    if (rateLimits !== null) await limitCall(rateLimits, request, reply)
    if (request.is404) throw missingRoute(request)
  }
  app.addHook('onRequest', (request, reply, next) => {
    observe(log, request, reply)
    request.clientAddress = clientAddressOf(request.raw, config.trustedProxies)
    request.databaseClient = databaseClientOf(request)
    request.accessedCompanyIds = []
    inSpan(request, reply, () => runForClient(request.databaseClient, next))
  })
  app.addHook('onRequest', admit)

  // 2. Coding and size of the body, hash of the body of a call with an Idempotency-Key.
  const receive = async (request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload) => {
    checkEncoding(request)
    await limits.limitBody(request)
    // No event of the body of a connection that has broken comes any more: the request would wait for one for ever.
    if (request.raw.errored !== null) throw request.raw.errored
    return hashBody(responseStore, request, payload)
  }

  // 3. The parser of the route's body reads it (src/platform/http/bodies.ts).
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => new RawJson(body),
  )

  // 4. The turn among the calls in progress, the key, the parameters, the JSON text. Fastify validates the rest.
  const resume = (request: FastifyRequest, reply: FastifyReply, next: () => void): void =>
    // The events of a body come from its connection, which has no client and no span.
    inSpan(request, reply, () => runForClient(request.databaseClient, next))
  const parse = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    await limits.bodyArrived(request)
    if (request.keyed !== null) {
      // The response that was stored is one of the operator's role.
      if (request.routeOptions.config.api === 'operator') await requireRole(database, request)
      const replay = await claimKey(responseStore, request, reply)
      if (replay !== null) return reply.send(replay)
    }
    validateParameters(request)
    const { body, routeOptions } = request
    // Libraries send the media type also without a body.
    if (body instanceof RawJson) {
      request.body = body.bytes.length === 0 ? undefined : parseJson(body.bytes, routeOptions.config.jsonLimits)
    }
    return undefined
  }

  // 5. The role of an operator; then the handler of the route.
  const checkRole = (request: FastifyRequest) => requireRole(database, request)

  // A route has those of the steps 2, 4 and 5 that its method and its API need.
  app.addHook('onRoute', (options) => {
    if ([options.method].flat().some(takesBody))
      Object.assign(options, { preParsing: receive, preValidation: [resume, parse] })
    if (options.config?.api === 'operator') options.preHandler = checkRole
  })

  // 6. The stored response, its language, what an auditor may see of it, its coding. Most responses are short and need none of them.
  app.addHook('onSend', (request, reply, payload, done) => {
    limits.workEnded(request, reply, payload)
    const isFinal =
      request.keyed === null &&
      request.role !== 'auditor' &&
      request.headers.upgrade === undefined &&
      !lacksSentences(request, reply, payload) &&
      !isCompressible(reply, payload)
    if (!isFinal) return finish(request, reply, payload)
    done(null, payload)
    return undefined
  })
  const finish = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    // The rest of a body that was refused unread must be consumed, or the connection is stuck.
    request.keyed?.body.resume()
    await closeAfterUpgrade(reply)
    let body = request.keyed === null ? payload : await storeResponse(responseStore, request, reply, payload)
    if (lacksSentences(request, reply, body)) body = await inLanguage(request, reply, body)
    if (request.role === 'auditor' && isJson(reply) && typeof body === 'string') {
      body = JSON.stringify(maskForAuditor(JSON.parse(body)))
    }
    return isCompressible(reply, body) ? compress(request, reply, body) : body
  }
}

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json')

/** Counts the request, and logs the response once it was sent or its connection broke. */
function observe(log: Context['log'], { id, method, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  const startedAt = performance.now()
  countRequest()
  reply.raw.once('close', () => {
    const elapsedMs = performance.now() - startedAt
    const [route, status] = [routeOptions.url ?? 'unknown', reply.statusCode]
    const { movement } = routeOptions.config
    if (movement !== undefined) countMovementRequest(movement, status)
    countResponse(method, route, status, elapsedMs)
    const ms = Math.round(elapsedMs * 10) / 10
    log.info({ 'request-trace-id': id, method, route, status, ms }, 'request completed')
  })
}

/** Partners, before and after their token is known, and uploads have the common part of the connections. */
function databaseClientOf({ clientAddress, routeOptions }: FastifyRequest): RequestClient {
  const { api, streamsBody = false } = routeOptions.config
  return { id: networkOf(clientAddress), privileged: api === 'operator' || (api === undefined && !streamsBody) }
}

/**
 * Exactly one `Host` header: Node uses the first of several, a proxy in front may have used another (RFC 9112, section 3.2). Node's own
 * check is off, since its response has no body.
 */
function checkHost({ raw }: FastifyRequest): void {
  const count = raw.headersDistinct['host']?.length ?? 0
  if (count > 1 || (count === 0 && raw.httpVersion !== '1.0')) throw new ApiError('bad-request')
}

/** Bodies are taken as they are, without decompression. */
function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedCoding()
}
