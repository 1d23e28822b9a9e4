import { expect, test } from 'vitest'
import { securityHeaders } from '../../src/http/security-headers.ts'
import { useTestApp } from './test-app.ts'

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
