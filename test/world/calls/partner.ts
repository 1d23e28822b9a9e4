import { draftBody } from '../draft.ts'
import { premium, health, primary } from '../test-app.ts'
import { syncBody } from '../roster-sync.ts'
import { type Call, chapter, csvType, type Entry } from './call.ts'
import { openTenant, type Tenant } from './tenant.ts'

const exclusion = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' } }
const newcomer = primary()

type Calls = (tenant: Tenant) => Call | readonly Call[]
const read = (calls: Calls): Entry<Tenant> => ({ calls })
const write = (audit: string | readonly string[], calls: Calls): Entry<Tenant> => ({ audit, calls })
/** As a dry run, and really. */
const tried = (call: Call): Call[] => [{ ...call, query: 'dry-run=true', audit: [] }, call]
/** A list: of all, and of one company. */
const listed = (...queries: string[]): Entry<Tenant> =>
  read(({ company }) => [
    { isOpen: true },
    ...queries.map((query): Call => ({ query, isOpen: true })),
    { query: `company-tax-id=${company.taxId}` },
  ])
const since = 'updated-since=2026-01-01T00:00:00Z'

const endpoint: Calls = ({ endpointId }) => ({ path: [endpointId] })
const event: Calls = ({ eventId }) => ({ path: [eventId] })
const draft = ({ drafts: [id] }: Tenant): Call => ({ path: [id] })
const continuation: Calls = ({ continuationId }) => ({ path: [continuationId] })

/** Operations of partners. */
export const partnerCalls = chapter((world) => openTenant(world.testApp, world, 'Dália'), {
  includeMembers: write('inclusion.requested', ({ company }) =>
    tried({ body: { 'company-tax-id': company.taxId, members: [newcomer] } }),
  ),
  readTable: read(({ company, leaving }) =>
    ['inclusion', 'exclusion', 'alteration'].map((movement) => ({
      query: `movement=${movement}&company-tax-id=${company.taxId}`,
      body: `CPF;Nome;Produto\n${leaving};Pessoa;${health}\n`,
      headers: csvType,
    })),
  ),
  readTableTemplate: read(({ company }) => ({ query: `movement=inclusion&company-tax-id=${company.taxId}` })),
  readOwnColumnProfile: read(({ company }) => ({ path: [company.taxId] })),
  putOwnColumnProfile: write('column-profile.replaced', ({ company }) => ({
    path: [company.taxId],
    body: { columns: [{ heading: company.taxId, field: 'name' }] },
  })),
  readRequest: read(({ requestId }) => ({ path: [requestId] })),
  listRequests: listed(since),
  readEnrollment: read(({ enrollmentId }) => ({ path: [enrollmentId] })),
  answerEnrollment: write('enrollment.created', ({ pendingId }) => ({
    path: [pendingId],
    body: { data: { 'job-title': 'Auxiliar' } },
  })),
  cancelEnrollment: write('enrollment.cancelled', ({ enrollmentId }) => ({ path: [enrollmentId], body: {} })),
  listEnrollmentHistory: read(({ company, shared }) => [
    { isOpen: true },
    { query: `member-tax-id=${shared}`, isOpen: true },
    { query: since, isOpen: true },
    { query: `company-tax-id=${company.taxId}` },
  ]),
  createUploadSlot: write('document.slot-created', () => ({ isOpen: true })),
  listMembers: read(({ company, shared, leaving }) => [
    { query: `company-tax-id=${company.taxId}` },
    { isOpen: true },
    { query: 'page=1&items-per-page=100', isOpen: true },
    { query: since, isOpen: true },
    { query: 'active-on=2026-12-01&q=pessoa', isOpen: true },
    { query: 'page=1&sort=name', isOpen: true },
    { query: 'include=registration', isOpen: true },
    {
      query: `include-inactive=true&filter=${encodeURIComponent(`tax-id=${shared}|tax-id=${leaving}`)}`,
      isOpen: true,
    },
  ]),
  readMember: read(({ memberId }) => ({ path: [memberId] })),
  listBenefits: read(({ company, shared }) => [
    { isOpen: true },
    { query: since, isOpen: true },
    { query: `member-tax-id=${shared}`, isOpen: true },
    { query: `company-tax-id=${company.taxId}` },
  ]),
  readBenefit: read(({ benefitId }) => ({ path: [benefitId] })),
  readCompany: read(({ company }) => ({ path: [company.taxId] })),
  exportRoster: write('company.roster-exported', ({ company }) => ({ path: [company.taxId] })),
  listCompanyCutOffs: read(({ company }) => ({ path: [company.taxId] })),
  readRosterPolicy: read(({ company }) => ({ path: [company.taxId] })),
  listCompanies: read(() => ({ isOpen: true })),
  listProducts: listed(),
  listRequirements: read(({ company }) => ({
    query: `company-tax-id=${company.taxId}&product-id=${company.products[health]}&movement=inclusion`,
  })),
  calculateContinuation: read(({ company }) => ({
    body: {
      'exclusion-reason': 'dismissal',
      contributed: true,
      'contribution-months': 40,
      'company-tax-id': company.taxId,
      'product-id': company.products[health],
    },
  })),
  listContinuations: listed(),
  readContinuation: read(continuation),
  readExclusionNotice: read(({ requestedExclusionId }) => ({ path: [requestedExclusionId] })),
  readContinuationNotice: read(continuation),
  readContinuationOptionForm: read(continuation),
  listOnboardingInvitations: listed(),
  readOnboardingInvitation: read(({ onboarding: [{ id }] }) => ({ path: [id] })),
  readOnboardingDocument: read(({ onboarding: [{ id, documentId }] }) => ({ path: [id, documentId] })),
  createOnboardingInvitation: write('onboarding.created', ({ invitation }) => ({ body: invitation })),
  returnOnboardingInvitation: write('onboarding.returned', ({ onboarding: [{ id }] }) => ({
    path: [id],
    body: { message: 'Nome' },
  })),
  revokeOnboardingInvitation: write('onboarding.revoked', ({ onboarding: [{ id }] }) => ({ path: [id] })),
  approveOnboardingInvitation: write(
    ['inclusion.requested', 'onboarding.approved'],
    ({ onboarding: [, { id, submittedAt }] }) => ({ path: [id], body: { 'submitted-at': submittedAt } }),
  ),
  listPendingInvoices: read(() => ({ isOpen: true })),
  listInvoices: listed(),
  listCompanyCharges: read(({ company }) => ({ path: [company.taxId], query: 'reference-month=2026-10' })),
  listCompanyDeductions: read(({ company }) => ({ path: [company.taxId], query: 'reference-month=2026-10' })),
  listCompanyPayrollExports: read(({ company }) => ({ path: [company.taxId] })),
  listCompanyPayrollPeriods: read(({ company }) => ({ path: [company.taxId] })),
  readCompanyPayrollExportFile: write('payroll-export.downloaded', ({ company, payrollExportId }) => ({
    path: [company.taxId, payrollExportId],
  })),
  readCompanyFinalBalance: read(({ company, memberId }) => ({
    path: [company.taxId, memberId],
    query: 'end-date=2026-11-30',
  })),
  listCompanyUnpaidLeaves: read(({ company, memberId }) => ({ path: [company.taxId, memberId] })),
  putCompanyUnpaidLeave: write('unpaid-leave.set', ({ company, memberId }) => ({
    path: [company.taxId, memberId],
    body: { 'first-day': '2027-01-01' },
  })),
  deleteCompanyUnpaidLeave: write('unpaid-leave.deleted', ({ company, memberId }) => ({
    path: [company.taxId, memberId],
    query: 'first-day=2027-01-01',
  })),
  listCosts: read(({ company }) => ({ path: [company.taxId], query: 'reference-month=2026-10' })),
  readForecastOfCompany: read(({ company }) => ({ path: [company.taxId] })),
  listCompanyReconciliations: listed('status=open'),
  readCompanyDiscrepancyTrend: read(({ company }) => ({ path: [company.taxId] })),
  listCompanyDiscrepancies: listed(since),
  readInvoice: read(({ invoiceId }) => ({ path: [invoiceId] })),
  downloadInvoice: read(({ invoiceId, fileId }) => [
    { path: [invoiceId] },
    { path: [invoiceId], query: `file-id=${fileId}` },
  ]),
  readSandboxClock: read(() => ({ isOpen: true })),
  rotateSecret: write('client.secret-rotated', () => ({ isOpen: true })),
  createWebhookEndpoint: write('webhook-endpoint.created', () => ({
    body: { url: 'http://127.0.0.1:59998/' },
    isOpen: true,
  })),
  listWebhookEndpoints: read(() => ({ isOpen: true })),
  readWebhookEndpoint: read(endpoint),
  updateWebhookEndpoint: write('webhook-endpoint.updated', ({ endpointId }) => ({
    path: [endpointId],
    body: { 'event-types': ['webhook.test'] },
  })),
  rotateWebhookSecret: write('webhook-endpoint.secret-rotated', endpoint),
  testWebhookEndpoint: write('webhook-endpoint.tested', endpoint),
  listWebhookEvents: read(({ company, eventId }) => [
    { isOpen: true },
    { query: 'after=00000000-0000-0000-0000-000000000000', isOpen: true },
    { query: `after=${eventId}` },
    { query: `company-tax-id=${company.taxId}` },
  ]),
  readWebhookEvent: read(event),
  listWebhookDeliveries: read(event),
  redeliverWebhookEvent: write('webhook-event.redelivered', event),
  deleteWebhookEndpoint: write('webhook-endpoint.deleted', endpoint),
  alterMember: write('alteration.requested', ({ company, altered }) =>
    tried({
      path: [altered],
      body: { 'alteration-data': { 'new-product-id': company.products[premium] } },
    }),
  ),
  alterMembers: write('alteration.requested', ({ company, altered }) =>
    tried({
      body: {
        'company-tax-id': company.taxId,
        members: [{ 'tax-id': altered, 'alteration-data': { phone: '11987654321' } }],
      },
    }),
  ),
  createMovementDraft: write('movement-draft.created', ({ company, altered }) =>
    tried({ body: draftBody(company, altered) }),
  ),
  listMovementDrafts: listed('status=open'),
  readMovementDraft: read(draft),
  listMovementDraftItems: read(draft),
  confirmMovementDraft: write(['movement-draft.approved', '*'], (of) => ({
    ...draft(of),
    body: { classes: ['correction'] },
  })),
  discardMovementDraft: write(['movement-draft.closed', 'movement-draft.discarded'], ({ drafts: [, id] }) => ({
    path: [id],
    body: {},
  })),
  createRosterSync: write('roster-sync.created', ({ company }) => ({ body: syncBody(company) })),
  listRosterSyncs: listed('status=open'),
  readRosterSync: read(({ syncs: [id] }) => ({ path: [id] })),
  putRosterSyncFile: write(['roster-sync.file-received', '*'], ({ syncs: [id], leaving }) => ({
    path: [id],
    body: `CPF\n${leaving}\n`,
    headers: csvType,
  })),
  cancelRosterSync: write('roster-sync.cancelled', ({ syncs: [, id] }) => ({ path: [id], body: {} })),
  excludeDependent: write('exclusion.requested', (of) =>
    tried({
      path: [of.child, of.primary],
      query: 'resolution=approve',
      body: exclusion,
    }),
  ),
  excludeByProduct: write('exclusion.requested', ({ company, primary: cpf }) =>
    tried({
      path: [cpf, company.products[health] ?? ''],
      body: exclusion,
    }),
  ),
  excludeByBenefit: write('exclusion.requested', ({ leaving, benefitId }) =>
    tried({
      path: [leaving, benefitId],
      body: exclusion,
    }),
  ),
  excludeMembers: write('exclusion.requested', ({ company, dismissed }) =>
    tried({ body: { 'company-tax-id': company.taxId, members: [{ 'tax-id': dismissed, ...exclusion }] } }),
  ),
  excludeFromCompany: write('exclusion.requested', ({ company, departing }) =>
    tried({
      path: [departing, company.taxId],
      body: exclusion,
    }),
  ),
  // The clock of the demo is nowhere else.
  advanceDemoClock: {},
})
