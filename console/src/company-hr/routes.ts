import { chargesSearchOf, whySearchOf } from '../entities/charges/search.ts'
import { draftTabOf } from '../entities/rosters/search.ts'
import { flag, month, oneOf, searchOf, text } from '../lists/search.ts'
import { MOVEMENT_KINDS } from '../../../src/kernel/enums.ts'
import { page } from '../shell/page.ts'
import { discrepanciesSearchOf } from './discrepancies/search.ts'
import { peopleSearchOf } from './people/search.ts'

/** The pages of the people of companies. */
export const companyHrRoutes = {
  hrHome: page('/hr', () => import('./home/home-page.tsx'), 'HomePage'),
  hrMovements: page(
    '/hr/movements',
    () => import('./home/movements-page.tsx'),
    'MovementsPage',
    searchOf({ 'effective-month': month, 'enrollment-type': oneOf(MOVEMENT_KINDS), open: flag }),
  ),
  hrInvoices: page('/hr/invoices', () => import('./invoices/invoices-page.tsx'), 'InvoicesPage'),
  hrInvoice: page('/hr/invoices/$invoiceId', () => import('./invoices/invoice-page.tsx'), 'InvoicePage'),
  hrCharges: page('/hr/charges/$month', () => import('./charges/charges-page.tsx'), 'ChargesPage', chargesSearchOf),
  hrCharge: page('/hr/charges/$month/why', () => import('./charges/charge-page.tsx'), 'ChargePage', whySearchOf),
  hrPayroll: page('/hr/payroll', () => import('./payroll/payroll-page.tsx'), 'PayrollPage'),
  hrPayrollMonth: page('/hr/payroll/$month', () => import('./payroll/month-page.tsx'), 'MonthPage'),
  hrForecast: page(
    '/hr/forecast',
    () => import('./forecast/forecast-page.tsx'),
    'ForecastPage',
    searchOf({ 'reference-month': month }),
  ),
  hrDiscrepancies: page(
    '/hr/discrepancies',
    () => import('./discrepancies/discrepancies-page.tsx'),
    'DiscrepanciesPage',
    discrepanciesSearchOf,
  ),
  hrTrend: page('/hr/discrepancies/trend', () => import('./discrepancies/trend-page.tsx'), 'TrendPage'),
  hrPending: page('/hr/pending', () => import('./pending/pending-page.tsx'), 'PendingPage'),
  hrPeople: page('/hr/people', () => import('./people/people-page.tsx'), 'PeoplePage', peopleSearchOf),
  hrPerson: page('/hr/people/$memberId', () => import('./people/person-page.tsx'), 'PersonPage'),
  hrFinalBalance: page(
    '/hr/people/$memberId/final-balance',
    () => import('./people/final-balance-page.tsx'),
    'FinalBalancePage',
  ),
  hrExclude: page('/hr/people/$memberId/exclude', () => import('./exclude/exclude-page.tsx'), 'ExcludePage'),
  hrCorrect: page('/hr/people/$memberId/correct', () => import('./alter/correct-page.tsx'), 'CorrectPage'),
  hrPlan: page('/hr/people/$memberId/plan', () => import('./alter/plan-page.tsx'), 'PlanPage'),
  hrInclude: page(
    '/hr/include',
    () => import('./include/include-page.tsx'),
    'IncludePage',
    searchOf({ primary: text }),
  ),
  hrMovement: page('/hr/pending/$enrollmentId', () => import('./pending/movement-page.tsx'), 'MovementPage'),
  hrDrafts: page('/hr/drafts', () => import('./drafts/drafts-page.tsx'), 'DraftsPage'),
  hrDraft: page('/hr/drafts/$draftId', () => import('./drafts/draft-page.tsx'), 'DraftPage'),
  hrRosters: page('/hr/rosters', () => import('./rosters/rosters-page.tsx'), 'RostersPage'),
  hrNewRoster: page(
    '/hr/rosters/new',
    () => import('./rosters/new-roster-page.tsx'),
    'NewRosterPage',
    searchOf({ doubts: text }),
  ),
  hrRoster: page('/hr/rosters/$rosterSyncId', () => import('./rosters/roster-page.tsx'), 'RosterPage', draftTabOf),
  hrRequests: page('/hr/requests', () => import('./requests/requests-page.tsx'), 'RequestsPage'),
  hrRequest: page('/hr/requests/$requestId', () => import('./requests/request-page.tsx'), 'RequestPage'),
  hrSpreadsheets: page('/hr/spreadsheets', () => import('./spreadsheets/spreadsheets-page.tsx'), 'SpreadsheetsPage'),
  hrOnboarding: page('/hr/onboarding', () => import('./onboarding/invitations-page.tsx'), 'InvitationsPage'),
  hrInvitation: page(
    '/hr/onboarding/$invitationId',
    () => import('./onboarding/invitation-page.tsx'),
    'InvitationPage',
  ),
}
