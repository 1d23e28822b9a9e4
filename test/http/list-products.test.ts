import { beforeAll, describe, expect, test } from 'vitest'
import { answerWhenCut } from './cut-connection.ts'
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
  useHouse,
  premium,
} from './test-app.ts'

const house = useHouse()
let zinc: Company
let acme: Company
let foreign: Company
let partner: Client

beforeAll(async () => {
  zinc = await house.company({ name: 'Zinco S.A.', products: companyBody.products.slice(2, 3) })
  acme = await house.company({ name: 'Ácido Ltda.' })
  foreign = await house.company()
  partner = await house.partner(zinc.taxId, acme.taxId)
})

const namesOf = (body: Json): string[][] =>
  body.result.map((product: Json) => [product['company-tax-id'], product['product-name']])

describe('200', () => {
  test('all products by the name of the company, each with its CNPJ, and no pagination', async () => {
    const answer = await partner.get('/v1/product')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(answer.body)).toEqual(['result'])
    expect(namesOf(answer.body)).toEqual([
      ...[health, premium, dental, life].map((name) => [acme.taxId, name]),
      [zinc.taxId, dental],
    ])
  })

  test('those of one company are the products that the company shows', async () => {
    const { result } = expectOk(await partner.get(`/v1/company/${acme.taxId}`)).body
    const expected = result.products.map((product: Json) => ({ ...product, 'company-tax-id': acme.taxId }))
    const spelt = acme.taxId.toLowerCase().replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')
    for (const taxId of [acme.taxId, spelt]) {
      const answer = await partner.get(`/v1/product?company-tax-id=${encodeURIComponent(taxId)}`)
      expect(answer.body).toEqual({ result: expected })
    }
  })

  test('without the retired ones; a company without products has none', async () => {
    const company = await house.company()
    const client = await house.partner(company.taxId)
    const put = (products: unknown[]) =>
      house.operator.put(`/operator/v1/company/${company.taxId}`, { name: 'Uma', products })
    expectOk(await put(companyBody.products.slice(0, 1)))
    expect(namesOf((await client.get('/v1/product')).body)).toEqual([[company.taxId, health]])
    expectOk(await put([]))
    expect((await client.get(`/v1/product?company-tax-id=${company.taxId}`)).body).toEqual({ result: [] })
  })

  test('a client without companies has none', async () => {
    expect((await (await house.partner()).get('/v1/product')).body).toEqual({ result: [] })
  })
})

test('403 for another tenant’s company and an unknown one', async () => {
  for (const taxId of [foreign.taxId, nextCnpj()]) {
    const answer = await partner.get(`/v1/product?company-tax-id=${taxId}`)
    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('Not entitled to access this company')
  }
})

test.each(['company-tax-id=12ABC34501DE36', 'company-tax-id=', 'page=1', 'x=1'])('400 for ?%s', async (query) => {
  const answer = await partner.get(`/v1/product?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toBe('Invalid parameter')
})

test('401 for a living token of a revoked client, of the other door, and without a token', async () => {
  const other = await house.partner(acme.taxId)
  expectOk(await other.get('/v1/product'))
  expectOk(await house.operator.delete(`/operator/v1/client/${other.clientId}`))
  expect((await other.get('/v1/product')).status).toBe(401)
  expect((await other.get(`/v1/product?company-tax-id=${foreign.taxId}`)).status).toBe(401)
  expect((await house.operator.get('/v1/product')).status).toBe(401)
  expect((await house.call('GET', '/v1/product')).status).toBe(401)
})

test('503 when the database breaks off', async () => {
  const answer = await answerWhenCut(house, 'product', () => partner.get('/v1/product'))
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
})
