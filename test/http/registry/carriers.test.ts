import { expect, test } from 'vitest'
import { expectOk, type Json, nextCnpj, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()

const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

const product = (name: string, carrier: string) => ({
  'product-name': name,
  'carrier-name': carrier,
  'product-type': 'health-insurance',
  'allowed-dependent-types': [],
  'allowed-start-options': ['on-inclusion-date'],
})

const carriers = async (): Promise<Json[]> => expectOk(await testApp.operator.get('/operator/v1/carrier')).body.result
const carrierOf = async (name: string): Promise<Json> => (await carriers()).find((one) => one.name === name)

test('a product that names a new carrier makes it, once for each name without case and accents', async () => {
  const products = [product('A', 'Saúde Íris'), product('B', 'SAUDE IRIS '), product('C', 'Odonto Íris')]
  await testApp.company({ products })
  const made = (await carriers()).filter(({ name }) => /ris/i.test(name))
  expect(made.map(({ name }) => name)).toEqual(['Odonto Íris', 'Saúde Íris'])
  await testApp.company({ products: [product('D', 'saúde íris')] })
  expect((await carriers()).filter(({ name }) => /ris/i.test(name))).toEqual(made)
})

test('a carrier is read and replaced, and products keep their spelling', async () => {
  const company = await testApp.company({ products: [product('A', 'operadora lírio')] })
  const { 'carrier-id': id, ...rest } = await carrierOf('operadora lírio')
  expect(rest).toEqual({ name: 'operadora lírio', 'ans-registration': null, 'tax-id': null })
  const path = `/operator/v1/carrier/${id}`
  const cnpj = nextCnpj()
  const body = { name: 'Operadora Lírio', 'ans-registration': '326305', 'tax-id': cnpj }
  const replaced = expectOk(
    await testApp.operator.put(path.toUpperCase().replace('/OPERATOR/V1/CARRIER', '/operator/v1/carrier'), body),
  )
  expect(replaced.body.result).toEqual({ 'carrier-id': id, ...body })
  expect(expectOk(await testApp.operator.get(path)).body).toEqual(replaced.body)
  const stored = expectOk(await testApp.operator.get(`/operator/v1/company/${company.taxId}`)).body.result
  expect(stored.products[0]['carrier-name']).toBe('operadora lírio')
  const bare = expectOk(await testApp.operator.put(path, { name: 'Operadora Lírio' })).body.result
  expect(bare).toEqual({ 'carrier-id': id, name: 'Operadora Lírio', 'ans-registration': null, 'tax-id': null })
})

test('the list has pages; without parameters one of 500', async () => {
  await testApp.company({ products: ['Operadora Tuia', 'Operadora Urze'].map((name) => product(name, name)) })
  const whole = expectOk(await testApp.operator.get('/operator/v1/carrier')).body
  const total = whole.result.length
  const pagination = {
    'current-page': 1,
    'total-items': total,
    'total-pages': 1,
    'next-page': null,
    'previous-page': null,
  }
  expect(whole.pagination).toEqual(pagination)
  const second = expectOk(await testApp.operator.get('/operator/v1/carrier?page=2&items-per-page=1')).body
  expect(second.result).toEqual([whole.result[1]])
  expect(second.pagination).toMatchObject({
    'current-page': 2,
    'total-items': total,
    'total-pages': total,
    'previous-page': 1,
  })
  const beyond = expectOk(await testApp.operator.get(`/operator/v1/carrier?page=${total + 1}&items-per-page=1`)).body
  expect(beyond).toMatchObject({ result: [], pagination: { 'total-items': total } })
})

test('two companies that name the same new carrier at once make one', async () => {
  const names = ['Operadora Cravo', 'Operadora Dália', 'Operadora Malva']
  const made = [names, names.toReversed(), names].map((list, index) =>
    testApp.company({ products: list.map((name) => product(`${name} ${index}`, name)) }),
  )
  await Promise.all(made)
  expect((await carriers()).filter(({ name }) => names.includes(name))).toHaveLength(3)
})

test.each<[Json, string]>([
  [{ name: 'Outra Operadora' }, 'name'],
  [{ name: 'Operadora Rosa', 'ans-registration': '32630' }, 'ans-registration'],
  [{ name: 'Operadora Rosa', 'ans-registration': '32630A' }, 'ans-registration'],
  [{ name: 'Operadora Rosa', 'tax-id': '60840055000132' }, 'tax-id'],
  [{ name: 'Operadora Rosa', phone: '1133334444' }, 'phone'],
  [{ name: ' ' }, 'name'],
])('400: %j', async (body, field) => {
  await testApp.company({ products: [product('A', 'Operadora Rosa')] })
  const before = await carrierOf('Operadora Rosa')
  const response = await testApp.operator.put(`/operator/v1/carrier/${before['carrier-id']}`, body)
  expect([response.status, response.body.details.map((one: Json) => one.field)]).toEqual([400, [field]])
  expect(await carrierOf('Operadora Rosa')).toEqual(before)
})

test('404 for an unknown carrier', async () => {
  const path = `/operator/v1/carrier/${unknown}`
  for (const response of [await testApp.operator.get(path), await testApp.operator.put(path, { name: 'X' })])
    expect([response.status, response.body.code]).toEqual([404, 'carrier-not-found'])
})
