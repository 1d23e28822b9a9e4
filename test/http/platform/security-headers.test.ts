import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { securityHeaders } from '#platform/http/security-headers.ts'
import { useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()

test.each([
  ['a response', '/healthz', 200],
  ['a 401', '/v1/company', 401],
  ['a 404', '/v1/nothing', 404],
])('%s has the security headers', async (_what, path, status) => {
  const response = await testApp.call('GET', path)
  expect(response.status).toBe(status)
  expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders)
})

test('TRACE is 405 on every path, and returns nothing of the request', async () => {
  for (const path of ['/healthz', '/v1/company', '/operator/v1/client']) {
    const call = request(testApp.url + path, {
      method: 'TRACE',
      headers: { 'x-secret': 'a-header-of-the-client' },
    }).end()
    const [response] = await once(call, 'response')
    const body = await text(response)
    expect([response.statusCode, JSON.parse(body).code]).toEqual([405, 'method-not-allowed'])
    expect(body + JSON.stringify(response.headers)).not.toContain('a-header-of-the-client')
  }
})
