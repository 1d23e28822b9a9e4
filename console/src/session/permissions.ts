import type { Session } from '@vigencia/client'
import { rolesOf } from './roles.ts'

/** Operations of the partner API that the pages of the people of companies call. Which companies a person may see, the service decides. */
const ofCompanies = [
  'listMembers',
  'includeMembers',
  'listRequests',
  'listMovementDrafts',
  'listRosterSyncs',
  'listEnrollmentHistory',
  'listInvoices',
  'listCompanyDeductions',
  'listCompanyDiscrepancies',
  'listOnboardingInvitations',
] as const

/** What a page or a part of it needs: an operation of the operator API, or one that the people of companies call. */
export type Permission = keyof typeof rolesOf | (typeof ofCompanies)[number]

/** What decides what a session may do. */
export type Granted = Pick<Session, 'role' | 'see-money' | 'see-discrepancies' | 'onboarding'>

/** The service decides: here it only shapes what is shown. */
export function isPermitted(
  { role, 'see-money': seesMoney = false, 'see-discrepancies': seesDiscrepancies = false, onboarding = false }: Granted,
  permission: Permission,
): boolean {
  if (permission in rolesOf) {
    const roles: readonly Session['role'][] = rolesOf[permission as keyof typeof rolesOf]
    return roles.includes(role)
  }
  if ((permission === 'listInvoices' || permission === 'listCompanyDeductions') && !seesMoney) return false
  if (permission === 'listCompanyDiscrepancies' && !seesDiscrepancies) return false
  return role === 'company-hr' && (permission !== 'listOnboardingInvitations' || onboarding)
}
