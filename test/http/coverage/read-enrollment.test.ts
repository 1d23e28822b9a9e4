import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import { companyBody, expectOk, health, type Json, useTestApp, primary, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
let member: Json
let enrollmentId: string

beforeAll(async () => {
  member = primary({
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-next-billing-period' }] },
  })
  const request = await testApp.include(partner, company, [member])
  enrollmentId = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
})

const read = (id: string, client = partner) => client.get(`/v1/enrollment/detail/${id}`)

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('200', () => {
  test('every field of the contract, the reason and a history that begins with the partner', async () => {
    const response = await read(enrollmentId)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.body).toEqual({
      result: {
        id: enrollmentId,
        'enrollment-type': 'inclusion',
        status: 'created',
        reason: null,
        'created-at': timestamp,
        'last-updated-at': timestamp,
        'member-type': 'primary',
        'member-tax-id': member['tax-id'],
        'member-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'company-tax-id': company.taxId,
        'product-id': company.products[health],
        'product-name': health,
        'product-type': 'health-insurance',
        'carrier-name': 'Operadora Aurora',
        'scheduled-action-date': expect.stringMatching(/^\d{4}-\d\d-01$/),
        'scheduled-reason': 'next-billing-period',
        'request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        reference: null,
        'benefit-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'start-date': expect.stringMatching(/^\d{4}-\d\d-01$/),
        'end-date': null,
        'exclusion-reason': null,
        'alteration-kind': null,
        'extension-plan': null,
        'exclusion-details': null,
        'destination-company-tax-id': null,
        'carrier-hand-over': null,
        deadlines: [{ kind: 'inclusion-window', until: '2026-12-02', norm: 'RN 557, art. 6' }],
        'waiting-period': { status: 'unknown', reason: 'lives-unknown', 'last-day-for-exemption': '2026-12-02' },
        'pending-items': [],
        money: null,
        'requested-by': 'partner',
        intake: null,
        history: [{ status: 'created', at: timestamp, actor: 'partner', reason: null }],
      },
    })
    expect(response.body.result.history[0].at).toBe(response.body.result['created-at'])
  })

  test('each step in its order, with who moved it and why; who exactly is the operator’s to know', async () => {
    const request = await testApp.include(partner, company, [primary()])
    const [part] = Object.values<Json>(request['status-by-tax-id'])
    const id = part[health]['enrollment-id']
    const path = `/operator/v1/enrollment/${id}/transition`
    expectOk(await testApp.operator.post(path, { status: 'broker-processing' }))
    const moved = expectOk(
      await testApp.operator.post(path, { status: 'pending-correction', reason: 'Nome divergente' }),
    )
    const { result } = (await read(id)).body
    expect(result).toMatchObject({ status: 'pending-correction', reason: 'Nome divergente' })
    expect(result.history).toEqual([
      { status: 'created', at: timestamp, actor: 'partner', reason: null },
      { status: 'broker-processing', at: timestamp, actor: 'operator', reason: null },
      { status: 'pending-correction', at: timestamp, actor: 'operator', reason: 'Nome divergente' },
    ])
    expect(result['last-updated-at']).toBe(result.history[2].at)
    expect(moved.body.result.history.map((step: Json) => step['actor-id'])).toEqual([
      partner.clientId,
      testApp.operator.clientId,
      testApp.operator.clientId,
    ])
  })

  test('product and carrier are named as they are now', async () => {
    const renamed = await testApp.company()
    const other = await testApp.partner(renamed.taxId)
    const request = await testApp.include(other, renamed, [primary()])
    const [part] = Object.values<Json>(request['status-by-tax-id'])
    const products = companyBody.products.map((product) => ({
      ...product,
      'product-id': renamed.products[product['product-name']],
      'product-name': `${product['product-name']} Nova`,
    }))
    expectOk(await testApp.operator.put(`/operator/v1/company/${renamed.taxId}`, { name: companyBody.name, products }))
    const { result } = (await read(part[health]['enrollment-id'], other)).body
    expect(result['product-name']).toBe(`${health} Nova`)
  })
})

test.each(['1', 'detail', '%00', `${uuidv7()}%00`])('400 for the malformed id %s', async (id) => {
  const response = await read(id)
  expect(response.status).toBe(400)
  expect(response.body.error).toBe('Invalid enrollment-id')
})

test('401 for a valid token of a revoked client, and without a token', async () => {
  const other = await testApp.partner(company.taxId)
  expectOk(await read(enrollmentId, other))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
  expect((await read(enrollmentId, other)).status).toBe(401)
  expect((await read(uuidv7(), other)).status).toBe(401)
  expect((await testApp.call('GET', `/v1/enrollment/detail/${enrollmentId}`)).status).toBe(401)
})

describe('403', () => {
  test('for an enrollment of another company, without a word of it', async () => {
    const elsewhere = await testApp.company()
    const response = await read(enrollmentId, await testApp.partner(elsewhere.taxId))
    expect(response.status).toBe(403)
    expect(response.body.error).toBe('Not entitled to access this enrollment')
    expect(response.text).not.toContain(member['tax-id'])
  })

  test('once the entitlement is revoked', async () => {
    const other = await testApp.partner(company.taxId)
    expectOk(await read(enrollmentId, other))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}/company/${company.taxId}`))
    expect((await read(enrollmentId, other)).status).toBe(403)
  })
})

test('404 for an id that no enrollment has', async () => {
  const response = await read(uuidv7())
  expect(response.status).toBe(404)
  expect(response.body.error).toBe('Enrollment not found')
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'enrollment', () => read(enrollmentId))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
