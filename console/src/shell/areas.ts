import { type Granted, isPermitted, type Permission } from '../session/permissions.ts'

/** The parts of the navigation, in its order. */
export const areaGroups = ['company', 'movements', 'people', 'money', 'partners', 'administration'] as const

/** The areas in the order of the navigation, and what a role needs to see them. */
export const areas = [
  { name: 'hrHome', to: '/hr', permission: 'listMembers', group: 'company' },
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
  { name: 'rosters', to: '/rosters', permission: 'listAllRosterSyncs', group: 'movements', tabOf: 'drafts' },
  {
    name: 'newMovement',
    to: '/movements/new',
    permission: 'includeMembersOfCompany',
    group: 'movements',
    isBegun: true,
  },
  { name: 'requests', to: '/requests', permission: 'listAllRequests', group: 'movements' },
  { name: 'imports', to: '/imports', permission: 'listImports', group: 'movements', tabOf: 'requests' },
  { name: 'deadlines', to: '/deadlines', permission: 'listDeadlines', group: 'movements' },
  { name: 'overview', to: '/overview', permission: 'readStatistics', group: 'movements' },
  { name: 'members', to: '/members', permission: 'searchMembers', group: 'people' },
  { name: 'continuations', to: '/continuations', permission: 'listAllContinuations', group: 'people' },
  { name: 'invoices', to: '/invoices', permission: 'listAllInvoices', group: 'money' },
  { name: 'reconciliations', to: '/reconciliations', permission: 'listCarrierFiles', group: 'money' },
  { name: 'claims', to: '/claims', permission: 'listClaims', group: 'money', tabOf: 'reconciliations' },
  { name: 'closings', to: '/closings', permission: 'listClosings', group: 'money', tabOf: 'reconciliations' },
  { name: 'payroll', to: '/payroll', permission: 'listPayrollPeriods', group: 'money' },
  { name: 'costs', to: '/costs', permission: 'readInvoiceStatistics', group: 'money' },
  { name: 'forecasts', to: '/forecasts', permission: 'readForecast', group: 'money', tabOf: 'costs' },
  { name: 'companies', to: '/companies', permission: 'searchCompanies', group: 'partners' },
  { name: 'carriers', to: '/carriers', permission: 'listContracts', group: 'partners' },
  {
    name: 'requirements',
    to: '/requirements',
    permission: 'listRequirementRules',
    group: 'partners',
    tabOf: 'carriers',
  },
  { name: 'clients', to: '/clients', permission: 'listClients', group: 'partners' },
  { name: 'webhooks', to: '/webhooks', permission: 'listAllWebhookEndpoints', group: 'partners', tabOf: 'clients' },
  { name: 'failedSteps', to: '/failed-steps', permission: 'listFailedSteps', group: 'partners', tabOf: 'clients' },
  { name: 'people', to: '/people', permission: 'listPeople', group: 'administration' },
  { name: 'operators', to: '/operators', permission: 'listOperators', group: 'administration', tabOf: 'people' },
  { name: 'personalData', to: '/personal-data', permission: 'listSubjectRequests', group: 'administration' },
  { name: 'audit', to: '/audit', permission: 'listAudit', group: 'administration' },
  { name: 'settings', to: '/settings', permission: 'readSettings', group: 'administration' },
  { name: 'mails', to: '/mails', permission: 'listMails', group: 'administration', tabOf: 'settings' },
] as const satisfies readonly {
  name: string
  to: string
  permission: Permission
  group: (typeof areaGroups)[number]
  /** The area whose entry of the navigation leads here too; its pages then have tabs. */
  tabOf?: string
  /** No list: a button of the queue leads there. */
  isBegun?: true
}[]

export type Area = (typeof areas)[number]

/** An entry of the navigation: the areas that a role may see in it, which are tabs where there are several. */
export type Entry = readonly [Area, ...Area[]]

const parentOf = (area: Area): string => ('tabOf' in area ? area.tabOf : area.name)

/** What the navigation shows a role, in its order. */
export function entriesOf(session: Granted): readonly Entry[] {
  const entries = new Map<string, [Area, ...Area[]]>()
  for (const area of areas) {
    if ('isBegun' in area || !isPermitted(session, area.permission)) continue
    const entry = entries.get(parentOf(area))
    if (entry === undefined) entries.set(parentOf(area), [area])
    else entry.push(area)
  }
  return [...entries.values()]
}

/** The entry of the navigation that an area is reached by. */
export const entryOf = (session: Granted, area: Area): Entry | undefined =>
  entriesOf(session).find(([first]) => parentOf(first) === parentOf(area))

/** The area of a route, such as `/companies/$taxId`; undefined where the route belongs to none. */
export function areaOf(route: string): Area | undefined {
  // Reached from an invoice.
  if (route.startsWith('/charges')) return areaOf('/reconciliations')
  if (route.startsWith('/hr/charges')) return areaOf('/hr/invoices')
  // Reached from the queue.
  if (route.startsWith('/decision-jobs')) return areaOf('/queue')
  // That of the home page of companies, the first one, has all of theirs below it.
  return areas.findLast(({ to }) => route === to || route.startsWith(`${to}/`))
}
