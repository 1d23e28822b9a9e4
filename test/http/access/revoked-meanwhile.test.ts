import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  nextCnpj,
  nextCpf,
  useTestApp,
  premium,
  primary,
} from '../../world/test-app.ts'
import { whileLocked } from '../../world/locked-table.ts'
import { continuationBody, createContinuation, makeFamily } from '../../world/continuation.ts'
import { bands } from '../../data/prices.ts'
import { payrollOfMonth, payrollProfile } from '../../world/payroll.ts'
import { pricedContract, putBands } from '../../world/price.ts'
import {
  discrepanciesOf,
  filePath as carrierFilePath,
  readFile,
  reconcile,
  reconciliationPath,
} from '../../world/carrier-file.ts'
import { compareInvoice, known, workedEntries, workedPeople } from '../../world/worked-invoice.ts'
import { openDrafts } from '../../world/draft.ts'
import { putStepAside } from '../../world/failed-step.ts'
import { contractBody, makeContract } from '../../world/contract.ts'
import { filePath, invoiceBody } from '../../world/invoice.ts'
import { act, enroll, moved, openShipmentOf, openShipper, type Shipper, shipmentPath } from '../../world/shipment.ts'
import { makePasskey } from '../../world/authenticator.ts'
import { invitationBody, invitationPath, invited, submitted } from '../../world/onboarding.ts'
import { invite, linkToken, personOf, setPassword, signInAs } from '../../world/person.ts'
import { newSlot, pdf } from '../../world/upload.ts'

/*
 * A client that is revoked, or an entitlement that ends, while a write waits for a lock: nothing is written. What makes the order of
 * things certain is locks that the test holds.
 */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})
interface Person {
  readonly taxId: string
  readonly childTaxId: string
  readonly benefitId: string
}

/** A primary with a child, both active in the product. */
async function family(partner: Client): Promise<Person> {
  const member = primary()
  const child = primary({
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': member['tax-id'],
    'dependent-type': 'child',
  })
  await testApp.include(partner, company, [member, child], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id=${member['tax-id']}`)).body
  return {
    taxId: member['tax-id'],
    childTaxId: child['tax-id'],
    benefitId: result[0].benefits[0]['benefit-id'],
  }
}

const leaving = (more: object = {}) => ({
  'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal', ...more },
})

const movements: [what: string, (partner: Client, person: Person) => Promise<ApiResponse>][] = [
  [
    'an exclusion as a dependent',
    (partner, { taxId, childTaxId }) =>
      partner.post(`/v1/enrollment/exclusion/${childTaxId}/dependent-of/${taxId}`, leaving()),
  ],
  [
    'an exclusion by product',
    (partner, { taxId }) =>
      partner.post(`/v1/enrollment/exclusion/${taxId}/product/${company.products[health]}`, leaving()),
  ],
  [
    'an exclusion by benefit',
    (partner, { taxId, benefitId }) =>
      partner.post(`/v1/enrollment/exclusion/${taxId}/benefit/${benefitId}?resolution=approve`, leaving()),
  ],
  [
    'an alteration',
    (partner, { taxId }) =>
      partner.post(`/v1/enrollment/alteration/${taxId}`, {
        'company-tax-id': company.taxId,
        'alteration-data': { 'new-product-id': company.products[premium] },
      }),
  ],
]

const lockBenefits = () => `select from benefit where company_id = '${company.id}' for update`

const written = () =>
  testApp.sql(
    `select (select count(*) from request) as requests, (select count(*) from enrollment) as enrollments,
       (select count(*) from benefit where status = 'active') as active, (select count(*) from event) as events`,
  )

describe('while a movement waits for the benefits of its member', () => {
  test.each(movements)('%s of a client revoked meanwhile gets 401 and does nothing', async (_what, move) => {
    const partner = await testApp.partner(company.taxId)
    const person = await family(partner)
    const before = await written()
    const [response] = await whileLocked(testApp, lockBenefits(), [() => move(partner, person)], async () => {
      // The revocation does not wait for the calls that wait.
      expect((await testApp.operator.delete(`/operator/v1/client/${partner.clientId}`)).status).toBe(204)
    })
    expect([response?.status, response?.body.error]).toEqual([401, 'Invalid credentials'])
    expect(await written()).toEqual(before)
  })

  test.each(movements)(
    '%s of a company whose entitlement ended meanwhile gets 403 and does nothing',
    async (_what, move) => {
      const partner = await testApp.partner(company.taxId)
      const person = await family(partner)
      const before = await written()
      const entitlement = `/operator/v1/client/${partner.clientId}/company/${company.taxId}`
      const [response] = await whileLocked(testApp, lockBenefits(), [() => move(partner, person)], async () => {
        expect((await testApp.operator.delete(entitlement)).status).toBe(204)
      })
      expect([response?.status, response?.body.error]).toEqual([
        403,
        expect.stringMatching(/^You are not authorized to /),
      ])
      expect(await written()).toEqual(before)
    },
  )

  test('an exclusion goes on in the company that is left', async () => {
    const other = await testApp.company()
    const partner = await testApp.partner(company.taxId, other.taxId)
    const member = primary()
    await testApp.include(partner, company, [member], '?resolution=approve')
    await testApp.include(partner, other, [member], '?resolution=approve')
    const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${other.products[health]}`
    const [response] = await whileLocked(testApp, lockBenefits(), [() => partner.post(path, leaving())], () =>
      testApp.operator.delete(`/operator/v1/client/${partner.clientId}/company/${company.taxId}`),
    )
    expect(response?.status).toBe(200)
  })
})

/** Writes that a caller may make any number of times, as long as they are refused. */
interface Write {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Default: 401. */
  readonly refusal?: number
}

const revocation = (clientId: string) => `update client set revoked_at = now() where id = '${clientId}'`

/** Makes each write wait for the revocation of its client, which then commits, and undoes it for the next one. */
async function refusals(
  client: Pick<Client, 'clientId' | 'token'>,
  writes: readonly Write[],
): Promise<Record<string, number | undefined>> {
  const seen: Record<string, number | undefined> = {}
  for (const { operation, method, path, body, headers } of writes) {
    const token = path.startsWith('/upload') || headers?.['cookie'] !== undefined ? null : client.token
    const call = () => testApp.call(method, path, { token, body, headers: headers ?? {} })
    const [response] = await whileLocked(testApp, revocation(client.clientId), [call])
    seen[operation] = response?.status
    await testApp.sql('update client set revoked_at = null where id = $1', [client.clientId])
  }
  return seen
}

const expected = (writes: readonly Write[]) =>
  Object.fromEntries(writes.map(({ operation, refusal = 401 }) => [operation, refusal]))

const everything = () =>
  testApp.sql(
    `select (select count(*) from audit) as audit, (select count(*) from request) as requests,
       (select count(*) from enrollment) as enrollments, (select count(*) from document) as documents,
       (select count(*) from document where uploaded_at is not null) as filled, (select count(*) from client) as clients,
       (select json_agg(row(id, role, revoked_at) order by id)::text from client) as roles,
       (select json_agg(person order by client_id)::text from person) as people, (select count(*) from webhook_delivery where company_id is null) as deliveries,
       (select count(*) from company) as companies, (select count(*) from entitlement) as entitlements,
       (select json_agg(row(client_id, slot, hash) order by client_id, slot)::text from client_secret) as secrets,
       (select count(*) from webhook_endpoint where deleted_at is null) as endpoints, (select count(*) from event) as events,
       (select json_agg(row(id, updated_at) order by id)::text from webhook_endpoint) as changed,
       (select json_agg(id order by id)::text from operator_session) as sessions,
       (select count(*) from invoice) as invoices, (select count(*) from invoice_file) as files,
       (select json_agg(row(id, status, end_date) order by id)::text from benefit) as benefits,
       (select json_agg(row(id, status) order by id)::text from enrollment) as statuses,
       (select json_agg(row(id, status) order by id)::text from shipment) as shipments,
       (select json_agg(row(id, status, notice_date) order by id)::text from continuation) as continuations, (select count(*) from layout) as layouts,
       (select json_agg(row(id, updated_at) order by id)::text from requirement_rule) as rules, (select json_agg(row(id, updated_at))::text from saved_view) as views, (select json_agg(row(id, status) order by id)::text from onboarding_invitation) as invitations, (select count(*) from enrollment_note) as notes,
       (select json_agg(row(id, status, file_requested_at) order by id)::text from subject_request) as requests_of_people, (select count(*) from decision_job) as jobs, (select count(*) from member) as members`,
  )

const done = new Set<string>()

test('a write of a partner whose revocation is under way waits for it, and then does nothing', async () => {
  const partner = await testApp.partner(company.taxId)
  const person = await family(partner)
  const waiting = Object.values<Json>((await testApp.include(partner, company, [primary()]))['status-by-tax-id'])[0]
  const enrollment = `/v1/enrollment/${waiting[health]['enrollment-id']}`
  expectOk(
    await testApp.operator.post(`/operator${enrollment}/transition`, { status: 'pending-correction', reason: 'Nome' }),
  )
  const slots = [await newSlot(partner), await newSlot(partner)]
  const made = expectOk(await partner.post('/v1/webhook-endpoint', { url: 'http://127.0.0.1:59999/' })).body
  const endpoint = `/v1/webhook-endpoint/${made.result.id}`
  const event = expectOk(await partner.post(`${endpoint}/test`)).body.result.id
  // Its delivery is noted before: it is no write of the partner's.
  await testApp.sql("update webhook_delivery set status = 'failed' where status = 'pending'")
  const bytes = { body: pdf, headers: { 'content-type': 'application/octet-stream' }, refusal: 410 }
  const to = (slot: { url: string } | undefined) => {
    const { pathname, search } = new URL(slot?.url ?? '')
    return pathname + search
  }
  const exclusion = '/v1/enrollment/exclusion'
  const members = { 'company-tax-id': company.taxId, members: [primary()] }
  const alteration = { 'alteration-data': { 'new-product-id': company.products[premium] } }
  const writes: Write[] = [
    { operation: 'includeMembers', method: 'POST', path: '/v1/enrollment/inclusion', body: members },
    {
      operation: 'excludeDependent',
      method: 'POST',
      path: `${exclusion}/${person.childTaxId}/dependent-of/${person.taxId}`,
      body: leaving(),
    },
    {
      operation: 'excludeByProduct',
      method: 'POST',
      path: `${exclusion}/${person.taxId}/product/${company.products[health]}`,
      body: leaving(),
    },
    {
      operation: 'excludeByBenefit',
      method: 'POST',
      path: `${exclusion}/${person.taxId}/benefit/${person.benefitId}`,
      body: leaving(),
    },
    {
      operation: 'excludeFromCompany',
      method: 'POST',
      path: `${exclusion}/${person.taxId}/company/${company.taxId}`,
      body: leaving(),
    },
    {
      operation: 'excludeMembers',
      method: 'POST',
      path: exclusion,
      body: { 'company-tax-id': company.taxId, members: [{ 'tax-id': person.taxId, ...leaving() }] },
    },
    {
      operation: 'alterMembers',
      method: 'POST',
      path: '/v1/enrollment/alteration',
      body: { 'company-tax-id': company.taxId, members: [{ 'tax-id': person.taxId, ...alteration }] },
    },
    { operation: 'alterMember', method: 'POST', path: `/v1/enrollment/alteration/${person.taxId}`, body: alteration },
    { operation: 'answerEnrollment', method: 'POST', path: `${enrollment}/answer`, body: { data: { name: 'Outra' } } },
    { operation: 'cancelEnrollment', method: 'POST', path: `${enrollment}/cancel`, body: {} },
    { operation: 'createUploadSlot', method: 'POST', path: '/v1/enrollment/document-upload-url' },
    { operation: 'uploadDocument', method: 'PUT', path: to(slots[0]), ...bytes },
    { operation: 'uploadDocumentByPost', method: 'POST', path: to(slots[1]), ...bytes },
    {
      operation: 'createWebhookEndpoint',
      method: 'POST',
      path: '/v1/webhook-endpoint',
      body: { url: 'http://127.0.0.1:59998/' },
    },
    { operation: 'updateWebhookEndpoint', method: 'PATCH', path: endpoint, body: { status: 'disabled' } },
    {
      operation: 'putOwnColumnProfile',
      method: 'PUT',
      path: `/v1/column-profile/${company.taxId}`,
      body: { columns: [] },
    },
    { operation: 'rotateWebhookSecret', method: 'POST', path: `${endpoint}/rotate-secret` },
    { operation: 'rotateSecret', method: 'POST', path: '/v1/client/rotate-secret' },
    { operation: 'testWebhookEndpoint', method: 'POST', path: `${endpoint}/test` },
    { operation: 'redeliverWebhookEvent', method: 'POST', path: `/v1/webhook-event/${event}/redeliver` },
    { operation: 'deleteWebhookEndpoint', method: 'DELETE', path: endpoint },
    ...(await onboardingWrites(partner)),
  ]
  const before = await everything()
  expect(await refusals(partner, writes)).toEqual(expected(writes))
  expect(await everything()).toEqual(before)
  for (const { operation } of writes) done.add(operation)
})

test('an inclusion with an Idempotency-Key, too, and the key is free again', async () => {
  const partner = await testApp.partner(company.taxId)
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const headers = { 'idempotency-key': 'inclusao-4711' }
  const before = await everything()
  const write = { operation: 'includeMembers', method: 'POST', path: '/v1/enrollment/inclusion', body, headers }
  expect(await refusals(partner, [write])).toEqual({ includeMembers: 401 })
  expect(await everything()).toEqual(before)
  expect((await partner.post('/v1/enrollment/inclusion', body, headers)).status).toBe(200)
})

/** An enrollment that waits for an operator, and a benefit of an extension plan. */
async function atTheDesk(): Promise<{ enrollmentId: string; activeBenefitId: string; memberId: string }> {
  const partner = await testApp.partner(company.taxId)
  const included = await family(partner)
  const path = `/v1/enrollment/exclusion/${included.taxId}/benefit/${included.benefitId}?resolution=approve`
  expectOk(await partner.post(path, leaving({ 'extension-plan': true })))
  const request = await testApp.include(partner, company, [primary()])
  const [products] = Object.values<Json>(request['status-by-tax-id'])
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/member?tax-id=${included.taxId}`)).body
  return {
    enrollmentId: products[health]['enrollment-id'],
    activeBenefitId: included.benefitId,
    memberId: result[0].id,
  }
}

/** Every write of an operator. */
async function operatorWrites(): Promise<Write[]> {
  const { enrollmentId, activeBenefitId, memberId } = await atTheDesk()
  const client = await testApp.partner(company.taxId)
  const colleague = await testApp.operatorOf('admin')
  for (const path of [`client/${client.clientId}`, `operator/${colleague.clientId}`]) {
    expectOk(await testApp.operator.post(`/operator/v1/${path}/rotate-secret`))
  }
  const endpoint = expectOk(await client.post('/v1/webhook-endpoint', { url: 'http://127.0.0.1:59997/' })).body.result
    .id
  const event = expectOk(await client.post(`/v1/webhook-endpoint/${endpoint}/test`)).body.result.id
  await testApp.sql("update webhook_delivery set status = 'failed' where status = 'pending'")
  const other = await testApp.company()
  const invoice = '/operator/v1/invoice/fatura-revogada'
  expectOk(await testApp.operator.put(invoice, invoiceBody(company)))
  const file = filePath('fatura-revogada', '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
  const bytes = { body: pdf, headers: { 'content-type': 'application/pdf' } }
  expectOk(await testApp.operator.put(file, bytes.body, bytes.headers))
  const line = {
    ...primary(),
    products: undefined,
    'company-tax-id': company.taxId,
    'product-name': health,
    'start-date': '2026-01-01',
  }
  const carrier = expectOk(await testApp.operator.get('/operator/v1/carrier')).body.result[0]
  const contract = await makeContract(testApp, company)
  const clientPath = `/operator/v1/client/${client.clientId}`
  const operatorPath = `/operator/v1/operator/${colleague.clientId}`
  const move = { status: 'broker-processing' }
  const base = '/operator/v1'
  return [
    {
      operation: 'putCompany',
      method: 'PUT',
      path: `${base}/company/${nextCnpj()}`,
      body: { name: 'A', products: [] },
    },
    {
      operation: 'putCarrier',
      method: 'PUT',
      path: `${base}/carrier/${carrier['carrier-id']}`,
      body: { name: carrier.name, 'ans-registration': '326305' },
    },
    { operation: 'advanceClock', method: 'POST', path: `${base}/clock`, body: { 'advance-days': 1 } },
    {
      operation: 'putColumnProfile',
      method: 'PUT',
      path: `${base}/column-profile/${company.taxId}`,
      body: { columns: [] },
    },
    { operation: 'deleteColumnProfile', method: 'DELETE', path: `${base}/column-profile/${company.taxId}` },
    {
      operation: 'createContract',
      method: 'POST',
      path: `${base}/contract`,
      body: contractBody(company, { 'contract-number': '900002' }),
    },
    {
      operation: 'putContract',
      method: 'PUT',
      path: `${base}/contract/${contract['contract-id']}`,
      body: contractBody(company, { lives: 'up-to-29' }),
    },
    {
      operation: 'createClient',
      method: 'POST',
      path: `${base}/client`,
      body: { name: 'A', 'company-tax-ids': [company.taxId] },
    },
    { operation: 'rotateClientSecret', method: 'POST', path: `${clientPath}/rotate-secret` },
    { operation: 'grantCompany', method: 'PUT', path: `${clientPath}/company/${other.taxId}` },
    { operation: 'revokeCompany', method: 'DELETE', path: `${clientPath}/company/${company.taxId}` },
    { operation: 'revokeClient', method: 'DELETE', path: clientPath },
    { operation: 'createOperator', method: 'POST', path: `${base}/operator`, body: { name: 'A', role: 'admin' } },
    { operation: 'rotateOperatorSecret', method: 'POST', path: `${operatorPath}/rotate-secret` },
    { operation: 'endFormerClientSecret', method: 'DELETE', path: `${clientPath}/former-secret` },
    { operation: 'endFormerOperatorSecret', method: 'DELETE', path: `${operatorPath}/former-secret` },
    { operation: 'changeOperatorRole', method: 'PUT', path: `${operatorPath}/role`, body: { role: 'finance' } },
    { operation: 'discloseMember', method: 'POST', path: `${base}/member/${memberId}/disclosure` },
    {
      operation: 'redeliverAnyWebhookEvent',
      method: 'POST',
      path: `${base}/webhook-event/${event}/redeliver`,
      body: { 'webhook-endpoint-id': endpoint },
    },
    { operation: 'removeOperator', method: 'DELETE', path: operatorPath },
    { operation: 'endOperatorSessions', method: 'DELETE', path: `${operatorPath}/session` },
    { operation: 'moveEnrollment', method: 'POST', path: `${base}/enrollment/${enrollmentId}/transition`, body: move },
    {
      operation: 'moveEnrollments',
      method: 'POST',
      path: `${base}/enrollment/transition`,
      body: { 'enrollment-ids': [enrollmentId], ...move },
    },
    {
      operation: 'undoDecisions',
      method: 'POST',
      path: `${base}/decision-job/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21/undo`,
    },
    {
      operation: 'decideEnrollments',
      method: 'POST',
      path: `${base}/enrollment/decision`,
      body: Buffer.from(`enrollment-id;status\n${enrollmentId};broker-processing\n`),
      headers: { 'content-type': 'text/csv' },
    },
    {
      operation: 'assignEnrollment',
      method: 'PUT',
      path: `${base}/enrollment/${enrollmentId}/assignee`,
      body: { assignee: colleague.clientId },
    },
    {
      operation: 'addEnrollmentNote',
      method: 'POST',
      path: `${base}/enrollment/${enrollmentId}/note`,
      body: { text: 'Falta a certidão' },
    },
    {
      operation: 'endBenefit',
      method: 'POST',
      path: `${base}/benefit/${activeBenefitId}/end`,
      body: { 'end-date': '2026-11-23', reason: 'Prazo' },
    },
    {
      operation: 'correctBenefit',
      method: 'POST',
      path: `${base}/benefit/${activeBenefitId}/correction`,
      body: { 'card-number': '0045 7799', reason: 'Digitada errada' },
    },
    {
      operation: 'requestSecondCard',
      method: 'POST',
      path: `${base}/member/${memberId}/second-card`,
      body: { 'benefit-id': activeBenefitId, reason: 'lost' },
    },
    {
      operation: 'requestContractTransfer',
      method: 'POST',
      path: `${base}/member/${memberId}/contract-transfer`,
      body: { 'start-date': '2026-11-23', 'sub-contract': '002' },
    },
    { operation: 'putInvoice', method: 'PUT', path: `${base}/invoice/outra-fatura`, body: invoiceBody(company) },
    { operation: 'putInvoiceFile', method: 'PUT', path: file, ...bytes },
    { operation: 'markInvoiceFile', method: 'PATCH', path: file.split('?')[0] ?? '', body: { status: 'paid' } },
    { operation: 'deleteInvoiceFile', method: 'DELETE', path: file.split('?')[0] ?? '' },
    { operation: 'deleteInvoice', method: 'DELETE', path: invoice },
    {
      operation: 'importMembers',
      method: 'POST',
      path: `${base}/member/import`,
      body: Buffer.from(JSON.stringify(line)),
      headers: { 'content-type': 'application/x-ndjson' },
    },
  ]
}

/** A shipment of one movement. */
async function shipment(): Promise<{ readonly shipper: Shipper; readonly id: string; readonly enrollmentId: string }> {
  const shipper = await openShipper(testApp)
  const [enrollmentId = ''] = await enroll(testApp, shipper, [primary()])
  return { shipper, id: await openShipmentOf(testApp, shipper.contractId), enrollmentId }
}

/** Every write of shipments, and of the layouts of their files. */
async function shipmentWrites(): Promise<Write[]> {
  const [open, closed, sent] = [await shipment(), await shipment(), await shipment()]
  for (const { id } of [closed, sent]) expectOk(await act(testApp, id, 'close'))
  expectOk(await act(testApp, sent.id, 'send'))
  await moved(testApp, sent.id)
  const columns = [{ heading: 'Nome', source: 'person.name' }]
  const definition = { format: 'csv', records: [{ name: 'movement', columns }] }
  const layout = { name: 'Meu leiaute', direction: 'movement', definition }
  const made = expectOk(await testApp.operator.post('/operator/v1/layout', layout)).body.result
  const answer = { 'enrollment-id': sent.enrollmentId, outcome: 'accepted', 'card-number': '0001' }
  const write = (operation: string, id: string, verb: string, more: Partial<Write> = {}): Write => {
    return { operation, method: 'POST', path: `${shipmentPath}/${id}/${verb}`, ...more }
  }
  return [
    write('closeShipment', open.id, 'close'),
    write('cancelShipment', open.id, 'cancel'),
    write('reopenShipment', closed.id, 'reopen'),
    write('sendShipment', closed.id, 'send'),
    write('deliverShipment', closed.id, 'deliver'),
    write('stopShipmentDelivery', closed.id, 'delivery', { method: 'DELETE' }),
    write('putShipmentItemProtocol', closed.id, 'item/1/carrier-protocol', {
      method: 'PUT',
      body: { 'carrier-protocol': 'P-1' },
    }),
    write('finishShipment', sent.id, 'finish'),
    write('acknowledgeShipment', sent.id, 'acknowledgement', {
      body: Buffer.from(JSON.stringify(answer)),
      headers: { 'content-type': 'application/x-ndjson' },
    }),
    {
      operation: 'putContractChannel',
      method: 'PUT',
      path: `/operator/v1/contract/${open.shipper.contractId}/channel`,
      body: { connector: { url: 'http://127.0.0.1:59996/' } },
    },
    { operation: 'createLayout', method: 'POST', path: '/operator/v1/layout', body: layout },
    { operation: 'putLayout', method: 'PUT', path: `/operator/v1/layout/${made['layout-id']}`, body: layout },
  ]
}

/** Every write of carriers' files and of what differs. */
async function carrierFileWrites(): Promise<Write[]> {
  const shipper = await openShipper(testApp)
  const csv = (name: string) => Buffer.from(`name;card-number\n${name};77\n`)
  const query = `contract-id=${shipper.contractId}&kind=roster&reference-month=2026-11&layout-id=generic-csv-roster`
  const upload = `${carrierFilePath}?${query}`
  const headers = { 'content-type': 'text/csv' }
  const made = async (name: string): Promise<string> => {
    const { result } = expectOk(await testApp.operator.post(upload, csv(name), headers)).body
    await readFile(testApp, result['file-id'])
    return result['file-id']
  }
  const [first, second] = [await made('Primeira'), await made('Segunda')]
  const reconciliation = await reconcile(testApp, first)
  const id = reconciliation['reconciliation-id']
  const [unknown] = await discrepanciesOf(testApp, id)
  const member = { ...primary(), name: 'Primeira' }
  return [
    { operation: 'uploadCarrierFile', method: 'POST', path: upload, body: csv('Terceira'), headers },
    {
      operation: 'linkCarrierLine',
      method: 'POST',
      path: `${carrierFilePath}/${second}/line/2/link`,
      body: { 'benefit-id': null },
    },
    { operation: 'deleteCarrierFile', method: 'DELETE', path: `${carrierFilePath}/${second}` },
    {
      operation: 'createReconciliation',
      method: 'POST',
      path: reconciliationPath,
      body: { 'carrier-file-id': second },
    },
    { operation: 'repeatReconciliation', method: 'POST', path: `${reconciliationPath}/${id}/repeat` },
    {
      operation: 'changeDiscrepancies',
      method: 'POST',
      path: `${reconciliationPath}/${id}/discrepancy`,
      body: { filter: {}, note: 'x' },
    },
    {
      operation: 'correctDiscrepancy',
      method: 'POST',
      path: `/operator/v1/discrepancy/${unknown['discrepancy-id']}/correct`,
      body: { member },
    },
  ]
}

/** Every write of required documents: a movement waits for one. */
async function requirementWrites(): Promise<Write[]> {
  const other = await testApp.company()
  const path = `/operator/v1/requirement-rule/${randomUUID()}`
  const require = [{ 'any-of': ['proof-of-residency'], message: 'Comprovante de endereço' }]
  const body = {
    name: 'Titular',
    when: { 'company-tax-ids': [other.taxId], 'beneficiary-types': ['primary'] },
    require,
  }
  expectOk(await testApp.operator.put(path, body))
  const member = primary()
  const request = await testApp.include(await testApp.partner(other.taxId), other, [member])
  const id = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  return [
    {
      operation: 'waiveRequirement',
      method: 'POST',
      path: `/operator/v1/enrollment/${id}/requirement/1/waive`,
      body: { reason: 'Dispensado' },
    },
    { operation: 'putRequirementRule', method: 'PUT', path, body },
    { operation: 'deleteRequirementRule', method: 'DELETE', path },
  ]
}

/** Every write of the team's views. */
async function viewWrites(): Promise<Write[]> {
  const path = `/operator/v1/view/${randomUUID()}`
  const body = { area: 'queue', name: 'Minhas', filters: { assignee: 'me' } }
  expectOk(await testApp.operator.put(path, body))
  return [
    { operation: 'putView', method: 'PUT', path, body: { ...body, name: 'Nossas' } },
    { operation: 'deleteView', method: 'DELETE', path },
  ]
}

/** Every write of legal holds. */
async function legalHoldWrites(): Promise<Write[]> {
  const path = '/operator/v1/legal-hold'
  const hold = expectOk(await testApp.operator.post(path, { 'tax-id': nextCpf(), reason: 'Processo' })).body.result
  return [
    { operation: 'setLegalHold', method: 'POST', path, body: { 'tax-id': nextCpf(), reason: 'Processo' } },
    {
      operation: 'releaseLegalHold',
      method: 'POST',
      path: `${path}/${hold['legal-hold-id']}/release`,
      body: { reason: 'Arquivado' },
    },
  ]
}

/** Every write of claims and closings. */
async function claimWrites(): Promise<Write[]> {
  const one = await known(testApp, workedPeople)
  const compared = await compareInvoice(testApp, one, '2026-11', workedEntries)
  const id = compared['reconciliation-id']
  const claim = async (name: string) => {
    const [found] = await discrepanciesOf(testApp, id, `&class=${name}`)
    return { 'reconciliation-id': id, 'discrepancy-ids': [found['discrepancy-id']] }
  }
  const draft = expectOk(await testApp.operator.post('/operator/v1/claim', await claim('charged-unknown'))).body.result
  const path = `/operator/v1/claim/${draft['claim-id']}`
  const month = { 'company-tax-id': one.company.taxId, 'reference-month': '2026-11', reason: 'Prazo' }
  const closed = { ...month, 'reference-month': '2026-10' }
  const { 'closing-id': closingId } = expectOk(await testApp.operator.post('/operator/v1/closing', closed)).body.result
  return [
    { operation: 'createClaim', method: 'POST', path: '/operator/v1/claim', body: await claim('charged-after-end') },
    { operation: 'moveClaim', method: 'POST', path: `${path}/status`, body: { status: 'sent' } },
    { operation: 'deleteClaim', method: 'DELETE', path },
    { operation: 'closeMonth', method: 'POST', path: '/operator/v1/closing', body: month },
    {
      operation: 'reopenMonth',
      method: 'POST',
      path: `/operator/v1/closing/${closingId}/reopen`,
      body: { reason: 'Fatura reemitida' },
    },
  ]
}

/** Every write of requests about personal data. */
async function subjectRequestWrites(): Promise<Write[]> {
  const path = '/operator/v1/subject-request'
  const create = { 'tax-id': nextCpf(), kind: 'access' }
  const { 'subject-request-id': id } = expectOk(await testApp.operator.post(path, create)).body.result
  const erasure = { 'tax-id': nextCpf(), kind: 'erasure' }
  const { 'subject-request-id': erasureId } = expectOk(await testApp.operator.post(path, erasure)).body.result
  expectOk(await testApp.operator.post(`${path}/${erasureId}/plan`))
  const failing = { 'tax-id': nextCpf(), kind: 'erasure' }
  const { 'subject-request-id': failingId } = expectOk(await testApp.operator.post(path, failing)).body.result
  expectOk(await testApp.operator.post(`${path}/${failingId}/plan`))
  await testApp.sql(
    `with failed as (
       update erasure set approved_by = $2, approved_at = now(), failure = 'internal-error', failed_at = now() where subject_request_id = $1)
     update subject_request set status = 'approved' where id = $1`,
    [failingId, (await testApp.operatorOf('admin')).clientId],
  )
  return [
    { operation: 'runRetention', method: 'POST', path: '/operator/v1/retention' },
    { operation: 'planErasure', method: 'POST', path: `${path}/${erasureId}/plan` },
    { operation: 'approveErasure', method: 'POST', path: `${path}/${erasureId}/approve` },
    { operation: 'retryErasure', method: 'POST', path: `${path}/${failingId}/retry` },
    { operation: 'createSubjectRequest', method: 'POST', path, body: { ...create, kind: 'erasure' } },
    { operation: 'requestSubjectRequestFile', method: 'POST', path: `${path}/${id}/file` },
    {
      operation: 'moveSubjectRequest',
      method: 'POST',
      path: `${path}/${id}/status`,
      body: { status: 'fulfilled' },
    },
  ]
}

/** Every write of prices and contributions. */
async function priceWrites(): Promise<Write[]> {
  const { 'contract-id': contractId } = await pricedContract(testApp, await testApp.company())
  const { 'price-table-id': tableId } = await putBands(testApp, contractId)
  const path = `/operator/v1/price-table/${tableId}`
  const table = { 'contract-id': contractId, 'valid-from': '2026-02-01', kind: 'age-band-10', prices: bands }
  const adjustment = { 'valid-from': '2027-01-01', 'basis-points': 500 }
  const rulePath = `/operator/v1/contribution-rule/${randomUUID()}`
  const share = { amount: 5000 }
  const shares = { 'primary-employee-share': share, 'dependent-employee-share': share }
  const rule = { 'contract-id': contractId, 'valid-from': '2026-01-01', ...shares }
  expectOk(await testApp.operator.put(rulePath, rule))
  return [
    { operation: 'putPriceTable', method: 'PUT', path, body: table },
    { operation: 'adjustPriceTable', method: 'POST', path: `${path}/adjust`, body: adjustment },
    { operation: 'deletePriceTable', method: 'DELETE', path },
    { operation: 'putContributionRule', method: 'PUT', path: rulePath, body: rule },
    { operation: 'deleteContributionRule', method: 'DELETE', path: rulePath },
  ]
}

/** Every write of payroll. */
async function payrollWrites(): Promise<Write[]> {
  const made = await payrollOfMonth(testApp)
  const path = `/operator/v1/company/${made.company.taxId}/payroll-profile`
  return [
    { operation: 'createPayrollExport', method: 'POST', path: '/operator/v1/payroll-export', body: made.body },
    { operation: 'putPayrollProfile', method: 'PUT', path, body: payrollProfile },
    { operation: 'deletePayrollProfile', method: 'DELETE', path },
  ]
}

/** Every write of failed steps. */
async function stepWrites(): Promise<Write[]> {
  const path = await putStepAside(testApp)
  return [
    { operation: 'retryFailedStep', method: 'POST', path: `${path}/retry` },
    { operation: 'deleteFailedStep', method: 'DELETE', path },
  ]
}

/** Every write of drafts of exclusions. */
async function draftWrites(): Promise<Write[]> {
  const [path] = await openDrafts(testApp, await testApp.company(), 1)
  return [
    { operation: 'confirmDraftExclusion', method: 'POST', path: `${path}/confirm` },
    { operation: 'discardDraftExclusion', method: 'POST', path: `${path}/discard`, body: { reason: 'Fica' } },
  ]
}

/** Every write of onboarding invitations. */
async function onboardingWrites(partner: Client): Promise<Write[]> {
  const { id } = await submitted(testApp, partner, company)
  const { result } = expectOk(await partner.get(`${invitationPath}/${id}`)).body
  const sent = { 'submitted-at': result['submitted-at'] }
  const { id: unopened } = await invited(partner, invitationBody(company))
  return [
    { operation: 'createOnboardingInvitation', method: 'POST', path: invitationPath, body: invitationBody(company) },
    { operation: 'revokeOnboardingInvitation', method: 'POST', path: `${invitationPath}/${unopened}/revoke` },
    {
      operation: 'returnOnboardingInvitation',
      method: 'POST',
      path: `${invitationPath}/${id}/return`,
      body: { message: 'Nome' },
    },
    { operation: 'approveOnboardingInvitation', method: 'POST', path: `${invitationPath}/${id}/approve`, body: sent },
  ]
}

/** Every write of continuations. */
async function continuationWrites(): Promise<Write[]> {
  const other = await testApp.company()
  const partner = await testApp.partner(other.taxId)
  const url = '/operator/v1/continuation'
  const { 'continuation-id': id } = await createContinuation(testApp, await makeFamily(testApp, other, partner))
  const accepted = await createContinuation(testApp, await makeFamily(testApp, other, partner), {
    'notice-date': '2026-11-20',
  })
  const ending = `${url}/${accepted['continuation-id']}`
  const answer = { option: 'accepted', 'option-date': '2026-11-23' }
  expectOk(await testApp.operator.post(`${ending}/option`, answer))
  const body = continuationBody(await makeFamily(testApp, other, partner))
  const end = { reason: 'request', 'end-date': '2026-11-23' }
  return [
    { operation: 'createContinuation', method: 'POST', path: url, body },
    {
      operation: 'offerContinuation',
      method: 'POST',
      path: `${url}/${id}/notice`,
      body: { 'notice-date': '2026-11-20' },
    },
    { operation: 'answerContinuation', method: 'POST', path: `${url}/${id}/option`, body: answer },
    { operation: 'endContinuation', method: 'POST', path: `${ending}/end`, body: end },
  ]
}

/** The writes of a session of the operator, in a browser. */
async function sessionWrites({ clientId, clientSecret }: Client): Promise<Write[]> {
  const path = '/operator/v1/session'
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  const response = expectOk(await testApp.call('POST', path, { body }))
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  return [
    { operation: 'createSession', method: 'POST', path, body },
    { operation: 'endSession', method: 'DELETE', path, headers: { cookie, 'sec-fetch-site': 'same-origin' } },
  ]
}

/** The writes of people by an admin. */
async function personWrites(): Promise<Write[]> {
  const { 'person-id': id } = await invite(testApp, { name: 'Lia', email: 'lia@broker.example', role: 'analyst' })
  const { 'person-id': blocked } = await invite(testApp, { name: 'Bia', email: 'bia@broker.example', role: 'analyst' })
  const base = '/operator/v1/person'
  expectOk(await testApp.operator.post(`${base}/${blocked}/block`))
  const body = { name: 'Ana', email: 'ana@broker.example', role: 'analyst' }
  return [
    { operation: 'createPerson', method: 'POST', path: base, body },
    { operation: 'createPersonLink', method: 'POST', path: `${base}/${id}/link` },
    { operation: 'changePerson', method: 'PATCH', path: `${base}/${id}`, body: { role: 'finance' } },
    { operation: 'blockPerson', method: 'POST', path: `${base}/${id}/block` },
    { operation: 'unblockPerson', method: 'POST', path: `${base}/${blocked}/unblock` },
  ]
}

test('a person who is being blocked changes nothing of the own account, and does not sign in with a passkey', async () => {
  const { id, email, password } = await personOf(testApp, 'analyst')
  const { cookie } = await signInAs(testApp, email, password)
  const headers = { cookie, host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await testApp.call(method, path, { headers, ...(body === undefined ? {} : { body }) })).body?.result
  const account = '/operator/v1/account'
  const ask = () => call('POST', `${account}/passkey/options`, { 'current-password': password })
  const passkey = makePasskey('http://localhost:3000', await ask())
  const added = await call('POST', `${account}/passkey`, { name: 'A', credential: passkey.created })
  const second = makePasskey('http://localhost:3000', await ask())
  const signIn = { credential: passkey.get(await call('POST', '/operator/v1/session/passkey/options')) }
  const next = { 'current-password': password, password: 'outras palavras bem longas' }
  const writes: Write[] = [
    { operation: 'changePassword', method: 'PUT', path: `${account}/password`, body: next, headers },
    { operation: 'endOtherSessions', method: 'DELETE', path: `${account}/session`, headers },
    {
      operation: 'createPasskey',
      method: 'POST',
      path: `${account}/passkey`,
      body: { name: 'B', credential: second.created },
      headers,
    },
    { operation: 'deletePasskey', method: 'DELETE', path: `${account}/passkey/${added['passkey-id']}`, headers },
    {
      operation: 'createSessionByPasskey',
      method: 'POST',
      path: '/operator/v1/session/passkey',
      body: signIn,
      headers,
    },
  ]
  const passkeys = () => testApp.sql('select client_id, id from passkey')
  const before = [await everything(), await passkeys()]
  expect(await refusals({ clientId: id, token: '' }, writes)).toEqual(expected(writes))
  expect([await everything(), await passkeys()]).toEqual(before)
  for (const { operation } of writes) done.add(operation)
})

test('a person who is being blocked sets no password', async () => {
  const { 'person-id': id, link } = await invite(testApp, { name: 'Eva', email: 'eva@broker.example', role: 'analyst' })
  const [response] = await whileLocked(testApp, revocation(id), [() => setPassword(testApp, linkToken(link))])
  expect([response?.status, response?.body.code]).toEqual([401, 'client-revoked'])
  expect(await testApp.sql('select password_hash from person where client_id = $1', [id])).toEqual([
    { password_hash: null },
  ])
  done.add('setPassword')
})

test('a write of an operator whose removal is under way waits for it, and then does nothing', async () => {
  const operator = await testApp.operatorOf('admin')
  const writes = [
    ...(await operatorWrites()),
    ...(await personWrites()),
    ...(await shipmentWrites()),
    ...(await carrierFileWrites()),
    ...(await requirementWrites()),
    ...(await viewWrites()),
    ...(await priceWrites()),
    ...(await payrollWrites()),
    ...(await claimWrites()),
    ...(await subjectRequestWrites()),
    ...(await legalHoldWrites()),
    ...(await draftWrites()),
    ...(await stepWrites()),
    ...(await continuationWrites()),
    ...(await sessionWrites(operator)),
  ]
  const before = await everything()
  expect(await refusals(operator, writes)).toEqual(expected(writes))
  expect(await everything()).toEqual(before)
  for (const { operation } of writes) done.add(operation)
})

test('an operator whose role changes while a write waits may do what the new role may', async () => {
  const operator = await testApp.operatorOf('admin')
  const path = `/operator/v1/company/${nextCnpj()}`
  const changed = `update client set role = 'auditor' where id = '${operator.clientId}'`
  const [response] = await whileLocked(testApp, changed, [() => operator.put(path, { name: 'A', products: [] })])
  expect([response?.status, response?.body.error]).toEqual([403, 'Not allowed for this role'])
  expect((await testApp.operator.get(path)).status).toBe(404)
})

test('no operation that writes is left out', () => {
  const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const writing = Object.values<Json>(document.paths)
    .flatMap((item) => Object.entries<Json>(item))
    .filter(([method]) => method !== 'get' && method !== 'head')
    .map(([, { operationId }]) => operationId)
  const others = new Set([
    'authenticate',
    'readPersonLink',
    'readPasskeyOptions',
    'readNewPasskeyOptions',
    'previewLayout',
    'readTable',
    'readImportTable',
    'simulateRequirements',
    'calculateContinuation',
    'calculateAnyContinuation',
    'advanceDemoClock',
    // Of an employee, who is no client.
    'startOnboardingSession',
    'calculateOnboardingPrice',
    'uploadOnboardingDocument',
    'deleteOnboardingDocument',
    'submitOnboarding',
  ])
  expect(writing.filter((id) => !others.has(id)).toSorted()).toEqual([...done].toSorted())
})

describe('two admins who remove each other at once', () => {
  // What lets one removal at a time count the admins.
  const lockAdmins = 'select pg_advisory_xact_lock(7446103217)'

  test('one succeeds; the other is removed by then', async () => {
    const [one, other] = [await testApp.operatorOf('admin'), await testApp.operatorOf('admin')]
    const remove = (by: Client, whom: Client) => () => by.delete(`/operator/v1/operator/${whom.clientId}`)
    const responses = await whileLocked(testApp, lockAdmins, [remove(one, other), remove(other, one)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 401])
    const left = await testApp.sql('select id from client where id = any($1) and revoked_at is null', [
      [one.clientId, other.clientId],
    ])
    expect(left).toHaveLength(1)
  })

  test('and one admin is left where there were no others', async () => {
    const [one, other] = [await testApp.operatorOf('admin'), await testApp.operatorOf('admin')]
    const others = await testApp.sql<{ id: string }>(
      `update client set revoked_at = now()
        where api = 'operator' and role = 'admin' and revoked_at is null and id <> all($1) returning id`,
      [[one.clientId, other.clientId]],
    )
    const remove = (by: Client, whom: Client) => () => by.delete(`/operator/v1/operator/${whom.clientId}`)
    const responses = await whileLocked(testApp, lockAdmins, [remove(one, other), remove(other, one)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const left = await testApp.sql(
      "select from client where api = 'operator' and role = 'admin' and revoked_at is null",
    )
    expect(left).toHaveLength(1)
    await testApp.sql('update client set revoked_at = null where id = any($1)', [others.map(({ id }) => id)])
  })
})
