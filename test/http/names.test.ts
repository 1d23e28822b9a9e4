import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Company, companyBody, expectOk, type Json, nextCnpj, useHouse, primary } from './test-app.ts'
import { holder, ndjson, sendImport } from './import.ts'
import { invoiceBody } from './invoice.ts'

/* Names take no control characters and no marks of direction, wherever they come in. */

const house = useHouse()
let company: Company
let partner: Client
beforeAll(async () => {
  company = await house.company()
  partner = await house.partner(company.taxId)
})
const bad = ['Ana\u0007Lima', 'Ana\u0085Lima', '\u202eamiL anA', 'Ana\u2066Lima', 'Ana\u200fLima', 'Ana\u061cLima']

describe('of members', () => {
  test.each(bad)('an inclusion of %j is refused', async (name) => {
    const member = primary({ name, 'mothers-name': name })
    const body = { 'company-tax-id': company.taxId, members: [member] }
    const answer = await partner.post('/v1/enrollment/inclusion', body)
    expect([answer.status, answer.body.result?.[0]?.offenses]).toEqual([400, ['invalid-mothers-name', 'invalid-name']])
  })

  test.each(bad)('a line of an import of %j is refused', async (name) => {
    const line = holder(company, { name, 'mothers-name': name })
    const { errors } = expectOk(await sendImport(house.operator, ndjson([line]))).body
    expect(errors.map((error: Json) => error.offenses)).toEqual([['invalid-mothers-name', 'invalid-name']])
  })

  test.each(bad)('an alteration to %j is refused', async (name) => {
    const keys = ['name', 'preferred-name', 'mothers-name', 'bank-account-owners-name']
    const data = Object.fromEntries(keys.map((key) => [key, name]))
    const answer = await partner.post('/v1/enrollment/alteration/52998224725', { 'alteration-data': data })
    expect([answer.status, answer.body.error]).toEqual([400, 'Invalid alteration-data'])
    expect(answer.body.details).toEqual(keys.map((key) => ({ field: `alteration-data.${key}`, code: 'invalid' })))
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
      const answer = await house.operator[method](path, body)
      expect([answer.status, answer.body.error, answer.body.details]).toEqual([
        400,
        'Invalid body',
        [{ field, code: 'invalid-name' }],
      ])
    }
    const [method, path, body] = call('José d’Ávila 李 محمد')
    expectOk(await house.operator[method](path, body))
  })
})
