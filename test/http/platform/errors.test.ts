import { createPrivateKey } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { FILTER_FIELDS } from '#coverage/members/filter.ts'
import { stopBatchThreads } from '#movements/batch/batch.ts'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { type ApiResponse, health, monday, openTestApp, primary, useTestApp, useCompany } from '../../world/test-app.ts'

/* What a program, or its author, can act on: codes, and what `details` say beside them. */

// One process, whose batch threads a test stops.
const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const errorOf = ({ status, body }: ApiResponse) => [status, body.error, body.code]
const withToken = (token: string | null) => testApp.call('GET', '/v1/company', { token })

/** A token of the service that expired an hour ago. */
async function expiredToken(clientId: string): Promise<string> {
  const [row] = await testApp.sql<{ id: string; private_key: Buffer }>(
    'select id, private_key from signing_key limit 1',
  )
  const { id = '', private_key: encrypted = Buffer.alloc(0) } = row ?? {}
  const key = openCipher(Buffer.from(testApp.masterKey, 'base64')).decrypt(`signing-key:${id}`, encrypted)
  const now = Math.floor(Date.now() / 1_000)
  return new SignJWT({ iss: 'vigencia', aud: 'vigencia:staging:partner', sub: clientId, iat: now - 7_200, jti: '1' })
    .setProtectedHeader({ alg: 'ES256', kid: id })
    .setExpirationTime(now - 3_600)
    .sign(createPrivateKey(key.toString()))
}

describe('401 Invalid credentials tells by its code', () => {
  const refused = (code: string) => [401, 'Invalid credentials', code]

  test('what is wrong with the token', async () => {
    expect(errorOf(await withToken(null))).toEqual(refused('token-missing'))
    expect(errorOf(await withToken('no-token'))).toEqual(refused('token-invalid'))
    expect(errorOf(await withToken(await expiredToken(partner.clientId)))).toEqual(refused('token-expired'))
    expect(errorOf(await withToken(testApp.operator.token))).toEqual(refused('wrong-api'))
    expect(errorOf(await partner.get('/operator/v1/client'))).toEqual(refused('wrong-api'))
    const basic = { authorization: 'Basic Zm9saGE6eA==' }
    expect(errorOf(await testApp.call('GET', '/v1/company', { headers: basic }))).toEqual(refused('token-invalid'))
  })

  test('a wrong secret, also of an unknown client; that the client is revoked only with the right one', async () => {
    const { clientId, clientSecret, token } = await testApp.partner(company.taxId)
    const authenticate = (id: string, secret: string) =>
      testApp.call('POST', '/v1/authenticate', { body: { 'client-id': id, 'client-secret': secret } })
    expect(errorOf(await authenticate(clientId, 'wrong'))).toEqual(refused('wrong-secret'))
    expect(errorOf(await authenticate('nobody', clientSecret))).toEqual(refused('wrong-secret'))
    await testApp.operator.delete(`/operator/v1/client/${clientId}`)
    expect(errorOf(await authenticate(clientId, 'wrong'))).toEqual(refused('wrong-secret'))
    expect(errorOf(await authenticate(clientId, clientSecret))).toEqual(refused('client-revoked'))
    expect(errorOf(await withToken(token))).toEqual(refused('client-revoked'))
  })
})

describe('details of a parameter', () => {
  const invalid = ['Invalid parameter', 'invalid-parameter']

  test('a value outside a closed set: the value, the set, and the nearest one of it', async () => {
    const response = await testApp.operator.get('/operator/v1/enrollment?status=creatd')
    expect(errorOf(response)).toEqual([400, ...invalid])
    const detail = { field: 'status', code: 'invalid', message: 'Did you mean created?', value: 'creatd' }
    expect(response.body.details).toEqual([{ ...detail, allowed: [...ENROLLMENT_STATUSES, 'open'] }])
  })

  test('a number out of its bounds, and what is neither true nor false', async () => {
    const { body } = await partner.get('/v1/member?page=0&include-inactive=TRUE')
    expect(body.details).toEqual([
      {
        field: 'include-inactive',
        code: 'invalid',
        message: 'Did you mean true?',
        value: 'TRUE',
        allowed: ['true', 'false'],
      },
      { field: 'page', code: 'invalid', message: 'Must be >= 1.', value: 0 },
    ])
  })

  test.each(['52998224725', '529.982.247-25', 'ana@exemplo.com', 'Ana Souza'])('never repeats %s', async (value) => {
    for (const name of ['items-per-page', 'include-inactive']) {
      const response = await partner.get(`/v1/member?${name}=${encodeURIComponent(value)}`)
      expect(errorOf(response)).toEqual([400, ...invalid])
      expect(response.text).not.toContain(value)
    }
  })

  test('an unknown one: those that there are, and the nearest', async () => {
    const response = await partner.get('/v1/company?items-per-pag=5')
    expect(errorOf(response)).toEqual([400, 'Invalid parameter', 'unknown-parameter'])
    expect(response.body.details).toEqual([
      {
        field: 'items-per-pag',
        code: 'unknown',
        message: 'Did you mean items-per-page?',
        allowed: ['page', 'items-per-page'],
      },
    ])
  })

  test('an invalid filter: the fields', async () => {
    const response = await partner.get('/v1/member?filter=salary=1')
    expect(errorOf(response)).toEqual([400, 'Invalid filter', 'invalid-filter'])
    expect(response.body.details).toMatchObject([{ field: 'filter', allowed: [...FILTER_FIELDS] }])
    expect(response.body.details[0].message).toMatch(/tax-id, cost-center, employee-id/)
  })
})

describe('details of a body', () => {
  test('that is not JSON: line and column of the first wrong character, and nothing of the body', async () => {
    const body = '{\n  "name": "Ana",\n  "tax-id" 52998224725\n}'
    for (const path of ['/v1/authenticate', '/v1/enrollment/inclusion']) {
      const response = await partner.post(path, body)
      expect(errorOf(response)).toEqual([400, 'Invalid body', 'invalid-body'])
      const message = 'The body is not JSON at line 3, column 12.'
      expect(response.body.details).toEqual([{ field: 'body', code: 'malformed-json', message, line: 3, column: 12 }])
    }
  })

  test.each([
    ['{"a":1}x', 1, 8],
    ['{"a":"b', 1, 8],
    ['{"a":[1,', 1, 9],
    ['{"a":"\\u00x0"}', 1, 11],
  ])('%s is not JSON at line %i, column %i', async (body, line, column) => {
    const response = await partner.post('/v1/webhook-endpoint', body)
    expect(response.body.details).toMatchObject([{ field: 'body', code: 'malformed-json', line, column }])
  })

  test.each([
    ['{"a":[1,]}', 1, 9],
    ['{"a":tru}', 1, 6],
    ['// a', 1, 1],
  ])('%s is not JSON at line %i, column %i, which the parser does not tell', async (body, line, column) => {
    const response = await partner.post('/v1/webhook-endpoint', body)
    expect(response.body.details).toMatchObject([{ field: 'body', code: 'malformed-json', line, column }])
  })

  test('of 100 KB that is not JSON: the place of the first error', async () => {
    const padding = ' '.repeat(100_000)
    const told = await partner.post('/v1/webhook-endpoint', `{"a":1}${padding}x`)
    expect(told.body.details).toMatchObject([{ field: 'body', code: 'malformed-json', line: 1, column: 100_008 }])
    const unreported = await partner.post('/v1/webhook-endpoint', `{"a":${padding}x}`)
    expect(unreported.body.details).toMatchObject([{ field: 'body', code: 'malformed-json', line: 1, column: 100_006 }])
  })

  test('fields outside closed sets, and the formats of others, without their values', async () => {
    const role = await testApp.operator.post('/operator/v1/operator', { name: 'Mesa', role: 'analist' })
    expect(role.body.details).toMatchObject([{ field: 'role', message: 'Did you mean analyst?', value: 'analist' }])
    const details = { 'end-date': '30/11/2026', 'exclusion-reason': 'fired' }
    const response = await partner.post(`/v1/enrollment/exclusion/52998224725/product/${company.products[health]}`, {
      'exclusion-details': details,
    })
    expect(errorOf(response)).toEqual([400, 'Invalid exclusion-details', 'invalid-exclusion-details'])
    expect(response.body.details).toMatchObject([
      { field: 'exclusion-details.end-date', message: 'A date, `YYYY-MM-DD`, from 1900-01-01 on.' },
      { field: 'exclusion-details.exclusion-reason', allowed: expect.arrayContaining(['dismissal', 'other']) },
    ])
    expect(response.text).not.toMatch(/fired|30\/11/)
  })
})

describe('404 Not found', () => {
  test.each([
    ['/v1/members', '/v1/member'],
    ['/v1/companies', '/v1/company'],
    ['/company', '/v1/company'],
    ['/v1/requests/529.982.247-25', '/v1/request/{request-id}'],
    ['/operator/v1/clients', '/operator/v1/client'],
  ])('%s: did you mean %s?', async (path, meant) => {
    const response = await testApp.call('GET', path)
    expect(errorOf(response)).toEqual([404, 'Not found', 'not-found'])
    expect(response.body.details).toEqual([{ field: 'path', code: 'unknown', message: `Did you mean ${meant}?` }])
  })

  test.each([
    '/v1/company/11.222.333/0001-81',
    '/v1/enrollment/exclusion/52998224725/company/12.ABC.345/01DE-35',
    '/operator/v1/client/demo-partner/company/11.222.333/0001-81',
  ])('%s: how a CNPJ stands in a path, in English and Portuguese', async (path) => {
    const response = await testApp.call('GET', path)
    expect(errorOf(response)).toEqual([404, 'Not found', 'not-found'])
    const message = 'In a path, a CNPJ has 14 characters without punctuation, or %2F for its slash.'
    expect(response.body.details).toEqual([{ field: 'path', code: 'unknown', message }])
    const portuguese = await testApp.call('GET', path, { headers: { 'accept-language': 'pt-BR' } })
    expect(portuguese.body.details[0].message).toMatch(/CNPJ vai com 14 caracteres/)
  })

  test.each(['/v1', '/v1/zodiac', '/v1/member/529.982.247-25/zodiac'])('%s is like none', async (path) => {
    const response = await testApp.call('GET', path)
    expect(errorOf(response)).toEqual([404, 'Not found', 'not-found'])
    expect(response.body).not.toHaveProperty('details')
  })
})

describe('409 Illegal transition', () => {
  const transition = (id: string, status: string) =>
    testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status, reason: 'x' })

  test('tells from, to, the allowed statuses, and why', async () => {
    const member = primary()
    const request = await testApp.include(partner, company, [member])
    const id = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
    const skipped = await transition(id, 'carrier-processing')
    expect(errorOf(skipped)).toEqual([409, 'Illegal transition', 'illegal-transition'])
    const allowed = [
      'broker-processing',
      'pending-documents',
      'pending-correction',
      'completed',
      'rejected',
      'cancelled',
    ]
    expect(skipped.body).toMatchObject({ from: 'created', to: 'carrier-processing', allowed })
    const cannot = `Enrollment is created and cannot become carrier-processing; it can become ${allowed.join(', ')}`
    expect(skipped.body.details).toEqual([{ field: 'status', code: 'illegal-transition', message: cannot }])
    expect((await transition(id, 'rejected')).status).toBe(200)
    const final = await transition(id, 'completed')
    expect(final.body).toMatchObject({ from: 'rejected', to: 'completed', allowed: [] })
    expect(final.body.details[0].message).toBe('Enrollment is already rejected, which is final')
  })
})

describe('a rejected batch', () => {
  test('tells for each offense its field, and the product that it concerns; and the warnings', async () => {
    const products = {
      'health-insurance': [
        { name: health, 'start-option': 'tomorrow' },
        { name: 'Plano Antigo', 'start-option': 'on-inclusion-date' },
      ],
    }
    const member = primary({ products, gender: 'x', nickname: 'Ana' })
    for (const headers of [{}, { prefer: 'handling=lenient' }]) {
      const response = await partner.post(
        '/v1/enrollment/inclusion',
        { 'company-tax-id': company.taxId, members: [member] },
        headers,
      )
      expect(errorOf(response)).toEqual([400, 'Invalid members', 'invalid-members'])
      const [rejected] = response.body.result
      expect(rejected.offenses).toEqual(['invalid-gender', 'invalid-start-option', 'unknown-product'])
      const message = expect.any(String)
      const allowed = expect.arrayContaining(['on-inclusion-date'])
      const [option, name] = ['products.health-insurance[0].start-option', 'products.health-insurance[1].name']
      expect(rejected['offense-details']).toEqual([
        { code: 'invalid-gender', field: 'gender', message, allowed: ['male', 'female'] },
        { code: 'invalid-start-option', field: option, 'product-name': health, message, allowed },
        { code: 'unknown-product', field: name, 'product-name': 'Plano Antigo', message },
      ])
      const warning = { index: 0, 'tax-id': member['tax-id'], warning: 'unknown-field', field: 'nickname' }
      expect(response.body.warnings).toEqual([warning])
    }
  })
})

describe('503', () => {
  test('of a large batch whose thread ends', async () => {
    // In the process of the test, also in the long run.
    const own = await openTestApp({}, { limits: {} })
    const client = await own.partner((await own.company()).taxId)
    const body = JSON.stringify({ 'company-tax-id': company.taxId, members: [{}], padding: 'x'.repeat(2_000_000) })
    let response: ApiResponse | undefined
    const sent = client.post('/v1/enrollment/inclusion?dry-run=true', body).then((received) => (response = received))
    while (response === undefined) {
      await stopBatchThreads()
      await setImmediate()
    }
    expect(errorOf(await sent)).toEqual([503, 'Too many large batches at once', 'too-many-batches'])
    await own.close()
  })

  const importLine = () => {
    const { products, ...person } = primary()
    expect(products).toBeDefined()
    return JSON.stringify({ ...person, 'company-tax-id': company.taxId, 'product-name': health, 'start-date': monday })
  }
  const importMembers = () =>
    testApp.operator.post('/operator/v1/member/import', importLine(), { 'content-type': 'application/x-ndjson' })

  test('of an import whose file cannot be stored', async () => {
    const folder = join(testApp.dataDir, 'imports')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'no folder')
    const response = await importMembers()
    await rm(folder)
    expect(errorOf(response)).toEqual([503, 'Import file could not be kept', 'import-storage-unavailable'])
  })

  test('of an import that fails halfway, with its id', async () => {
    await testApp.sql('alter table benefit add constraint broken check (false) not valid')
    const response = await importMembers()
    await testApp.sql('alter table benefit drop constraint broken')
    expect(errorOf(response)).toEqual([503, 'Import broke off', 'import-broke-off'])
    expect(response.body['import-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})
