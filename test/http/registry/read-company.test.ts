import { describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import { companyBody, expectOk, health, type Json, nextCnpj, useTestApp, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const read = (taxId: string, client = partner) => client.get(`/v1/company/${taxId}`)

const formatted = (taxId: string) => taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')

describe('200', () => {
  test('the company with its products in the order in which the operator put them', async () => {
    const response = await read(company.taxId)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.body).toEqual({
      result: {
        id: company.id,
        name: companyBody.name,
        'tax-id': company.taxId,
        products: companyBody.products.map((product: Json) => ({
          'age-limits': [],
          'billing-day': null,
          'cut-off-day': null,
          ...product,
          'product-id': company.products[product['product-name']],
        })),
      },
    })
  })

  test('by the formatted CNPJ too, its slash encoded, and with small letters', async () => {
    for (const taxId of [
      encodeURIComponent(formatted(company.taxId)),
      encodeURIComponent(formatted(company.taxId).toLowerCase()),
      company.taxId.toLowerCase(),
    ]) {
      expect((await read(taxId)).body.result.id).toBe(company.id)
    }
  })

  test('without the products that are retired', async () => {
    const own = await testApp.company()
    const other = await testApp.partner(own.taxId)
    const products = companyBody.products.filter((product) => product['product-name'] !== health)
    expectOk(await testApp.operator.put(`/operator/v1/company/${own.taxId}`, { name: 'Outra', products }))
    const { result } = expectOk(await read(own.taxId, other)).body
    expect(result.name).toBe('Outra')
    expect(result.products.map((product: Json) => product['product-name'])).toEqual(
      products.map((product) => product['product-name']),
    )
  })

  test('a company without products has an empty list', async () => {
    const own = await testApp.company({ products: [] })
    expect((await read(own.taxId, await testApp.partner(own.taxId))).body.result.products).toEqual([])
  })
})

test.each([
  '1',
  '11222333000180',
  '11111111111111',
  '%00',
  `${'A'.repeat(14)}%00`,
  'a'.repeat(2_000),
  '1122233300018%31',
])('a CNPJ is read with its check digits: %s', async (taxId) => {
  const response = await read(taxId)
  const isWhole = decodeURIComponent(taxId) === '11222333000181'
  expect(response.status).toBe(isWhole ? 403 : 400)
  expect(response.body.error).toBe(isWhole ? 'Not entitled to access this company' : 'Invalid company-tax-id')
})

test('401 for a valid token of a revoked client, and without a token', async () => {
  const other = await testApp.partner(company.taxId)
  expectOk(await read(company.taxId, other))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
  for (const taxId of [company.taxId, nextCnpj(), 'malformed']) {
    const response = await read(taxId, other)
    expect(response.status).toBe(401)
    expect(response.body.error).toBe('Invalid credentials')
  }
  expect((await testApp.call('GET', `/v1/company/${company.taxId}`)).status).toBe(401)
})

describe('403', () => {
  test('for a company of others and for an unknown one alike', async () => {
    const elsewhere = await testApp.company()
    const [foreign, unknown] = [await read(elsewhere.taxId), await read(nextCnpj())]
    for (const response of [foreign, unknown]) {
      expect(response.status).toBe(403)
      expect(response.body).toEqual({
        error: 'Not entitled to access this company',
        code: 'not-entitled',
        'request-trace-id': response.headers.get('x-request-id'),
      })
    }
  })

  test('once the entitlement is revoked', async () => {
    const other = await testApp.partner(company.taxId)
    expectOk(await read(company.taxId, other))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}/company/${company.taxId}`))
    expect((await read(company.taxId, other)).status).toBe(403)
  })
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'product', () => read(company.taxId))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
