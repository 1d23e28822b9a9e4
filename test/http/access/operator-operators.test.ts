import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, expectOk, type Json, openTestApp, useTestApp } from '../../world/test-app.ts'
import { runConcurrently } from '../../world/locked-table.ts'

const testApp = useTestApp()
async function listed(clientId: string): Promise<Json> {
  const response = expectOk(await testApp.operator.get('/operator/v1/operator?items-per-page=500'))
  return response.body.result.find((item: Json) => item['client-id'] === clientId)
}

describe('POST /operator/v1/operator', () => {
  test('makes an operator who may sign in, and shows the secret this once', async () => {
    const response = await testApp.operator.post('/operator/v1/operator', { name: 'Mesa', role: 'analyst' })
    expect(response.status).toBe(200)
    expect(Object.keys(response.body).sort()).toEqual(['client-id', 'client-secret'])
    const operator = await testApp.signIn(response.body['client-id'], response.body['client-secret'])
    expect(await listed(operator.clientId)).toEqual({
      'client-id': operator.clientId,
      name: 'Mesa',
      role: 'analyst',
      'created-at': expect.stringMatching(/Z$/),
      'is-person': false,
      secrets: [{ 'created-at': expect.stringMatching(/Z$/), 'ends-at': null }],
    })
    expect(await listed(testApp.operator.clientId)).toMatchObject({ name: 'First operator', role: 'admin' })
  })

  test.each([
    [{ name: 'Mesa' }, [{ field: 'role', code: 'missing' }]],
    [{ name: 'Mesa', role: 'root' }, [{ field: 'role', code: 'invalid' }]],
    [{ role: 'admin' }, [{ field: 'name', code: 'missing' }]],
    [{ name: 'Mesa', role: 'admin', 'company-tax-ids': [] }, [{ field: 'company-tax-ids', code: 'unknown' }]],
  ])('gets 400 for %j', async (body, details) => {
    const response = await testApp.operator.post('/operator/v1/operator', body)
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ error: 'Invalid body', details })
  })
})

describe('POST /operator/v1/operator/{client-id}/rotate-secret', () => {
  test('gives a second secret beside the first', async () => {
    const operator = await testApp.operatorOf('auditor')
    const response = await testApp.operator.post(`/operator/v1/operator/${operator.clientId}/rotate-secret`)
    expect(response.status).toBe(200)
    const again = await testApp.signIn(operator.clientId, response.body['client-secret'])
    const before = await testApp.signIn(operator.clientId, operator.clientSecret)
    expect([again.clientId, before.clientId]).toEqual([operator.clientId, operator.clientId])
  })

  test("does not find unknown ids nor partners' clients", async () => {
    const partner = await testApp.partner()
    for (const id of ['nobody', partner.clientId]) {
      const response = await testApp.operator.post(`/operator/v1/operator/${id}/rotate-secret`)
      expect([response.status, response.body.error]).toEqual([404, 'Operator not found'])
    }
  })
})

describe('DELETE /operator/v1/operator/{client-id}', () => {
  test('removes: not listed any more, and 404 from then on', async () => {
    const { clientId } = await testApp.operatorOf('finance')
    expect((await testApp.operator.delete(`/operator/v1/operator/${clientId}`)).status).toBe(204)
    expect(await listed(clientId)).toBeUndefined()
    const again = await testApp.operator.delete(`/operator/v1/operator/${clientId}`)
    expect([again.status, again.body.error]).toEqual([404, 'Operator not found'])
    const rows = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${clientId}`)).body.result
    expect(rows.map((row: Json) => row.action)).toEqual(['operator.removed', 'operator.created'])
  })

  test("does not find partners' clients", async () => {
    const partner = await testApp.partner()
    const response = await testApp.operator.delete(`/operator/v1/operator/${partner.clientId}`)
    expect([response.status, response.body.error]).toEqual([404, 'Operator not found'])
    expect((await partner.get('/v1/company')).status).toBe(200)
  })

  test('removes the account of the admin who calls; its tokens end', async () => {
    const other = await testApp.operatorOf('admin')
    expect((await other.delete(`/operator/v1/operator/${other.clientId}`)).status).toBe(204)
    expect((await other.get('/operator/v1/operator')).body.code).toBe('client-revoked')
    expect(await listed(other.clientId)).toBeUndefined()
  })

  test('gets 409 for the last admin, whatever other operators there are', async () => {
    const own = await openTestApp()
    try {
      await own.operatorOf('analyst')
      const other = await own.operatorOf('admin')
      expect((await other.delete(`/operator/v1/operator/${own.operator.clientId}`)).status).toBe(204)
      const response = await other.delete(`/operator/v1/operator/${other.clientId}`)
      expect([response.status, response.body.error]).toEqual([409, 'The last admin cannot be removed'])
      expect((await other.get('/operator/v1/operator')).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  test('gets 409 for one of two admins who remove each other at once', async () => {
    const own = await openTestApp()
    try {
      const other = await own.operatorOf('admin')
      const responses = await runConcurrently(own, 'client', [
        () => own.operator.delete(`/operator/v1/operator/${other.clientId}`),
        () => other.delete(`/operator/v1/operator/${own.operator.clientId}`),
      ])
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204, 409]))
      const active = await own.sql("select id from client where role = 'admin' and revoked_at is null")
      expect(active).toHaveLength(1)
    } finally {
      await own.close()
    }
  })
})

describe('roles', () => {
  const operators = new Map<string, Client>()
  beforeAll(async () => {
    for (const role of ['admin', 'analyst', 'finance', 'auditor']) operators.set(role, await testApp.operatorOf(role))
  })

  const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
  const company = '11222333000181'
  const calls: [string, string, unknown, string[]][] = [
    ['GET', '/operator/v1/client', undefined, ['admin', 'auditor']],
    ['POST', '/operator/v1/client', { name: 'Folha', 'company-tax-ids': [] }, ['admin']],
    ['DELETE', `/operator/v1/client/${id}`, undefined, ['admin']],
    ['POST', `/operator/v1/client/${id}/rotate-secret`, undefined, ['admin']],
    ['PUT', `/operator/v1/client/${id}/company/${company}`, undefined, ['admin']],
    ['DELETE', `/operator/v1/client/${id}/company/${company}`, undefined, ['admin']],
    ['GET', '/operator/v1/operator', undefined, ['admin', 'analyst', 'auditor']],
    ['POST', '/operator/v1/operator', { name: 'Mesa', role: 'analyst' }, ['admin']],
    ['DELETE', `/operator/v1/operator/${id}`, undefined, ['admin']],
    ['POST', `/operator/v1/operator/${id}/rotate-secret`, undefined, ['admin']],
    ['GET', '/operator/v1/audit', undefined, ['admin', 'auditor']],
  ]

  test.each(calls)('%s %s', async (method, path, body, may) => {
    for (const [role, { token }] of operators) {
      const response = await testApp.call(method, path, { token, body })
      const done = path.includes(id) ? [role, 404] : [role, 200]
      const expected = may.includes(role) ? done : [role, 403]
      expect([role, response.status]).toEqual(expected)
      expect(response.body.error === 'Not allowed for this role').toBe(expected[1] === 403)
    }
    const nobody = await testApp.call(method, path, { body })
    expect([nobody.status, nobody.body.error]).toEqual([401, 'Invalid credentials'])
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer')
  })
})

describe('PUT /operator/v1/operator/{client-id}/role', () => {
  const change = (clientId: string, role: string, by = testApp.operator) =>
    by.put(`/operator/v1/operator/${clientId}/role`, { role })

  test('changes it at the next call, with a token of before, and leaves an audit row', async () => {
    const operator = await testApp.operatorOf('finance')
    expect((await operator.get('/operator/v1/enrollment')).status).toBe(403)
    const { result } = expectOk(await change(operator.clientId, 'analyst')).body
    expect(result).toEqual({ ...(await listed(operator.clientId)), role: 'analyst' })
    expect((await operator.get('/operator/v1/enrollment')).status).toBe(200)
    expect((await operator.get('/operator/v1/invoice')).status).toBe(403)
    const audit = `/operator/v1/audit?action=operator.role-changed&target=${operator.clientId}`
    expect(expectOk(await testApp.operator.get(audit)).body.result).toHaveLength(1)
    // The same role again changes nothing.
    expectOk(await change(operator.clientId, 'analyst'))
    expect(expectOk(await testApp.operator.get(audit)).body.result).toHaveLength(1)
  })

  test('an admin may give up its own role, unless it is the last one', async () => {
    const app = await openTestApp()
    try {
      const last = await change(app.operator.clientId, 'auditor', app.operator)
      expect([last.status, last.body.code]).toEqual([409, 'last-admin'])
      expectOk(await change(app.operator.clientId, 'admin', app.operator))
      const other = await app.operatorOf('admin')
      expect(expectOk(await change(other.clientId, 'analyst', other)).body.result.role).toBe('analyst')
      expect((await change(other.clientId, 'admin', other)).status).toBe(403)
      expect((await change(app.operator.clientId, 'auditor', app.operator)).status).toBe(409)
    } finally {
      await app.close()
    }
  })

  test('of two admins who demote each other at once one stays', async () => {
    const app = await openTestApp()
    try {
      const other = await app.operatorOf('admin')
      const calls = [
        () => change(other.clientId, 'finance', app.operator),
        () => change(app.operator.clientId, 'finance', other),
      ]
      const responses = await runConcurrently(app, 'client', calls)
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    } finally {
      await app.close()
    }
  })

  test('404 for unknown ids, removed operators and partners; 400 for what is no role', async () => {
    const partner = await testApp.partner()
    const removed = await testApp.operatorOf('analyst')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${removed.clientId}`))
    for (const id of ['nobody', partner.clientId, removed.clientId]) {
      const response = await change(id, 'finance')
      expect([response.status, response.body.code]).toEqual([404, 'operator-not-found'])
    }
    const response = await change(testApp.operator.clientId, 'root')
    expect([response.status, response.body.details]).toMatchObject([400, [{ field: 'role', code: 'invalid' }]])
  })
})

describe('DELETE /operator/v1/operator/{client-id}/former-secret', () => {
  test('ends the older of two secrets; 409 when there is one', async () => {
    const operator = await testApp.operatorOf('auditor')
    const path = `/operator/v1/operator/${operator.clientId}`
    const { body } = expectOk(await testApp.operator.post(`${path}/rotate-secret`))
    const [first, second] = (await listed(operator.clientId)).secrets
    expect(Date.parse(second['created-at'])).toBeGreaterThanOrEqual(Date.parse(first['created-at']))
    expect((await testApp.operator.delete(`${path}/former-secret`)).status).toBe(204)
    expect((await listed(operator.clientId)).secrets).toEqual([second])
    await testApp.signIn(operator.clientId, body['client-secret'])
    const former = { 'client-id': operator.clientId, 'client-secret': operator.clientSecret }
    expect((await testApp.call('POST', '/v1/authenticate', { body: former })).status).toBe(401)
    // Its token is that of the client, not of the secret.
    expect((await operator.get('/operator/v1/audit')).status).toBe(200)
    const again = await testApp.operator.delete(`${path}/former-secret`)
    expect([again.status, again.body.code]).toEqual([409, 'no-former-secret'])
    const unknown = await testApp.operator.delete('/operator/v1/operator/nobody/former-secret')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'operator-not-found'])
  })
})
