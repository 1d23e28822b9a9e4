import fastifyCookie from '@fastify/cookie'
import { fastify } from 'fastify'
import type { App, Context } from '#platform/http/context.ts'
import { districts } from '../districts.ts'
import type { District, Routes } from '#platform/http/district.ts'
import { addErrorResponses, rejectConnection, sendError } from '#platform/http/error-response.ts'
import { healthRoutes } from '#platform/http/health-routes.ts'
import { metricsRoutes } from '#platform/http/metrics-routes.ts'
import { describeApi } from '#platform/http/openapi.ts'
import { requestId } from '#platform/http/request-id.ts'
import { addScope } from '#platform/http/route.ts'
import { addSteps } from '#platform/http/steps.ts'
import { parseQuery } from '#platform/http/validation.ts'
import { authenticateRequest } from '#access/sessions/authenticate-request.ts'
import { stopBatchThreads } from '#movements/batch/batch.ts'
import { describeConnectorCall } from '#exchange/shipments/connector-schema.ts'
import { describeWebhooks } from '#events/webhooks/event-schema.ts'

const operationsRoutes: readonly Routes[] = [healthRoutes, metricsRoutes]
const apiRoutes: readonly Routes[] = districts.flatMap(({ routes }: District) => routes ?? [])

/** Builds the HTTP application; it does not listen yet. A worker has the routes of operations only. */
export async function buildServer(context: Context): Promise<App> {
  const app: App = fastify({
    // Node's own response to a request without Host has no body.
    http: { requireHostHeader: false },
    bodyLimit: 1024 * 1024,
    // For the whole body: an upload of 20 MiB over a slow connection takes minutes. Headers have their own, shorter limit.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 8_192, querystringParser: parseQuery },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => void sendError(context, error, request, reply),
    clientErrorHandler: rejectConnection,
  }).withTypeProvider()
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  // Only the routes that take a cookie parse it.
  await app.register(fastifyCookie, { hook: false })
  addSteps(app, context, authenticateRequest, addErrorResponses(app, context))
  const stopping = new AbortController()
  app.decorate('stopping', stopping.signal)
  app.addHook('onClose', () => stopBatchThreads())
  app.addHook('preClose', (done) => {
    stopping.abort()
    // A client that keeps its connection must not delay the stop once its response is sent.
    app.server.keepAliveTimeout = 1
    done()
  })
  await describeApi(app, context, { ...describeWebhooks(), ...describeConnectorCall() })
  const isWorker = context.config.role === 'worker'
  for (const routes of isWorker ? operationsRoutes : [...operationsRoutes, ...apiRoutes]) {
    await addScope(app, routes.name, (scope) => routes(scope, context))
  }
  await app.ready()
  return app
}
