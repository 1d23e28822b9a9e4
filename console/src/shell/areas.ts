import type { Permission } from '../session/permissions.ts'

/** The areas in the order of the navigation, and what a role needs to see them. */
export const areas = [
  { name: 'queue', to: '/queue', permission: 'queue.read' },
  { name: 'overview', to: '/overview', permission: 'statistics.read' },
  { name: 'requests', to: '/requests', permission: 'queue.read' },
  { name: 'members', to: '/members', permission: 'members.read' },
  { name: 'companies', to: '/companies', permission: 'companies.read' },
  { name: 'invoices', to: '/invoices', permission: 'invoices.read' },
  { name: 'imports', to: '/imports', permission: 'imports.read' },
  { name: 'clients', to: '/clients', permission: 'clients.read' },
  { name: 'operators', to: '/operators', permission: 'operators.read' },
  { name: 'webhooks', to: '/webhooks', permission: 'webhooks.read' },
  { name: 'audit', to: '/audit', permission: 'audit.read' },
] as const satisfies readonly { name: string; to: string; permission: Permission }[]

/** The area of a route, such as `/companies/$taxId`; undefined where the route belongs to none. */
export function areaOf(route: string): (typeof areas)[number] | undefined {
  // Reached from the queue.
  if (route.startsWith('/decision-jobs')) return areas[0]
  return areas.find(({ to }) => route === to || route.startsWith(`${to}/`))
}
