import { beforeAll, describe, expect, test } from 'vitest'
import { responseWhenCut } from '../../world/cut-connection.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  inProduct,
  type Json,
  nextCnpj,
  nextCpf,
  useTestApp,
  primary,
} from '../../world/test-app.ts'

const testApp = useTestApp()
let one: Company
let two: Company
let foreign: Company
let partner: Client

const [ana, bia, alien] = [nextCpf(), nextCpf(), nextCpf()]
const both = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

beforeAll(async () => {
  ;[one, two, foreign] = await Promise.all([testApp.company(), testApp.company(), testApp.company()])
  partner = await testApp.partner(one.taxId, two.taxId)
  await testApp.include(partner, one, [primary({ 'tax-id': ana, products: both })], '?resolution=approve')
  await testApp.include(partner, two, [primary({ 'tax-id': bia })])
  await testApp.include(partner, two, [primary({ 'tax-id': ana })], '?resolution=reject')
  const stranger = await testApp.partner(foreign.taxId)
  await testApp.include(stranger, foreign, [primary({ 'tax-id': ana }), primary({ 'tax-id': alien })])
  const exclusion = await partner.post(`/v1/enrollment/exclusion/${ana}/product/${one.products[dental]}`, {
    'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'requested-by-beneficiary' },
  })
  await testApp.finished(partner, expectOk(exclusion).body['request-id'])
})

const list = async (query = '', client = partner) => expectOk(await client.get(`/v1/enrollment/history?${query}`)).body

const kindsOf = (body: Json) =>
  body.result.map((one: Json) => [one['enrollment-type'], one['member-tax-id'], one.status].join(' '))

describe('200', () => {
  test('all movements of the caller’s companies, newest first, as their details', async () => {
    const response = await partner.get('/v1/enrollment/history')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { result, pagination } = response.body
    expect(kindsOf(response.body)).toEqual([
      `exclusion ${ana} scheduled`,
      `inclusion ${ana} rejected`,
      `inclusion ${bia} created`,
      `inclusion ${ana} completed`,
      `inclusion ${ana} completed`,
    ])
    expect(pagination).toEqual({
      'current-page': 1,
      'total-items': 5,
      'total-pages': 1,
      'next-page': null,
      'previous-page': null,
    })
    for (const item of result) {
      // The detail of one movement alone has its hand-over to the carrier, its deadlines, its waiting period and money.
      const {
        'carrier-hand-over': handOver,
        deadlines: _,
        'waiting-period': _period,
        money: _money,
        ...detail
      } = expectOk(await partner.get(`/v1/enrollment/detail/${item.id}`)).body.result
      expect([detail, handOver]).toEqual([item, null])
    }
  })

  test('of one member, also after a rejected inclusion; empty for another tenant’s and an unknown member', async () => {
    expect(kindsOf(await list(`member-tax-id=${ana}`))).toHaveLength(4)
    expect(kindsOf(await list(`member-tax-id=${ana}&company-tax-id=${two.taxId}`))).toEqual([
      `inclusion ${ana} rejected`,
    ])
    for (const cpf of [alien, nextCpf()]) {
      expect(await list(`member-tax-id=${cpf}`)).toMatchObject({ result: [], pagination: { 'total-items': 0 } })
    }
  })

  test('by company, kind and state, joined by AND', async () => {
    expect(kindsOf(await list(`company-tax-id=${one.taxId.toLowerCase()}`))).toHaveLength(3)
    expect(kindsOf(await list('enrollment-type=exclusion'))).toEqual([`exclusion ${ana} scheduled`])
    expect(kindsOf(await list('status=created'))).toEqual([`inclusion ${bia} created`])
    expect(kindsOf(await list(`status=completed&member-tax-id=${bia}`))).toEqual([])
    expect(kindsOf(await list(`status=completed&enrollment-type=inclusion&company-tax-id=${one.taxId}`))).toHaveLength(
      2,
    )
  })

  test('those to be decided, and those that are', async () => {
    expect(kindsOf(await list('open=true'))).toEqual([`exclusion ${ana} scheduled`, `inclusion ${bia} created`])
    expect(kindsOf(await list('open=false'))).toEqual([
      `inclusion ${ana} rejected`,
      `inclusion ${ana} completed`,
      `inclusion ${ana} completed`,
    ])
  })

  test('of the month in which cover starts or ends, without what is rejected', async () => {
    expect(kindsOf(await list('effective-month=2026-11&enrollment-type=exclusion'))).toEqual([
      `exclusion ${ana} scheduled`,
    ])
    expect(kindsOf(await list('effective-month=2026-12&enrollment-type=exclusion'))).toEqual([])
    const start: string = (await list('status=completed')).result[0]['start-date']
    const starting = await list(`effective-month=${start.slice(0, 7)}&enrollment-type=inclusion`)
    expect(kindsOf(starting).filter((kind: string) => kind.endsWith('completed'))).toHaveLength(2)
    expect(kindsOf(starting).filter((kind: string) => kind.endsWith('rejected'))).toEqual([])
  })

  test('pages follow each other; one past the end is empty', async () => {
    const { result } = await list()
    const page = (n: number) => list(`items-per-page=2&page=${n}`)
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.flatMap((body) => body.result)).toEqual(result)
    expect((await page(7)).pagination).toMatchObject({ 'total-items': 5, 'previous-page': 3, 'next-page': null })
  })

  test('a client without companies has none', async () => {
    expect(await list('', await testApp.partner())).toMatchObject({ result: [], pagination: { 'total-pages': 0 } })
  })
})

test('200: days are those of Sao Paulo, both included, each may stand alone', async () => {
  const company = await testApp.company()
  const client = await testApp.partner(company.taxId)
  const instants = ['2026-03-10T02:59:59.999Z', '2026-03-10T03:00:00Z', '2026-03-11T02:59:59.999Z', '2026-03-11T03:00Z']
  await testApp.include(
    client,
    company,
    instants.map(() => primary()),
  )
  await testApp.sql(
    `update enrollment e set created_at = i.at from (
       select id, ($2::timestamptz[])[row_number() over (order by id)] as at from enrollment where company_id = $1) i
     where e.company_id = $1 and e.id = i.id`,
    [company.id, instants],
  )
  const days = async (query: string) =>
    (await list(query, client)).result.map((item: Json) => item['created-at'].slice(8, 16))
  expect(await days('from-dt=2026-03-10')).toEqual(['11T03:00', '11T02:59', '10T03:00'])
  expect(await days('until-dt=2026-03-10')).toEqual(['11T02:59', '10T03:00', '10T02:59'])
  expect(await days('from-dt=2026-03-10&until-dt=2026-03-10')).toEqual(['11T02:59', '10T03:00'])
  expect(await days('from-dt=2026-03-10&until-dt=2026-03-11')).toEqual(['11T03:00', '11T02:59', '10T03:00'])
  expect(await days('from-dt=2026-03-09&until-dt=2026-03-10')).toEqual(['11T02:59', '10T03:00', '10T02:59'])
  expect(await days('from-dt=2026-03-12')).toEqual([])
  expect(await days('from-dt=0001-01-01&until-dt=9999-12-31')).toHaveLength(4)
})

test('200: a corrected CPF finds all movements of its bearer, the former one none, and not those of who bears it next', async () => {
  const company = await testApp.company()
  const client = await testApp.partner(company.taxId)
  const [wrong, right] = [nextCpf(), nextCpf()]
  await testApp.include(client, company, [primary({ 'tax-id': wrong })], '?resolution=approve')
  const alteration = await client.post(`/v1/enrollment/alteration/${wrong}?resolution=approve`, {
    'alteration-data': { 'tax-id': right },
  })
  await testApp.finished(client, expectOk(alteration).body['request-id'])
  const kinds = async (cpf: string) =>
    (await list(`member-tax-id=${cpf}`, client)).result.map((item: Json) => item['enrollment-type'])
  expect(await kinds(right)).toEqual(['alteration', 'inclusion'])
  expect(await kinds(wrong)).toEqual([])
  await testApp.include(client, company, [primary({ 'tax-id': wrong })])
  expect(await kinds(wrong)).toEqual(['inclusion'])
  expect(await kinds(right)).toHaveLength(2)
})

test('403 for another tenant’s company and an unknown one', async () => {
  for (const taxId of [foreign.taxId, nextCnpj()]) {
    const response = await partner.get(`/v1/enrollment/history?company-tax-id=${taxId}&member-tax-id=${ana}`)
    expect(response.status).toBe(403)
    expect(response.body.error).toBe('Not entitled to access this company')
  }
})

test('400 for a range that ends before it begins', async () => {
  const response = await partner.get('/v1/enrollment/history?from-dt=2026-11-22&until-dt=2026-11-21')
  expect(response.status).toBe(400)
  expect(response.body.error).toBe("Invalid date filter: 'until-dt' must be greater than 'from-dt'")
})

test.each([
  ['from-dt=2026-02-30', 'from-dt'],
  ['until-dt=21/11/2026', 'until-dt'],
  ['from-dt=', 'from-dt'],
  ['status=done', 'status'],
  ['enrollment-type=plan-change', 'enrollment-type'],
  ['member-tax-id=123', 'member-tax-id'],
  ['company-tax-id=123', 'company-tax-id'],
  ['carrier-name=x', 'carrier-name'],
  ['status=created&status=completed', 'status'],
])('400 for ?%s', async (query, field) => {
  const response = await partner.get(`/v1/enrollment/history?${query}`)
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ error: 'Invalid parameter', details: [{ field }] })
})

test('401 for a valid token of a revoked client, a token of the other API, and without a token', async () => {
  const other = await testApp.partner(one.taxId)
  expectOk(await other.get('/v1/enrollment/history'))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${other.clientId}`))
  for (const query of ['', 'from-dt=2026-11-22&until-dt=2026-11-21', `company-tax-id=${foreign.taxId}`]) {
    expect((await other.get(`/v1/enrollment/history?${query}`)).status).toBe(401)
  }
  expect((await testApp.operator.get('/v1/enrollment/history')).status).toBe(401)
  expect((await testApp.call('GET', '/v1/enrollment/history')).status).toBe(401)
})

test('503 when the connection to the database breaks', async () => {
  const response = await responseWhenCut(testApp, 'enrollment', () => partner.get('/v1/enrollment/history'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})
