import type { QueryClient } from '@tanstack/react-query'
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { accountRoute } from '../areas/account/routes.ts'
import { auditRoute } from '../areas/audit/routes.ts'
import {
  calendarRoute,
  channelRoute,
  contractRoute,
  contractsRoute,
  editContractRoute,
  newContractRoute,
} from '../areas/carriers/routes.ts'
import { claimRoute, claimsRoute } from '../areas/claims/routes.ts'
import { clientsRoute, clientRoute } from '../areas/clients/routes.ts'
import { closingMonthRoute, closingsRoute } from '../areas/closings/routes.ts'
import { companiesRoute, companyRoute, editCompanyRoute, newCompanyRoute } from '../areas/companies/routes.ts'
import { continuationRoute, continuationsRoute } from '../areas/continuations/routes.ts'
import { costsRoute } from '../areas/costs/routes.ts'
import { deadlinesRoute } from '../areas/deadlines/routes.ts'
import { decisionJobRoute, decisionJobsRoute } from '../areas/decision-jobs/routes.ts'
import { hrCorrectRoute, hrPlanRoute } from '../areas/hr-alter/routes.ts'
import { hrExcludeRoute } from '../areas/hr-exclude/routes.ts'
import { hrIncludeRoute } from '../areas/hr-include/routes.ts'
import { hrInvoiceRoute, hrInvoicesRoute } from '../areas/hr-invoices/routes.ts'
import { hrInvitationRoute, hrOnboardingRoute } from '../areas/hr-onboarding/routes.ts'
import { hrMovementRoute, hrPendingRoute } from '../areas/hr-pending/routes.ts'
import { hrPeopleRoute, hrPersonRoute } from '../areas/hr-people/routes.ts'
import { hrRequestRoute, hrRequestsRoute } from '../areas/hr-requests/routes.ts'
import { hrSpreadsheetsRoute } from '../areas/hr-spreadsheets/routes.ts'
import { importsRoute, importRoute } from '../areas/imports/routes.ts'
import { invoicesRoute, invoiceRoute } from '../areas/invoices/routes.ts'
import { editLayoutRoute, layoutRoute, layoutsRoute, newLayoutRoute } from '../areas/layouts/routes.ts'
import { membersRoute, memberRoute } from '../areas/members/routes.ts'
import { movementRoute } from '../areas/movement/routes.ts'
import { operatorsRoute } from '../areas/operators/routes.ts'
import { overviewRoute } from '../areas/overview/routes.ts'
import { peopleRoute } from '../areas/people/routes.ts'
import { memberDisclosuresRoute, personalDataRoute, subjectRequestRoute } from '../areas/personal-data/routes.ts'
import { queueRoute } from '../areas/queue/routes.ts'
import { carrierFileRoute, reconciliationsRoute } from '../areas/reconciliations/routes.ts'
import { requestsRoute, requestRoute } from '../areas/requests/routes.ts'
import { newRequirementRuleRoute, requirementRuleRoute, requirementRulesRoute } from '../areas/requirements/routes.ts'
import { shipmentRoute, workSheetRoute } from '../areas/shipments/routes.ts'
import { failedStepsRoute } from '../areas/failed-steps/routes.ts'
import { webhooksRoute, webhookEndpointRoute } from '../areas/webhooks/routes.ts'
import { PageError } from '../components/state-view.tsx'
import { indexRoute, passwordRoute, rootRoute, shellRoute, signInRoute } from '../shell/root-routes.ts'

const routeTree = rootRoute.addChildren([
  signInRoute,
  passwordRoute,
  shellRoute.addChildren([
    indexRoute,
    accountRoute,
    queueRoute,
    movementRoute,
    decisionJobsRoute,
    decisionJobRoute,
    requestsRoute,
    requestRoute,
    deadlinesRoute,
    continuationsRoute,
    continuationRoute,
    membersRoute,
    memberRoute,
    companiesRoute,
    newCompanyRoute,
    companyRoute,
    editCompanyRoute,
    contractsRoute,
    newContractRoute,
    contractRoute,
    editContractRoute,
    channelRoute,
    calendarRoute,
    shipmentRoute,
    workSheetRoute,
    layoutsRoute,
    newLayoutRoute,
    layoutRoute,
    editLayoutRoute,
    requirementRulesRoute,
    newRequirementRuleRoute,
    requirementRuleRoute,
    clientsRoute,
    clientRoute,
    operatorsRoute,
    peopleRoute,
    personalDataRoute,
    subjectRequestRoute,
    memberDisclosuresRoute,
    invoicesRoute,
    invoiceRoute,
    reconciliationsRoute,
    carrierFileRoute,
    claimsRoute,
    claimRoute,
    closingsRoute,
    closingMonthRoute,
    costsRoute,
    importsRoute,
    importRoute,
    webhooksRoute,
    webhookEndpointRoute,
    failedStepsRoute,
    auditRoute,
    overviewRoute,
    hrInvoicesRoute,
    hrInvoiceRoute,
    hrPendingRoute,
    hrPeopleRoute,
    hrPersonRoute,
    hrExcludeRoute,
    hrCorrectRoute,
    hrPlanRoute,
    hrIncludeRoute,
    hrMovementRoute,
    hrRequestsRoute,
    hrRequestRoute,
    hrSpreadsheetsRoute,
    hrOnboardingRoute,
    hrInvitationRoute,
  ]),
])

/** The pages of the console. Filters and positions are in the address. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { queryClient },
    // Digits stay text: a CNPJ is no number, and needs no quotes in the address.
    parseSearch: parseSearchWith((value) => (/^(?:true|".*")$/.test(value) ? JSON.parse(value) : value)),
    stringifySearch: stringifySearchWith(JSON.stringify),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: PageError,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
