import { expect, test } from 'vitest'
import { expectOk, useTestApp } from './test-app.ts'

const testApp = useTestApp()

test('the address of the service says what it is and where to go, in JSON', async () => {
  const { body, headers } = expectOk(await testApp.call('GET', '/'))
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toMatchObject({ service: 'Vigencia', environment: 'staging', links: { document: '/openapi.json' } })
  const health = expectOk(await testApp.call('GET', body.links.health)).body
  expect(health).toEqual({ status: 'ok' })
  const document = expectOk(await testApp.call('GET', body.links.document)).body
  expect(document.info.version).toBe(body['api-version'])
})

test('a browser gets a page, which loads nothing from elsewhere', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const { text, headers } = expectOk(await testApp.call('GET', '/', { headers: { accept } }))
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('vary')).toBe('accept')
  expect(text).toContain('staging')
  for (const [, path] of text.matchAll(/href="([^"]+)"/g)) expectOk(await testApp.call('GET', path ?? ''))
  expect(text).not.toMatch(/<script|<img|<link|https?:/)
})
