import { describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import { runConcurrently } from '../../world/locked-table.ts'
import {
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

const put = (taxId: string, body: unknown, client = testApp.operator) =>
  client.put(`/operator/v1/company/${taxId}`, body)

const get = (taxId: string) => testApp.operator.get(`/operator/v1/company/${taxId}`)

const product = (name: string, more: Record<string, unknown> = {}) => ({
  'product-name': name,
  'carrier-name': 'Operadora Aurora',
  'product-type': 'health-insurance',
  'allowed-dependent-types': ['child'],
  'allowed-start-options': ['on-inclusion-date'],
  ...more,
})

const namesOf = (body: Json): string[] => body.result.products.map((one: Json) => one['product-name'])
const idsOf = (body: Json): string[] => body.result.products.map((one: Json) => one['product-id'])

/** A company of a fresh CNPJ with products of these names. */
async function companyWith(...names: string[]): Promise<{ taxId: string; ids: string[] }> {
  const taxId = nextCnpj()
  const response = expectOk(await put(taxId, { name: 'Serra', products: names.map((name) => product(name)) }))
  return { taxId, ids: idsOf(response.body) }
}

const auditOf = (companyId: string) =>
  testApp.sql('select actor, action, target, company_id, address from audit where company_id = $1 order by at', [
    companyId,
  ])

describe('200', () => {
  test('creates the company, which reads back the same, and leaves an audit row', async () => {
    const taxId = nextCnpj()
    const response = await put(
      encodeURIComponent(taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')),
      companyBody,
    )
    expect(response.status).toBe(200)
    const { result } = response.body
    expect(result).toMatchObject({ name: companyBody.name, 'tax-id': taxId })
    expect(namesOf(response.body)).toEqual([health, premium, dental, life])
    expect(result.products[0]).toMatchObject({ 'billing-day': 1, 'cut-off-day': 20 })
    expect(result.products[3]).toMatchObject({ 'billing-day': null, 'cut-off-day': null })
    expect((await get(taxId)).body).toEqual(response.body)
    expect(await auditOf(result.id)).toEqual([
      {
        actor: testApp.operator.clientId,
        action: 'company.created',
        target: result.id,
        company_id: result.id,
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
      },
    ])
  })

  test('replaces it: the company and the products that go on keep their ids', async () => {
    const taxId = nextCnpj()
    const made = expectOk(await put(taxId, companyBody)).body
    const response = expectOk(await put(taxId.toLowerCase(), { ...companyBody, name: 'Outro Nome' }))
    expect(response.body.result.id).toBe(made.result.id)
    expect(response.body.result.name).toBe('Outro Nome')
    expect(idsOf(response.body)).toEqual(idsOf(made))
    expect((await auditOf(made.result.id)).map((row) => row['action'])).toEqual(['company.created', 'company.replaced'])
  })

  test('what was read can be put again', async () => {
    const { taxId } = await companyWith('Saúde', 'Dental')
    const { result } = expectOk(await get(taxId)).body
    const response = expectOk(await put(taxId, { name: result.name, products: result.products }))
    expect(response.body.result).toEqual(result)
  })

  test('a product is matched by its name, whatever its case, accents and spaces', async () => {
    const { taxId, ids } = await companyWith('Saúde Total')
    const response = expectOk(await put(taxId, { name: 'Serra', products: [product('  SAUDE total ')] }))
    expect(idsOf(response.body)).toEqual(ids)
    expect(namesOf(response.body)).toEqual(['SAUDE total'])
  })

  test('a product that is left out is retired, and gets its id back when its name is sent again', async () => {
    const { taxId, ids } = await companyWith('Um', 'Dois')
    expect(namesOf(expectOk(await put(taxId, { name: 'Serra', products: [product('Dois')] })).body)).toEqual(['Dois'])
    const [retired] = await testApp.sql('select retired_at from product where id = $1', [ids[0]])
    expect(retired?.['retired_at']).not.toBeNull()
    const again = expectOk(await put(taxId, { name: 'Serra', products: [product('Dois'), product('Um')] }))
    expect(idsOf(again.body)).toEqual(ids.toReversed())
  })

  test('by product-id a product changes its name, even exchanging it with another', async () => {
    const { taxId, ids } = await companyWith('Um', 'Dois')
    const [one = '', two = ''] = ids
    const exchanged = [product('Dois', { 'product-id': one }), product('Um', { 'product-id': two.toUpperCase() })]
    const response = expectOk(await put(taxId, { name: 'Serra', products: exchanged }))
    expect(idsOf(response.body)).toEqual(ids)
    expect(namesOf(response.body)).toEqual(['Dois', 'Um'])
  })

  test('a new product may take the name that another gives up', async () => {
    const { taxId, ids } = await companyWith('Um')
    const products = [product('Um antigo', { 'product-id': ids[0] }), product('Um')]
    const response = expectOk(await put(taxId, { name: 'Serra', products }))
    expect(idsOf(response.body)[0]).toBe(ids[0])
    expect(idsOf(response.body)[1]).not.toBe(ids[0])
  })

  test('a company may be without products, and may name itself in the body', async () => {
    const { taxId } = await companyWith('Um')
    const response = await put(taxId, { 'company-tax-id': taxId, name: 'Serra', products: [] })
    expect(response.status).toBe(200)
    expect(response.body.result.products).toEqual([])
  })

  test('two that create one company at once make one company, with the products of one of them', async () => {
    const taxId = nextCnpj()
    const bodies = ['Um', 'Dois'].map((name) => ({ name, products: [product(name), product('Comum')] }))
    const responses = await runConcurrently(
      testApp,
      'company',
      bodies.map((body) => () => put(taxId, body)),
    )
    expect(responses.map((response) => response.status)).toEqual([200, 200])
    expect(responses[0]?.body.result.id).toBe(responses[1]?.body.result.id)
    const read = expectOk(await get(taxId)).body
    expect(responses.map((response) => response.body)).toContainEqual(read)
    expect(idsOf(responses[0]?.body)[1]).toBe(idsOf(responses[1]?.body)[1])
    const actions = (await auditOf(read.result.id)).map((row) => row['action'])
    expect(new Set(actions)).toEqual(new Set(['company.created', 'company.replaced']))
  })

  test('500 products keep their order', async () => {
    const taxId = nextCnpj()
    const names = Array.from({ length: 500 }, (_, n) => `Produto ${500 - n}`)
    const response = expectOk(await put(taxId, { name: 'Serra', products: names.map((name) => product(name)) }))
    expect(namesOf(response.body)).toEqual(names)
  })
})

describe('400', () => {
  const refused: [string, Json, { field: string; code: string }[]][] = [
    ['no name', { products: [] }, [{ field: 'name', code: 'missing' }]],
    ['a blank name', { name: ' ', products: [] }, [{ field: 'name', code: 'invalid' }]],
    ['a name of 201 characters', { name: 'a'.repeat(201), products: [] }, [{ field: 'name', code: 'invalid' }]],
    ['no products', { name: 'Serra' }, [{ field: 'products', code: 'missing' }]],
    ['an unknown field', { name: 'Serra', products: [], colour: 'red' }, [{ field: 'colour', code: 'unknown' }]],
    [
      'another CNPJ than the path’s',
      { name: 'Serra', products: [], 'company-tax-id': '11222333000181' },
      [{ field: 'company-tax-id', code: 'invalid' }],
    ],
    [
      'an unknown start option',
      { name: 'Serra', products: [product('Um', { 'allowed-start-options': ['tomorrow'] })] },
      [{ field: 'products[0].allowed-start-options[0]', code: 'invalid' }],
    ],
    [
      'an unknown dependent type',
      { name: 'Serra', products: [product('Um', { 'allowed-dependent-types': ['friend'] })] },
      [{ field: 'products[0].allowed-dependent-types[0]', code: 'invalid' }],
    ],
    [
      'a malformed product type',
      { name: 'Serra', products: [product('Um', { 'product-type': 'Health Insurance' })] },
      [{ field: 'products[0].product-type', code: 'invalid' }],
    ],
    [
      'a billing day past 28',
      { name: 'Serra', products: [product('Um', { 'billing-day': 29 })] },
      [{ field: 'products[0].billing-day', code: 'invalid' }],
    ],
    [
      'a product without a carrier',
      { name: 'Serra', products: [{ ...product('Um'), 'carrier-name': undefined }] },
      [{ field: 'products[0].carrier-name', code: 'missing' }],
    ],
    [
      'two products of one name',
      { name: 'Serra', products: [product('Saúde'), product('SAUDE ')] },
      [{ field: 'products[1].product-name', code: 'repeated' }],
    ],
    [
      'a name of nothing but accents',
      { name: 'Serra', products: [product('\u0301')] },
      [{ field: 'products[0].product-name', code: 'invalid' }],
    ],
    [
      'an unknown product-id',
      { name: 'Serra', products: [product('Um', { 'product-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' })] },
      [{ field: 'products[0].product-id', code: 'unknown' }],
    ],
    [
      '501 products',
      { name: 'Serra', products: Array.from({ length: 501 }, (_, n) => product(`P${n}`)) },
      [{ field: 'products', code: 'invalid' }],
    ],
  ]

  test.each(refused)('for %s; nothing is stored', async (_what, body, details) => {
    const taxId = nextCnpj()
    const response = await put(taxId, body)
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ error: 'Invalid body', details })
    expect((await get(taxId)).status).toBe(404)
  })

  test('for the product-id of another company, and for one named twice; nothing changes', async () => {
    const { ids } = await companyWith('Um')
    const { taxId, ids: own } = await companyWith('Dois')
    const foreign = await put(taxId, { name: 'X', products: [product('Um', { 'product-id': ids[0] })] })
    expect(foreign.body).toMatchObject({ details: [{ field: 'products[0].product-id', code: 'unknown' }] })
    const twice = await put(taxId, {
      name: 'X',
      products: [product('Um', { 'product-id': own[0] }), product('Dois', { 'product-id': own[0] })],
    })
    expect(twice.body).toMatchObject({ details: [{ field: 'products[1].product-id', code: 'repeated' }] })
    expect([foreign.status, twice.status]).toEqual([400, 400])
    const read = expectOk(await get(taxId)).body
    expect(read.result.name).toBe('Serra')
    expect(idsOf(read)).toEqual(own)
  })

  test.each(['11222333000180', 'x', '%00'])('for the malformed CNPJ %s', async (taxId) => {
    for (const response of [await put(taxId, companyBody), await get(taxId)]) {
      expect(response.status).toBe(400)
      expect(response.body.error).toBe('Invalid company-tax-id')
    }
  })
})

test('401 without a token, and for a partner’s', async () => {
  const { taxId } = await companyWith('Um')
  const partner = await testApp.partner(taxId)
  expect((await put(taxId, companyBody, partner)).status).toBe(401)
  expect((await testApp.call('PUT', `/operator/v1/company/${taxId}`, { body: companyBody })).status).toBe(401)
  expect((await partner.get(`/operator/v1/company/${taxId}`)).status).toBe(401)
})

test.each(['analyst', 'finance', 'auditor'])('403 for the role %s', async (role) => {
  const taxId = nextCnpj()
  const response = await put(taxId, companyBody, await testApp.operatorOf(role))
  expect(response.status).toBe(403)
  expect(response.body.error).toBe('Not allowed for this role')
  expect((await get(taxId)).status).toBe(404)
})

test('404 for a CNPJ that no company has', async () => {
  const response = await get(nextCnpj())
  expect(response.status).toBe(404)
  expect(response.body.error).toBe('Company not found')
})

test('413 for more than 1 MiB, 415 for another media type', async () => {
  const taxId = nextCnpj()
  const large = await put(taxId, { name: 'a'.repeat(1_100_000), products: [] })
  expect(large.status).toBe(413)
  const other = await testApp.operator.put(`/operator/v1/company/${taxId}`, 'name=a', { 'content-type': 'text/plain' })
  expect(other.status).toBe(415)
})

test('503 when the connection to the database breaks; nothing is stored', async () => {
  const taxId = nextCnpj()
  const [written, read, searched] = [
    await responseWhenCut(testApp, 'company', () => put(taxId, companyBody)),
    await responseWhenCut(testApp, 'company', () => get(taxId)),
    await responseWhenCut(testApp, 'company', () => testApp.operator.get('/operator/v1/company')),
  ]
  for (const response of [written, read, searched]) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  }
  expect((await get(taxId)).status).toBe(404)
})
