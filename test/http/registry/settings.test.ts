import { beforeEach, describe, expect, test } from 'vitest'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
const url = '/operator/v1/settings'

/** An image of one point. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const logo = { 'content-type': 'image/png', data: png.toString('base64') }
const put = (settings: Json) => testApp.operator.put(url, settings)
const read = async (): Promise<Json> => expectOk(await testApp.operator.get(url)).body.result
const brand = async (): Promise<Json> => expectOk(await testApp.call('GET', '/operator/v1/brand')).body.result

beforeEach(async () => {
  expectOk(await put({}))
})

test('name and logo are read by everybody, without a token', async () => {
  expect(await brand()).toEqual({ 'broker-name': null, 'logo-url': null })
  expect(await testApp.call('GET', '/operator/v1/brand/logo')).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  })
  expectOk(await put({ 'broker-name': 'Corretora Horizonte', logo }))
  const { 'logo-url': path, ...shown } = await brand()
  expect(shown).toEqual({ 'broker-name': 'Corretora Horizonte' })
  const response = await fetch(testApp.url + path)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
})

test('a PUT replaces all of them: what is absent is null', async () => {
  const templates = [
    { target: 'rejected', text: 'Fora do contrato.' },
    { target: 'pending-documents', text: 'Envie a certidão.', 'document-types': ['company-letter'] },
  ]
  const { body } = expectOk(await put({ 'broker-name': 'Horizonte', logo, 'reason-templates': templates }))
  expect(body.result).toMatchObject({ 'broker-name': 'Horizonte', logo, 'reason-templates': templates })
  expect(await read()).toEqual(body.result)
  expectOk(await put({ 'reason-templates': [] }))
  expect(await read()).toMatchObject({ 'broker-name': null, logo: null, 'reason-templates': [] })
})

describe('400 for', () => {
  const first = (template: Json) => ({ 'reason-templates': [template] })
  const text = 'Envie a certidão.'
  test.each<[string, Json, string, string]>([
    [
      'a text that is no image',
      { logo: { ...logo, data: Buffer.from('<svg/>').toString('base64') } },
      'logo.data',
      'invalid',
    ],
    ['an image of another type', { logo: { ...logo, 'content-type': 'image/jpeg' } }, 'logo.data', 'invalid'],
    [
      'a type that may have scripts',
      { logo: { ...logo, 'content-type': 'image/svg+xml' } },
      'logo.content-type',
      'invalid',
    ],
    ['a logo of more than 100 kB', { logo: { ...logo, data: 'A'.repeat(133_336) } }, 'logo.data', 'invalid'],
    [
      'documents that a rejection asks for',
      first({ target: 'rejected', text, 'document-types': ['company-letter'] }),
      'reason-templates[0].document-types',
      'not-applicable',
    ],
    [
      'the same reason twice',
      {
        'reason-templates': [
          { target: 'rejected', text },
          { target: 'rejected', text: ` ${text}` },
        ],
      },
      'reason-templates[1].text',
      'repeated',
    ],
  ])('%s', async (_name, settings, field, code) => {
    const before = await read()
    const details = expect.arrayContaining([expect.objectContaining({ field, code })])
    expect(await put(settings)).toMatchObject({ status: 400, body: { code: 'invalid-body', details } })
    expect(await read()).toEqual(before)
  })
})
