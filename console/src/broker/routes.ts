import { ENDPOINT_STATUSES } from '../../../src/events/rules/webhook.ts'
import {
  ENROLLMENT_STATUSES,
  INVOICE_STATUSES,
  MOVEMENT_KINDS,
  PART_STATUSES,
  REQUEST_STATUSES,
} from '../../../src/kernel/enums.ts'
import { CLAIM_STATUSES, CLOSING_STATUSES } from '../../../src/kernel/broker-enums.ts'
import { DRAFT_APPROVALS, DRAFT_SOURCES, DRAFT_STATUSES } from '../../../src/kernel/movement-drafts.ts'
import { ROSTER_STATUSES } from '../../../src/kernel/roster-syncs.ts'
import { STEP_STATUSES } from '../../../src/kernel/steps.ts'
import { MAIL_KINDS, MAIL_STATUSES } from '../../../src/kernel/mail.ts'
import { anyDay, day, flag, id, instant, month, oneOf, searchOf, text } from '../lists/search.ts'
import { firstPage, page } from '../shell/page.ts'
import { chargesSearchOf, whySearchOf } from '../entities/charges/search.ts'
import { auditSearchOf } from './audit/search.ts'
import { carrierRoutes } from './carrier-routes.ts'
import { costsSearchOf } from './costs/search.ts'
import { deadlinesSearchOf } from './deadlines/search.ts'
import { membersSearchOf } from '../entities/members/search.ts'
import { draftTabOf } from '../entities/rosters/search.ts'
import { parseMovementSearch } from './movement/movement-search.ts'
import { overviewSearchOf } from './overview/search.ts'
import { personalDataSearchOf } from './personal-data/search.ts'
import { parseQueueSearch } from '../entities/queue/queue-search.ts'
import { fileSearchOf, filesSearchOf, trendSearchOf } from './reconciliations/search.ts'
import { endpointSearchOf } from './webhooks/search.ts'

/** The pages of the broker. */
export const brokerRoutes = {
  queue: firstPage('/queue', () => import('./queue/queue-page.tsx'), 'QueuePage', parseQueueSearch),
  movement: page(
    '/queue/$enrollmentId',
    () => import('./movement/movement-page.tsx'),
    'MovementPage',
    parseMovementSearch,
  ),
  newMovement: page(
    '/movements/new',
    () => import('./new-movement/new-movement-page.tsx'),
    'NewMovementPage',
    searchOf({ kind: oneOf(MOVEMENT_KINDS), company: text, person: id }),
  ),
  movementSheet: page(
    '/movements/new/spreadsheet',
    () => import('./new-movement/spreadsheet-page.tsx'),
    'SpreadsheetPage',
    searchOf({ company: text }),
  ),
  drafts: page(
    '/drafts',
    () => import('./drafts/drafts-page.tsx'),
    'DraftsPage',
    searchOf({
      source: oneOf(DRAFT_SOURCES),
      status: oneOf(DRAFT_STATUSES),
      approval: oneOf(DRAFT_APPROVALS),
      'company-tax-id': text,
    }),
  ),
  draft: page('/drafts/$draftId', () => import('./drafts/draft-page.tsx'), 'DraftPage'),
  rosters: page(
    '/rosters',
    () => import('./rosters/rosters-page.tsx'),
    'RostersPage',
    searchOf({ status: oneOf(ROSTER_STATUSES), 'company-tax-id': text }),
  ),
  newRoster: page(
    '/rosters/new',
    () => import('./rosters/new-roster-page.tsx'),
    'NewRosterPage',
    searchOf({ company: text, doubts: text }),
  ),
  roster: page('/rosters/$rosterSyncId', () => import('./rosters/roster-page.tsx'), 'RosterPage', draftTabOf),
  decisionJobs: page('/decision-jobs', () => import('./decision-jobs/decision-jobs-page.tsx'), 'DecisionJobsPage'),
  decisionJob: page('/decision-jobs/$jobId', () => import('./decision-jobs/decision-job-page.tsx'), 'DecisionJobPage'),
  requests: page(
    '/requests',
    () => import('./requests/requests-page.tsx'),
    'RequestsPage',
    searchOf({
      'request-type': oneOf(MOVEMENT_KINDS),
      status: oneOf(REQUEST_STATUSES),
      'company-tax-id': text,
      reference: text,
      'from-dt': day,
      'until-dt': day,
    }),
  ),
  request: page(
    '/requests/$requestId',
    () => import('./requests/request-page.tsx'),
    'RequestPage',
    searchOf({ 'part-status': oneOf(PART_STATUSES), 'enrollment-status': oneOf(ENROLLMENT_STATUSES), offense: text }),
  ),
  deadlines: page('/deadlines', () => import('./deadlines/deadlines-page.tsx'), 'DeadlinesPage', deadlinesSearchOf),
  continuations: page(
    '/continuations',
    () => import('./continuations/continuations-page.tsx'),
    'ContinuationsPage',
    searchOf({ status: text, 'company-tax-id': text, within: oneOf(['60']) }),
  ),
  continuation: page(
    '/continuations/$continuationId',
    () => import('./continuations/continuation-page.tsx'),
    'ContinuationPage',
  ),
  members: firstPage('/members', () => import('./members/members-page.tsx'), 'MembersPage', membersSearchOf),
  member: page('/members/$memberId', () => import('./members/member-page.tsx'), 'MemberPage', searchOf({ on: anyDay })),
  companies: page('/companies', () => import('./companies/companies-page.tsx'), 'CompaniesPage', searchOf({ q: text })),
  newCompany: page('/companies/new', () => import('./companies/new-company-page.tsx'), 'NewCompanyPage'),
  company: page('/companies/$taxId', () => import('./companies/company-page.tsx'), 'CompanyPage'),
  editCompany: page('/companies/$taxId/edit', () => import('./companies/edit-company-page.tsx'), 'EditCompanyPage'),
  ...carrierRoutes,
  clients: firstPage('/clients', () => import('./clients/clients-page.tsx'), 'ClientsPage'),
  client: firstPage('/clients/$clientId', () => import('./clients/client-page.tsx'), 'ClientPage'),
  operators: page('/operators', () => import('./operators/operators-page.tsx'), 'OperatorsPage'),
  people: page('/people', () => import('./people/people-page.tsx'), 'PeoplePage'),
  personalData: page(
    '/personal-data',
    () => import('./personal-data/personal-data-page.tsx'),
    'PersonalDataPage',
    personalDataSearchOf,
  ),
  subjectRequest: page(
    '/personal-data/$subjectRequestId',
    () => import('./personal-data/request-page.tsx'),
    'RequestPage',
  ),
  memberDisclosures: page(
    '/members/$memberId/disclosures',
    () => import('./personal-data/disclosures-page.tsx'),
    'DisclosuresPage',
    searchOf({ 'from-at': instant, 'until-at': instant }),
  ),
  invoices: firstPage(
    '/invoices',
    () => import('./invoices/invoices-page.tsx'),
    'InvoicesPage',
    searchOf({ q: text, status: oneOf(INVOICE_STATUSES), 'company-tax-id': text, 'from-dt': day, 'until-dt': day }),
  ),
  invoice: firstPage(
    '/invoices/$invoiceId',
    () => import('./invoices/invoice-page.tsx'),
    'InvoicePage',
    searchOf({ view: oneOf(['lines']) }),
  ),
  reconciliations: page(
    '/reconciliations',
    () => import('./reconciliations/reconciliations-page.tsx'),
    'ReconciliationsPage',
    filesSearchOf,
  ),
  trend: page('/reconciliations/trend', () => import('./reconciliations/trend-page.tsx'), 'TrendPage', trendSearchOf),
  carrierFile: page(
    '/reconciliations/$fileId',
    () => import('./reconciliations/file-page.tsx'),
    'FilePage',
    fileSearchOf,
  ),
  charges: page(
    '/charges/$contractId/$month',
    () => import('./charges/charges-page.tsx'),
    'ChargesPage',
    chargesSearchOf,
  ),
  charge: page('/charges/$contractId/$month/why', () => import('./charges/charge-page.tsx'), 'ChargePage', whySearchOf),
  claims: page(
    '/claims',
    () => import('./claims/claims-page.tsx'),
    'ClaimsPage',
    searchOf({
      q: text,
      'company-tax-id': text,
      'carrier-id': id,
      'contract-id': id,
      'reference-month': month,
      status: oneOf(CLAIM_STATUSES),
    }),
  ),
  claim: page('/claims/$claimId', () => import('./claims/claim-page.tsx'), 'ClaimPage'),
  forecasts: page(
    '/forecasts',
    () => import('./forecasts/forecasts-page.tsx'),
    'ForecastsPage',
    searchOf({ 'company-tax-id': text, 'reference-month': month }),
  ),
  forecast: page(
    '/forecasts/$contractId',
    () => import('./forecasts/forecast-page.tsx'),
    'ForecastPage',
    searchOf({ 'reference-month': month }),
  ),
  closings: page(
    '/closings',
    () => import('./closings/closings-page.tsx'),
    'ClosingsPage',
    searchOf({ 'company-tax-id': text, 'reference-month': month, status: oneOf(CLOSING_STATUSES) }),
  ),
  closingMonth: page('/closings/$taxId/$month', () => import('./closings/month-page.tsx'), 'MonthPage'),
  payroll: page(
    '/payroll',
    () => import('./payroll/payroll-page.tsx'),
    'PayrollPage',
    searchOf({ 'company-tax-id': text }),
  ),
  payrollProfile: page('/payroll/$taxId/profile', () => import('./payroll/profile-page.tsx'), 'ProfilePage'),
  leavers: page(
    '/payroll/$taxId/leavers',
    () => import('./payroll/leavers-page.tsx'),
    'LeaversPage',
    searchOf({ 'member-id': id }),
  ),
  payrollMonth: page('/payroll/$taxId/$month', () => import('./payroll/month-page.tsx'), 'MonthPage'),
  costs: page('/costs', () => import('./costs/costs-page.tsx'), 'CostsPage', costsSearchOf),
  imports: page('/imports', () => import('./imports/imports-page.tsx'), 'ImportsPage'),
  import: page('/imports/$importId', () => import('./imports/import-page.tsx'), 'ImportPage'),
  webhooks: page(
    '/webhooks',
    () => import('./webhooks/webhooks-page.tsx'),
    'WebhooksPage',
    searchOf({ failing: flag, status: oneOf(ENDPOINT_STATUSES), 'client-id': text }),
  ),
  webhookEndpoint: page(
    '/webhooks/$endpointId',
    () => import('./webhooks/webhook-endpoint-page.tsx'),
    'WebhookEndpointPage',
    endpointSearchOf,
  ),
  failedSteps: page(
    '/failed-steps',
    () => import('./failed-steps/failed-steps-page.tsx'),
    'FailedStepsPage',
    searchOf({ status: oneOf(STEP_STATUSES) }),
  ),
  mails: page(
    '/mails',
    () => import('./mails/mails-page.tsx'),
    'MailsPage',
    searchOf({ status: oneOf(MAIL_STATUSES), kind: oneOf(MAIL_KINDS) }),
  ),
  settings: page(
    '/settings',
    () => import('./settings/settings-page.tsx'),
    'SettingsPage',
    searchOf({ view: oneOf(['brand', 'reasons', 'retention']) }),
  ),
  audit: page('/audit', () => import('./audit/audit-page.tsx'), 'AuditPage', auditSearchOf),
  overview: page('/overview', () => import('./overview/overview-page.tsx'), 'OverviewPage', overviewSearchOf),
}
