import type { QueryClient } from '@tanstack/react-query'
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { accountRoute } from '../account/routes.ts'
import { auditRoute } from '../broker/audit/routes.ts'
import {
  calendarRoute,
  channelRoute,
  contractRoute,
  contractsRoute,
  editContractRoute,
  newContractRoute,
} from '../broker/carriers/routes.ts'
import { claimRoute, claimsRoute } from '../broker/claims/routes.ts'
import { clientsRoute, clientRoute } from '../broker/clients/routes.ts'
import { closingMonthRoute, closingsRoute } from '../broker/closings/routes.ts'
import { companiesRoute, companyRoute, editCompanyRoute, newCompanyRoute } from '../broker/companies/routes.ts'
import { continuationRoute, continuationsRoute } from '../broker/continuations/routes.ts'
import { costsRoute } from '../broker/costs/routes.ts'
import { deadlinesRoute } from '../broker/deadlines/routes.ts'
import { decisionJobRoute, decisionJobsRoute } from '../broker/decision-jobs/routes.ts'
import { hrCorrectRoute, hrPlanRoute } from '../company-hr/alter/routes.ts'
import { hrExcludeRoute } from '../company-hr/exclude/routes.ts'
import { hrIncludeRoute } from '../company-hr/include/routes.ts'
import { hrInvoiceRoute, hrInvoicesRoute } from '../company-hr/invoices/routes.ts'
import { hrInvitationRoute, hrOnboardingRoute } from '../company-hr/onboarding/routes.ts'
import { hrMovementRoute, hrPendingRoute } from '../company-hr/pending/routes.ts'
import { hrPeopleRoute, hrPersonRoute } from '../company-hr/people/routes.ts'
import { hrRequestRoute, hrRequestsRoute } from '../company-hr/requests/routes.ts'
import { hrSpreadsheetsRoute } from '../company-hr/spreadsheets/routes.ts'
import { importsRoute, importRoute } from '../broker/imports/routes.ts'
import { invoicesRoute, invoiceRoute } from '../broker/invoices/routes.ts'
import { editLayoutRoute, layoutRoute, layoutsRoute, newLayoutRoute } from '../broker/layouts/routes.ts'
import { membersRoute, memberRoute } from '../broker/members/routes.ts'
import { movementRoute } from '../broker/movement/routes.ts'
import { operatorsRoute } from '../broker/operators/routes.ts'
import { overviewRoute } from '../broker/overview/routes.ts'
import { peopleRoute } from '../broker/people/routes.ts'
import { memberDisclosuresRoute, personalDataRoute, subjectRequestRoute } from '../broker/personal-data/routes.ts'
import { queueRoute } from '../broker/queue/routes.ts'
import { carrierFileRoute, reconciliationsRoute } from '../broker/reconciliations/routes.ts'
import { requestsRoute, requestRoute } from '../broker/requests/routes.ts'
import { newRequirementRuleRoute, requirementRuleRoute, requirementRulesRoute } from '../broker/requirements/routes.ts'
import { shipmentRoute, workSheetRoute } from '../broker/shipments/routes.ts'
import { failedStepsRoute } from '../broker/failed-steps/routes.ts'
import { webhooksRoute, webhookEndpointRoute } from '../broker/webhooks/routes.ts'
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
