import fastifyCookie from '@fastify/cookie'
import { fastify } from 'fastify'
import { accessRoutes } from './access-routes.ts'
import { benefitRoutes } from './benefits/routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { continuationLetterRoutes } from './continuations/letter-routes.ts'
import { continuationRoutes } from './continuations/routes.ts'
import { continuationCalculationRoutes } from './continuations/calculate-routes.ts'
import { requirementRoutes } from './requirements/routes.ts'
import { companyRoutes } from './companies/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { homeRoutes } from './docs/home-routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { documentRoutes } from './documents/routes.ts'
import { historyRoutes } from './enrollments/history-routes.ts'
import { exclusionNoticeRoutes } from './enrollments/exclusion-notice-routes.ts'
import { enrollmentRoutes } from './enrollments/routes.ts'
import type { App, Context } from './http/context.ts'
import { addErrorResponses, rejectConnection, sendError } from './http/error-response.ts'
import { healthRoutes } from './http/health-routes.ts'
import { metricsRoutes } from './http/metrics-routes.ts'
import { describeApi } from './http/openapi.ts'
import { requestId } from './http/request-id.ts'
import { addScope } from './http/route.ts'
import { addSteps } from './http/steps.ts'
import { parseQuery } from './http/validation.ts'
import { authenticateRequest } from './sessions/authenticate-request.ts'
import { partnerProfileRoutes } from './imports/column-profile-routes.ts'
import { importRoutes } from './imports/routes.ts'
import { tableRoutes } from './imports/table-routes.ts'
import { templateRoutes } from './imports/template-routes.ts'
import { invoiceListRoutes } from './invoices/list-routes.ts'
import { costRoutes } from './costs/routes.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { memberDetailRoutes } from './members/detail-routes.ts'
import { memberRoutes } from './members/routes.ts'
import { alterationRoutes } from './movements/alter/routes.ts'
import { answerRoutes } from './movements/answer/routes.ts'
import { cancelRoutes } from './movements/cancel/routes.ts'
import { alterationBatchRoutes } from './movements/alter/batch-routes.ts'
import { exclusionBatchRoutes } from './movements/exclude/batch-routes.ts'
import { exclusionRoutes } from './movements/exclude/routes.ts'
import { inclusionRoutes } from './movements/include/routes.ts'
import { stopBatchThreads } from './movements/batch/batch.ts'
import { operatorRoutes } from './operator-routes.ts'
import { onboardingRoutes } from './onboarding/routes.ts'
import { requestListRoutes } from './requests/list-routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { describeConnectorCall } from './shipments/connector-schema.ts'
import { webhookEndpointReadRoutes } from './webhooks/endpoint-read-routes.ts'
import { webhookEndpointRoutes } from './webhooks/endpoint-routes.ts'
import { describeWebhooks } from './webhooks/event-schema.ts'
import { webhookEventRoutes } from './webhooks/event-routes.ts'

const operationsRoutes = [healthRoutes, metricsRoutes]
const apiRoutes = [
  homeRoutes,
  docsRoutes,
  consoleRoutes,
  accessRoutes,
  inclusionRoutes,
  exclusionRoutes,
  exclusionBatchRoutes,
  alterationBatchRoutes,
  alterationRoutes,
  answerRoutes,
  cancelRoutes,
  requestRoutes,
  requestListRoutes,
  enrollmentRoutes,
  exclusionNoticeRoutes,
  historyRoutes,
  documentRoutes,
  memberRoutes,
  memberDetailRoutes,
  benefitRoutes,
  onboardingRoutes,
  companyRoutes,
  requirementRoutes,
  continuationCalculationRoutes,
  continuationRoutes,
  continuationLetterRoutes,
  invoiceRoutes,
  costRoutes,
  invoiceListRoutes,
  webhookEndpointReadRoutes,
  webhookEndpointRoutes,
  webhookEventRoutes,
  operatorRoutes,
  importRoutes,
  tableRoutes,
  templateRoutes,
  partnerProfileRoutes,
  clockRoutes,
]

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
