import fastifyCookie from '@fastify/cookie'
import { fastify } from 'fastify'
import { accessRoutes } from './access-routes.ts'
import { benefitRoutes } from '#coverage/benefits/routes.ts'
import { clockRoutes } from '../clock/routes.ts'
import { continuationLetterRoutes } from '#coverage/continuations/letter-routes.ts'
import { continuationRoutes } from '#coverage/continuations/routes.ts'
import { continuationCalculationRoutes } from '#movements/continue/calculate-routes.ts'
import { requirementRoutes } from '#registry/requirements/routes.ts'
import { companyRoutes } from '#registry/companies/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { homeRoutes } from './docs/home-routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { documentRoutes } from '#registry/documents/routes.ts'
import { historyRoutes } from '#coverage/enrollments/history-routes.ts'
import { exclusionNoticeRoutes } from '#coverage/enrollments/exclusion-notice-routes.ts'
import { enrollmentRoutes } from '#coverage/enrollments/routes.ts'
import type { App, Context } from '#platform/http/context.ts'
import { addErrorResponses, rejectConnection, sendError } from '#platform/http/error-response.ts'
import { healthRoutes } from '#platform/http/health-routes.ts'
import { metricsRoutes } from '#platform/http/metrics-routes.ts'
import { describeApi } from '#platform/http/openapi.ts'
import { requestId } from '#platform/http/request-id.ts'
import { addScope } from '#platform/http/route.ts'
import { addSteps } from '#platform/http/steps.ts'
import { parseQuery } from '#platform/http/validation.ts'
import { authenticateRequest } from '#access/sessions/authenticate-request.ts'
import { partnerProfileRoutes } from '#movements/imports/column-profile-routes.ts'
import { importRoutes } from '#movements/imports/routes.ts'
import { tableRoutes } from '#movements/imports/table-routes.ts'
import { templateRoutes } from '#movements/imports/template-routes.ts'
import { invoiceListRoutes } from '#money/invoices/list-routes.ts'
import { costRoutes } from '#money/costs/routes.ts'
import { invoiceRoutes } from '#money/invoices/routes.ts'
import { memberDetailRoutes } from '#coverage/members/detail-routes.ts'
import { memberRoutes } from '#coverage/members/routes.ts'
import { alterationRoutes } from '#movements/alter/routes.ts'
import { answerRoutes } from '#movements/answer/routes.ts'
import { cancelRoutes } from '#movements/cancel/routes.ts'
import { alterationBatchRoutes } from '#movements/alter/batch-routes.ts'
import { exclusionBatchRoutes } from '#movements/exclude/batch-routes.ts'
import { exclusionRoutes } from '#movements/exclude/routes.ts'
import { inclusionRoutes } from '#movements/include/routes.ts'
import { stopBatchThreads } from '#movements/batch/batch.ts'
import { operatorRoutes } from './operator-routes.ts'
import { onboardingRoutes } from '#movements/onboarding/routes.ts'
import { requestListRoutes } from '#movements/requests/list-routes.ts'
import { requestRoutes } from '#movements/requests/routes.ts'
import { describeConnectorCall } from '#exchange/shipments/connector-schema.ts'
import { webhookEndpointReadRoutes } from '#events/webhooks/endpoint-read-routes.ts'
import { webhookEndpointRoutes } from '#events/webhooks/endpoint-routes.ts'
import { describeWebhooks } from '#events/webhooks/event-schema.ts'
import { webhookEventRoutes } from '#events/webhooks/event-routes.ts'

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
