import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Company, expectOk, type Json, nextCnpj, useTestApp } from '../../world/test-app.ts'
import { runConcurrently } from '../../world/locked-table.ts'

const testApp = useTestApp()
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})
const formatted = (taxId: string) =>
  taxId.replace(/^(..)(...)(...)(....)(..)$/, (_all, a, b, c, d, e) => `${a}.${b}.${c}/${d}-${e}`)

async function create(...taxIds: string[]): Promise<string> {
  const response = await testApp.operator.post('/operator/v1/client', { name: 'Folha', 'company-tax-ids': taxIds })
  return expectOk(response).body['client-id']
}

async function listed(clientId: string): Promise<Json> {
  const response = expectOk(await testApp.operator.get('/operator/v1/client?items-per-page=500'))
  return response.body.result.find((item: Json) => item['client-id'] === clientId)
}

async function audited(target: string): Promise<Json[]> {
  return expectOk(await testApp.operator.get(`/operator/v1/audit?target=${target}`)).body.result.toReversed()
}

describe('POST /operator/v1/client', () => {
  test('makes a client that may see its companies at once, and shows the secret this once', async () => {
    const other = await testApp.company()
    const response = await testApp.operator.post('/operator/v1/client', {
      name: '  Folha Aurora ',
      'company-tax-ids': [formatted(company.taxId), company.taxId, other.taxId.toLowerCase()],
    })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      'client-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'client-secret': expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    const client = await testApp.signIn(response.body['client-id'], response.body['client-secret'])
    expect((await client.get(`/v1/company/${other.taxId}`)).status).toBe(200)
    expect(await listed(client.clientId)).toEqual({
      'client-id': client.clientId,
      name: 'Folha Aurora',
      'company-tax-ids': [company.taxId, other.taxId].sort(),
      'created-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      secrets: [{ 'created-at': expect.stringMatching(/Z$/), 'ends-at': null }],
    })
  })

  test('may name no company yet', async () => {
    expect((await listed(await create()))['company-tax-ids']).toEqual([])
    const without = await testApp.operator.post('/operator/v1/client', { name: 'Folha' })
    expect(without.status).toBe(200)
  })

  test('gets 404 for an unknown company, and makes nothing', async () => {
    const before = expectOk(await testApp.operator.get('/operator/v1/client')).body.pagination['total-items']
    const response = await testApp.operator.post('/operator/v1/client', {
      name: 'Folha',
      'company-tax-ids': [company.taxId, nextCnpj()],
    })
    expect(response.status).toBe(404)
    expect(response.body.error).toBe('Company not found')
    const after = expectOk(await testApp.operator.get('/operator/v1/client')).body.pagination['total-items']
    expect(after).toBe(before)
  })

  test.each([
    [{ 'company-tax-ids': [] }, [{ field: 'name', code: 'missing' }]],
    [{ name: '', 'company-tax-ids': [] }, [{ field: 'name', code: 'invalid' }]],
    [{ name: '   ', 'company-tax-ids': [] }, [{ field: 'name', code: 'invalid' }]],
    [{ name: 'x'.repeat(201), 'company-tax-ids': [] }, [{ field: 'name', code: 'invalid' }]],
    [{ name: 'Folha', 'company-tax-ids': 'all' }, [{ field: 'company-tax-ids', code: 'invalid' }]],
    [{ name: 'Folha', 'company-tax-ids': [1] }, [{ field: 'company-tax-ids[0]', code: 'invalid' }]],
    [
      { name: 'Folha', 'company-tax-ids': ['12.ABC.345/01DE-35', '11222333000182', '*'] },
      [
        { field: 'company-tax-ids[1]', code: 'invalid' },
        { field: 'company-tax-ids[2]', code: 'invalid' },
      ],
    ],
    [{ name: 'Folha', role: 'admin' }, [{ field: 'role', code: 'unknown' }]],
    [[], undefined],
    [undefined, undefined],
  ])('gets 400 for %j', async (body, details) => {
    const response = await testApp.operator.post('/operator/v1/client', body)
    expect(response.status).toBe(400)
    expect(response.body.error).toBe('Invalid body')
    if (details === undefined) expect(response.body.details).toBeUndefined()
    else expect(response.body.details).toMatchObject(details)
  })

  test('accepts names of 200 letters of any alphabet', async () => {
    for (const name of ['x'.repeat(200), 'ç'.repeat(200), '\u{1f3ed}'.repeat(200)]) {
      const response = await testApp.operator.post('/operator/v1/client', { name, 'company-tax-ids': [] })
      expect((await listed(expectOk(response).body['client-id'])).name).toBe(name)
    }
  })
})

describe('GET /operator/v1/client', () => {
  test('lists page by page, oldest first, never a secret', async () => {
    const made = [await create(), await create(), await create()]
    const total = expectOk(await testApp.operator.get('/operator/v1/client')).body.pagination['total-items']
    const last = await testApp.operator.get(`/operator/v1/client?page=${total - 1}&items-per-page=1`)
    expect(last.body.result).toMatchObject([{ 'client-id': made[1] }])
    expect(last.body.pagination).toEqual({
      'current-page': total - 1,
      'total-items': total,
      'total-pages': total,
      'next-page': total,
      'previous-page': total - 2,
    })
    expect(last.text.replaceAll('"secrets"', '')).not.toMatch(/secret|hash|scrypt/)
    const past = await testApp.operator.get('/operator/v1/client?page=1000000&items-per-page=500')
    expect(past.status).toBe(200)
    expect(past.body).toEqual({
      result: [],
      pagination: {
        'current-page': 1_000_000,
        'total-items': total,
        'total-pages': 1,
        'next-page': null,
        'previous-page': 1,
      },
    })
  })
})

describe('DELETE /operator/v1/client/{client-id}', () => {
  test('revokes: not listed any more, and 404 from then on', async () => {
    const id = await create(company.taxId)
    const response = await testApp.operator.delete(`/operator/v1/client/${id}`)
    expect(response.status).toBe(204)
    expect(response.text).toBe('')
    expect(await listed(id)).toBeUndefined()
    for (const again of [
      await testApp.operator.delete(`/operator/v1/client/${id}`),
      await testApp.operator.post(`/operator/v1/client/${id}/rotate-secret`),
      await testApp.operator.put(`/operator/v1/client/${id}/company/${company.taxId}`),
      await testApp.operator.delete(`/operator/v1/client/${id}/company/${company.taxId}`),
    ]) {
      expect(again.status).toBe(404)
      expect(again.body.error).toBe('Client not found')
    }
  })

  test('does not find operators, unknown ids, and ids that are none', async () => {
    const { clientId } = testApp.operator
    expect((await testApp.operator.delete(`/operator/v1/client/${clientId}`)).body.error).toBe('Client not found')
    expect((await testApp.operator.delete('/operator/v1/client/nobody')).status).toBe(404)
    for (const id of ['a%00', '%20', 'x'.repeat(101), '%C3%A7']) {
      const response = await testApp.operator.delete(`/operator/v1/client/${id}`)
      expect(response.status).toBe(400)
      expect(response.body.error).toBe('Invalid client-id')
    }
    expect((await testApp.operator.get('/operator/v1/audit')).status).toBe(200)
  })
})

describe('POST /operator/v1/client/{client-id}/rotate-secret', () => {
  test('returns a valid secret for each of two concurrent rotations', async () => {
    const id = await create()
    const rotate = () => testApp.operator.post(`/operator/v1/client/${id}/rotate-secret`)
    const responses = await runConcurrently(testApp, 'client_secret', [rotate, rotate])
    for (const response of responses) {
      expect(expectOk(response).body['client-id']).toBe(id)
      expect((await testApp.signIn(id, response.body['client-secret'])).clientId).toBe(id)
    }
    expect(await testApp.sql('select slot from client_secret where client_id = $1', [id])).toHaveLength(2)
  })
})

describe('DELETE /operator/v1/client/{client-id}/former-secret', () => {
  test('ends the older of two secrets; 409 when there is one', async () => {
    const id = await create()
    const path = `/operator/v1/client/${id}`
    const former = expectOk(await testApp.operator.post(`${path}/rotate-secret`)).body['client-secret']
    const current = expectOk(await testApp.operator.post(`${path}/rotate-secret`)).body['client-secret']
    const [, second] = (await listed(id)).secrets
    const end = () => testApp.operator.delete(`${path}/former-secret`)
    // One of two calls at once ends it: the other does not end the current one.
    const responses = await runConcurrently(testApp, 'client_secret', [end, end])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('no-former-secret')
    expect((await listed(id)).secrets).toEqual([second])
    expect((await testApp.signIn(id, current)).clientId).toBe(id)
    const body = { 'client-id': id, 'client-secret': former }
    expect((await testApp.call('POST', '/v1/authenticate', { body })).status).toBe(401)
    const unknown = await testApp.operator.delete('/operator/v1/client/nobody/former-secret')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'client-not-found'])
  })
})

describe('PUT and DELETE /operator/v1/client/{client-id}/company/{company-tax-id}', () => {
  let client: Client
  beforeAll(async () => {
    client = await testApp.partner(company.taxId)
  })
  const sees = async (taxId: string) => (await client.get(`/v1/company/${taxId}`)).status

  test('grant and revoke at the next call', async () => {
    const { taxId } = await testApp.company()
    const path = `/operator/v1/client/${client.clientId}/company/${encodeURIComponent(formatted(taxId))}`
    expect(await sees(taxId)).toBe(403)
    for (let time = 0; time < 2; time += 1) {
      const response = await testApp.operator.put(path)
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ result: await listed(client.clientId) })
      expect(response.body.result['company-tax-ids']).toEqual([company.taxId, taxId].sort())
      expect(await sees(taxId)).toBe(200)
    }
    for (let time = 0; time < 2; time += 1) {
      expect((await testApp.operator.delete(path)).status).toBe(204)
      expect(await sees(taxId)).toBe(403)
      expect(await sees(company.taxId)).toBe(200)
    }
    expect((await listed(client.clientId))['company-tax-ids']).toEqual([company.taxId])
  })

  test('get 404 for an unknown client or company, 400 for what is no CNPJ', async () => {
    const of = (clientId: string, taxId: string) => `/operator/v1/client/${clientId}/company/${taxId}`
    for (const method of ['put', 'delete'] as const) {
      const unknownClient = await testApp.operator[method](of('nobody', company.taxId))
      expect([unknownClient.status, unknownClient.body.error]).toEqual([404, 'Client not found'])
      const operator = await testApp.operator[method](of(testApp.operator.clientId, company.taxId))
      expect([operator.status, operator.body.error]).toEqual([404, 'Client not found'])
      const unknownCompany = await testApp.operator[method](of(client.clientId, nextCnpj()))
      expect([unknownCompany.status, unknownCompany.body.error]).toEqual([404, 'Company not found'])
      const malformed = await testApp.operator[method](of(client.clientId, '11222333000182'))
      expect([malformed.status, malformed.body.error]).toEqual([400, 'Invalid company-tax-id'])
    }
  })
})

test('every write leaves its row in the audit list', async () => {
  const other = await testApp.company()
  const id = await create(company.taxId)
  const response = await testApp.operator.post(`/operator/v1/client/${id}/rotate-secret`)
  await testApp.operator.put(`/operator/v1/client/${id}/company/${other.taxId}`)
  await testApp.operator.put(`/operator/v1/client/${id}/company/${other.taxId}`)
  await testApp.operator.delete(`/operator/v1/client/${id}/company/${other.taxId}`)
  await testApp.operator.delete(`/operator/v1/client/${id}`)
  const rows = await audited(id)
  expect(new Set(rows.slice(0, 2).map((row) => row.action))).toEqual(new Set(['client.created', 'entitlement.granted']))
  expect(rows.slice(2).map((row) => [row.action, row['company-tax-id']])).toEqual([
    ['client.secret-rotated', null],
    ['entitlement.granted', other.taxId],
    ['entitlement.revoked', other.taxId],
    ['client.revoked', null],
  ])
  expect(rows[2]).toMatchObject({
    actor: testApp.operator.clientId,
    target: id,
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
    'request-trace-id': response.headers.get('x-request-id'),
  })
})
