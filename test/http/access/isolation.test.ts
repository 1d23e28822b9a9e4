import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { benefitsOf, createContinuation } from '../../world/continuation.ts'
import { calendar, makeContract } from '../../world/contract.ts'
import { putFile, putInvoice } from '../../world/invoice.ts'
import { act, moved, openShipmentOf } from '../../world/shipment.ts'
import { childOf, invitationBody, invitationPath, invited, openPage, submissionOf } from '../../world/onboarding.ts'
import { makeEndpoint } from '../../world/receiver.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  nextCpf,
  useTestApp,
  premium,
  primary,
  until,
} from '../../world/test-app.ts'
import { type Browser, personOf, signInAs } from '../../world/person.ts'
import { newSlot, pdf, upload } from '../../world/upload.ts'

/*
 * Who may call each operation of openapi.json, and what of another company it shows: nothing. An operation that is not in the
 * tables below fails: give it a call, and the roles that may make it.
 */

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly api: 'partner' | 'operator' | null
  readonly statuses: readonly string[]
  /** Whether a session of a person may call it. */
  readonly takesSessions: boolean
  /** An example of its JSON body. */
  readonly example: unknown
}

const document: Json = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => {
    const content = operation.requestBody?.content?.['application/json']
    const [named] = Object.values<Json>(content?.examples ?? {})
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      api: Object.keys(operation.security?.[0] ?? {})[0] ?? null,
      statuses: Object.keys(operation.responses),
      takesSessions: (operation.security ?? []).some((one: object) => 'session' in one),
      example: content?.example ?? named?.value,
    } as Operation
  }),
)
const ofApi = (api: Operation['api']) => operations.filter((operation) => operation.api === api)

interface Onboarding {
  readonly id: string
  readonly documentId: string
  readonly submittedAt: string
}

/** A company with everything that a call can name, and its partner. */
interface Tenant {
  readonly company: Company
  readonly partner: Client
  /** Who exists in both companies. */
  readonly shared: string
  readonly primary: string
  readonly child: string
  /** Whose benefit is named by its id. */
  readonly leaving: string
  readonly altered: string
  readonly departing: string
  readonly dismissed: string
  readonly memberId: string
  readonly benefitId: string
  readonly continuationId: string
  readonly requestId: string
  readonly enrollmentId: string
  readonly requestedExclusionId: string
  readonly pendingId: string
  readonly documentId: string
  readonly slot: { readonly id: string; readonly url: string }
  readonly invoiceId: string
  readonly fileId: string
  readonly endpointId: string
  readonly eventId: string
  /** Submissions of employees, with a document: to be returned, and to be approved. */
  readonly onboarding: readonly [Onboarding, Onboarding]
  /** The body of another invitation. */
  readonly invitation: Json
  /** What shows that a response holds something of this company. */
  readonly marks: readonly string[]
  /** Of its contract with the carrier, its layout and its shipments: no partner sees them. */
  readonly contract: readonly string[]
}

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let ours: Tenant
let theirs: Tenant
let revoked: Client

beforeAll(async () => {
  const shared = nextCpf()
  ours = await openTenant('Ânfora', shared)
  theirs = await openTenant('Bétula', shared)
  revoked = await testApp.partner(ours.company.taxId)
  expectOk(await revoked.get('/v1/company'))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${revoked.clientId}`))
})

/** Includes somebody who asks for the exclusion. @returns its id. */
async function exclusionOnRequest(company: Company, partner: Client, member: Json): Promise<string> {
  await testApp.include(partner, company, [member], '?resolution=approve')
  const body = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'requested-by-beneficiary' } }
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${company.products[health]}`
  const { 'request-id': id } = expectOk(await partner.post(path, body)).body
  const { 'status-by-tax-id': parts } = await testApp.finished(partner, id)
  return parts[member['tax-id']][health]['enrollment-id']
}

async function openTenant(word: string, shared: string): Promise<Tenant> {
  const company = await testApp.company({ name: `${word} S.A.` })
  const partner = await testApp.partner(company.taxId)
  const endpointId = (await makeEndpoint(partner, 'http://127.0.0.1:59999/')).id
  const named = { name: `Pessoa ${word}`, 'mothers-name': `Mãe ${word}` }
  const [both, mother, leaving, altered, departing, dismissed] = [
    primary({ ...named, 'tax-id': shared }),
    primary(named),
    primary(named),
    primary(named),
    primary(named),
    primary(named),
  ]
  const child = dependent(mother['tax-id'], named)
  const members = [both, mother, child, leaving, altered, departing, dismissed]
  const request = await testApp.include(partner, company, members, '?resolution=approve')
  const list = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${leaving['tax-id']}`)).body.result
  const shipped = await testApp.include(partner, company, [primary(named)])
  const contract = await sendToCarrier(company, word)
  const pending = await testApp.include(partner, company, [primary(named)])
  const waiting = await testApp.include(partner, company, [primary(named)])
  const enrollmentIds = [request, shipped, pending, waiting].flatMap((one) =>
    Object.values<Json>(one['status-by-tax-id']).flatMap((parts) =>
      Object.values<Json>(parts).map((part) => part['enrollment-id'] as string),
    ),
  )
  const pendingId = enrollmentIds.at(-2) ?? ''
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${pendingId}/transition`, {
      status: 'pending-correction',
      reason: 'Nome',
    }),
  )
  const requested = await exclusionOnRequest(company, partner, primary(named))
  const invoiceId = await putInvoice(testApp, company, { id: `fatura-${word}` })
  const fileId = await putFile(testApp, invoiceId)
  const [event] = await until(
    async () => expectOk(await partner.get('/v1/webhook-event')).body.result,
    (events) => events.length > 0,
  )
  const slot = await newSlot(partner)
  const documentId = await upload(partner)
  const memberId = list[0].id
  const benefitId = list[0].benefits[0]['benefit-id']
  const [kept] = await benefitsOf(partner, mother['tax-id'])
  const continuation = await createContinuation(testApp, { benefitId: kept?.['benefit-id'] })
  const continuationId = continuation['continuation-id']
  const requestId = request['request-id']
  const onboarding = [await onboard(company, partner, named), await onboard(company, partner, named)] as const
  return {
    company,
    partner,
    shared,
    primary: mother['tax-id'],
    child: child['tax-id'],
    leaving: leaving['tax-id'],
    altered: altered['tax-id'],
    departing: departing['tax-id'],
    dismissed: dismissed['tax-id'],
    memberId,
    benefitId,
    continuationId,
    requestId,
    enrollmentId: enrollmentIds.at(-1) ?? '',
    pendingId,
    requestedExclusionId: requested,
    documentId,
    slot,
    invoiceId,
    fileId,
    endpointId,
    eventId: event.id,
    onboarding,
    invitation: invitationBody(company, { name: named.name }),
    contract,
    marks: [
      word,
      company.id,
      company.taxId,
      ...Object.values(company.products),
      ...enrollmentIds,
      requested,
      ...[mother, child, leaving, altered, departing, dismissed].map((member) => member['tax-id'] as string),
      memberId,
      benefitId,
      continuationId,
      requestId,
      documentId,
      slot.id,
      invoiceId,
      encodeURIComponent(invoiceId),
      fileId,
      endpointId,
      event.id,
      ...onboarding.flatMap(({ id, documentId: file }) => [id, file]),
      ...contract,
    ],
  }
}

/** An employee who was invited has sent the data. */
async function onboard(company: Company, partner: Client, named: Json): Promise<Onboarding> {
  const link = await invited(partner, invitationBody(company, { name: named.name }))
  const page = await openPage(testApp, link)
  const documentId = await page.upload()
  const documents = [{ 'document-id': documentId, 'document-type': 'other' }]
  expectOk(await page.submit(submissionOf(link, { dependents: [childOf(company, { ...named, documents })] })))
  const { result } = expectOk(await partner.get(`${invitationPath}/${link.id}`)).body
  return { id: link.id, documentId, submittedAt: result['submitted-at'] }
}

/** Makes a contract of the company and sends its first shipment. @returns what is the operators' of it. */
async function sendToCarrier(company: Company, word: string): Promise<string[]> {
  const layout: Json = expectOk(
    await testApp.operator.post('/operator/v1/layout', {
      name: `LEIAUTE-${company.taxId}`,
      direction: 'movement',
      source: `MANUAL-${company.taxId}`,
      definition: {
        format: 'csv',
        records: [{ name: 'all', columns: [{ heading: `COLUNA-${company.taxId}`, source: 'person.name' }] }],
      },
    }),
  ).body.result
  const contract = await makeContract(testApp, company, {
    'contract-number': `APOLICE-${company.taxId}`,
    'sub-contract': `SUB-${company.taxId}`,
    'carrier-company-code': `EMPRESA-${company.taxId}`,
    plans: [{ 'product-id': company.products[health], 'carrier-plan-code': `PLANO-${company.taxId}` }],
    contacts: [{ name: `Contato ${word}` }],
    calendar: calendar(20),
    layouts: { movement: layout['layout-id'] },
    'code-map': [{ code: `CODIGO-${company.taxId}`, status: 'rejected', reason: `RECUSA-${company.taxId}` }],
  })
  const id = await openShipmentOf(testApp, contract['contract-id'])
  expectOk(await act(testApp, id, 'close'))
  const { file } = expectOk(await act(testApp, id, 'send')).body.result
  expect((await moved(testApp, id)).counts.sent).toBe(1)
  return [
    contract['contract-id'],
    id,
    layout['layout-id'],
    file.name,
    file.sha256,
    ...['APOLICE', 'SUB', 'EMPRESA', 'PLANO', 'LEIAUTE', 'MANUAL', 'COLUNA', 'CODIGO', 'RECUSA'].map(
      (name) => `${name}-${company.taxId}`,
    ),
  ]
}

interface Call {
  readonly path: string
  readonly body?: unknown
  /** Of a body that is not JSON. */
  readonly type?: string
  /** Names nothing of a company: any client may make it, and gets what is its own. */
  readonly isOpen?: boolean
}

const exclusion = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' } }
const endpoint = (of: Tenant) => `/v1/webhook-endpoint/${of.endpointId}`
const event = (of: Tenant) => `/v1/webhook-event/${of.eventId}`
const newcomer = primary()

/** Calls of each partner operation that name what a company has, in an order in which they all succeed for its own partner. */
const partnerCalls: Record<string, (of: Tenant) => Call[]> = {
  includeMembers: ({ company }) =>
    ['?dry-run=true', ''].map((query) => ({
      path: `/v1/enrollment/inclusion${query}`,
      body: { 'company-tax-id': company.taxId, members: [newcomer] },
    })),
  readTable: ({ company, leaving }) =>
    ['inclusion', 'exclusion'].map((movement) => ({
      path: `/v1/table?movement=${movement}&company-tax-id=${company.taxId}`,
      body: `CPF;Nome;Produto\n${leaving};Pessoa;${health}\n`,
      type: 'text/csv',
    })),
  readTableTemplate: ({ company }) => [
    { path: `/v1/table/template?movement=inclusion&company-tax-id=${company.taxId}` },
  ],
  readOwnColumnProfile: ({ company }) => [{ path: `/v1/column-profile/${company.taxId}` }],
  putOwnColumnProfile: ({ company }) => [
    { path: `/v1/column-profile/${company.taxId}`, body: { columns: [{ heading: company.taxId, field: 'name' }] } },
  ],
  readRequest: ({ requestId }) => [{ path: `/v1/request/${requestId}` }],
  listRequests: ({ company }) => [
    { path: '/v1/request', isOpen: true },
    { path: `/v1/request?updated-since=2026-01-01T00:00:00Z`, isOpen: true },
    { path: `/v1/request?company-tax-id=${company.taxId}` },
  ],
  readEnrollment: ({ enrollmentId }) => [{ path: `/v1/enrollment/detail/${enrollmentId}` }],
  answerEnrollment: ({ pendingId }) => [
    { path: `/v1/enrollment/${pendingId}/answer`, body: { data: { 'job-title': 'Auxiliar' } } },
  ],
  cancelEnrollment: ({ enrollmentId }) => [{ path: `/v1/enrollment/${enrollmentId}/cancel`, body: {} }],
  listEnrollmentHistory: ({ company, shared }) => [
    { path: '/v1/enrollment/history', isOpen: true },
    { path: `/v1/enrollment/history?member-tax-id=${shared}`, isOpen: true },
    { path: '/v1/enrollment/history?updated-since=2026-01-01T00:00:00Z', isOpen: true },
    { path: `/v1/enrollment/history?company-tax-id=${company.taxId}` },
  ],
  createUploadSlot: () => [{ path: '/v1/enrollment/document-upload-url', isOpen: true }],
  listMembers: ({ company, shared, leaving }) => [
    { path: `/v1/member?company-tax-id=${company.taxId}` },
    { path: '/v1/member', isOpen: true },
    { path: '/v1/member?page=1&items-per-page=100', isOpen: true },
    { path: '/v1/member?updated-since=2026-01-01T00:00:00Z', isOpen: true },
    { path: '/v1/member?active-on=2026-12-01&q=pessoa', isOpen: true },
    {
      path: `/v1/member?include-inactive=true&filter=${encodeURIComponent(`tax-id=${shared}|tax-id=${leaving}`)}`,
      isOpen: true,
    },
  ],
  readMember: ({ memberId }) => [{ path: `/v1/member/${memberId}` }],
  listBenefits: ({ company, shared }) => [
    { path: '/v1/benefit', isOpen: true },
    { path: '/v1/benefit?updated-since=2026-01-01T00:00:00Z', isOpen: true },
    { path: `/v1/benefit?member-tax-id=${shared}`, isOpen: true },
    { path: `/v1/benefit?company-tax-id=${company.taxId}` },
  ],
  readCompany: ({ company }) => [{ path: `/v1/company/${company.taxId}` }],
  listCompanies: () => [{ path: '/v1/company', isOpen: true }],
  listProducts: ({ company }) => [
    { path: '/v1/product', isOpen: true },
    { path: `/v1/product?company-tax-id=${company.taxId}` },
  ],
  listRequirements: ({ company }) => [
    {
      path: `/v1/requirement?company-tax-id=${company.taxId}&product-id=${company.products[health]}&movement=inclusion`,
    },
  ],
  calculateContinuation: ({ company }) => [
    {
      path: '/v1/continuation/calculate',
      body: {
        'exclusion-reason': 'dismissal',
        contributed: true,
        'contribution-months': 40,
        'company-tax-id': company.taxId,
        'product-id': company.products[health],
      },
    },
  ],
  listContinuations: ({ company }) => [
    { path: '/v1/continuation', isOpen: true },
    { path: `/v1/continuation?company-tax-id=${company.taxId}` },
  ],
  readContinuation: ({ continuationId }) => [{ path: `/v1/continuation/${continuationId}` }],
  readExclusionNotice: ({ requestedExclusionId }) => [
    { path: `/v1/enrollment/${requestedExclusionId}/exclusion-notice` },
  ],
  readContinuationNotice: ({ continuationId }) => [{ path: `/v1/continuation/${continuationId}/notice` }],
  readContinuationOptionForm: ({ continuationId }) => [{ path: `/v1/continuation/${continuationId}/option-form` }],
  listOnboardingInvitations: ({ company }) => [
    { path: invitationPath, isOpen: true },
    { path: `${invitationPath}?company-tax-id=${company.taxId}` },
  ],
  readOnboardingInvitation: ({ onboarding: [{ id }] }) => [{ path: `${invitationPath}/${id}` }],
  readOnboardingDocument: ({ onboarding: [{ id, documentId }] }) => [
    { path: `${invitationPath}/${id}/document/${documentId}` },
  ],
  createOnboardingInvitation: ({ invitation }) => [{ path: invitationPath, body: invitation }],
  returnOnboardingInvitation: ({ onboarding: [{ id }] }) => [
    { path: `${invitationPath}/${id}/return`, body: { message: 'Nome' } },
  ],
  revokeOnboardingInvitation: ({ onboarding: [{ id }] }) => [{ path: `${invitationPath}/${id}/revoke` }],
  approveOnboardingInvitation: ({ onboarding: [, { id, submittedAt }] }) => [
    { path: `${invitationPath}/${id}/approve`, body: { 'submitted-at': submittedAt } },
  ],
  listPendingInvoices: () => [{ path: '/v1/invoices/pending-payment', isOpen: true }],
  listInvoices: ({ company }) => [
    { path: '/v1/invoices', isOpen: true },
    { path: `/v1/invoices?company-tax-id=${company.taxId}` },
  ],
  listCosts: ({ company }) => [{ path: `/v1/company/${company.taxId}/cost?reference-month=2026-10` }],
  readInvoice: ({ invoiceId }) => [{ path: `/v1/invoices/${encodeURIComponent(invoiceId)}` }],
  downloadInvoice: ({ invoiceId, fileId }) =>
    ['', `?file-id=${fileId}`].map((query) => ({
      path: `/v1/invoices/${encodeURIComponent(invoiceId)}/download${query}`,
    })),
  readSandboxClock: () => [{ path: '/v1/sandbox/clock', isOpen: true }],
  rotateSecret: () => [{ path: '/v1/client/rotate-secret', isOpen: true }],
  createWebhookEndpoint: () => [
    { path: '/v1/webhook-endpoint', body: { url: 'http://127.0.0.1:59998/' }, isOpen: true },
  ],
  listWebhookEndpoints: () => [{ path: '/v1/webhook-endpoint', isOpen: true }],
  readWebhookEndpoint: (of) => [{ path: endpoint(of) }],
  updateWebhookEndpoint: (of) => [{ path: endpoint(of), body: { 'event-types': ['webhook.test'] } }],
  rotateWebhookSecret: (of) => [{ path: `${endpoint(of)}/rotate-secret` }],
  testWebhookEndpoint: (of) => [{ path: `${endpoint(of)}/test` }],
  listWebhookEvents: ({ company }) => [
    { path: '/v1/webhook-event', isOpen: true },
    { path: `/v1/webhook-event?company-tax-id=${company.taxId}` },
  ],
  readWebhookEvent: (of) => [{ path: event(of) }],
  listWebhookDeliveries: (of) => [{ path: `${event(of)}/delivery` }],
  redeliverWebhookEvent: (of) => [{ path: `${event(of)}/redeliver` }],
  deleteWebhookEndpoint: (of) => [{ path: endpoint(of) }],
  alterMember: ({ company, altered }) => [
    {
      path: `/v1/enrollment/alteration/${altered}`,
      body: { 'alteration-data': { 'new-product-id': company.products[premium] } },
    },
  ],
  alterMembers: ({ company, altered }) =>
    ['?dry-run=true', ''].map((query) => ({
      path: `/v1/enrollment/alteration${query}`,
      body: {
        'company-tax-id': company.taxId,
        members: [{ 'tax-id': altered, 'alteration-data': { phone: '11987654321' } }],
      },
    })),
  excludeDependent: (of) => [
    { path: `/v1/enrollment/exclusion/${of.child}/dependent-of/${of.primary}?resolution=approve`, body: exclusion },
  ],
  excludeByProduct: ({ company, primary: cpf }) => [
    { path: `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`, body: exclusion },
  ],
  excludeByBenefit: ({ leaving, benefitId }) => [
    { path: `/v1/enrollment/exclusion/${leaving}/benefit/${benefitId}`, body: exclusion },
  ],
  excludeMembers: ({ company, dismissed }) =>
    ['?dry-run=true', ''].map((query) => ({
      path: `/v1/enrollment/exclusion${query}`,
      body: { 'company-tax-id': company.taxId, members: [{ 'tax-id': dismissed, ...exclusion }] },
    })),
  excludeFromCompany: ({ company, departing }) => [
    { path: `/v1/enrollment/exclusion/${departing}/company/${company.taxId}`, body: exclusion },
  ],
}

const roles = ['analyst', 'finance', 'auditor'] as const
type Role = (typeof roles)[number]

/** The roles that may make each operator call, beside `admin`, as the description of `createOperator` says. */
const mayCall: Record<string, readonly Role[]> = {
  putCompany: [],
  readAnyCompany: roles,
  searchCompanies: roles,
  listCarriers: roles,
  readCarrier: roles,
  putCarrier: ['analyst'],
  readImportTable: ['analyst', 'auditor'],
  readColumnProfile: ['analyst', 'auditor'],
  putColumnProfile: ['analyst'],
  deleteColumnProfile: ['analyst'],
  createContract: ['analyst'],
  listContracts: roles,
  readContract: roles,
  putContract: ['analyst'],
  readContractCalendar: roles,
  readContractChannel: ['analyst'],
  putContractChannel: [],
  listCutOffs: roles,
  createLayout: ['analyst'],
  listLayouts: roles,
  readLayout: roles,
  putLayout: ['analyst'],
  previewLayout: ['analyst'],
  listClaims: roles,
  readClaim: roles,
  exportClaim: roles,
  createClaim: ['finance'],
  moveClaim: ['finance'],
  deleteClaim: ['finance'],
  listClosings: roles,
  readClosingChecklist: roles,
  readClosing: roles,
  closeMonth: ['finance'],
  reopenMonth: [],
  listSubjectRequests: [],
  readSubjectRequest: [],
  createSubjectRequest: [],
  moveSubjectRequest: [],
  readErasurePlan: [],
  planErasure: [],
  approveErasure: [],
  retryErasure: [],
  readRetention: ['auditor'],
  runRetention: [],
  listLegalHolds: ['auditor'],
  setLegalHold: [],
  releaseLegalHold: [],
  requestSubjectRequestFile: [],
  readSubjectRequestFile: [],
  listMemberDisclosures: ['auditor'],
  listPriceTables: roles,
  readPriceTable: roles,
  putPriceTable: ['finance'],
  adjustPriceTable: ['finance'],
  deletePriceTable: ['finance'],
  listContributionRules: roles,
  readContributionRule: roles,
  putContributionRule: ['finance'],
  deleteContributionRule: ['finance'],
  readExpectedInvoice: roles,
  listCompanyCosts: roles,
  listTaxFigures: ['finance'],
  previewPayroll: ['finance', 'auditor'],
  readPayrollProfile: ['finance', 'auditor'],
  putPayrollProfile: ['finance'],
  deletePayrollProfile: ['finance'],
  listPayrollExports: ['finance', 'auditor'],
  createPayrollExport: ['finance'],
  readPayrollExportFile: ['finance'],
  uploadCarrierFile: ['analyst', 'finance'],
  listCarrierFiles: roles,
  readCarrierFile: roles,
  readCarrierFileContent: ['analyst', 'finance'],
  deleteCarrierFile: ['analyst', 'finance'],
  listCarrierLines: roles,
  findCarrierFileBenefits: ['analyst', 'finance'],
  linkCarrierLine: ['analyst', 'finance'],
  createReconciliation: ['analyst', 'finance'],
  repeatReconciliation: ['analyst', 'finance'],
  listReconciliations: roles,
  readReconciliation: roles,
  listDiscrepancies: roles,
  changeDiscrepancies: ['analyst', 'finance'],
  exportDiscrepancies: roles,
  correctDiscrepancy: ['analyst'],
  listRequirementRules: roles,
  readRequirementRule: roles,
  putRequirementRule: ['analyst'],
  deleteRequirementRule: ['analyst'],
  simulateRequirements: roles,
  listViews: ['analyst', 'auditor'],
  putView: ['analyst'],
  deleteView: ['analyst'],
  search: roles,
  waiveRequirement: ['analyst'],
  calculateAnyContinuation: roles,
  listAllContinuations: ['analyst', 'auditor'],
  readAnyContinuation: ['analyst', 'auditor'],
  readAnyExclusionNotice: ['analyst'],
  readAnyContinuationNotice: ['analyst'],
  readAnyContinuationOptionForm: ['analyst'],
  createContinuation: ['analyst'],
  offerContinuation: ['analyst'],
  answerContinuation: ['analyst'],
  endContinuation: ['analyst'],
  listAgeingOut: ['analyst', 'auditor'],
  listDraftExclusions: ['analyst', 'auditor'],
  confirmDraftExclusion: ['analyst'],
  discardDraftExclusion: ['analyst'],
  listFailedSteps: ['analyst', 'finance', 'auditor'],
  retryFailedStep: [],
  deleteFailedStep: [],
  createClient: [],
  listClients: ['auditor'],
  revokeClient: [],
  rotateClientSecret: [],
  grantCompany: [],
  revokeCompany: [],
  createOperator: [],
  listOperators: ['analyst', 'auditor'],
  changeOperatorRole: [],
  endFormerClientSecret: [],
  endFormerOperatorSecret: [],
  removeOperator: [],
  rotateOperatorSecret: [],
  createPerson: [],
  createPersonLink: [],
  changePerson: [],
  blockPerson: [],
  unblockPerson: [],
  listPeople: ['auditor'],
  readPerson: ['auditor'],
  // The others their own.
  endOperatorSessions: [],
  readSession: roles,
  endSession: roles,
  readAccount: roles,
  changePassword: roles,
  endOtherSessions: roles,
  readNewPasskeyOptions: roles,
  createPasskey: roles,
  deletePasskey: roles,
  listEnrollmentQueue: ['analyst', 'auditor'],
  exportEnrollmentQueue: ['analyst', 'auditor'],
  readCompanyHeadcount: ['analyst', 'finance', 'auditor'],
  exportCompanyRoster: ['analyst', 'auditor'],
  countEnrollments: ['analyst', 'auditor'],
  listDeadlines: ['analyst', 'auditor'],
  readStatistics: ['analyst', 'auditor'],
  readInvoiceStatistics: roles,
  assignEnrollment: ['analyst'],
  addEnrollmentNote: ['analyst'],
  listEnrollmentNotes: ['analyst', 'auditor'],
  listShipments: ['analyst', 'finance', 'auditor'],
  readShipment: ['analyst', 'finance', 'auditor'],
  listShipmentItems: ['analyst', 'finance', 'auditor'],
  readShipmentFile: ['analyst'],
  closeShipment: ['analyst'],
  reopenShipment: ['analyst'],
  cancelShipment: ['analyst'],
  sendShipment: ['analyst'],
  finishShipment: ['analyst'],
  deliverShipment: ['analyst'],
  stopShipmentDelivery: ['analyst'],
  listShipmentDeliveries: ['analyst', 'finance', 'auditor'],
  readShipmentEmail: ['analyst'],
  putShipmentItemProtocol: ['analyst'],
  searchMembers: ['analyst', 'auditor'],
  readAnyMember: ['analyst', 'auditor'],
  discloseMember: ['analyst'],
  listAllBenefits: ['analyst', 'auditor'],
  listAllRequests: ['analyst', 'auditor'],
  readAnyRequest: ['analyst', 'auditor'],
  listImports: ['analyst', 'auditor'],
  listAllInvoices: ['finance', 'auditor'],
  readAnyInvoice: ['finance', 'auditor'],
  downloadAnyInvoice: ['finance', 'auditor'],
  deleteInvoice: ['finance'],
  deleteInvoiceFile: ['finance'],
  moveEnrollment: ['analyst'],
  moveEnrollments: ['analyst'],
  decideEnrollments: ['analyst'],
  acknowledgeShipment: ['analyst'],
  listDecisionJobs: ['analyst', 'auditor'],
  readDecisionJob: ['analyst', 'auditor'],
  readDecisionJobResult: ['analyst', 'auditor'],
  undoDecisions: ['analyst'],
  listEnrollmentDocuments: ['analyst', 'auditor'],
  readEnrollmentDocument: ['analyst', 'auditor'],
  readMovement: ['analyst', 'auditor'],
  endBenefit: ['analyst'],
  correctBenefit: ['analyst'],
  requestSecondCard: ['analyst'],
  requestContractTransfer: ['analyst'],
  putInvoice: ['finance'],
  markInvoiceFile: ['finance'],
  putInvoiceFile: ['finance'],
  listAudit: ['auditor'],
  verifyAuditChain: ['auditor'],
  readClock: roles,
  advanceClock: [],
  listAllWebhookEndpoints: ['analyst', 'auditor'],
  readAnyWebhookEndpoint: ['analyst', 'auditor'],
  listAllWebhookDeliveries: ['analyst', 'auditor'],
  readAnyWebhookEvent: ['analyst', 'auditor'],
  redeliverAnyWebhookEvent: ['analyst'],
  readImport: ['analyst', 'auditor'],
  listImportErrors: ['analyst', 'auditor'],
  importMembers: ['analyst'],
  readImportTemplate: ['analyst', 'auditor'],
}

/** Operations that need no token; none of them reads a company's rows but the uploads, whose URL is signed, and those of an onboarding link. */
const withoutToken = [
  'authenticate',
  'calculateOnboardingPrice',
  'createSession',
  'createSessionByPasskey',
  'deleteOnboardingDocument',
  'readHealth',
  'readHome',
  'readKeySet',
  'readLiveness',
  'readMetrics',
  'readOpenApi',
  'readOwnOnboarding',
  'readPasskeyOptions',
  'readPersonLink',
  'readReadiness',
  'readSignInOptions',
  'setPassword',
  'startOnboardingSession',
  'submitOnboarding',
  'uploadDocument',
  'uploadDocumentByPost',
  'uploadOnboardingDocument',
]

test('every operation of openapi.json is in one of the tables', () => {
  const idsOf = (api: Operation['api']) =>
    ofApi(api)
      .map(({ id }) => id)
      .toSorted()
  // The clock of the demo is nowhere else.
  expect([...Object.keys(partnerCalls), 'advanceDemoClock'].toSorted()).toEqual(idsOf('partner'))
  expect(Object.keys(mayCall).toSorted()).toEqual(idsOf('operator'))
  expect(withoutToken).toEqual(idsOf(null))
})

const takesSessions = (id: string) => operations.find((operation) => operation.id === id)?.takesSessions === true
const methodOf = (id: string) => operations.find((operation) => operation.id === id)?.method ?? ''
const keys = new Map<string, string>()

/** Makes the call. A POST has an Idempotency-Key, the same for everybody who makes the same call. */
async function make(id: string, { path, body, type }: Call, caller: string | null | Browser): Promise<ApiResponse> {
  const method = methodOf(id)
  const key = keys.get(path) ?? randomUUID()
  keys.set(path, key)
  const headers: Record<string, string> = {
    ...(method === 'POST' ? { 'idempotency-key': key } : {}),
    ...(type === undefined ? {} : { 'content-type': type }),
  }
  if (caller !== null && typeof caller === 'object') return caller.call(method, path, body, headers)
  return testApp.call(method, path, { token: caller, headers, ...(body === undefined ? {} : { body }) })
}

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
const marksIn = (response: ApiResponse, { marks }: Tenant) => marks.filter((mark) => response.text.includes(mark))

/** A digest of each table's rows of the company, without the tables that the worker continues to write. */
async function rowsOf({ company }: Tenant): Promise<Json> {
  const tables = await testApp.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'company_id'
       and table_name not in ('audit', 'audit_pending', 'event', 'event_batch', 'webhook_delivery', 'webhook_fan_out', 'work') order by 1`,
  )
  const digests = tables.map(
    ({ name }) =>
      `(select md5(string_agg(t::text, ',' order by t::text)) from ${name} t where company_id = $1) as ${name}`,
  )
  const [row] = await testApp.sql(`select ${digests.join(', ')}`, [company.id])
  return row
}

/** @param caller who is entitled to the other company only. */
async function expectForeignRefused(caller: string | Browser = theirs.partner.token): Promise<void> {
  // What our own calls have accepted is processed first.
  await until(
    () => testApp.sql<{ n: number }>('select count(*)::int as n from work where company_id = $1', [ours.company.id]),
    ([work]) => work?.n === 0,
  )
  const before = await rowsOf(ours)
  for (const [id, callsOf] of Object.entries(partnerCalls)) {
    for (const call of callsOf(ours)) {
      const response = await make(id, call, caller)
      const isOpen = call.isOpen === true && (typeof caller === 'string' || takesSessions(id))
      const allowed = isOpen ? [200] : [403, 404]
      expect({ id, call, allowed, status: response.status }).toEqual({
        id,
        call,
        allowed,
        status: allowed.find((status) => status === response.status),
      })
      expect({ id, call, marks: marksIn(response, ours) }).toEqual({ id, call, marks: [] })
    }
  }
  expect(await rowsOf(ours)).toEqual(before)
}

describe('a partner operation', () => {
  test('is 401 for a revoked client, an operator and a caller without a token', async () => {
    const before = await rowsOf(ours)
    for (const [id, callsOf] of Object.entries(partnerCalls)) {
      for (const call of callsOf(ours)) {
        for (const token of [revoked.token, testApp.operator.token, null]) {
          const response = await make(id, call, token)
          expect([id, call.path, response.status, response.body.error]).toEqual([
            id,
            call.path,
            401,
            'Invalid credentials',
          ])
        }
      }
    }
    expect(await rowsOf(ours)).toEqual(before)
  })

  test('is 403 or 404 for a client of another company that names ours, or shows it nothing of ours', () =>
    expectForeignRefused())

  test('succeeds for our client, and shows it nothing of the other company', async () => {
    for (const [id, callsOf] of Object.entries(partnerCalls)) {
      for (const call of callsOf(ours)) {
        const response = await make(id, call, ours.partner.token)
        expect([id, call.path, [200, 204].includes(response.status), response.text]).toEqual([
          id,
          call.path,
          true,
          response.text,
        ])
        expect({ id, call, marks: marksIn(response, theirs) }).toEqual({ id, call, marks: [] })
      }
    }
  })

  test('shows its own client nothing of the contract with the carrier, its layout and its shipments', async () => {
    const names = [
      'contract-id',
      'contract-number',
      'carrier-company-code',
      'plan-code',
      'code-map',
      'layout',
      'shipment',
    ]
    const secrets = [...names, ...ours.contract]
    for (const [id, callsOf] of Object.entries(partnerCalls)) {
      if (methodOf(id) !== 'GET') continue
      for (const call of callsOf(ours)) {
        const { text } = await make(id, call, ours.partner.token)
        expect({ id, call, seen: secrets.filter((secret) => text.includes(secret)) }).toEqual({ id, call, seen: [] })
      }
    }
  })

  test('is refused to the other client under the Idempotency-Key of our successful call, too', () =>
    expectForeignRefused())

  test('shows a client of both companies the rows of both, until one entitlement is revoked', async () => {
    const broker = await testApp.partner(ours.company.taxId, theirs.company.taxId)
    const reads = Object.entries(partnerCalls).filter(([id]) =>
      /^list(EnrollmentHistory|Members|Benefits|Companies|Products|PendingInvoices|Invoices|Requests)$/.test(id),
    )
    const seen = async (id: string, { path }: Call) => {
      const response = expectOk(await testApp.call(methodOf(id), path, { token: broker.token }))
      return [marksIn(response, ours).length > 0, marksIn(response, theirs).length > 0]
    }
    const open = reads.flatMap(([id, callsOf]) =>
      callsOf(ours)
        .filter(({ isOpen }) => isOpen)
        .map((call) => ({ id, call })),
    )
    for (const { id, call } of open) expect([call.path, await seen(id, call)]).toEqual([call.path, [true, true]])
    expectOk(await testApp.operator.delete(`/operator/v1/client/${broker.clientId}/company/${ours.company.taxId}`))
    for (const { id, call } of open) expect([call.path, await seen(id, call)]).toEqual([call.path, [false, true]])
  })
})

describe('a person of a company', () => {
  const hrOf = async (...taxIds: string[]) => {
    const { id, email, password } = await personOf(testApp, 'company-hr', ...taxIds)
    expectOk(
      await testApp.call('PATCH', `/operator/v1/person/${id}`, {
        token: testApp.operator.token,
        body: { 'see-money': true },
      }),
    )
    return signInAs(testApp, email, password)
  }

  test('of another company is refused as its partner is', async () => {
    await expectForeignRefused(await hrOf(theirs.company.taxId))
  })

  test('of the company may do what its partner may, but for what programs do, and sees nothing of the others', async () => {
    const tenant = await openTenant('Cicuta', nextCpf())
    const hr = await hrOf(tenant.company.taxId)
    const slot = expectOk(await hr.call('POST', '/v1/enrollment/document-upload-url')).body
    expectOk(
      await testApp.call('PUT', pathOf(slot['upload-url']), {
        body: pdf,
        headers: { 'content-type': 'application/pdf' },
      }),
    )
    const own = { ...tenant, documentId: slot['document-id'] }
    for (const [id, callsOf] of Object.entries(partnerCalls)) {
      for (const call of callsOf(own)) {
        const response = await make(id, call, hr)
        const allowed = takesSessions(id) ? [200, 204] : [403]
        expect([id, call.path, allowed.includes(response.status), response.text]).toEqual([
          id,
          call.path,
          true,
          response.text,
        ])
        for (const other of [ours, theirs]) {
          expect({ id, call, marks: marksIn(response, other) }).toEqual({ id, call, marks: [] })
        }
      }
    }
  })

  test('is refused by every operation of operators, but those of its own session and account', async () => {
    const hr = await hrOf(ours.company.taxId)
    const open: string[] = []
    for (const operation of ofApi('operator')) {
      if (operation.id === 'endSession') continue
      const path = operation.path.replaceAll(/\{[^}]+\}/g, '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
      const response = await hr.call(operation.method, path)
      if (response.status !== 403) open.push(operation.id)
      else expect([operation.id, response.body.code]).toEqual([operation.id, 'role-not-allowed'])
    }
    expect(open).toEqual([
      'readSession',
      'readAccount',
      'changePassword',
      'endOtherSessions',
      'readNewPasskeyOptions',
      'createPasskey',
      'deletePasskey',
    ])
    expect((await hr.call('DELETE', '/operator/v1/session')).status).toBe(204)
  })

  test('is refused by every operation of partners with a call from a page of another site, where it writes also without a sign of its own', async () => {
    const hr = await hrOf(ours.company.taxId)
    for (const [id, callsOf] of Object.entries(partnerCalls)) {
      if (!takesSessions(id)) continue
      const [call] = callsOf(ours)
      if (call === undefined) continue
      const forms: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        {},
      ]
      for (const headers of forms) {
        if (methodOf(id) === 'GET' && Object.keys(headers).length === 0) continue
        const { path, body, type = 'application/json' } = call
        const sent = { cookie: hr.cookie, 'content-type': type, ...headers }
        const response = await testApp.call(methodOf(id), path, { headers: sent, body })
        expect([id, headers, response.status, response.body.code]).toEqual([id, headers, 403, 'cross-site-request'])
      }
    }
  })
})

test('a POST of a partner stores its response in the transaction of what it does: where it cannot, nothing is done', async () => {
  await testApp.sql(`create function refuse_response() returns trigger language plpgsql as
    $$ begin raise exception 'no response is stored' using errcode = 'query_canceled'; end $$`)
  await testApp.sql(`create trigger refuse_response before update on idempotency_key for each row
    when (new.status is not null) execute function refuse_response()`)
  const counts = () =>
    testApp.sql(`select (select count(*) from request) as requests, (select count(*) from document) as documents,
      (select count(*) from webhook_endpoint) as endpoints, (select count(*) from audit) as audit_rows,
      (select md5(string_agg(w::text, ',' order by id)) from webhook_endpoint w) as endpoint_rows`)
  try {
    for (const [id, callsOf] of Object.entries(partnerCalls)) {
      // Reading a table stores nothing, and its response is a file that is sent from the disk.
      if (methodOf(id) !== 'POST' || id === 'readTable') continue
      for (const { path, body, type = 'application/json' } of callsOf(theirs)) {
        if (path.endsWith('?dry-run=true')) continue
        const before = [await counts(), await rowsOf(theirs)]
        const headers = { 'idempotency-key': randomUUID(), 'content-type': type }
        const response = await theirs.partner.post(path, body, headers)
        expect([id, response.status]).toEqual([id, 503])
        expect([id, await counts(), await rowsOf(theirs)]).toEqual([id, ...before])
      }
    }
  } finally {
    await testApp.sql('drop function refuse_response cascade')
  }
})

test('an upload needs the signature of its own document', async () => {
  const [own, other] = [new URL(theirs.slot.url), new URL(ours.slot.url)]
  for (const method of ['PUT', 'POST']) {
    const headers = { 'content-type': 'application/pdf' }
    const path = other.pathname + own.search
    const response = await testApp.call(method, path, { headers, body: pdf })
    expect([method, response.status]).toEqual([method, 404])
  }
})

test('an onboarding link opens its own invitation only', async () => {
  const [own, other] = [
    await invited(theirs.partner, invitationBody(theirs.company)),
    await invited(ours.partner, invitationBody(ours.company)),
  ]
  const [page, stranger] = [await openPage(testApp, own), await openPage(testApp, other)]
  const documentId = await stranger.upload()
  expect((await page.call('DELETE', `document/${documentId}`)).status).toBe(404)
  const documents = [{ 'document-id': documentId, 'document-type': 'other' }]
  const submission = submissionOf(own)
  expect((await page.submit({ ...submission, member: { ...submission.member, documents } })).status).toBe(400)
  expect((await page.submit(submissionOf(other))).status).toBe(400)
  const mixed = { ...page.headers, 'onboarding-token': other.token }
  for (const [method, path, body] of [
    ['GET', 'invitation', undefined],
    ['POST', 'price', { 'dates-of-birth': [] }],
    ['POST', 'document', pdf],
    ['DELETE', `document/${documentId}`, undefined],
    ['POST', 'submission', submissionOf(other)],
  ] as const) {
    for (const headers of [mixed, { ...page.headers, 'onboarding-token': 'A'.repeat(43) }, {}]) {
      const response = await testApp.call(method, `/onboarding/v1/${path}`, { body, headers })
      expect([path, [401, 410].includes(response.status), marksIn(response, ours)]).toEqual([path, true, []])
    }
  }
})

describe('an operator operation', () => {
  const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

  /** A well-formed call that names nothing that exists. */
  const callOf = ({ id, path, example }: Operation): Call & { headers?: Record<string, string> } => {
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
      name.includes('tax-id')
        ? '11222333000181'
        : ['position', 'requirement', 'line-number'].includes(name)
          ? '1'
          : unknown,
    )
    if (id === 'putInvoiceFile') {
      const query = '?name=boleto.pdf&type=payment-slip&payment-slip-due-date=2026-12-10'
      return { path: filled + query, body: pdf, headers: { 'content-type': 'application/pdf' } }
    }
    if (id === 'uploadCarrierFile') {
      const query = `?contract-id=${unknown}&kind=roster&reference-month=2026-11`
      return { path: filled + query, body: pdf, headers: { 'content-type': 'text/csv' } }
    }
    if (id === 'findCarrierFileBenefits') return { path: `${filled}?q=helena` }
    if (id === 'listTaxFigures') return { path: `${filled}?year=2026` }
    if (['previewPayroll', 'listPayrollExports'].includes(id))
      return { path: `${filled}?company-tax-id=11222333000181&reference-month=2026-11` }
    if (['importMembers', 'decideEnrollments', 'acknowledgeShipment'].includes(id))
      return { path: filled, body: '{}\n', headers: { 'content-type': 'application/x-ndjson' } }
    return { path: filled, ...(example === undefined ? {} : { body: example }) }
  }
  const makeAs = (operation: Operation, token: string | null) => {
    const { path, body, headers = {} } = callOf(operation)
    return testApp.call(operation.method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  }

  test('is 401 for a removed operator, a partner and a caller without a token', async () => {
    const removed = await testApp.operatorOf('admin')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${removed.clientId}`))
    for (const operation of ofApi('operator')) {
      for (const token of [removed.token, ours.partner.token, null]) {
        const response = await makeAs(operation, token)
        expect([operation.id, response.status, response.body.error]).toEqual([operation.id, 401, 'Invalid credentials'])
      }
    }
  })

  test.each(roles)('is 403 for the role %s exactly where the role may not make it', async (role) => {
    const { token } = await testApp.operatorOf(role)
    for (const operation of ofApi('operator')) {
      const response = await makeAs(operation, token)
      const isRefused = response.status === 403 && response.body.error === 'Not allowed for this role'
      expect([operation.id, isRefused]).toEqual([operation.id, !mayCall[operation.id]?.includes(role)])
    }
  })

  test('is open to an admin', async () => {
    const { token } = await testApp.operatorOf('admin')
    for (const operation of ofApi('operator')) {
      const response = await makeAs(operation, token)
      expect([operation.id, response.body?.error]).not.toEqual([operation.id, 'Not allowed for this role'])
    }
  })

  test('declares 403 wherever a role may not make it', () => {
    const silent = ofApi('operator').filter(
      ({ id, statuses }) => (mayCall[id]?.length ?? 0) < roles.length && !statuses.includes('403'),
    )
    expect(silent.map(({ id }) => id)).toEqual([])
  })
})
