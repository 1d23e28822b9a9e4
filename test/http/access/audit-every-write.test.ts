import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import {
  type Client,
  type Company,
  companyBody,
  expectOk,
  health,
  type Json,
  nextCnpj,
  nextCpf,
  until,
  useTestApp,
  premium,
  primary,
} from '../../world/test-app.ts'
import { makePasskey } from '../../world/authenticator.ts'
import { contractBody } from '../../world/contract.ts'
import { bands } from '../../data/prices.ts'
import { payrollOfMonth, payrollProfile } from '../../world/payroll.ts'
import { pricedContract } from '../../world/price.ts'
import { compareInvoice, known, workedEntries, workedPeople } from '../../world/worked-invoice.ts'
import { continuationBody, makeFamily } from '../../world/continuation.ts'
import {
  computed,
  discrepanciesOf,
  filePath as carrierFilePath,
  readFile,
  reconciliationPath,
} from '../../world/carrier-file.ts'
import { openDrafts } from '../../world/draft.ts'
import { putStepAside } from '../../world/failed-step.ts'
import { holder, ndjson, sendImport } from '../../world/import.ts'
import { enroll, moved, openShipmentOf, openShipper, shipmentPath } from '../../world/shipment.ts'
import { invoiceBody, filePath } from '../../world/invoice.ts'
import { factorOf, invitationBody, invitationPath, submissionOf } from '../../world/onboarding.ts'
import { linkToken, personOf, signInAs } from '../../world/person.ts'
import { pdf } from '../../world/upload.ts'

/*
 * Every operation that writes, once, and the audit rows that it left. An operation that is new and not among them fails the last
 * test: give it its audit rows and a line here.
 */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let company: Company
let partner: Client
beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})
interface Write {
  readonly method: string
  readonly path: string
  readonly by?: 'partner' | 'operator' | 'nobody'
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

interface Written {
  readonly response: Json
  readonly headers: Headers
  /** Actions and actors, sorted. */
  readonly rows: string[]
}

const done = new Set<string>()
/** Audit rows as they were first written, by id. */
const written = new Map<string, Json>()
let serial = 0

/** Makes the call, which must succeed, and reads what the audit has of it. @param operation its `operationId`. */
async function write(operation: string, { method, path, by = 'operator', body, headers }: Write): Promise<Written> {
  done.add(operation)
  const trace = `write-${(serial += 1)}`
  const client = by === 'partner' ? partner : testApp.operator
  const response = await testApp.call(method, path, {
    token: by === 'nobody' ? null : client.token,
    headers: { 'x-request-id': trace, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  expectOk(response)
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?request-trace-id=${trace}`)).body
  for (const row of await testApp.sql(
    'select id::text, to_jsonb(audit) as row from audit where request_trace_id = $1',
    [trace],
  ))
    written.set(row['id'], row['row'])
  const who: Record<string, string> = { [partner.clientId]: 'partner', [testApp.operator.clientId]: 'operator' }
  for (const row of result)
    expect(row).toMatchObject({ target: expect.stringMatching(/./), address: expect.any(String) })
  return {
    response: response.body,
    headers: response.headers,
    rows: result.map((row: Json) => `${row.action} by ${who[row.actor] ?? row.actor}`).toSorted(),
  }
}

async function included(): Promise<{ taxId: string; benefitId: string }> {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id=${member['tax-id']}`)).body
  return { taxId: member['tax-id'], benefitId: result[0].benefits[0]['benefit-id'] }
}

const leaving = (more: object = {}) => ({
  'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal', ...more },
})

test('the movements of a partner', async () => {
  const members = { 'company-tax-id': company.taxId, members: [primary()] }
  expect(
    (await write('includeMembers', { method: 'POST', path: '/v1/enrollment/inclusion', by: 'partner', body: members }))
      .rows,
  ).toEqual(['inclusion.requested by partner'])
  const one = await included()
  const other = await included()
  const leaver = await included()
  const child = primary({
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': one.taxId,
    'dependent-type': 'child',
  })
  await testApp.include(partner, company, [child], '?resolution=approve')
  const exclusion = { method: 'POST', by: 'partner', body: leaving() } as const
  const base = '/v1/enrollment/exclusion'
  for (const [operation, path] of [
    ['excludeDependent', `${base}/${child['tax-id']}/dependent-of/${one.taxId}`],
    ['excludeByProduct', `${base}/${one.taxId}/product/${company.products[health]}`],
    ['excludeByBenefit', `${base}/${other.taxId}/benefit/${other.benefitId}`],
    ['excludeFromCompany', `${base}/${leaver.taxId}/company/${company.taxId}`],
  ] as const) {
    // The queue has to be empty for the next one, so each is resolved: by `resolution`, beside the partner's own row.
    const { rows } = await write(operation, { ...exclusion, path: `${path}?resolution=approve` })
    expect(rows).toEqual(['exclusion.requested by partner'])
  }
  const { taxId: dismissed } = await included()
  const batch = { 'company-tax-id': company.taxId, members: [{ 'tax-id': dismissed, ...leaving() }] }
  expect((await write('excludeMembers', { method: 'POST', path: base, by: 'partner', body: batch })).rows).toEqual([
    'exclusion.requested by partner',
  ])
  const third = await included()
  const alteration = {
    'company-tax-id': company.taxId,
    'alteration-data': { 'new-product-id': company.products[premium] },
  }
  const altered = {
    method: 'POST',
    path: `/v1/enrollment/alteration/${third.taxId}`,
    by: 'partner',
    body: alteration,
  } as const
  expect((await write('alterMember', altered)).rows).toEqual(['alteration.requested by partner'])
  const { taxId: corrected } = await included()
  const entries = [{ 'tax-id': corrected, 'alteration-data': { phone: '11987654321' } }]
  const many = { 'company-tax-id': company.taxId, members: entries }
  const corrections = { method: 'POST', path: '/v1/enrollment/alteration', by: 'partner', body: many } as const
  expect((await write('alterMembers', corrections)).rows).toEqual(['alteration.requested by partner'])
})

test('an answer and a withdrawal of a partner', async () => {
  const request = await testApp.include(partner, company, [primary()])
  const [parts] = Object.values<Json>(request['status-by-tax-id'])
  const id = parts[health]['enrollment-id']
  const pending = { status: 'pending-correction', reason: 'Nome' }
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, pending))
  const path = `/v1/enrollment/${id}`
  const answered = { method: 'POST', path: `${path}/answer`, by: 'partner', body: { comment: 'Certo' } } as const
  expect((await write('answerEnrollment', answered)).rows).toEqual(['enrollment.created by partner'])
  const cancelled = { method: 'POST', path: `${path}/cancel`, by: 'partner', body: {} } as const
  expect((await write('cancelEnrollment', cancelled)).rows).toEqual(['enrollment.cancelled by partner'])
})

test('a document and its bytes', async () => {
  const slot = await write('createUploadSlot', {
    method: 'POST',
    path: '/v1/enrollment/document-upload-url',
    by: 'partner',
  })
  expect(slot.rows).toEqual(['document.slot-created by partner'])
  const again = await write('createUploadSlot', {
    method: 'POST',
    path: '/v1/enrollment/document-upload-url',
    by: 'partner',
  })
  const sent = async (operation: string, method: string, { response }: Written) => {
    const { pathname, search } = new URL(response['upload-url'])
    const headers = { 'content-type': 'application/octet-stream' }
    return (await write(operation, { method, path: pathname + search, by: 'nobody', body: pdf, headers })).rows
  }
  expect(await sent('uploadDocument', 'PUT', slot)).toEqual(['document.uploaded by partner'])
  expect(await sent('uploadDocumentByPost', 'POST', again)).toEqual(['document.uploaded by partner'])
})

test('companies, clients and operators', async () => {
  const path = `/operator/v1/company/${nextCnpj()}`
  const body = { name: 'Padaria', products: [] }
  expect((await write('putCompany', { method: 'PUT', path, body })).rows).toEqual(['company.created by operator'])
  expect((await write('putCompany', { method: 'PUT', path, body })).rows).toEqual(['company.replaced by operator'])
  const folha = { name: 'Folha', 'company-tax-ids': [company.taxId] }
  const client = await write('createClient', { method: 'POST', path: '/operator/v1/client', body: folha })
  expect(client.rows).toEqual(['client.created by operator', 'entitlement.granted by operator'])
  const clientPath = `/operator/v1/client/${client.response['client-id']}`
  const desk = { name: 'Mesa', role: 'analyst' }
  const operator = await write('createOperator', { method: 'POST', path: '/operator/v1/operator', body: desk })
  expect(operator.rows).toEqual(['operator.created by operator'])
  const operatorPath = `/operator/v1/operator/${operator.response['client-id']}`
  const role = { method: 'PUT', path: `${operatorPath}/role`, body: { role: 'finance' } }
  expect((await write('changeOperatorRole', role)).rows).toEqual([
    'operator.became-finance by operator',
    'operator.role-changed by operator',
  ])
  expect((await write('changeOperatorRole', role)).rows).toEqual([])
  const other = await testApp.company()
  for (const [operation, method, to, action] of [
    ['grantCompany', 'PUT', `${clientPath}/company/${other.taxId}`, 'entitlement.granted'],
    ['revokeCompany', 'DELETE', `${clientPath}/company/${other.taxId}`, 'entitlement.revoked'],
    ['rotateClientSecret', 'POST', `${clientPath}/rotate-secret`, 'client.secret-rotated'],
    ['endFormerClientSecret', 'DELETE', `${clientPath}/former-secret`, 'client.former-secret-ended'],
    ['revokeClient', 'DELETE', clientPath, 'client.revoked'],
    ['rotateOperatorSecret', 'POST', `${operatorPath}/rotate-secret`, 'operator.secret-rotated'],
    ['endFormerOperatorSecret', 'DELETE', `${operatorPath}/former-secret`, 'operator.former-secret-ended'],
    ['removeOperator', 'DELETE', operatorPath, 'operator.removed'],
  ] as const) {
    const { rows } = await write(operation, { method, path: to })
    expect(rows).toEqual([`${action} by operator`])
  }
})

test('layouts', async () => {
  const body = {
    name: 'Aurora',
    direction: 'movement',
    definition: {
      format: 'csv',
      records: [{ name: 'movement', columns: [{ heading: 'Nome', source: 'person.name' }] }],
    },
  }
  const made = await write('createLayout', { method: 'POST', path: '/operator/v1/layout', body })
  expect(made.rows).toEqual(['layout.created by operator'])
  const path = `/operator/v1/layout/${made.response.result['layout-id']}`
  expect((await write('putLayout', { method: 'PUT', path, body })).rows).toEqual(['layout.replaced by operator'])
})

test('rules of required documents, and a waiver', async () => {
  const path = `/operator/v1/requirement-rule/${randomUUID()}`
  const body = {
    name: 'Titular',
    when: { 'company-tax-ids': [company.taxId], 'beneficiary-types': ['primary'] },
    require: [{ 'any-of': ['proof-of-residency'], message: 'Comprovante de endereço' }],
  }
  const put = { method: 'PUT', path, body }
  expect((await write('putRequirementRule', put)).rows).toEqual(['requirement-rule.created by operator'])
  expect((await write('putRequirementRule', put)).rows).toEqual(['requirement-rule.replaced by operator'])
  const member = primary()
  const request = await testApp.include(partner, company, [member])
  const id = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  const waiver = {
    method: 'POST',
    path: `/operator/v1/enrollment/${id}/requirement/1/waive`,
    body: { reason: 'Dispensado' },
  }
  expect((await write('waiveRequirement', waiver)).rows.toSorted()).toEqual([
    'enrollment.created by operator',
    'requirement.waived by operator',
  ])
  const removed = await write('deleteRequirementRule', { method: 'DELETE', path })
  expect(removed.rows).toEqual(['requirement-rule.deleted by operator'])
})

test('views of the team', async () => {
  const path = `/operator/v1/view/${randomUUID()}`
  const put = { method: 'PUT', path, body: { area: 'queue', name: 'Atrasadas', filters: { due: 'overdue' } } }
  expect((await write('putView', put)).rows).toEqual(['view.created by operator'])
  expect((await write('putView', put)).rows).toEqual(['view.replaced by operator'])
  expect((await write('deleteView', { method: 'DELETE', path })).rows).toEqual(['view.deleted by operator'])
})

test('claims and closings', async () => {
  const one = await known(testApp, workedPeople)
  const compared = await compareInvoice(testApp, one, '2026-11', workedEntries)
  const id = compared['reconciliation-id']
  const [unknown, ended] = await Promise.all(
    ['charged-unknown', 'charged-after-end'].map(async (name) => {
      const [found] = await discrepanciesOf(testApp, id, `&class=${name}`)
      return found['discrepancy-id']
    }),
  )
  const claim = (discrepancy: string) => ({
    method: 'POST',
    path: '/operator/v1/claim',
    body: { 'reconciliation-id': id, 'discrepancy-ids': [discrepancy] },
  })
  const draft = await write('createClaim', claim(unknown))
  expect(draft.rows).toEqual(['claim.created by operator'])
  const removed = { method: 'DELETE', path: `/operator/v1/claim/${draft.response.result['claim-id']}` }
  expect((await write('deleteClaim', removed)).rows).toEqual(['claim.deleted by operator'])
  const made = await write('createClaim', claim(ended))
  const path = `/operator/v1/claim/${made.response.result['claim-id']}/status`
  for (const status of ['sent', 'accepted', 'refused']) {
    const moved = await write('moveClaim', { method: 'POST', path, body: { status } })
    expect(moved.rows).toEqual([`claim.${status} by operator`])
  }
  const body = { 'company-tax-id': one.company.taxId, 'reference-month': '2026-11', reason: 'Prazo da folha' }
  const closed = await write('closeMonth', { method: 'POST', path: '/operator/v1/closing', body })
  expect(closed.rows).toEqual(['closing.closed by operator'])
  const reopening = `/operator/v1/closing/${closed.response.result['closing-id']}/reopen`
  const reopened = await write('reopenMonth', { method: 'POST', path: reopening, body: { reason: 'Fatura reemitida' } })
  expect(reopened.rows).toEqual(['closing.reopened by operator'])
})

test('requests about personal data', async () => {
  const path = '/operator/v1/subject-request'
  const [access, erasure] = [nextCpf(), nextCpf()]
  const create = { method: 'POST', path, body: { 'tax-id': access, kind: 'access' } }
  const made = await write('createSubjectRequest', create)
  expect(made.rows).toEqual(['subject-request.created by operator'])
  const filePath = `${path}/${made.response.result['subject-request-id']}/file`
  const asked = await write('requestSubjectRequestFile', { method: 'POST', path: filePath })
  expect(asked.rows).toEqual(['subject-request.file-requested by operator'])
  const move = { method: 'POST', path: `${path}/${made.response.result['subject-request-id']}/status` }
  const fulfilled = await write('moveSubjectRequest', { ...move, body: { status: 'fulfilled' } })
  expect(fulfilled.rows).toEqual(['subject-request.fulfilled by operator'])
  const second = await write('createSubjectRequest', { ...create, body: { 'tax-id': erasure, kind: 'erasure' } })
  const cancelled = await write('moveSubjectRequest', {
    method: 'POST',
    path: `${path}/${second.response.result['subject-request-id']}/status`,
    body: { status: 'cancelled', 'cancel-reason': 'Desistiu' },
  })
  expect(cancelled.rows).toEqual(['subject-request.cancelled by operator'])
})

test('the erasure of a person', async () => {
  const body = { 'tax-id': nextCpf(), kind: 'erasure' }
  const { result } = expectOk(await testApp.operator.post('/operator/v1/subject-request', body)).body
  const path = `/operator/v1/subject-request/${result['subject-request-id']}`
  const planned = await write('planErasure', { method: 'POST', path: `${path}/plan` })
  expect(planned.rows).toEqual(['erasure.planned by operator'])
  expectOk(await (await testApp.operatorOf('admin')).post(`${path}/plan`))
  const approved = await write('approveErasure', { method: 'POST', path: `${path}/approve` })
  expect(approved.rows).toContain('erasure.approved by operator')
  const failing = expectOk(
    await testApp.operator.post('/operator/v1/subject-request', { ...body, 'tax-id': nextCpf() }),
  )
  const { 'subject-request-id': id } = failing.body.result
  expectOk(await testApp.operator.post(`/operator/v1/subject-request/${id}/plan`))
  await testApp.sql(
    `with failed as (
       update erasure set approved_by = $2, approved_at = now(), failure = 'internal-error', failed_at = now() where subject_request_id = $1)
     update subject_request set status = 'approved' where id = $1`,
    [id, (await testApp.operatorOf('admin')).clientId],
  )
  const retried = await write('retryErasure', { method: 'POST', path: `/operator/v1/subject-request/${id}/retry` })
  expect(retried.rows).toContain('erasure.retried by operator')
})

test('a run of retention', async () => {
  const { rows } = await write('runRetention', { method: 'POST', path: '/operator/v1/retention' })
  expect(rows).toEqual(['retention.started by operator'])
})

test('legal holds', async () => {
  const body = { 'tax-id': nextCpf(), reason: 'Processo' }
  const held = await write('setLegalHold', { method: 'POST', path: '/operator/v1/legal-hold', body })
  expect(held.rows).toEqual(['legal-hold.set by operator'])
  const path = `/operator/v1/legal-hold/${held.response.result['legal-hold-id']}/release`
  const released = await write('releaseLegalHold', { method: 'POST', path, body: { reason: 'Arquivado' } })
  expect(released.rows).toEqual(['legal-hold.released by operator'])
})

test('prices and contributions', async () => {
  const { 'contract-id': contractId } = await pricedContract(testApp, await testApp.company())
  const path = `/operator/v1/price-table/${randomUUID()}`
  const table = { 'contract-id': contractId, 'valid-from': '2026-01-01', kind: 'age-band-10', prices: bands }
  const put = { method: 'PUT', path, body: table }
  expect((await write('putPriceTable', put)).rows).toEqual(['price-table.created by operator'])
  expect((await write('putPriceTable', put)).rows).toEqual(['price-table.replaced by operator'])
  const body = { 'valid-from': '2027-01-01', 'basis-points': 500 }
  const adjusted = await write('adjustPriceTable', { method: 'POST', path: `${path}/adjust`, body })
  expect(adjusted.rows).toEqual(['price-table.created by operator'])
  const removed = await write('deletePriceTable', { method: 'DELETE', path })
  expect(removed.rows).toEqual(['price-table.deleted by operator'])
  const rulePath = `/operator/v1/contribution-rule/${randomUUID()}`
  const share = { 'basis-points': 2000 }
  const rule = {
    'contract-id': contractId,
    'valid-from': '2026-01-01',
    'primary-employee-share': share,
    'dependent-employee-share': share,
  }
  const putRule = { method: 'PUT', path: rulePath, body: rule }
  expect((await write('putContributionRule', putRule)).rows).toEqual(['contribution-rule.created by operator'])
  expect((await write('putContributionRule', putRule)).rows).toEqual(['contribution-rule.replaced by operator'])
  const removedRule = await write('deleteContributionRule', { method: 'DELETE', path: rulePath })
  expect(removedRule.rows).toEqual(['contribution-rule.deleted by operator'])
})

test('payroll', async () => {
  const { company: payer, body } = await payrollOfMonth(testApp)
  const path = `/operator/v1/company/${payer.taxId}/payroll-profile`
  const put = await write('putPayrollProfile', { method: 'PUT', path, body: payrollProfile })
  expect(put.rows).toEqual(['payroll-profile.replaced by operator'])
  const made = await write('createPayrollExport', { method: 'POST', path: '/operator/v1/payroll-export', body })
  expect(made.rows).toEqual(['payroll-export.created by operator'])
  const removed = await write('deletePayrollProfile', { method: 'DELETE', path })
  expect(removed.rows).toEqual(['payroll-profile.deleted by operator'])
})

test('failed steps', async () => {
  const path = await putStepAside(testApp)
  expect((await write('retryFailedStep', { method: 'POST', path: `${path}/retry` })).rows).toEqual([
    'step.retried by operator',
  ])
  const other = await putStepAside(testApp)
  expect((await write('deleteFailedStep', { method: 'DELETE', path: other })).rows).toEqual([
    'step.deleted by operator',
  ])
})

test('drafts of exclusions', async () => {
  const [confirmed, discarded] = await openDrafts(testApp, company, 2)
  const confirm = await write('confirmDraftExclusion', { method: 'POST', path: `${confirmed}/confirm` })
  expect(confirm.rows).toEqual(['draft-exclusion.confirmed by operator', 'exclusion.requested by operator'])
  const discard = { method: 'POST', path: `${discarded}/discard`, body: { reason: 'Fica' } }
  expect((await write('discardDraftExclusion', discard)).rows).toEqual(['draft-exclusion.discarded by operator'])
})

test('continuations', async () => {
  const body = continuationBody(await makeFamily(testApp, company, partner))
  const create = { method: 'POST', path: '/operator/v1/continuation', body }
  expect((await write('createContinuation', create)).rows).toEqual(['continuation.created by operator'])
  const { result } = expectOk(await testApp.operator.get('/operator/v1/continuation?status=notice-pending')).body
  const path = `/operator/v1/continuation/${result[0]['continuation-id']}`
  const day = '2026-11-23'
  const act = async (operation: string, verb: string, sent: object) =>
    (await write(operation, { method: 'POST', path: `${path}/${verb}`, body: sent })).rows.toSorted()
  expect(await act('offerContinuation', 'notice', { 'notice-date': day })).toEqual(['continuation.offered by operator'])
  const answer = { option: 'accepted', 'option-date': day }
  expect(await act('answerContinuation', 'option', answer)).toEqual(['continuation.accepted by operator'])
  expect(await act('endContinuation', 'end', { reason: 'request', 'end-date': day })).toEqual([
    'benefit.ended by operator',
    'benefit.ended by operator',
    'continuation.ended by operator',
  ])
})

test('carriers and contracts', async () => {
  const { result } = expectOk(await testApp.operator.get('/operator/v1/carrier')).body
  const carrier = {
    method: 'PUT',
    path: `/operator/v1/carrier/${result[0]['carrier-id']}`,
    body: { name: result[0].name },
  }
  expect((await write('putCarrier', carrier)).rows).toEqual(['carrier.replaced by operator'])
  const body = contractBody(company)
  const made = await write('createContract', { method: 'POST', path: '/operator/v1/contract', body })
  expect(made.rows).toEqual(['contract.created by operator'])
  const path = `/operator/v1/contract/${made.response.result['contract-id']}`
  expect((await write('putContract', { method: 'PUT', path, body })).rows).toEqual(['contract.replaced by operator'])
  const channel = {
    method: 'PUT',
    path: `${path}/channel`,
    body: { connector: { url: 'https://pls.broker.example/' } },
  }
  expect((await write('putContractChannel', channel)).rows).toEqual(['contract-channel.replaced by operator'])
})

test('carriers’ files: the upload, links, comparisons, and what is done with discrepancies', async () => {
  const shipper = await openShipper(testApp)
  const member = holder(shipper.company, { name: 'Só Aqui', 'card-number': undefined })
  expectOk(await sendImport(testApp.operator, ndjson([member])))
  const [benefit] = await testApp.sql<{ id: string }>('select id from benefit where company_id = $1', [
    shipper.company.id,
  ])
  const query = `contract-id=${shipper.contractId}&kind=roster&reference-month=2026-11&layout-id=generic-csv-roster`
  const body = Buffer.from(`tax-id;name;card-number\n${member['tax-id']};Só Aqui;\n;Outro;77\n`)
  const upload = { method: 'POST', path: `${carrierFilePath}?${query}`, body, headers: { 'content-type': 'text/csv' } }
  const sent = await write('uploadCarrierFile', upload)
  expect(sent.rows).toEqual(['carrier-file.uploaded by operator'])
  const file = `${carrierFilePath}/${sent.response.result['file-id']}`
  await readFile(testApp, sent.response.result['file-id'])
  const link = { method: 'POST', path: `${file}/line/3/link`, body: { 'benefit-id': benefit?.id } }
  expect((await write('linkCarrierLine', link)).rows.toSorted()).toEqual([
    'benefit.updated by operator',
    'carrier-line.linked by operator',
  ])
  expect((await write('linkCarrierLine', { ...link, body: { 'benefit-id': null } })).rows).toEqual([
    'carrier-line.unlinked by operator',
  ])
  const create = {
    method: 'POST',
    path: reconciliationPath,
    body: { 'carrier-file-id': sent.response.result['file-id'] },
  }
  const made = await write('createReconciliation', create)
  expect(made.rows).toEqual(['reconciliation.created by operator'])
  const id = made.response.result['reconciliation-id']
  await computed(testApp, id)
  const again = { method: 'POST', path: `${reconciliationPath}/${id}/repeat` }
  expect((await write('repeatReconciliation', again)).rows).toEqual(['reconciliation.repeated by operator'])
  await computed(testApp, id)
  const [unknownHere] = await discrepanciesOf(testApp, id, '&class=unknown-here')
  const change = { method: 'POST', path: `${reconciliationPath}/${id}/discrepancy`, body: { filter: {}, note: 'x' } }
  expect((await write('changeDiscrepancies', change)).rows).toEqual(['discrepancy.updated by operator'])
  const correct = {
    method: 'POST',
    path: `/operator/v1/discrepancy/${unknownHere['discrepancy-id']}/correct`,
    body: { member: { ...primary(), name: 'Outro' } },
  }
  const corrected = await write('correctDiscrepancy', correct)
  expect(corrected.rows).toEqual(
    expect.arrayContaining(['discrepancy.corrected by operator', 'inclusion.requested by operator']),
  )
  const other = await testApp.operator.post(upload.path, Buffer.from('name\nX\n'), upload.headers)
  await readFile(testApp, other.body.result['file-id'])
  const deleted = { method: 'DELETE', path: `${carrierFilePath}/${other.body.result['file-id']}` }
  expect((await write('deleteCarrierFile', deleted)).rows).toEqual(['carrier-file.deleted by operator'])
})

test('shipments: each act is one row, and the movements that are sent have theirs', async () => {
  const shipper = await openShipper(testApp)
  await enroll(testApp, shipper, [primary()])
  const id = await openShipmentOf(testApp, shipper.contractId)
  const path = `${shipmentPath}/${id}`
  for (const [operation, verb, action] of [
    ['closeShipment', 'close', 'shipment.closed'],
    ['reopenShipment', 'reopen', 'shipment.reopened'],
    ['closeShipment', 'close', 'shipment.closed'],
  ]) {
    const { rows } = await write(operation ?? '', { method: 'POST', path: `${path}/${verb}` })
    expect(rows).toEqual([`${action} by operator`])
  }
  const protocol = { method: 'PUT', path: `${path}/item/1/carrier-protocol`, body: { 'carrier-protocol': 'P-1' } }
  const stored = await write('putShipmentItemProtocol', protocol)
  expect(stored.rows).toEqual(['shipment.item-protocol-stored by operator'])
  // Nothing listens there: the attempt fails, and the next one waits.
  const connector = { url: 'http://127.0.0.1:65533/shipment' }
  const channel = await testApp.operator.put(`/operator/v1/contract/${shipper.contractId}/channel`, { connector })
  expectOk(channel)
  await testApp.sql(`update contract set channel = 'connector' where id = $1`, [shipper.contractId])
  const requested = await write('deliverShipment', { method: 'POST', path: `${path}/deliver` })
  expect(requested.rows).toEqual(['shipment.delivery-requested by operator'])
  await until(
    async () => (await testApp.operator.get(`${path}/delivery`)).body.result.length,
    (attempts) => attempts > 1,
  )
  const stopped = await write('stopShipmentDelivery', { method: 'DELETE', path: `${path}/delivery` })
  expect(stopped.rows).toEqual(['shipment.delivery-stopped by operator'])
  const sent = await write('sendShipment', { method: 'POST', path: `${path}/send` })
  expect(sent.rows).toContain('shipment.sent by operator')
  await moved(testApp, id)
  const file = {
    method: 'POST',
    path: `${path}/acknowledgement`,
    body: Buffer.from('{"position":1,"outcome":"accepted"}'),
    headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
  }
  const created = 'decision-job.created by operator'
  const dry = { ...file, path: `${file.path}?dry-run=true` }
  expect((await write('acknowledgeShipment', dry)).rows).toEqual([created])
  expect((await write('acknowledgeShipment', file)).rows.toSorted()).toEqual([
    created,
    'enrollment.completed by carrier',
    'shipment.acknowledged by operator',
  ])
  const finished = await write('finishShipment', { method: 'POST', path: `${path}/finish` })
  expect(finished.rows).toEqual(['shipment.finished by operator'])
  const next = await openShipmentOf(testApp, shipper.contractId)
  const cancelled = await write('cancelShipment', { method: 'POST', path: `${shipmentPath}/${next}/cancel` })
  expect(cancelled.rows).toEqual(['shipment.cancelled by operator'])
})

test('column profiles', async () => {
  const path = `/operator/v1/column-profile/${company.taxId}`
  const body = { columns: [{ heading: 'Funcionário', field: 'name' }] }
  const { rows } = await write('putColumnProfile', { method: 'PUT', path, body })
  expect(rows).toEqual(['column-profile.replaced by operator'])
  const own = { method: 'PUT', path: `/v1/column-profile/${company.taxId}`, by: 'partner', body } as const
  expect((await write('putOwnColumnProfile', own)).rows).toEqual(['column-profile.replaced by partner'])
  const deleted = await write('deleteColumnProfile', { method: 'DELETE', path })
  expect(deleted.rows).toEqual(['column-profile.deleted by operator'])
})

test('a product of a new carrier, beside the company', async () => {
  const [product] = companyBody.products
  const products = [{ ...product, 'carrier-name': 'Operadora Inédita' }]
  const path = `/operator/v1/company/${nextCnpj()}`
  const { rows } = await write('putCompany', { method: 'PUT', path, body: { name: 'Padaria', products } })
  expect(rows).toEqual(['carrier.created by operator', 'company.created by operator'])
})

test('transitions, one row for each enrollment, and the end of a benefit of an extension plan', async () => {
  const request = await testApp.include(partner, company, [primary(), primary(), primary(), primary()])
  const ids: string[] = Object.values(request['status-by-tax-id']).flatMap((products: Json) =>
    Object.values(products).map((part: Json) => part['enrollment-id']),
  )
  const [first, second, ...rest] = ids
  const work = `/operator/v1/enrollment/${first}`
  for (const [assignee, action] of [
    [testApp.operator.clientId, 'enrollment.assigned'],
    [null, 'enrollment.unassigned'],
  ]) {
    const assign = { method: 'PUT', path: `${work}/assignee`, body: { assignee } }
    expect((await write('assignEnrollment', assign)).rows).toEqual([`${action} by operator`])
  }
  const note = { method: 'POST', path: `${work}/note`, body: { text: 'Falta a certidão' } }
  expect((await write('addEnrollmentNote', note)).rows).toEqual(['enrollment.note-added by operator'])
  const status = 'completed'
  const single = { method: 'POST', path: `/operator/v1/enrollment/${first}/transition`, body: { status } }
  expect((await write('moveEnrollment', single)).rows).toEqual(['enrollment.completed by operator'])
  const bulk = { method: 'POST', path: '/operator/v1/enrollment/transition', body: { status, 'enrollment-ids': rest } }
  expect((await write('moveEnrollments', bulk)).rows).toEqual(Array(2).fill('enrollment.completed by operator'))
  const file = {
    method: 'POST',
    path: '/operator/v1/enrollment/decision',
    body: Buffer.from(`enrollment-id;status\n${second};completed\n`),
    headers: { 'content-type': 'text/csv', prefer: 'wait=60' },
  }
  const created = 'decision-job.created by operator'
  const held = { ...bulk, body: { status, 'enrollment-ids': [second], undoable: true } }
  const holding = await write('moveEnrollments', held)
  expect(holding.rows).toEqual([created])
  const undo = { method: 'POST', path: `/operator/v1/decision-job/${holding.response.result['job-id']}/undo` }
  expect((await write('undoDecisions', undo)).rows).toEqual(['decision-job.undone by operator'])
  expect((await write('decideEnrollments', { ...file, path: `${file.path}?dry-run=true` })).rows).toEqual([created])
  expect((await write('decideEnrollments', file)).rows.toSorted()).toEqual([
    created,
    'enrollment.completed by operator',
  ])

  const carded = await included()
  const { body } = await partner.get(`/v1/benefit?member-tax-id=${carded.taxId}`)
  const { 'member-id': memberId } = body.result[0]
  const card = {
    path: `/operator/v1/member/${memberId}/second-card`,
    body: { 'benefit-id': carded.benefitId, reason: 'lost' },
  }
  expect((await write('requestSecondCard', { method: 'POST', ...card })).rows).toEqual([
    'alteration.requested by operator',
  ])
  const transfer = {
    path: `/operator/v1/member/${memberId}/contract-transfer`,
    body: { 'start-date': '2026-11-23', 'sub-contract': '002' },
  }
  expect((await write('requestContractTransfer', { method: 'POST', ...transfer })).rows).toEqual([
    'alteration.requested by operator',
  ])

  const correction = {
    method: 'POST',
    path: `/operator/v1/benefit/${carded.benefitId}/correction`,
    body: { 'card-number': '0045 7799', reason: 'Digitada errada' },
  }
  expect((await write('correctBenefit', correction)).rows).toEqual(['benefit.updated by operator'])

  const active = await included()
  const path = `/v1/enrollment/exclusion/${active.taxId}/benefit/${active.benefitId}?resolution=approve`
  expectOk(await partner.post(path, leaving({ 'extension-plan': true })))
  const end = {
    method: 'POST',
    path: `/operator/v1/benefit/${active.benefitId}/end`,
    body: { 'end-date': '2026-11-23', reason: 'Prazo' },
  }
  expect((await write('endBenefit', end)).rows).toEqual(['benefit.ended by operator'])
})

test('invoices and their files', async () => {
  const path = '/operator/v1/invoice/fatura-auditada'
  const invoice = { method: 'PUT', path, body: invoiceBody(company) }
  expect((await write('putInvoice', invoice)).rows).toHaveLength(1)
  const file = filePath('fatura-auditada', '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
  const headers = { 'content-type': 'application/pdf' }
  expect((await write('putInvoiceFile', { method: 'PUT', path: file, body: pdf, headers })).rows).toHaveLength(1)
  const paid = { method: 'PATCH', path: file.split('?')[0] ?? '', body: { status: 'paid' } }
  expect((await write('markInvoiceFile', paid)).rows).toHaveLength(1)
  await write('markInvoiceFile', { ...paid, body: { status: 'pending' } })
  const erase = { method: 'DELETE', path: paid.path }
  expect((await write('deleteInvoiceFile', erase)).rows).toEqual(['invoice-file.deleted by operator'])
  expect((await write('deleteInvoice', { method: 'DELETE', path })).rows).toEqual(['invoice.deleted by operator'])
})

test('webhook endpoints and events', async () => {
  const base = '/v1/webhook-endpoint'
  const by = 'partner'
  // What is sent there may fail, which is no matter here.
  const made = await write('createWebhookEndpoint', {
    method: 'POST',
    path: base,
    by,
    body: { url: 'http://127.0.0.1:59999/' },
  })
  expect(made.rows).toEqual(['webhook-endpoint.created by partner'])
  const path = `${base}/${made.response.result.id}`
  const tested = await write('testWebhookEndpoint', { method: 'POST', path: `${path}/test`, by })
  expect(tested.rows).toEqual(['webhook-endpoint.tested by partner'])
  const event = `/v1/webhook-event/${tested.response.result.id}`
  const redelivery = {
    method: 'POST',
    path: `/operator${event}/redeliver`,
    body: { 'webhook-endpoint-id': made.response.result.id },
  }
  expect((await write('redeliverAnyWebhookEvent', redelivery)).rows).toEqual(['webhook-event.redelivered by operator'])
  for (const [operation, method, to, action, body] of [
    ['rotateSecret', 'POST', '/v1/client/rotate-secret', 'client.secret-rotated', undefined],
    ['redeliverWebhookEvent', 'POST', `${event}/redeliver`, 'webhook-event.redelivered', undefined],
    ['rotateWebhookSecret', 'POST', `${path}/rotate-secret`, 'webhook-endpoint.secret-rotated', undefined],
    ['updateWebhookEndpoint', 'PATCH', path, 'webhook-endpoint.updated', { 'event-types': ['webhook.test'] }],
    ['deleteWebhookEndpoint', 'DELETE', path, 'webhook-endpoint.deleted', undefined],
  ] as const) {
    expect((await write(operation, { method, path: to, by, body })).rows).toEqual([`${action} by partner`])
  }
})

test('onboarding links', async () => {
  const by = 'partner'
  const invite = async () => {
    const body = invitationBody(company)
    const made = await write('createOnboardingInvitation', { method: 'POST', path: invitationPath, by, body })
    expect(made.rows).toEqual(['onboarding.created by partner'])
    const { result } = made.response
    return { id: result['invitation-id'] as string, token: result.link.split('#')[1] as string, body }
  }
  const link = await invite()
  const path = `${invitationPath}/${link.id}`
  const headers: Record<string, string> = { 'onboarding-token': link.token }
  const page = async (operation: string, method: string, to: string, body?: unknown, type = 'application/json') =>
    write(operation, {
      method,
      path: `/onboarding/v1/${to}`,
      by: 'nobody',
      body,
      headers: { 'content-type': type, ...headers },
    })
  const opened = await page('startOnboardingSession', 'POST', 'session', factorOf(link))
  expect(opened.rows).toEqual(['onboarding.opened by service'])
  headers['onboarding-session'] = opened.response.result.session
  const file = await page('uploadOnboardingDocument', 'POST', 'document', pdf, 'application/pdf')
  expect(file.rows).toEqual(['onboarding.file-uploaded by service'])
  const removed = await page('deleteOnboardingDocument', 'DELETE', `document/${file.response['document-id']}`)
  expect(removed.rows).toEqual(['onboarding.file-deleted by service'])
  const send = async () => (await page('submitOnboarding', 'POST', 'submission', submissionOf(link))).rows
  expect(await send()).toEqual(['onboarding.submitted by service'])
  const sent = { method: 'POST', path: `${path}/return`, by, body: { message: 'Nome' } } as const
  expect((await write('returnOnboardingInvitation', sent)).rows).toEqual(['onboarding.returned by partner'])
  await send()
  const { result } = expectOk(await partner.get(path)).body
  const approval = {
    method: 'POST',
    path: `${path}/approve`,
    by,
    body: { 'submitted-at': result['submitted-at'] },
  } as const
  expect((await write('approveOnboardingInvitation', approval)).rows).toEqual([
    'inclusion.requested by partner',
    'onboarding.approved by partner',
  ])
  const { id } = await invite()
  const revoke = { method: 'POST', path: `${invitationPath}/${id}/revoke`, by } as const
  expect((await write('revokeOnboardingInvitation', revoke)).rows).toEqual(['onboarding.revoked by partner'])
})

test('a session', async () => {
  const { clientId, clientSecret } = testApp.operator
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  const path = '/operator/v1/session'
  const made = await write('createSession', { method: 'POST', path, by: 'nobody', body })
  expect(made.rows).toEqual(['session.created by operator'])
  const cookie = made.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const ended = await write('endSession', { method: 'DELETE', path, by: 'nobody', headers })
  expect(ended.rows).toEqual(['session.ended by operator'])
  const all = { method: 'DELETE', path: `/operator/v1/operator/${clientId}/session` }
  expect((await write('endOperatorSessions', all)).rows).toEqual(['operator.sessions-ended by operator'])
})

test('people', async () => {
  const path = '/operator/v1/person'
  const body = {
    name: 'Ana Prado',
    email: 'ana.prado@broker.example',
    role: 'company-hr',
    'company-tax-ids': [company.taxId],
  }
  const made = await write('createPerson', { method: 'POST', path, body })
  expect(made.rows).toEqual([
    'entitlement.granted by operator',
    'person.created by operator',
    'person.link-created by operator',
  ])
  const id: string = made.response['person-id']
  const again = await write('createPersonLink', { method: 'POST', path: `${path}/${id}/link` })
  expect(again.rows).toEqual(['person.link-created by operator'])
  const token = linkToken(again.response.link)
  const password = { token, password: 'quatro palavras bem longas' }
  const set = { method: 'POST', path: '/operator/v1/session/password', by: 'nobody', body: password } as const
  expect((await write('setPassword', set)).rows).toEqual([`person.password-set by ${id}`])
  const change = { method: 'PATCH', path: `${path}/${id}`, body: { name: 'Ana', 'see-money': true } }
  expect((await write('changePerson', change)).rows).toEqual([
    'person.money-shown by operator',
    'person.updated by operator',
  ])
  for (const [operation, verb, action] of [
    ['blockPerson', 'block', 'person.blocked'],
    ['unblockPerson', 'unblock', 'person.unblocked'],
  ]) {
    const { rows } = await write(operation ?? '', { method: 'POST', path: `${path}/${id}/${verb}` })
    expect(rows).toEqual([`${action} by operator`])
  }
})

test('a person, about the own account', async () => {
  const { id, email, password } = await personOf(testApp, 'analyst')
  await signInAs(testApp, email, password)
  const { cookie } = await signInAs(testApp, email, password)
  // Browsers have passkeys for `localhost`.
  const headers = { cookie, host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }
  const own = (method: string, path: string, body?: unknown) =>
    ({ method, path: `/operator/v1/account${path}`, by: 'nobody', body, headers }) as const
  const ended = await write('endOtherSessions', own('DELETE', '/session'))
  expect(ended.rows).toEqual([`person.sessions-ended by ${id}`])
  const next = { 'current-password': password, password: 'outras palavras bem longas' }
  expect((await write('changePassword', own('PUT', '/password', next))).rows).toEqual([`person.password-set by ${id}`])
  const asked = own('POST', '/passkey/options', { 'current-password': next.password })
  const options = await testApp.call(asked.method, asked.path, asked)
  const passkey = makePasskey('http://localhost:3000', expectOk(options).body.result)
  const added = await write('createPasskey', own('POST', '/passkey', { name: 'Notebook', credential: passkey.created }))
  expect(added.rows).toEqual([`person.passkey-added by ${id}`])
  const begun = await testApp.call('POST', '/operator/v1/session/passkey/options', { headers })
  const body = { credential: passkey.get(expectOk(begun).body.result) }
  const signIn = { method: 'POST', path: '/operator/v1/session/passkey', by: 'nobody', body, headers } as const
  const signedIn = await write('createSessionByPasskey', signIn)
  // The cookie of before was sent.
  expect(signedIn.rows).toEqual([`session.created by ${id}`, `session.ended by ${id}`])
  headers.cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const removed = await write('deletePasskey', own('DELETE', `/passkey/${added.response.result['passkey-id']}`))
  expect(removed.rows).toEqual([`person.passkey-removed by ${id}`])
})

test('an import', async () => {
  const line = {
    ...primary(),
    products: undefined,
    'company-tax-id': company.taxId,
    'product-name': health,
    'start-date': '2026-01-01',
  }
  const headers = { 'content-type': 'application/x-ndjson' }
  const sent = { method: 'POST', path: '/operator/v1/member/import', body: Buffer.from(JSON.stringify(line)), headers }
  expect((await write('importMembers', sent)).rows).toEqual(['member.imported by operator'])
})

test('a disclosure', async () => {
  const { taxId } = await included()
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/member?tax-id=${taxId}`)).body
  const path = `/operator/v1/member/${result[0].id}/disclosure`
  const disclosed = await write('discloseMember', { method: 'POST', path })
  expect(disclosed.rows).toEqual(['member.disclosed by operator'])
})

test('the business day', async () => {
  const advance = { method: 'POST', path: '/operator/v1/clock', body: { 'advance-days': 1 } }
  expect((await write('advanceClock', advance)).rows).toEqual(['clock.advanced by operator'])
})

test('no operation that writes is left out', () => {
  const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const operations = Object.values<Json>(document.paths).flatMap((item) => Object.entries<Json>(item))
  const writing = operations
    .filter(([method]) => method !== 'get' && method !== 'head')
    .map(([, { operationId }]) => operationId)
  // They store nothing but the count of failed attempts.
  const others = new Set([
    'authenticate',
    'readPersonLink',
    'readPasskeyOptions',
    'readNewPasskeyOptions',
    'previewLayout',
    'readTable',
    'readImportTable',
    'advanceDemoClock',
    'simulateRequirements',
    'calculateContinuation',
    'calculateAnyContinuation',
    'calculateOnboardingPrice',
  ])
  expect(writing.filter((id) => !others.has(id)).toSorted()).toEqual([...done].toSorted())
})

test('no audit row is changed or deleted by what comes after it', async () => {
  const rows = await testApp.sql('select id::text, to_jsonb(audit) as row from audit where id = any($1::uuid[])', [
    [...written.keys()],
  ])
  expect(written.size).toBeGreaterThan(20)
  expect(new Map(rows.map((row) => [row['id'], row['row']]))).toEqual(written)
})
