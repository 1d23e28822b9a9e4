import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  type Company,
  companyBody,
  expectOk,
  type Json,
  nextCnpj,
  useTestApp,
  primary,
} from './test-app.ts'
import { holder, ndjson, sendImport } from './import.ts'
import { invoiceBody } from './invoice.ts'

/* Names take no control characters and no marks of direction, wherever they come in. */

const testApp = useTestApp()
let company: Company
let partner: Client
beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})
const bad = ['Ana\u0007Lima', 'Ana\u0085Lima', '\u202eamiL anA', 'Ana\u2066Lima', 'Ana\u200fLima', 'Ana\u061cLima']

describe('of members', () => {
  test.each(bad)('an inclusion of %j is refused', async (name) => {
    const member = primary({ name, 'mothers-name': name })
    const body = { 'company-tax-id': company.taxId, members: [member] }
    const response = await partner.post('/v1/enrollment/inclusion', body)
    expect([response.status, response.body.result?.[0]?.offenses]).toEqual([
      400,
      ['invalid-mothers-name', 'invalid-name'],
    ])
  })

  test('a line of an import of each is refused', async () => {
    const lines = bad.map((name) => holder(company, { name, 'mothers-name': name }))
    const { errors } = expectOk(await sendImport(testApp.operator, ndjson(lines))).body
    expect(errors).toEqual(bad.map((_, n) => ({ line: n + 1, offenses: ['invalid-mothers-name', 'invalid-name'] })))
  })

  test.each(bad)('an alteration to %j is refused', async (name) => {
    const keys = ['name', 'preferred-name', 'mothers-name', 'bank-account-owners-name']
    const data = Object.fromEntries(keys.map((key) => [key, name]))
    const response = await partner.post('/v1/enrollment/alteration/52998224725', { 'alteration-data': data })
    expect([response.status, response.body.error]).toEqual([400, 'Invalid alteration-data'])
    expect(response.body.details).toMatchObject(
      keys.map((key) => ({ field: `alteration-data.${key}`, code: 'invalid' })),
    )
  })
})

describe('of companies, products, carriers, clients and operators', () => {
  const [product] = companyBody.products
  const calls: [string, string, (name: string) => [method: 'put' | 'post', path: string, body: Json]][] = [
    ['a company', 'name', (name) => ['put', `/operator/v1/company/${nextCnpj()}`, { ...companyBody, name }]],
    [
      'a product',
      'products[0].product-name',
      (name) => [
        'put',
        `/operator/v1/company/${nextCnpj()}`,
        { ...companyBody, products: [{ ...product, 'product-name': name }] },
      ],
    ],
    [
      'a carrier',
      'products[0].carrier-name',
      (name) => [
        'put',
        `/operator/v1/company/${nextCnpj()}`,
        { ...companyBody, products: [{ ...product, 'carrier-name': name }] },
      ],
    ],
    [
      "an invoice's carrier",
      'carrier-name',
      (name) => ['put', '/operator/v1/invoice/names-1', invoiceBody(company, { 'carrier-name': name })],
    ],
    ['a client', 'name', (name) => ['post', '/operator/v1/client', { name }]],
    ['an operator', 'name', (name) => ['post', '/operator/v1/operator', { name, role: 'analyst' }]],
  ]
  test.each(calls)('%s', async (_what, field, call) => {
    for (const name of bad) {
      const [method, path, body] = call(name)
      const response = await testApp.operator[method](path, body)
      expect([response.status, response.body.error, response.body.details]).toEqual([
        400,
        'Invalid body',
        [{ field, code: 'invalid-name' }],
      ])
    }
    const [method, path, body] = call('José d’Ávila 李 محمد')
    expectOk(await testApp.operator[method](path, body))
  })
})
