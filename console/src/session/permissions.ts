import type { Session } from '@vigencia/client'

type Role = Session['role']

/**
 * What the roles may do, as the operations of the service describe it. The service decides: here it only shapes what is shown. An admin may do
 * everything.
 */
const permissions = {
  'queue.read': ['analyst', 'auditor'],
  'queue.write': ['analyst'],
  'members.read': ['analyst', 'auditor'],
  'members.write': ['analyst'],
  'companies.read': ['analyst', 'finance', 'auditor'],
  'companies.write': [],
  'clients.read': ['auditor'],
  'clients.write': [],
  'operators.read': ['analyst', 'auditor'],
  'operators.write': [],
  'invoices.read': ['finance', 'auditor'],
  'invoices.write': ['finance'],
  'imports.read': ['analyst', 'auditor'],
  'imports.write': ['analyst'],
  'webhooks.read': ['analyst', 'auditor'],
  'webhooks.write': ['analyst'],
  'audit.read': ['auditor'],
  'statistics.read': ['analyst', 'auditor'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export function isPermitted(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = permissions[permission]
  return role === 'admin' || roles.includes(role)
}
