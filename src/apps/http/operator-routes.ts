import type { App, Context } from '#platform/http/context.ts'
import { auditRoutes } from '#access/audit/routes.ts'
import { correctionRoutes } from '#movements/correct-benefit/routes.ts'
import { benefitRoutes } from '#movements/end-extended/routes.ts'
import { carrierFileRoutes } from '#exchange/carrier-files/routes.ts'
import { carrierRoutes } from '#registry/carriers/routes.ts'
import { clientRoutes } from '#access/clients/routes.ts'
import { companyAdminRoutes } from '#registry/companies/operator-routes.ts'
import { channelSettingsRoutes } from '#exchange/channels/routes.ts'
import { contractCalendarRoutes } from '#registry/contracts/calendar-routes.ts'
import { contractRoutes } from '#registry/contracts/routes.ts'
import { decisionRoutes } from '#movements/decide/file-routes.ts'
import { decisionJobRoutes } from '#movements/decide/job-routes.ts'
import { enrollmentDocumentRoutes } from '#registry/documents/operator-routes.ts'
import { enrollmentQueueRoutes } from '#movements/queue/routes.ts'
import { columnProfileRoutes } from '#movements/imports/column-profile-routes.ts'
import { importListRoute } from '#movements/imports/list-routes.ts'
import { erasureRoutes } from '#privacy/erasures/routes.ts'
import { retentionRoutes } from '#privacy/retention/routes.ts'
import { legalHoldRoutes } from '#registry/legal-holds/routes.ts'
import { layoutRoutes } from '#registry/layouts/routes.ts'
import { layoutPreviewRoute } from '#exchange/layout-previews/routes.ts'
import { invoiceReadRoutes } from '#money/invoices/operator-read-routes.ts'
import { memberReadRoutes } from '#coverage/members/operator-routes.ts'
import { requestReadRoutes } from '#movements/requests/operator-routes.ts'
import { invoiceAdminRoutes } from '#money/invoices/operator-routes.ts'
import { deadlineRoutes } from '#movements/queue/deadline-routes.ts'
import { movementRoutes } from '#movements/queue/movement-routes.ts'
import { companyRosterRoutes } from '#registry/companies/roster-routes.ts'
import { operatorAlterationRoutes } from '#movements/operator-alterations/routes.ts'
import { operatorAccountRoutes } from '#access/operators/routes.ts'
import { continuationActRoutes } from '#movements/continue/routes.ts'
import { operatorContinuationRoutes } from '#coverage/continuations/routes.ts'
import { operatorCalculationRoutes } from '#movements/continue/calculate-routes.ts'
import { personRoutes } from '#access/accounts/routes.ts'
import { reconciliationRoutes } from '#exchange/reconciliations/routes.ts'
import { requirementRuleRoutes } from '#registry/requirements/operator-routes.ts'
import { claimRoutes } from '#money/claims/routes.ts'
import { closingRoutes } from '#money/closings/routes.ts'
import { contributionRuleRoutes } from '#money/contributions/routes.ts'
import { operatorCostRoutes } from '#money/costs/routes.ts'
import { payrollRoutes } from '#money/payroll/routes.ts'
import { expectedInvoiceRoute } from '#money/prices/expected-routes.ts'
import { priceTableRoutes } from '#money/prices/routes.ts'
import { ageingOutRoutes } from '#movements/ageing-out/routes.ts'
import { draftExclusionRoutes } from '#movements/draft-exclusions/routes.ts'
import { searchRoutes } from '#movements/search/routes.ts'
import { shipmentRoutes } from '#exchange/shipments/routes.ts'
import { disclosureListRoute } from '#privacy/subject-requests/disclosure-routes.ts'
import { subjectRequestRoutes } from '#privacy/subject-requests/routes.ts'
import { invoiceStatisticsRoute } from '../statistics/invoice-routes.ts'
import { statisticsRoutes } from '../statistics/routes.ts'
import { failedStepRoutes } from '../failed-steps/routes.ts'
import { transitionRoutes } from '#movements/decide/routes.ts'
import { waiverRoutes } from '#movements/queue/waiver-routes.ts'
import { viewRoutes } from '#movements/views/routes.ts'
import { webhookOperatorRoutes } from '#events/webhooks/routes.ts'

/** The operator API: everything under `/operator/v1`. */
export async function operatorRoutes(app: App, context: Context): Promise<void> {
  for (const routes of [
    companyAdminRoutes,
    companyRosterRoutes,
    carrierRoutes,
    contractRoutes,
    channelSettingsRoutes,
    contractCalendarRoutes,
    priceTableRoutes,
    contributionRuleRoutes,
    expectedInvoiceRoute,
    operatorCostRoutes,
    payrollRoutes,
    claimRoutes,
    closingRoutes,
    shipmentRoutes,
    layoutRoutes,
    layoutPreviewRoute,
    carrierFileRoutes,
    reconciliationRoutes,
    requirementRuleRoutes,
    operatorCalculationRoutes,
    operatorContinuationRoutes,
    continuationActRoutes,
    waiverRoutes,
    clientRoutes,
    operatorAccountRoutes,
    personRoutes,
    enrollmentQueueRoutes,
    viewRoutes,
    transitionRoutes,
    statisticsRoutes,
    invoiceStatisticsRoute,
    enrollmentDocumentRoutes,
    movementRoutes,
    deadlineRoutes,
    decisionRoutes,
    decisionJobRoutes,
    benefitRoutes,
    correctionRoutes,
    draftExclusionRoutes,
    ageingOutRoutes,
    memberReadRoutes,
    operatorAlterationRoutes,
    requestReadRoutes,
    importListRoute,
    columnProfileRoutes,
    invoiceReadRoutes,
    invoiceAdminRoutes,
    searchRoutes,
    subjectRequestRoutes,
    erasureRoutes,
    retentionRoutes,
    legalHoldRoutes,
    disclosureListRoute,
    auditRoutes,
    webhookOperatorRoutes,
    failedStepRoutes,
  ]) {
    await routes(app, context)
  }
}
