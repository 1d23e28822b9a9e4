import { isPermitted, type Permission } from './permissions.ts'
import { useSession } from './session.ts'

/** Whether the person of the session may do something. */
export function usePermission(permission: Permission): boolean {
  const session = useSession()
  return session !== null && isPermitted(session, permission)
}
