import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  monday,
  nextCpf,
  useTestApp,
  primary,
  until,
  useCompany,
} from '../../world/test-app.ts'
import { scaled } from '../../scale.ts'

const testApp = useTestApp({}, { instances: 'split' })
const largeSize = scaled(3_000, 10_000)
const { company, partner } = useCompany(testApp)

const include = (members: Json[], query = '', headers = {}) =>
  partner.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': company.taxId, members }, headers)

const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

const membersShown = async (query = ''): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/member${query}`)).body.result

const person = async (cpf: string, query = ''): Promise<Json> =>
  (await membersShown(query)).find((member) => member.profile['tax-id'] === cpf)

describe('200', () => {
  test('a family becomes a completed request with an enrollment per member and product, each pending until resolved', async () => {
    const mother = primary({
      products: {
        ...inProduct('health-insurance', '  saude essencial ENFERMARIA '),
        ...inProduct('dental-insurance', dental),
      },
    })
    const child = dependent(mother['tax-id'])
    const request = await testApp.include(partner, company, [child, mother])
    expect(request).toMatchObject({ 'request-type': 'inclusion', 'company-tax-id': company.taxId, status: 'completed' })
    const parts = request['status-by-tax-id']
    expect(Object.keys(parts[mother['tax-id']]).toSorted()).toEqual([dental, health].toSorted())
    expect(parts[child['tax-id']][health]).toMatchObject({
      status: 'enrollment-created',
      'enrollment-status': 'created',
    })

    const shown = await detail(parts[child['tax-id']][health]['enrollment-id'])
    expect(shown).toMatchObject({
      'enrollment-type': 'inclusion',
      status: 'created',
      'member-type': 'dependent',
      'member-tax-id': child['tax-id'],
      'company-tax-id': company.taxId,
      'product-id': company.products[health],
      'product-name': health,
      'carrier-name': 'Operadora Aurora',
      'scheduled-action-date': null,
      'scheduled-reason': null,
      reason: null,
    })
    expect(shown.history).toEqual([{ status: 'created', at: shown['created-at'], actor: 'partner', reason: null }])
    expect(await person(child['tax-id'])).toBeUndefined()
    const pending = await person(child['tax-id'], '?include-inactive=true')
    expect(pending.benefits).toMatchObject([
      { status: 'pending', type: 'dependent', 'primary-member-tax-id': mother['tax-id'] },
    ])
  })

  test('resolution=approve ends as active benefits, resolution=reject leaves no benefit and no member', async () => {
    const approvedMember = primary()
    const refused = primary()
    const approved = await testApp.include(
      partner,
      company,
      [approvedMember, dependent(approvedMember['tax-id'])],
      '?resolution=approve',
    )
    expect(approved['enrollment-summary']).toMatchObject({ completed: 2 })
    const rejected = await testApp.include(partner, company, [refused], '?resolution=reject')
    expect(rejected.status).toBe('completed')
    expect(rejected['status-by-tax-id'][refused['tax-id']][health]['enrollment-status']).toBe('rejected')
    expect((await person(approvedMember['tax-id'])).benefits).toMatchObject([
      { status: 'active', 'start-date': monday, type: 'primary' },
    ])
    expect(await person(refused['tax-id'], '?include-inactive=true')).toBeUndefined()
    const shown = await detail(rejected['status-by-tax-id'][refused['tax-id']][health]['enrollment-id'])
    expect(shown.history.at(-1)).toMatchObject({ status: 'rejected', actor: 'resolution' })
    expect(shown.reason).toBeTruthy()
  })

  test('a dependent that is approved while its primary is pending stays created', async () => {
    const mother = primary()
    await testApp.include(partner, company, [mother])
    const child = dependent(mother['tax-id'])
    const request = await testApp.include(partner, company, [child], '?resolution=approve')
    expect(request.status).toBe('completed')
    expect(request['status-by-tax-id'][child['tax-id']][health]['enrollment-status']).toBe('created')
  })

  test('a future admission is scheduled for that day, the next billing period is told and goes to the queue at once', async () => {
    const later = primary({
      'admission-date': '2026-12-09',
      products: {
        ...inProduct('health-insurance', health, 'on-next-billing-period'),
        ...inProduct('life-insurance', life, 'on-admission-date'),
      },
    })
    const parts = (await testApp.include(partner, company, [later]))['status-by-tax-id'][later['tax-id']]
    expect(await detail(parts[life]['enrollment-id'])).toMatchObject({
      status: 'scheduled',
      'scheduled-action-date': '2026-12-09',
      'scheduled-reason': 'future-admission-date',
    })
    // The 23rd is past the cut-off day 20, so not December but January.
    expect(await detail(parts[health]['enrollment-id'])).toMatchObject({
      status: 'created',
      'scheduled-action-date': '2027-01-01',
      'scheduled-reason': 'next-billing-period',
    })
  })

  test('unknown fields and late inclusions are taken with warnings', async () => {
    const member = primary({ 'admission-date': '2026-01-05', 'shoe-size': 38 })
    const response = await partner.post('/v1/enrollment/inclusion', {
      'company-tax-id': company.taxId,
      members: [member],
      note: 1,
    })
    expect(response.status).toBe(200)
    expect(response.body.warnings).toContainEqual({ warning: 'unknown-field', field: 'note' })
    expect(response.body.warnings).toContainEqual(
      expect.objectContaining({ index: 0, 'tax-id': member['tax-id'], warning: 'unknown-field', field: 'shoe-size' }),
    )
    expect(response.body.warnings).toContainEqual(expect.objectContaining({ index: 0, warning: 'late-inclusion' }))
  })

  test('a company is found by its formatted CNPJ too', async () => {
    const formatted = company.taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5').toLowerCase()
    const response = await partner.post('/v1/enrollment/inclusion', {
      'company-tax-id': formatted,
      members: [primary()],
    })
    expect(response.status).toBe(200)
    expect((await testApp.finished(partner, response.body['request-id']))['company-tax-id']).toBe(company.taxId)
  })

  test('the profile of somebody who is a member already changes when the inclusion completes, not before', async () => {
    const first = primary({ name: 'Nome Antigo' })
    await testApp.include(partner, company, [first], '?resolution=approve')
    const again = primary({ ...first, name: 'Nome Novo', products: inProduct('dental-insurance', dental) })
    const request = await testApp.include(partner, company, [again])
    expect((await person(first['tax-id'])).profile.name).toBe('Nome Antigo')
    const id = request['status-by-tax-id'][first['tax-id']][dental]['enrollment-id']
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
    expect((await person(first['tax-id'])).profile.name).toBe('Nome Novo')
  })

  test('one person has one id in every company', async () => {
    const other = await testApp.company()
    const both = await testApp.partner(company.taxId, other.taxId)
    const cpf = nextCpf()
    await testApp.include(both, company, [primary({ 'tax-id': cpf })], '?resolution=approve')
    await testApp.include(both, other, [primary({ 'tax-id': cpf })], '?resolution=approve')
    const listed = expectOk(await both.get('/v1/member')).body.result.filter(
      (one: Json) => one.profile['tax-id'] === cpf,
    )
    expect(listed).toHaveLength(1)
    expect(listed[0].benefits.map((benefit: Json) => benefit['company-tax-id']).toSorted()).toEqual(
      [company.taxId, other.taxId].toSorted(),
    )
    expect(listed[0].id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('200, and a part that fails because the facts changed', () => {
  test('two batches with one person in flight: the second part fails as ongoing-enrollment', async () => {
    const cpf = nextCpf()
    const responses = await Promise.all(Array.from({ length: 8 }, () => include([primary({ 'tax-id': cpf })])))
    const requests = await Promise.all(
      responses.filter((one) => one.status === 200).map((one) => testApp.finished(partner, one.body['request-id'])),
    )
    const outcomes = requests.map((request) => request.status).toSorted()
    expect(outcomes.filter((status) => status === 'completed')).toHaveLength(1)
    const failed = requests.filter((request) => request.status === 'failed')
    expect(failed).toHaveLength(requests.length - 1)
    for (const request of failed) {
      expect(request['status-by-tax-id'][cpf][health]).toMatchObject({
        status: 'failed',
        'enrollment-id': null,
        offenses: ['ongoing-enrollment'],
      })
    }
    for (const response of responses.filter((one) => one.status !== 200)) {
      expect(response.body.result[0].offenses).toEqual(['ongoing-enrollment'])
    }
  })

  test('a dependent sent right after its primary waits for it', async () => {
    const families = Array.from({ length: 20 }, () => primary())
    const responses = []
    for (const mother of families) {
      responses.push(await include([mother]))
      responses.push(await include([dependent(mother['tax-id'])]))
    }
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200))
    const requests = await Promise.all(responses.map((one) => testApp.finished(partner, one.body['request-id'])))
    expect(requests.map((request) => request.status)).toEqual(requests.map(() => 'completed'))
  })
})

describe('400', () => {
  test('already-enrolled and ongoing-enrollment are told before anything is kept', async () => {
    const active = primary()
    const open = primary()
    await testApp.include(partner, company, [active], '?resolution=approve')
    await testApp.include(partner, company, [open])
    const response = await include([active, open])
    expect(response.status).toBe(400)
    expect(response.body.result.map((entry: Json) => entry.offenses)).toEqual([
      ['already-enrolled'],
      ['ongoing-enrollment'],
    ])
    expect(response.body.result[0]).toMatchObject({
      index: 0,
      'company-tax-id': company.taxId,
      'tax-id': active['tax-id'],
    })
  })

  test('an unknown document is an offense', async () => {
    const documents = [{ 'document-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'document-type': 'invoice' }]
    const response = await include([primary({ documents })])
    expect(response.body.result[0].offenses).toEqual(['invalid-documents'])
  })

  test.each([
    ['no member', []],
    ['10,001 members', Array.from({ length: 10_001 }, () => ({}))],
    ['a member that is no object', [1]],
  ])('a batch with %s is an invalid body', async (_case, members) => {
    const response = await include(members as Json[])
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({
      error: 'Invalid body',
      details: [{ field: expect.stringMatching(/^members/) }],
    })
  })

  test.each(['?resolution=maybe', '?resolution=', '?resolution=approve&resolution=reject', '?resolutoin=approve'])(
    'the query %s is an invalid parameter',
    async (query) => {
      const response = await include([primary()], query)
      expect(response.status).toBe(400)
      expect(response.body.error).toBe('Invalid parameter')
    },
  )
})

test('401 without a token, before anything else is looked at', async () => {
  const response = await testApp.call('POST', '/v1/enrollment/inclusion?what=ever', {
    body: '{',
    headers: { 'content-type': 'text/plain' },
  })
  expect(response.status).toBe(401)
  expect(response.body.error).toBe('Invalid credentials')
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
})

describe('403', () => {
  test('a company that is unknown and one that is not the caller’s answer alike', async () => {
    const foreign = await testApp.company()
    for (const taxId of [foreign.taxId, '11222333000181']) {
      const response = await partner.post('/v1/enrollment/inclusion', { 'company-tax-id': taxId, members: [primary()] })
      expect(response.status).toBe(403)
      expect(response.body.error).toBe('Not entitled to access this company')
    }
  })

  test('an entitlement that was revoked is refused at the next call, whatever the members are', async () => {
    const mine = await testApp.company()
    const client = await testApp.partner(mine.taxId)
    expectOk(await client.post('/v1/enrollment/inclusion', { 'company-tax-id': mine.taxId, members: [primary()] }))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${client.clientId}/company/${mine.taxId}`))
    const response = await client.post('/v1/enrollment/inclusion', {
      'company-tax-id': mine.taxId,
      members: [primary({ name: '' })],
    })
    expect(response.status).toBe(403)
  })
})

test('413 for a body over 16 MiB and 415 for what is not JSON', async () => {
  const large = await partner.post('/v1/enrollment/inclusion', Buffer.alloc(16 * 1024 * 1024 + 1, 32))
  expect(large.status).toBe(413)
  expect(large.body).toMatchObject({ error: expect.any(String), 'request-trace-id': expect.any(String) })
  const text = await partner.post('/v1/enrollment/inclusion', 'hello', { 'content-type': 'text/plain' })
  expect(text.status).toBe(415)
})

test(`a batch of ${largeSize} members is read part by part while it is processed, and a small one sent after it is not held up`, async () => {
  const members = Array.from({ length: largeSize }, () => primary())
  const large = expectOk(await include(members))
  const small = expectOk(await include([primary()]))
  const first = expectOk(await partner.get(`/v1/request/${large.body['request-id']}`)).body
  expect(Object.keys(first['status-by-tax-id'])).toHaveLength(largeSize)
  const other = await testApp.company()
  const neighbour = await testApp.partner(other.taxId)
  const theirs = await testApp.include(neighbour, other, [primary()])
  expect(theirs.status).toBe('completed')
  expect((await testApp.finished(partner, small.body['request-id'])).status).toBe('completed')
  const done = await until(
    async () => expectOk(await partner.get(`/v1/request/${large.body['request-id']}`)).body,
    (body) => body.status !== 'processing',
    60_000,
  )
  expect(done.status).toBe('completed')
  expect(done['enrollment-summary']).toMatchObject({ created: largeSize })
  expect(await testApp.sql('select 1 from movement_item')).toEqual([])
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
