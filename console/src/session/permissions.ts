import type { Session } from '@vigencia/client'
import { rolesOf } from './roles.ts'

type Role = Session['role']

/** An operation of the operator API that the roles need: the console permits what the service permits. */
export type Permission = keyof typeof rolesOf

/** The service decides: here it only shapes what is shown. */
export function isPermitted(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesOf[permission]
  return roles.includes(role)
}
