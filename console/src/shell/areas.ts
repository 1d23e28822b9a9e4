import type { Permission } from '../session/permissions.ts'

/** The areas in the order of the navigation, and what a role needs to see them. */
export const areas = [
  { name: 'queue', to: '/queue', permission: 'listEnrollmentQueue' },
  { name: 'overview', to: '/overview', permission: 'readStatistics' },
  { name: 'requests', to: '/requests', permission: 'listAllRequests' },
  { name: 'deadlines', to: '/deadlines', permission: 'listDeadlines' },
  { name: 'members', to: '/members', permission: 'searchMembers' },
  { name: 'companies', to: '/companies', permission: 'searchCompanies' },
  { name: 'carriers', to: '/carriers', permission: 'listContracts' },
  { name: 'requirements', to: '/requirements', permission: 'listRequirementRules' },
  { name: 'invoices', to: '/invoices', permission: 'listAllInvoices' },
  { name: 'imports', to: '/imports', permission: 'listImports' },
  { name: 'clients', to: '/clients', permission: 'listClients' },
  { name: 'people', to: '/people', permission: 'listPeople' },
  { name: 'operators', to: '/operators', permission: 'listOperators' },
  { name: 'webhooks', to: '/webhooks', permission: 'listAllWebhookEndpoints' },
  { name: 'audit', to: '/audit', permission: 'listAudit' },
] as const satisfies readonly { name: string; to: string; permission: Permission }[]

/** The area of a route, such as `/companies/$taxId`; undefined where the route belongs to none. */
export function areaOf(route: string): (typeof areas)[number] | undefined {
  // Reached from the queue.
  if (route.startsWith('/decision-jobs')) return areas[0]
  return areas.find(({ to }) => route === to || route.startsWith(`${to}/`))
}
