import fastifyHelmet from '@fastify/helmet'
import { fastify, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomFillSync } from 'node:crypto'
import type { Socket } from 'node:net'
import { STATUS_CODES } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { authenticateRoutes } from '../auth/authenticate.ts'
import { addIdempotencyHooks } from '../http/idempotency/idempotency.ts'
import { countHosts } from '../http/count-hosts.ts'
import { checkRoleOf, isActiveClient, readRole } from '../http/active-client.ts'
import { limitCall } from '../http/limits/rate-limit.ts'
import { companyRoutes } from '../companies/routes.ts'
import { answerFor } from '../platform/database.ts'
import { announceDeprecations, deprecations } from '../http/deprecations.ts'
import { documentRoutes } from '../documents/routes.ts'
import { historyRoutes } from '../enrollments/history-routes.ts'
import { enrollmentRoutes } from '../enrollments/routes.ts'
import { ApiError, errorText, invalidBody, invalidCredentials } from '../platform/errors.ts'
import { webhookEndpointRoutes } from '../webhooks/endpoint-routes.ts'
import { webhookEventRoutes } from '../webhooks/event-routes.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { importRoutes } from '../imports/routes.ts'
import { invoiceRoutes } from '../invoices/routes.ts'
import { JsonError, parseJson, TooManyValuesError } from '../http/strict-json.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import { MinimumSpeed } from '../http/limits/minimum-speed.ts'
import { RequestLimits } from '../http/limits/request-limits.ts'
import { benefitRoutes } from '../benefits/routes.ts'
import { memberRoutes } from '../members/routes.ts'
import { countResponse, requestEnded, requestStarted } from '../telemetry/metrics.ts'
import { metricsRoutes } from '../http/metrics-routes.ts'
import { alterationRoutes } from '../movements/alter/routes.ts'
import { exclusionRoutes } from '../movements/exclude/routes.ts'
import { inclusionRoutes } from '../movements/include/routes.ts'
import { describeApi } from '../http/openapi.ts'
import { operatorRoutes } from '../operator/routes.ts'
import { requestRoutes } from '../requests/routes.ts'
import { traceRequestSpans } from '../http/request-spans.ts'
import type { App, Context } from '../http/context.ts'
import { judgeParameters, noParameters, parseQuery, RawJson, takesBody, validator } from '../http/validation.ts'

const jsonBodyLimit = 1024 * 1024
/** How late a body that is too large, or of too many values, gets its response: a client that goes on sending them takes less. */
const oversizedDelayMs = 250

/** Builds the HTTP application: limits, access, routes and the one error answer. It does not listen yet. */
export async function buildServer(context: Context, deprecated = deprecations): Promise<App> {
  const { log } = context
  const app: App = fastify({
    // Node's own refusal of a request without Host has no body: `admit` refuses it instead.
    http: { requireHostHeader: false },
    bodyLimit: jsonBodyLimit,
    // For the whole body: an upload of 20 MiB over a slow line takes minutes. Headers have their own, shorter limit.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 8_192, querystringParser: parseQuery },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => {
      void refuse(context, error, request, reply)
    },
    clientErrorHandler: refuseConnection,
  }).withTypeProvider()

  app.setValidatorCompiler(({ schema, httpPart }) => validator(schema as TSchema, httpPart as 'body'))
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => new RawJson(body),
  )
  app.decorateRequest('caller', null)
  app.decorateRequest('callerVerified', false)
  app.decorateRequest('keyed', null)
  app.decorateRequest('permits', null)
  app.decorate('minimumSpeed', new MinimumSpeed(context.config.limits.minimumSpeed))
  const limits = new RequestLimits(context.config.limits, context.config.databaseConnections, app.minimumSpeed)
  limitConnections(app, context.config.limits.connections)
  const methods = rememberMethods(app)
  const headers = await securityHeaders()
  traceRequestSpans(app, context.tracing ?? null, spanId)
  app.addHook('onRequest', (request, reply) => {
    requestStarted()
    // After the answer, and after a connection that broke before it.
    reply.raw.once('close', requestEnded)
    void reply.headers(headers)
    return admit(context, limits, request, reply)
  })
  app.addHook('onSend', (request, reply, payload, next) => {
    limits.workEnded(request, reply, payload)
    next(null, payload)
  })
  app.addHook('preParsing', (request, _reply, payload, next) => {
    const encoding = request.headers['content-encoding']
    const isPlain = encoding === undefined || encoding === 'identity' || !takesBody(request.method)
    // A client that hung up already: no event of its body comes any more, and the request would wait for one for ever.
    const refused = request.raw.errored ?? (isPlain ? null : new ApiError(415, 'Unsupported media type'))
    if (refused !== null) return next(refused)
    try {
      next(null, limits.limitBody(request, payload) as typeof payload)
    } catch (error) {
      next(error as ApiError)
    }
  })
  app.addHook('preValidation', async (request) => limits.bodyArrived(request))
  app.addHook('preValidation', async (request) => {
    if (!takesBody(request.method)) return
    judgeParameters(request)
    if (request.body instanceof RawJson) request.body = parseJson(request.body.bytes)
  })
  app.addHook('preClose', (done) => {
    // A caller that keeps its connection must not hold up the stop once its answer is out.
    app.server.keepAliveTimeout = 1
    done()
  })
  app.addHook('onRoute', (route) => {
    addIdempotencyHooks(context.responseStore, route)
    route.schema = { querystring: noParameters, ...route.schema }
    if (route.config?.api === 'operator') {
      route.preHandler = [
        async (request: FastifyRequest) => checkRole(context, request),
        ...[route.preHandler ?? []].flat(),
      ]
    }
  })
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'unknown'
    const ms = reply.elapsedTime
    countResponse(request.method, route, reply.statusCode, ms)
    log.info(
      {
        'request-trace-id': request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
      },
      'answered',
    )
    next()
  })
  app.setErrorHandler((error, request, reply) => answer(context, error as Error, request, reply))
  app.setNotFoundHandler(async (request) => {
    const allowed = methods(pathOf(request))
    if (allowed.length === 0) throw new ApiError(404, 'Not found')
    throw new ApiError(405, 'Method not allowed', {}, { allow: allowed.join(', ') })
  })

  announceDeprecations(app, deprecated)
  await describeApi(app, context)
  const operations = [healthRoutes, metricsRoutes]
  const apis = [
    authenticateRoutes,
    inclusionRoutes,
    exclusionRoutes,
    alterationRoutes,
    requestRoutes,
    enrollmentRoutes,
    historyRoutes,
    documentRoutes,
    memberRoutes,
    benefitRoutes,
    companyRoutes,
    invoiceRoutes,
    webhookEndpointRoutes,
    webhookEventRoutes,
    operatorRoutes,
    importRoutes,
  ]
  // A worker has operations routes only.
  for (const routes of context.config.role === 'worker' ? operations : [...operations, ...apis]) {
    await app.register(async (scope) => routes(scope as App, context))
  }
  await app.ready()
  return app
}

/** What helmet sets. It puts its policy together anew for each answer, a tenth of a point read: it is asked once instead. */
async function securityHeaders(): Promise<Record<string, string>> {
  const asked = fastify()
  await asked.register(fastifyHelmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  })
  asked.get('/', async () => null)
  const { headers } = await asked.inject('/')
  const own = Object.entries(headers).filter(([name]) => !/^(connection|content-.*(type|length)|date)$/.test(name))
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
}

const idBytes = 16
const randomness = Buffer.alloc(256 * idBytes)
let randomUsed = randomness.length

/** A UUIDv7 whose random bits come out of a store: drawn for each request, they cost as much as its routing. */
function traceId(): string {
  if (randomUsed === randomness.length) {
    randomFillSync(randomness)
    randomUsed = 0
  }
  const random = randomness.subarray(randomUsed, (randomUsed += idBytes))
  return uuidv7({ random })
}

/** 16 hex digits of which the first is none of a zero id's. */
function spanId(): string {
  return `${1 + Math.floor(Math.random() * 9)}${Math.random().toString(16).slice(2).padEnd(15, '0').slice(0, 15)}`
}

/** The caller's own id when it is a safe one: never anything that could be a CPF, since ids are logged. */
function requestId(given: string | string[] | undefined): string {
  if (typeof given !== 'string' || !/^[A-Za-z0-9._-]{1,100}$/.test(given)) return traceId()
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)
  return isUuid || !/\d{9}/.test(given.replaceAll(/[._-]/g, '')) ? given : traceId()
}

async function admit(
  context: Context,
  limits: RequestLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  void reply.header('x-request-id', request.id)
  const hosts = countHosts(request.raw.rawHeaders)
  if (hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0')) throw new ApiError(400, 'Bad Request')
  const { api, roles = [] } = request.routeOptions.config
  const begin = () => limits.begin(request, reply, () => endSlow(request.raw.socket))
  if (api === undefined) return begin()
  void reply.header('cache-control', 'no-store')
  const token = /^bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw invalidCredentials()
  const clientId = await context.tokens.verify(token, api)
  if (clientId === null) throw invalidCredentials()
  request.caller = { api, clientId, roles }
  begin()
  if (context.rateLimits !== null) await limitCall(context.rateLimits, request, reply)
}

async function checkRole(context: Context, request: FastifyRequest): Promise<void> {
  if (request.caller === null) return
  const role = await readRole(context.database, request.caller)
  if (role === null) throw invalidCredentials()
  request.callerVerified = true
  checkRoleOf(request.caller, role)
}

/** The one error answer. What failed before a statement found the caller alive asks that first: 401 precedes the rest. */
async function answer(context: Context, error: Error, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  let apiError = asApiError(context, error, request)
  if (
    !request.raw.socket.destroyed &&
    apiError.statusCode >= 400 &&
    apiError.statusCode < 500 &&
    apiError.statusCode !== 401 &&
    request.caller &&
    !request.callerVerified
  ) {
    apiError = await aliveOr401(context, request, apiError)
  }
  if (apiError.statusCode === 413 || error instanceof TooManyValuesError) await pause(oversizedDelayMs)
  // Closed while the caller still sends, the connection would break before the answer is read.
  if (apiError.statusCode === 413) void reply.removeHeader('connection')
  void reply
    .status(apiError.statusCode)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...apiError.headers })
    .type('application/json; charset=utf-8')
  return errorText(apiError, request.id)
}

async function refuse(context: Context, error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await reply.send(await answer(context, error, request, reply))
}

async function aliveOr401(context: Context, request: FastifyRequest, refused: ApiError): Promise<ApiError> {
  try {
    const alive = request.caller !== null && (await isActiveClient(context.database, request.caller))
    return alive ? refused : invalidCredentials()
  } catch (error) {
    return answerFor(error, context.log)
  }
}

function asApiError(context: Context, error: Error, request: FastifyRequest): ApiError {
  const isGone = request.raw.socket.destroyed
  if (isGone) {
    context.log.debug({ 'request-trace-id': request.id, route: request.routeOptions.url }, 'the client hung up')
  }
  if (error instanceof ApiError) return error
  if (error instanceof TooManyValuesError) return invalidBody([{ field: 'body', code: 'too-many-values' }])
  if (error instanceof JsonError) return invalidBody()
  const { statusCode, code } = error as FastifyError
  if (typeof code === 'string' && code.startsWith('FST_')) {
    if (statusCode === 413) return new ApiError(413, 'Body too large')
    if (statusCode === 415) return new ApiError(415, 'Unsupported media type')
    if (code === 'FST_ERR_BAD_URL') return new ApiError(400, 'Invalid path')
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return invalidBody()
  }
  // What breaks because the client went away is no error of the service, and nobody reads the response.
  if (request.raw.errored === error || (isGone && code === 'ERR_STREAM_PREMATURE_CLOSE')) return invalidBody()
  return answerFor(error, context.log)
}

/** Methods that the path of a request has, told from the route templates; read only when no route matched. */
function rememberMethods(app: App): (path: string) => string[] {
  const templates: { steps: string[]; method: string }[] = []
  app.addHook('onRoute', (route) => {
    const steps = route.url.split('/')
    for (const method of [route.method].flat()) templates.push({ steps, method })
  })
  return (path) => {
    const sent = path.split('/')
    const fits = (steps: readonly string[]): boolean =>
      steps.length === sent.length &&
      steps.every((step, index) => (step.startsWith(':') ? sent[index] !== '' : sent[index] === step))
    return [...new Set(templates.filter(({ steps }) => fits(steps)).map(({ method }) => method))]
  }
}

function pathOf(request: FastifyRequest): string {
  return request.raw.url?.split('?', 1)[0] ?? ''
}

/** Connections beyond the limit, or beyond the share of their address, are closed at once. */
function limitConnections({ server }: App, max: number): void {
  const connections = new ConcurrencyLimit({ max })
  server.on('connection', (socket: Socket) => {
    try {
      const permit = connections.acquire(socket.remoteAddress ?? '')
      socket.once('close', () => permit.release())
    } catch {
      socket.destroy()
    }
  })
}

/** 408 for a body below the minimum speed; the connection does not outlive the next packet. */
function endSlow(socket: Socket): void {
  refuseConnection(Object.assign(new Error('the body is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  socket.destroySoon()
}

/** What HTTP itself refuses gets the same error body while the socket can still be written to. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const id = traceId()
  const body = JSON.stringify({ error: STATUS_CODES[status] ?? 'Bad Request', 'request-trace-id': id })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
