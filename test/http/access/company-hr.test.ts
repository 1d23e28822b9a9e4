import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { putFile, putInvoice } from '../../world/invoice.ts'
import { type Browser, personOf, sameOrigin, signInAs } from '../../world/person.ts'
import {
  type ApiResponse,
  expectOk,
  health,
  type Json,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/* The people of a company on the partner API. What of other companies they see is in isolation.test.ts. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const refusal = ({ status, body }: ApiResponse) => [status, body?.code]

async function hrOf(): Promise<Browser & { readonly id: string }> {
  const { id, email, password } = await personOf(testApp, 'company-hr', company.taxId)
  return { ...(await signInAs(testApp, email, password)), id }
}

/** Includes somebody. @returns the id of the enrollment. */
async function include(hr: Browser): Promise<string> {
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const { 'request-id': id } = expectOk(await hr.call('POST', '/v1/enrollment/inclusion', body)).body
  const request = await until(
    async () => expectOk(await hr.call('GET', `/v1/request/${id}`)).body,
    ({ status }: Json) => status !== 'processing',
  )
  const [parts] = Object.values<Json>(request['status-by-tax-id'])
  return parts[health]['enrollment-id']
}

test('the history of a movement names the person, to the company and to operators', async () => {
  const hr = await hrOf()
  const enrollmentId = await include(hr)
  const pending = { status: 'pending-correction', reason: 'Nome' }
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${enrollmentId}/transition`, pending))
  expectOk(await hr.call('POST', `/v1/enrollment/${enrollmentId}/answer`, { data: { 'job-title': 'Auxiliar' } }))
  const { name } = expectOk(await testApp.operator.get(`/operator/v1/person/${hr.id}`)).body.result
  const steps = (history: Json[]) => history.map((step) => [step.actor, step['actor-name']])
  const expected = [
    ['partner', name],
    ['operator', undefined],
    ['partner', name],
  ]
  const detail = `/v1/enrollment/detail/${enrollmentId}`
  expect(steps(expectOk(await hr.call('GET', detail)).body.result.history)).toEqual(expected)
  expect(steps(expectOk(await partner.get(detail)).body.result.history)).toEqual(expected)
  const movement = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${enrollmentId}`)).body.result
  expect(steps(movement.history)).toEqual(expected)
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?actor=${hr.id}`)).body
  expect(result.map((row: Json) => row.action)).toContain('inclusion.requested')
})

test('an Idempotency-Key is that of one person', async () => {
  const [one, other] = [await hrOf(), await hrOf()]
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const headers = { 'idempotency-key': randomUUID() }
  const call = (hr: Browser) => hr.call('POST', '/v1/enrollment/inclusion', body, headers)
  expectOk(await call(one))
  expect((await call(one)).headers.get('idempotency-replayed')).toBe('true')
  // Which is therefore another request, of a person who is enrolled by now.
  expect((await call(other)).headers.get('idempotency-replayed')).toBe(null)
})

test('invoices are shown only to a person who sees money', async () => {
  const hr = await hrOf()
  const invoiceId = await putInvoice(testApp, company, { id: `fatura-${randomUUID()}` })
  await putFile(testApp, invoiceId)
  const path = `/v1/invoices/${invoiceId}`
  const seesMoney = async () =>
    expectOk(await hr.call('GET', '/operator/v1/session')).body.result['see-money'] as boolean
  expect(await seesMoney()).toBe(false)
  const lists = ['/v1/invoices', `/v1/invoices?company-tax-id=${company.taxId}`, '/v1/invoices/pending-payment']
  for (const list of lists) expect(expectOk(await hr.call('GET', list)).body.result).toEqual([])
  expect(refusal(await hr.call('GET', path))).toEqual([404, 'invoice-not-found'])
  expect(refusal(await hr.call('GET', `${path}/download`))).toEqual([404, 'invoice-not-found'])
  const body = { 'see-money': true }
  expectOk(await testApp.call('PATCH', `/operator/v1/person/${hr.id}`, { token: testApp.operator.token, body }))
  expect(await seesMoney()).toBe(true)
  for (const list of lists) expect(expectOk(await hr.call('GET', list)).body.result.length).toBeGreaterThan(0)
  expect((await hr.call('GET', path)).status).toBe(200)
  expect((await hr.call('GET', `${path}/download`)).status).toBe(200)
})

describe('the cookie', () => {
  test('is that of nobody when it is forged, ended, or that of an operator', async () => {
    const hr = await hrOf()
    const [name, value = ''] = hr.cookie.split('=')
    const flipped = (value.startsWith('A') ? 'B' : 'A') + value.slice(1)
    const analyst = await personOf(testApp, 'analyst')
    const { cookie } = await signInAs(testApp, analyst.email, analyst.password)
    const read = (sent: string) => testApp.call('GET', '/v1/company', { headers: { cookie: sent, ...sameOrigin } })
    for (const forged of [flipped, value.slice(1), `${value}A`, hr.id, '%00', ' '.repeat(3)]) {
      const response = await read(`${name}=${forged}`)
      expect([forged, response.status]).toEqual([forged, 401])
    }
    expect(refusal(await read(cookie))).toEqual([401, 'token-missing'])
    expect((await read(hr.cookie)).status).toBe(200)
    expectOk(await hr.call('DELETE', '/operator/v1/session'))
    expect(refusal(await read(hr.cookie))).toEqual([401, 'session-ended'])
  })

  test('counts for nothing beside a token', async () => {
    const hr = await hrOf()
    const headers = { cookie: hr.cookie, ...sameOrigin, authorization: 'Bearer x.y.z' }
    expect(refusal(await testApp.call('GET', '/v1/company', { headers }))).toEqual([401, 'token-invalid'])
  })

  test('is of no use from the moment on when the person is blocked, or loses the company', async () => {
    const hr = await hrOf()
    const other = await testApp.company()
    const path = `/operator/v1/person/${hr.id}`
    const body = { 'company-tax-ids': [other.taxId] }
    expectOk(await testApp.call('PATCH', path, { token: testApp.operator.token, body }))
    expect(refusal(await hr.call('GET', `/v1/company/${company.taxId}`))).toEqual([403, 'not-entitled'])
    expect((await hr.call('GET', `/v1/company/${other.taxId}`)).status).toBe(200)
    expectOk(await testApp.operator.post(`${path}/block`))
    expect(refusal(await hr.call('GET', `/v1/company/${other.taxId}`))).toEqual([401, 'session-ended'])
  })
})
