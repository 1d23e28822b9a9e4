import type { FastifyRequest } from 'fastify'
import { authenticateRequest } from './sessions/authenticate-request.ts'
import { requireRole } from './http/require-role.ts'
import { clientAddressOf } from './http/client-address.ts'
import type { App, Context, RequestClient } from './http/context.ts'
import { rejectSlowBody } from './http/error-response.ts'
import { limitConnections } from './http/limits/limit-connections.ts'
import { MinimumSpeed } from './http/limits/minimum-speed.ts'
import { limitCall } from './http/limits/rate-limit.ts'
import { RequestLimits } from './http/limits/request-limits.ts'
import { securityHeaders } from './http/security-headers.ts'
import { type JsonLimits, parseJson } from './http/strict-json.ts'
import { afterUpgradeBody, closeAfterUpgrade } from './http/upgrade-request.ts'
import { validateParameters, RawJson, takesBody } from './http/validation.ts'
import { runForClient } from './core/connection-shares.ts'
import { ApiError } from './core/errors.ts'
import { countResponse, requestsInFlight } from './core/telemetry/metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the JSON body; absent: `bodyLimits`. */
    jsonLimits?: JsonLimits
  }
}

/** Metrics and the log line of each response. */
export function addTelemetryHooks(app: App, { log }: Context): void {
  app.addHook('onRequest', ({ id, method, routeOptions }, reply, next) => {
    const startedAt = performance.now()
    requestsInFlight.inc()
    // After the response, and after a connection that broke before it.
    reply.raw.once('close', () => {
      requestsInFlight.dec()
      const elapsedMs = performance.now() - startedAt
      const [route, status] = [routeOptions.url ?? 'unknown', reply.statusCode]
      countResponse(method, route, status, elapsedMs)
      const ms = Math.round(elapsedMs * 10) / 10
      log.info({ 'request-trace-id': id, method, route, status, ms }, 'request completed')
    })
    next()
  })
}

/** Headers of every response, authentication and limits, before the body is read. */
export function addAdmissionHooks(app: App, context: Context): void {
  const { config, rateLimits } = context
  app.decorateRequest('clientAddress', '')
  app.decorateRequest('caller', null)
  app.decorateRequest('role', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('permits', null)
  app.decorateRequest('databaseClient')
  app.decorate('minimumSpeed', new MinimumSpeed(config.limits.minimumSpeed))
  limitConnections(app.server, config.limits.connections, config.trustedProxies)
  const limits = new RequestLimits(config.limits, config.databaseConnections, app.minimumSpeed)
  app.addHook('onRequest', (request, _reply, next) => {
    request.clientAddress = clientAddressOf(request.raw, config.trustedProxies)
    request.databaseClient = databaseClientOf(request)
    runForClient(request.databaseClient, next)
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(securityHeaders).header('x-request-id', request.id)
    checkHost(request)
    if (request.routeOptions.config.api !== undefined) void reply.header('cache-control', 'no-store')
    await authenticateRequest(context, request)
    if (request.caller !== null) request.databaseClient.id = request.caller.clientId
    await limits.begin(request, reply, () => rejectSlowBody(request.raw.socket))
    if (rateLimits !== null) await limitCall(rateLimits, request, reply)
  })
  app.addHook('preParsing', async (request, _reply, payload) => {
    checkEncoding(request)
    await limits.limitBody(request)
    // No event of the body of a connection that has broken comes any more: the request would wait for one for ever.
    if (request.raw.errored !== null) throw request.raw.errored
    return payload
  })
  // The events of a body come from its connection, which has no client.
  app.addHook('preValidation', (request, _reply, next) => runForClient(request.databaseClient, next))
  app.addHook('preValidation', (request) => limits.bodyArrived(request))
  app.addHook('onSend', (request, reply, payload, next) => {
    limits.workEnded(request, reply, payload)
    // The rest of a body that was refused unread must be consumed, or the connection is stuck.
    request.keyed?.body.resume()
    closeAfterUpgrade(reply)
    afterUpgradeBody(reply, () => next(null, payload))
  })
  app.addHook('onRoute', (route) => {
    if (route.config?.api !== 'operator') return
    const checkRole = (request: FastifyRequest) => requireRole(context.database, request)
    route.preHandler = [checkRole, ...[route.preHandler ?? []].flat()]
  })
}

/** JSON bodies: the media type and the length are checked first, then the parameters, then the body. */
export function addJsonHooks(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => new RawJson(body),
  )
  app.addHook('preValidation', (request, _reply, next) => {
    try {
      if (takesBody(request.method)) {
        validateParameters(request)
        // Libraries send the media type also without a body.
        const { body, routeOptions } = request
        if (body instanceof RawJson) {
          const isEmpty = body.bytes.length === 0
          request.body = isEmpty ? undefined : parseJson(body.bytes, routeOptions.config.jsonLimits)
        }
      }
      next()
    } catch (error) {
      next(error as Error)
    }
  })
}

/** Partners, before and after their token is known, and uploads have the common part of the connections. */
function databaseClientOf({ clientAddress, routeOptions }: FastifyRequest): RequestClient {
  const { api, streamsBody = false } = routeOptions.config
  return { id: clientAddress, privileged: api === 'operator' || (api === undefined && !streamsBody) }
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
function checkEncoding({ headers, method }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity' && takesBody(method)) {
    throw new ApiError('unsupported-media-type')
  }
}
