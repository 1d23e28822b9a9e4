import { expect } from 'vitest'
import { discrepanciesOf, reconcile, upload as uploadRoster } from '../carrier-file.ts'
import { benefitsOf, createContinuation } from '../continuation.ts'
import { calendar, makeContract } from '../contract.ts'
import { movementDraft } from '../draft.ts'
import { putFile, putInvoice } from '../invoice.ts'
import { childOf, invitationBody, invitationPath, invited, openPage, submissionOf } from '../onboarding.ts'
import { makeEndpoint } from '../receiver.ts'
import { rosterSync } from '../roster-sync.ts'
import { insertExport, payrollProfile } from '../payroll.ts'
import { act, moved, openShipmentOf } from '../shipment.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  nextCpf,
  primary,
  type TestApp,
  until,
} from '../test-app.ts'
import { newSlot, upload } from '../upload.ts'

interface Submission {
  readonly id: string
  readonly documentId: string
  readonly submittedAt: string
}

/** A company with everything that a call can name, and its partner. */
export interface Tenant {
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
  readonly payrollExportId: string
  readonly fileId: string
  readonly endpointId: string
  readonly eventId: string
  /** Submissions of employees, with a document: to be returned, and to be approved. */
  readonly onboarding: readonly [Submission, Submission]
  /** Movement drafts: to be confirmed, and to be withdrawn. */
  readonly drafts: readonly [string, string]
  /** Roster syncs: to get a list, and to be cancelled. */
  readonly syncs: readonly [string, string]
  /** The body of another invitation. */
  readonly invitation: Json
  /** What shows that a response holds something of this company. */
  readonly marks: readonly string[]
  /** The ids of its contract with the carrier, its layout and its shipments: no partner sees them. */
  readonly contract: readonly string[]
}

/** Includes somebody who asks for the exclusion. @returns its id. */
async function exclusionOnRequest(testApp: TestApp, company: Company, partner: Client, member: Json): Promise<string> {
  await testApp.include(partner, company, [member], '?resolution=approve')
  const body = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'requested-by-beneficiary' } }
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${company.products[health]}`
  const { 'request-id': id } = expectOk(await partner.post(path, body)).body
  const { 'status-by-tax-id': parts } = await testApp.finished(partner, id)
  return parts[member['tax-id']][health]['enrollment-id']
}

/** @param word stands in the names of its people. @param shared the CPF of somebody who is in other companies, too. */
export async function openTenant(
  testApp: TestApp,
  { company, partner }: Pick<Tenant, 'company' | 'partner'>,
  word: string,
  shared = nextCpf(),
): Promise<Tenant> {
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
  const contract = await sendToCarrier(testApp, company, word)
  const differing = await compareRoster(testApp, contract[0] ?? '', word)
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
  const requested = await exclusionOnRequest(testApp, company, partner, primary(named))
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
  const payrollExportId = await insertExport(testApp, company, memberId)
  const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': '2026-11' }
  expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, profile))
  const [kept] = await benefitsOf(partner, mother['tax-id'])
  const continuation = await createContinuation(testApp, { benefitId: kept?.['benefit-id'] })
  const continuationId = continuation['continuation-id']
  const requestId = request['request-id']
  const drafts = [
    await movementDraft(partner, company, dismissed['tax-id']),
    await movementDraft(partner, company, departing['tax-id']),
  ] as const
  const syncs = [await rosterSync(partner, company), await rosterSync(partner, company)] as const
  const onboarding = [
    await onboard(testApp, company, partner, named),
    await onboard(testApp, company, partner, named),
  ] as const
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
    payrollExportId,
    fileId,
    endpointId,
    eventId: event.id,
    onboarding,
    drafts,
    syncs,
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
      payrollExportId,
      encodeURIComponent(invoiceId),
      fileId,
      endpointId,
      event.id,
      ...drafts,
      ...syncs,
      ...onboarding.flatMap(({ id, documentId: file }) => [id, file]),
      ...contract,
      ...differing,
    ],
  }
}

/** Compares a roster that has nobody of the company. @returns the ids of the comparison and of what differs. */
async function compareRoster(testApp: TestApp, contractId: string, word: string): Promise<string[]> {
  const file = await uploadRoster(testApp, { contractId }, `name;card-number\nPessoa ${word};77\n`)
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  const found = await discrepanciesOf(testApp, id)
  expect(found.length).toBeGreaterThan(1)
  return [id, ...found.map((one) => one['discrepancy-id'] as string)]
}

/** An employee who was invited has sent the data. */
async function onboard(testApp: TestApp, company: Company, partner: Client, named: Json): Promise<Submission> {
  const link = await invited(partner, invitationBody(company, { name: named.name }))
  const page = await openPage(testApp, link)
  const documentId = await page.upload()
  const documents = [{ 'document-id': documentId, 'document-type': 'other' }]
  expectOk(await page.submit(submissionOf(link, { dependents: [childOf(company, { ...named, documents })] })))
  const { result } = expectOk(await partner.get(`${invitationPath}/${link.id}`)).body
  return { id: link.id, documentId, submittedAt: result['submitted-at'] }
}

/** Makes a contract of the company and sends its first shipment. @returns what is the operators' of it. */
async function sendToCarrier(testApp: TestApp, company: Company, word: string): Promise<string[]> {
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
    'show-discrepancies': true,
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
