import { AUDIT_ACTIONS, type AuditAction } from '../../../../src/kernel/audit-actions.ts'

/** The action, when it is a known one: the service may have more in a later version. */
export function knownAction(action: string): AuditAction | undefined {
  return AUDIT_ACTIONS.find((known) => known === action)
}
