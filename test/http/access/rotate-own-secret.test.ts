import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Company, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* POST /v1/client/rotate-secret: a partner's client gives itself a new secret. */

const testApp = useTestApp({ VIGENCIA_RATE_LIMITS: '900/900/900' })
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})

const path = '/v1/client/rotate-secret'
const newPartner = () => testApp.partner(company.taxId)
const rotate = async (partner: Client): Promise<Json> => expectOk(await partner.post(path)).body.result

async function authenticates({ clientId }: Client, secret: string): Promise<boolean> {
  const body = { 'client-id': clientId, 'client-secret': secret }
  const { status } = await testApp.call('POST', '/v1/authenticate', { body })
  expect([200, 401]).toContain(status)
  return status === 200
}

const secretsOf = async ({ clientId }: Client): Promise<Json[]> => {
  const { result } = expectOk(await testApp.operator.get('/operator/v1/client?items-per-page=500')).body
  return result.find((one: Json) => one['client-id'] === clientId).secrets
}

/** Moves the ends of the client's secrets into the past. */
const passTime = async ({ clientId }: Client): Promise<void> => {
  // In two statements: Citus takes no stable functions over the columns of an update.
  const secrets = await testApp.sql(
    `select slot, ends_at - interval '24 hours' as ends, created_at - interval '24 hours' as created from client_secret where client_id = $1`,
    [clientId],
  )
  for (const { slot, ends, created } of secrets) {
    await testApp.sql('update client_secret set ends_at = $3, created_at = $4 where client_id = $1 and slot = $2', [
      clientId,
      slot,
      ends,
      created,
    ])
  }
}

describe('a rotation', () => {
  test('gives a new secret; the present one and the tokens stay valid, the present one for 24 hours', async () => {
    const partner = await newPartner()
    const before = Date.now()
    const result = await rotate(partner)
    expect(Object.keys(result)).toEqual(['client-secret', 'former-secret-ends-at'])
    const hours = (Date.parse(result['former-secret-ends-at']) - before) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
    expect(result['client-secret']).toMatch(/^[\w-]{43}$/)
    expect(await authenticates(partner, result['client-secret'])).toBe(true)
    expect(await authenticates(partner, partner.clientSecret)).toBe(true)
    expect((await partner.get('/v1/company')).status).toBe(200)
    const [former, present] = await secretsOf(partner)
    expect([former['ends-at'], present['ends-at']]).toEqual([result['former-secret-ends-at'], null])

    await passTime(partner)
    expect(await authenticates(partner, partner.clientSecret)).toBe(false)
    expect(await authenticates(partner, result['client-secret'])).toBe(true)
    expect(await secretsOf(partner)).toHaveLength(1)
    const ended = await testApp.operator.delete(`/operator/v1/client/${partner.clientId}/former-secret`)
    expect([ended.status, ended.body.code]).toEqual([409, 'no-former-secret'])
  })

  test('ends the older of two secrets at once, so that a second one ends a secret that was disclosed', async () => {
    const partner = await newPartner()
    const second = (await rotate(partner))['client-secret']
    const third = (await rotate(partner))['client-secret']
    const valid = [partner.clientSecret, second, third].map((secret) => authenticates(partner, secret))
    expect(await Promise.all(valid)).toEqual([false, true, true])
  })

  test('after which the operator rotates: the newest of the partner has no end', async () => {
    const partner = await newPartner()
    const own = (await rotate(partner))['client-secret']
    const byOperator = expectOk(await testApp.operator.post(`/operator/v1/client/${partner.clientId}/rotate-secret`))
    await passTime(partner)
    expect(await authenticates(partner, partner.clientSecret)).toBe(false)
    expect(await authenticates(partner, own)).toBe(true)
    expect(await authenticates(partner, byOperator.body['client-secret'])).toBe(true)
  })

  test('many at once leave two secrets, of which the newest has no end', async () => {
    const partner = await newPartner()
    const results = await Promise.all(Array.from({ length: 6 }, () => rotate(partner)))
    const valid = await Promise.all(results.map((result) => authenticates(partner, result['client-secret'])))
    expect(valid.filter(Boolean)).toHaveLength(2)
    expect((await secretsOf(partner)).map((one) => one['ends-at'] === null)).toEqual([false, true])
  })
})

describe('with an Idempotency-Key', () => {
  test('the same call returns the same secret; it is stored nowhere in plain text', async () => {
    const partner = await newPartner()
    const headers = { 'idempotency-key': '6f1f0a0c-rotation' }
    const first = expectOk(await partner.post(path, undefined, headers))
    const replay = expectOk(await partner.post(path, undefined, headers))
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(replay.body).toEqual(first.body)
    const secret = first.body.result['client-secret']
    expect(await authenticates(partner, secret)).toBe(true)
    for (const table of ['idempotency_key', 'client_secret', 'audit']) {
      const rows = await testApp.sql(`select row_to_json(t)::text as text from ${table} t`)
      const hex = Buffer.from(secret).toString('hex')
      expect(rows.filter(({ text }) => text.includes(secret) || text.includes(hex))).toEqual([])
    }
  })

  test('and not to a client that was revoked since', async () => {
    const partner = await newPartner()
    const headers = { 'idempotency-key': '6f1f0a0c-revoked' }
    expectOk(await partner.post(path, undefined, headers))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${partner.clientId}`))
    const replay = await partner.post(path, undefined, headers)
    expect([replay.status, replay.body.code]).toEqual([401, 'client-revoked'])
  })
})

test('a revoked client and an operator are refused', async () => {
  const partner = await newPartner()
  expectOk(await testApp.operator.delete(`/operator/v1/client/${partner.clientId}`))
  const revoked = await partner.post(path)
  expect([revoked.status, revoked.body.code]).toEqual([401, 'client-revoked'])
  const operator = await testApp.operator.post(path)
  expect([operator.status, operator.body.code]).toEqual([401, 'wrong-api'])
})

test('it counts as a write of the client', async () => {
  const { headers } = expectOk(await (await newPartner()).post(path))
  expect(headers.get('ratelimit-policy')).toContain('writes')
  expect(headers.get('cache-control')).toBe('no-store')
})
