import { beforeAll, describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import { type Client, type Company, expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let companies: Company[]
let partner: Client

// In no order, with accents and cases that must not decide it.
const names = ['Óleo & Gás S.A.', 'abacate Ltda.', 'Zebra 100%_\\', 'Ábaco Engenharia', 'oleiro ME']
const inOrder = ['abacate Ltda.', 'Ábaco Engenharia', 'oleiro ME', 'Óleo & Gás S.A.', 'Zebra 100%_\\']

beforeAll(async () => {
  companies = []
  for (const name of names) companies.push(await testApp.company({ name }))
  partner = await testApp.partner(...companies.map((company) => company.taxId))
  await testApp.company({ name: 'Estranha' })
})

const namesOf = (body: Json): string[] => body.result.map((company: Json) => company.name)

describe('GET /v1/company', () => {
  test('200: the caller’s companies by name with their products, and no others', async () => {
    const response = await partner.get('/v1/company')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(namesOf(response.body)).toEqual(inOrder)
    expect(response.body.pagination).toEqual({
      'current-page': 1,
      'total-items': 5,
      'total-pages': 1,
      'next-page': null,
      'previous-page': null,
    })
    const one = expectOk(await partner.get(`/v1/company/${companies[0]?.taxId}`)).body.result
    expect(response.body.result[3]).toEqual(one)
    expect(one.products[0]['product-name']).toBe(health)
  })

  test('200: pages follow each other, and one past the end is empty', async () => {
    const page = async (n: number) => (await partner.get(`/v1/company?page=${n}&items-per-page=2`)).body
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.flatMap(namesOf)).toEqual(inOrder)
    expect(pages.map((body) => [body.pagination['previous-page'], body.pagination['next-page']])).toEqual([
      [null, 2],
      [1, 3],
      [2, null],
    ])
    expect(await page(9_007_199_254_740_991)).toEqual({
      result: [],
      pagination: {
        'current-page': 9_007_199_254_740_991,
        'total-items': 5,
        'total-pages': 3,
        'next-page': null,
        'previous-page': 3,
      },
    })
  })

  test('200: a client without companies has an empty list', async () => {
    const response = await (await testApp.partner()).get('/v1/company')
    expect(response.body.result).toEqual([])
    expect(response.body.pagination).toMatchObject({ 'total-items': 0, 'total-pages': 0, 'previous-page': null })
  })

  test('401 for a valid token of a revoked client, a token of the other API, and without a token', async () => {
    const other = await testApp.partner(companies[0]?.taxId ?? '')
    expectOk(await other.get('/v1/company'))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
    expect((await other.get('/v1/company')).status).toBe(401)
    expect((await testApp.operator.get('/v1/company')).status).toBe(401)
    expect((await testApp.call('GET', '/v1/company')).status).toBe(401)
  })

  test('503 when the connection to the database breaks', async () => {
    const response = await responseWhenCut(testApp, 'product', () => partner.get('/v1/company'))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})

describe('GET /operator/v1/company', () => {
  const search = async (q: string) =>
    namesOf(expectOk(await testApp.operator.get(`/operator/v1/company?q=${encodeURIComponent(q)}`)).body)

  test('200: all companies by name', async () => {
    const response = await testApp.operator.get('/operator/v1/company')
    expect(response.status).toBe(200)
    expect(namesOf(response.body)).toEqual([...inOrder.slice(0, 2), 'Estranha', ...inOrder.slice(2)])
    expect(response.body.pagination['total-items']).toBe(6)
  })

  test('200: q finds a part of the name, whatever its accents and case', async () => {
    expect(await search('ÁBA')).toEqual(['abacate Ltda.', 'Ábaco Engenharia'])
    expect(await search('oleo & gas')).toEqual(['Óleo & Gás S.A.'])
    expect(await search(' ')).toHaveLength(6)
    expect(await search('nenhuma destas')).toEqual([])
  })

  test('200: wildcards of the search stand for themselves', async () => {
    expect(await search('%')).toEqual(['Zebra 100%_\\'])
    expect(await search('_')).toEqual(['Zebra 100%_\\'])
    expect(await search('\\')).toEqual(['Zebra 100%_\\'])
  })

  test('200: q finds a part of the CNPJ, formatted or not, in either case', async () => {
    const [first] = companies
    const taxId = first?.taxId ?? ''
    for (const q of [taxId, taxId.toLowerCase(), `${taxId.slice(0, 2)}.${taxId.slice(2, 5)}.${taxId.slice(5, 8)}/`]) {
      expect(await search(q)).toEqual([names[0]])
    }
  })

  test('200: pages of what was found', async () => {
    const response = await testApp.operator.get('/operator/v1/company?q=ole&page=2&items-per-page=1')
    expect(namesOf(response.body)).toEqual(['Óleo & Gás S.A.'])
    expect(response.body.pagination).toMatchObject({ 'total-items': 2, 'previous-page': 1, 'next-page': null })
  })

  test('400 for words of more than 200 characters', async () => {
    expect((await testApp.operator.get(`/operator/v1/company?q=${'a'.repeat(201)}`)).status).toBe(400)
  })

  test('401 for a partner’s token, and for a removed operator', async () => {
    expect((await partner.get('/operator/v1/company')).status).toBe(401)
    const auditor = await testApp.operatorOf('auditor')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${auditor.clientId}`))
    expect((await auditor.get('/operator/v1/company')).status).toBe(401)
  })

  test.each(['analyst', 'finance', 'auditor'])('200 for the role %s, one and all', async (role) => {
    const operator = await testApp.operatorOf(role)
    expect((await operator.get('/operator/v1/company')).status).toBe(200)
    expect((await operator.get(`/operator/v1/company/${companies[0]?.taxId}`)).status).toBe(200)
  })
})
