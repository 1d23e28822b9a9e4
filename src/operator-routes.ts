import type { App, Context } from './http/context.ts'
import { auditRoutes } from './audit/routes.ts'
import { correctionRoutes } from './movements/correct-benefit/routes.ts'
import { benefitRoutes } from './movements/end-extended/routes.ts'
import { carrierFileRoutes } from './carrier-files/operator-routes.ts'
import { carrierRoutes } from './carriers/operator-routes.ts'
import { clientRoutes } from './clients/routes.ts'
import { companyAdminRoutes } from './companies/operator-routes.ts'
import { channelSettingsRoutes } from './channels/operator-routes.ts'
import { contractCalendarRoutes } from './contracts/calendar-routes.ts'
import { contractRoutes } from './contracts/operator-routes.ts'
import { decisionRoutes } from './movements/decide/file-routes.ts'
import { decisionJobRoutes } from './movements/decide/job-routes.ts'
import { enrollmentDocumentRoutes } from './documents/operator-routes.ts'
import { enrollmentQueueRoutes } from './queue/routes.ts'
import { columnProfileRoutes } from './imports/column-profile-routes.ts'
import { importListRoute } from './imports/list-routes.ts'
import { erasureRoutes } from './erasures/operator-routes.ts'
import { retentionRoutes } from './retention/operator-routes.ts'
import { legalHoldRoutes } from './legal-holds/operator-routes.ts'
import { layoutRoutes } from './layouts/operator-routes.ts'
import { layoutPreviewRoute } from './layout-previews/routes.ts'
import { invoiceReadRoutes } from './invoices/operator-read-routes.ts'
import { memberReadRoutes } from './members/operator-routes.ts'
import { requestReadRoutes } from './requests/operator-routes.ts'
import { invoiceAdminRoutes } from './invoices/operator-routes.ts'
import { deadlineRoutes } from './queue/deadline-routes.ts'
import { movementRoutes } from './queue/movement-routes.ts'
import { companyRosterRoutes } from './companies/roster-routes.ts'
import { operatorAlterationRoutes } from './movements/operator-alterations/routes.ts'
import { operatorAccountRoutes } from './operators/routes.ts'
import { continuationActRoutes } from './movements/continuations/routes.ts'
import { operatorContinuationRoutes } from './continuations/routes.ts'
import { operatorCalculationRoutes } from './continuations/calculate-routes.ts'
import { personRoutes } from './people/operator-routes.ts'
import { reconciliationRoutes } from './reconciliations/operator-routes.ts'
import { requirementRuleRoutes } from './requirements/operator-routes.ts'
import { claimRoutes } from './claims/operator-routes.ts'
import { closingRoutes } from './closings/operator-routes.ts'
import { contributionRuleRoutes } from './contributions/operator-routes.ts'
import { operatorCostRoutes } from './costs/routes.ts'
import { payrollRoutes } from './payroll/operator-routes.ts'
import { expectedInvoiceRoute } from './prices/expected-routes.ts'
import { priceTableRoutes } from './prices/operator-routes.ts'
import { ageingOutRoutes } from './movements/ageing-out/routes.ts'
import { draftExclusionRoutes } from './movements/draft-exclusions/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { shipmentRoutes } from './shipments/operator-routes.ts'
import { disclosureListRoute } from './subject-requests/disclosure-routes.ts'
import { subjectRequestRoutes } from './subject-requests/operator-routes.ts'
import { invoiceStatisticsRoute } from './statistics/invoice-routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { failedStepRoutes } from './failed-steps/operator-routes.ts'
import { transitionRoutes } from './movements/decide/routes.ts'
import { waiverRoutes } from './queue/waiver-routes.ts'
import { viewRoutes } from './views/operator-routes.ts'
import { webhookOperatorRoutes } from './webhooks/operator-routes.ts'

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
