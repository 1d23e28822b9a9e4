import type { App, Context } from '../http/context.ts'
import { auditRoutes } from './audit.ts'
import { benefitRoutes } from './benefits.ts'
import { clientRoutes } from './clients.ts'
import { companyAdminRoutes } from './companies.ts'
import { decisionRoutes } from './enrollment-decisions.ts'
import { decisionJobRoutes } from './decision-job-routes.ts'
import { enrollmentDocumentRoutes } from './documents.ts'
import { enrollmentQueueRoutes } from './enrollment-queue.ts'
import { importListRoute } from './imports.ts'
import { invoiceReadRoutes } from './invoice-reads.ts'
import { memberReadRoutes } from './members.ts'
import { requestReadRoutes } from './requests.ts'
import { invoiceAdminRoutes } from './invoices.ts'
import { movementRoutes } from './enrollment-review.ts'
import { operatorAccountRoutes } from './operators.ts'
import { statisticsRoutes } from './statistics.ts'
import { webhookOperatorRoutes } from './webhooks.ts'

/** The operator API: everything under `/operator/v1`. */
export async function operatorRoutes(app: App, context: Context): Promise<void> {
  for (const routes of [
    companyAdminRoutes,
    clientRoutes,
    operatorAccountRoutes,
    enrollmentQueueRoutes,
    statisticsRoutes,
    enrollmentDocumentRoutes,
    movementRoutes,
    decisionRoutes,
    decisionJobRoutes,
    benefitRoutes,
    memberReadRoutes,
    requestReadRoutes,
    importListRoute,
    invoiceReadRoutes,
    invoiceAdminRoutes,
    auditRoutes,
    webhookOperatorRoutes,
  ]) {
    await routes(app, context)
  }
}
