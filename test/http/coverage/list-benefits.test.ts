import { beforeAll, describe, expect, test } from 'vitest'
import { insertBenefit, insertCovered, insertMember } from '../../world/roster.ts'
import { responseWhenCut } from '../../world/cut-connection.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  type Json,
  nextCnpj,
  nextCpf,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp()
let one: Company
let two: Company
let foreign: Company
let partner: Client

const [ana, bia, alien] = [nextCpf(), nextCpf(), nextCpf()]
let anaInOne: string
let biaInTwo: string
/** By the order in which they were made. */
let benefits: string[]

beforeAll(async () => {
  ;[one, two, foreign] = await Promise.all([testApp.company(), testApp.company(), testApp.company()])
  partner = await testApp.partner(one.taxId, two.taxId)
  anaInOne = await insertMember(testApp, one, { cpf: ana, made: '2025-01-01' })
  const anaInTwo = await insertMember(testApp, two, { cpf: ana, made: '2025-06-01' })
  biaInTwo = await insertMember(testApp, two, { cpf: bia })
  benefits = [
    await insertBenefit(testApp, two, anaInTwo, { product: dental }),
    await insertBenefit(testApp, one, anaInOne),
    await insertBenefit(testApp, two, biaInTwo, {
      type: 'dependent',
      dependent_type: 'spouse',
      primary_member_id: anaInTwo,
      product: dental,
      card_number: '00 7',
    }),
    await insertBenefit(testApp, two, biaInTwo, { status: 'inactive', end_date: '2026-03-01' }),
    await insertBenefit(testApp, one, anaInOne, { status: 'pending', product: dental }),
  ]
  await insertCovered(testApp, foreign, { cpf: ana, made: '2024-01-01' })
  await insertCovered(testApp, foreign, { cpf: alien })
})

const list = async (query = '') => expectOk(await partner.get(`/v1/benefit?${query}`)).body

const idsOf = (body: Json): string[] => body.result.map((benefit: Json) => benefit['benefit-id'])

describe('GET /v1/benefit/{benefit-id}', () => {
  const read = (id: string) => partner.get(`/v1/benefit/${id}`)

  test('is the item of the list, in every status', async () => {
    const { result } = await list('include-inactive=true')
    for (const item of result) expect(expectOk(await read(item['benefit-id'])).body).toEqual({ result: item })
  })

  test('is 404 for an unknown id and for one of another client’s company alike', async () => {
    const [elsewhere] = await testApp.sql<{ id: string }>('select id from benefit where company_id = $1', [foreign.id])
    for (const id of [elsewhere?.id ?? '', '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21']) {
      const { status, body } = await read(id)
      expect([status, body.code]).toEqual([404, 'benefit-not-found'])
    }
    expect((await read('42')).status).toBe(400)
  })
})

describe('200', () => {
  test('active benefits by id, with every field of the contract and whose they are', async () => {
    const response = await partner.get('/v1/benefit')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(idsOf(response.body)).toEqual(benefits.slice(0, 3))
    expect(response.body.pagination).toEqual({
      'current-page': 1,
      'total-items': 3,
      'total-pages': 1,
      'next-page': null,
      'previous-page': null,
    })
    expect(response.body.result[2]).toEqual({
      'benefit-id': benefits[2],
      status: 'active',
      'company-tax-id': two.taxId,
      'product-id': two.products[dental],
      'product-name': dental,
      'product-type': 'dental-insurance',
      'carrier-name': 'Odonto Brisa',
      type: 'dependent',
      'start-date': '2026-02-01',
      'end-date': null,
      'extension-plan': false,
      'card-number': '00 7',
      'dependent-type': 'spouse',
      'primary-member-tax-id': ana,
      'member-id': biaInTwo,
      'member-tax-id': bia,
    })
  })

  test('the same benefits, under the same persons, as the list of members', async () => {
    const { result } = await list('include-inactive=true')
    const members = expectOk(await partner.get('/v1/member?include-inactive=true')).body.result
    const listed = members.flatMap((member: Json) =>
      member.benefits.map((benefit: Json) => ({
        ...benefit,
        'member-id': member.id,
        'member-tax-id': member.profile['tax-id'],
      })),
    )
    expect(result).toHaveLength(5)
    expect(listed).toEqual(expect.arrayContaining(result))
    expect(listed).toHaveLength(5)
    expect(result[0]['member-id']).toBe(anaInOne)
  })

  test('of one member, formatted or not; one unknown or another tenant’s has none', async () => {
    expect(idsOf(await list(`member-tax-id=${ana}`))).toEqual(benefits.slice(0, 2))
    expect(idsOf(await list(`member-tax-id=${ana.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')}`))).toHaveLength(2)
    for (const cpf of [nextCpf(), alien]) {
      expect(await list(`member-tax-id=${cpf}&include-inactive=true`)).toMatchObject({
        result: [],
        pagination: { 'total-items': 0, 'total-pages': 0 },
      })
    }
  })

  test('of one company, formatted or not, and of both', async () => {
    expect(idsOf(await list(`company-tax-id=${one.taxId}`))).toEqual([benefits[1]])
    expect(idsOf(await list(`company-tax-id=${one.taxId.toLowerCase()}&include-inactive=true`))).toEqual([
      benefits[1],
      benefits[4],
    ])
    expect(idsOf(await list(`company-tax-id=${two.taxId}&member-tax-id=${ana}`))).toEqual([benefits[0]])
  })

  test('pages follow each other; one past the end is empty', async () => {
    const page = (n: number) => list(`include-inactive=true&items-per-page=2&page=${n}`)
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.flatMap(idsOf)).toEqual(benefits)
    expect((await page(9)).pagination).toMatchObject({ 'total-items': 5, 'previous-page': 3, 'next-page': null })
  })

  test('a client without companies has none', async () => {
    const response = await (await testApp.partner()).get('/v1/benefit')
    expect(response.body).toMatchObject({ result: [], pagination: { 'total-pages': 0 } })
  })
})

test('403 for another tenant’s company and an unknown one, for any member', async () => {
  for (const query of [`company-tax-id=${foreign.taxId}`, `company-tax-id=${nextCnpj()}&member-tax-id=${ana}`]) {
    const response = await partner.get(`/v1/benefit?${query}`)
    expect(response.status).toBe(403)
    expect(response.body.error).toBe('Not entitled to access this company')
  }
})

test.each([
  ['company-tax-id=12ABC34501DE36', 'company-tax-id'],
  ['company-tax-id=', 'company-tax-id'],
  ['member-tax-id=52998224724', 'member-tax-id'],
  ['include-inactive=yes', 'include-inactive'],
  ['filter=cost-center=A', 'filter'],
  ['member-tax-id=52998224725&member-tax-id=52998224725', 'member-tax-id'],
])('400 for ?%s', async (query, field) => {
  const response = await partner.get(`/v1/benefit?${query}`)
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ error: 'Invalid parameter', details: [{ field }] })
})

test('401 for a valid token of a revoked client, a token of the other API, and without a token', async () => {
  const other = await testApp.partner(one.taxId)
  expectOk(await other.get('/v1/benefit'))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
  expect((await other.get(`/v1/benefit?company-tax-id=${foreign.taxId}`)).status).toBe(401)
  expect((await testApp.operator.get('/v1/benefit')).status).toBe(401)
  expect((await testApp.call('GET', '/v1/benefit')).status).toBe(401)
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'product', () =>
    partner.get(`/v1/benefit?company-tax-id=${one.taxId}`),
  )
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('a retired product keeps its benefits', async () => {
  const company = await testApp.company()
  const client = await testApp.partner(company.taxId)
  await insertCovered(testApp, company, { cpf: nextCpf() })
  expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}`, { name: 'Sem produtos', products: [] }))
  expect((await client.get('/v1/benefit')).body.result[0]['product-name']).toBe(health)
})
