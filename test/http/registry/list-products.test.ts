import { beforeAll, describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import {
  type Client,
  type Company,
  companyBody,
  dental,
  expectOk,
  health,
  type Json,
  life,
  nextCnpj,
  useTestApp,
  premium,
} from '../../world/test-app.ts'

const testApp = useTestApp()
let zinc: Company
let acme: Company
let foreign: Company
let partner: Client

beforeAll(async () => {
  zinc = await testApp.company({ name: 'Zinco S.A.', products: companyBody.products.slice(2, 3) })
  acme = await testApp.company({ name: 'Ácido Ltda.' })
  foreign = await testApp.company()
  partner = await testApp.partner(zinc.taxId, acme.taxId)
})

const namesOf = (body: Json): string[][] =>
  body.result.map((product: Json) => [product['company-tax-id'], product['product-name']])

describe('200', () => {
  test('all products by the name of the company, each with its CNPJ, and no pagination', async () => {
    const response = await partner.get('/v1/product')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(response.body)).toEqual(['result'])
    expect(namesOf(response.body)).toEqual([
      ...[health, premium, dental, life].map((name) => [acme.taxId, name]),
      [zinc.taxId, dental],
    ])
  })

  test('those of one company are the products that the company shows', async () => {
    const { result } = expectOk(await partner.get(`/v1/company/${acme.taxId}`)).body
    const expected = result.products.map((product: Json) => ({ ...product, 'company-tax-id': acme.taxId }))
    const spelt = acme.taxId.toLowerCase().replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')
    for (const taxId of [acme.taxId, spelt]) {
      const response = await partner.get(`/v1/product?company-tax-id=${encodeURIComponent(taxId)}`)
      expect(response.body).toEqual({ result: expected })
    }
  })

  test('without the retired ones; a company without products has none', async () => {
    const company = await testApp.company()
    const client = await testApp.partner(company.taxId)
    const put = (products: unknown[]) =>
      testApp.operator.put(`/operator/v1/company/${company.taxId}`, { name: 'Uma', products })
    expectOk(await put(companyBody.products.slice(0, 1)))
    expect(namesOf((await client.get('/v1/product')).body)).toEqual([[company.taxId, health]])
    expectOk(await put([]))
    expect((await client.get(`/v1/product?company-tax-id=${company.taxId}`)).body).toEqual({ result: [] })
  })

  test('a client without companies has none', async () => {
    expect((await (await testApp.partner()).get('/v1/product')).body).toEqual({ result: [] })
  })
})

test('403 for another tenant’s company and an unknown one', async () => {
  for (const taxId of [foreign.taxId, nextCnpj()]) {
    const response = await partner.get(`/v1/product?company-tax-id=${taxId}`)
    expect(response.status).toBe(403)
    expect(response.body.error).toBe('Not entitled to access this company')
  }
})

test.each(['company-tax-id=12ABC34501DE36', 'company-tax-id=', 'page=1', 'x=1'])('400 for ?%s', async (query) => {
  const response = await partner.get(`/v1/product?${query}`)
  expect(response.status).toBe(400)
  expect(response.body.error).toBe('Invalid parameter')
})

test('401 for a valid token of a revoked client, a token of the other API, and without a token', async () => {
  const other = await testApp.partner(acme.taxId)
  expectOk(await other.get('/v1/product'))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
  expect((await other.get('/v1/product')).status).toBe(401)
  expect((await other.get(`/v1/product?company-tax-id=${foreign.taxId}`)).status).toBe(401)
  expect((await testApp.operator.get('/v1/product')).status).toBe(401)
  expect((await testApp.call('GET', '/v1/product')).status).toBe(401)
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'product', () => partner.get('/v1/product'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
