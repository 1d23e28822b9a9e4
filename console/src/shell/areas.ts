import type { Permission } from '../session/permissions.ts'

/** The parts of the navigation, in its order. */
export const areaGroups = ['company', 'movements', 'people', 'money', 'partners', 'administration'] as const

/** The areas in the order of the navigation, and what a role needs to see them. */
export const areas = [
  { name: 'hrPeople', to: '/hr/people', permission: 'listMembers', group: 'company' },
  { name: 'hrInclude', to: '/hr/include', permission: 'includeMembers', group: 'company' },
  { name: 'hrOnboarding', to: '/hr/onboarding', permission: 'listOnboardingInvitations', group: 'company' },
  { name: 'hrPending', to: '/hr/pending', permission: 'listEnrollmentHistory', group: 'company' },
  { name: 'hrSpreadsheets', to: '/hr/spreadsheets', permission: 'includeMembers', group: 'company' },
  { name: 'hrRosters', to: '/hr/rosters', permission: 'listRosterSyncs', group: 'company' },
  { name: 'hrDrafts', to: '/hr/drafts', permission: 'listMovementDrafts', group: 'company' },
  { name: 'hrRequests', to: '/hr/requests', permission: 'listRequests', group: 'company' },
  { name: 'hrInvoices', to: '/hr/invoices', permission: 'listInvoices', group: 'company' },
  { name: 'hrPayroll', to: '/hr/payroll', permission: 'listCompanyDeductions', group: 'company' },
  { name: 'hrForecast', to: '/hr/forecast', permission: 'listInvoices', group: 'company' },
  { name: 'hrDiscrepancies', to: '/hr/discrepancies', permission: 'listCompanyDiscrepancies', group: 'company' },
  { name: 'queue', to: '/queue', permission: 'listEnrollmentQueue', group: 'movements' },
  { name: 'drafts', to: '/drafts', permission: 'listAllMovementDrafts', group: 'movements' },
  { name: 'rosters', to: '/rosters', permission: 'listAllRosterSyncs', group: 'movements' },
  { name: 'newMovement', to: '/movements/new', permission: 'includeMembersOfCompany', group: 'movements' },
  { name: 'overview', to: '/overview', permission: 'readStatistics', group: 'movements' },
  { name: 'requests', to: '/requests', permission: 'listAllRequests', group: 'movements' },
  { name: 'deadlines', to: '/deadlines', permission: 'listDeadlines', group: 'movements' },
  { name: 'imports', to: '/imports', permission: 'listImports', group: 'movements' },
  { name: 'members', to: '/members', permission: 'searchMembers', group: 'people' },
  { name: 'continuations', to: '/continuations', permission: 'listAllContinuations', group: 'people' },
  { name: 'invoices', to: '/invoices', permission: 'listAllInvoices', group: 'money' },
  { name: 'reconciliations', to: '/reconciliations', permission: 'listCarrierFiles', group: 'money' },
  { name: 'claims', to: '/claims', permission: 'listClaims', group: 'money' },
  { name: 'closings', to: '/closings', permission: 'listClosings', group: 'money' },
  { name: 'payroll', to: '/payroll', permission: 'listPayrollPeriods', group: 'money' },
  { name: 'forecasts', to: '/forecasts', permission: 'readForecast', group: 'money' },
  { name: 'costs', to: '/costs', permission: 'readInvoiceStatistics', group: 'money' },
  { name: 'companies', to: '/companies', permission: 'searchCompanies', group: 'partners' },
  { name: 'carriers', to: '/carriers', permission: 'listContracts', group: 'partners' },
  { name: 'requirements', to: '/requirements', permission: 'listRequirementRules', group: 'partners' },
  { name: 'clients', to: '/clients', permission: 'listClients', group: 'partners' },
  { name: 'webhooks', to: '/webhooks', permission: 'listAllWebhookEndpoints', group: 'partners' },
  { name: 'people', to: '/people', permission: 'listPeople', group: 'administration' },
  { name: 'operators', to: '/operators', permission: 'listOperators', group: 'administration' },
  { name: 'personalData', to: '/personal-data', permission: 'listSubjectRequests', group: 'administration' },
  { name: 'failedSteps', to: '/failed-steps', permission: 'listFailedSteps', group: 'administration' },
  { name: 'audit', to: '/audit', permission: 'listAudit', group: 'administration' },
] as const satisfies readonly {
  name: string
  to: string
  permission: Permission
  group: (typeof areaGroups)[number]
}[]

export type Area = (typeof areas)[number]

/** The area of a route, such as `/companies/$taxId`; undefined where the route belongs to none. */
export function areaOf(route: string): Area | undefined {
  // Reached from an invoice.
  if (route.startsWith('/charges')) return areaOf('/reconciliations')
  if (route.startsWith('/hr/charges')) return areaOf('/hr/invoices')
  // Reached from the queue.
  if (route.startsWith('/decision-jobs')) return areaOf('/queue')
  return areas.find(({ to }) => route === to || route.startsWith(`${to}/`))
}
