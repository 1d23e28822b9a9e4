import { expect, test } from 'vitest'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_TRUSTED_PROXIES: '127.0.0.1,::1', VIGENCIA_ROLE: 'all' })

const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` })

test('the audit has the address that the trusted proxy appended', async () => {
  const body = { name: 'Folha', 'company-tax-ids': [] }
  const made = expectOk(await testApp.operator.post('/operator/v1/client', body, from('203.0.113.9')))
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${made.body['client-id']}`)).body
  expect(result.map((row: Json) => row.address)).toEqual(['203.0.113.9'])
})

test('wrong secrets are counted for the address behind the proxy', async () => {
  const { 'client-id': id } = expectOk(
    await testApp.operator.post('/operator/v1/client', { name: 'Folha', 'company-tax-ids': [] }),
  ).body
  const guess = async (address: string) => {
    const body = { 'client-id': id, 'client-secret': 'a guess' }
    return (await testApp.call('POST', '/v1/authenticate', { body, headers: from(address) })).status
  }
  const statuses = []
  for (let attempt = 0; attempt < 11; attempt += 1) statuses.push(await guess('203.0.113.9'))
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
  expect(await guess('203.0.113.10')).toBe(401)
})
