import { beforeAll, expect, test } from 'vitest'
import { addDays, businessDate } from '#kernel/calendar.ts'
import {
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  nextCnpj,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp()
let companies: Company[]
let partner: Client
let excluded: Json
let included: Json[]
beforeAll(async () => {
  companies = [await testApp.company(), await testApp.company()]
  partner = await testApp.partner(...companies.map(({ taxId }) => taxId))
  const foreign = await testApp.company()
  await testApp.include(await testApp.partner(foreign.taxId), foreign, [primary()])
  const person = primary()
  included = []
  for (const company of companies) {
    included.push(await testApp.include(partner, company, [person, primary()], '?resolution=approve'))
  }
  const path = `/v1/enrollment/exclusion/${person['tax-id']}/benefit/${await benefitOf(person['tax-id'])}`
  const body = { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' } }
  const { 'request-id': id } = expectOk(await partner.post(path, body)).body
  excluded = expectOk(await partner.get(`/v1/request/${id}`)).body
})

async function benefitOf(taxId: string): Promise<string> {
  const { result } = expectOk(await partner.get(`/v1/benefit?member-tax-id=${taxId}`)).body
  return result.find((one: Json) => one['company-tax-id'] === companies[0]?.taxId)['benefit-id']
}

const list = async (query = '') => expectOk(await partner.get(`/v1/request${query}`)).body
const ids = async (query: string) => (await list(query)).result.map((one: Json) => one['request-id'])

test('the requests of the client’s companies are listed newest first, each as it is read, without its parts', async () => {
  const { result, pagination } = await list()
  const expected = [excluded, ...included.toReversed()].map(
    ({ parts: _list, 'status-by-tax-id': _parts, ...request }) => request,
  )
  expect(result).toEqual(expected)
  expect(result[1]['enrollment-summary']).toEqual({ completed: 2 })
  expect(pagination).toEqual({
    'current-page': 1,
    'total-items': 3,
    'total-pages': 1,
    'next-page': null,
    'previous-page': null,
  })
  const second = await list('?page=2&items-per-page=1')
  expect(second.result).toEqual(expected.slice(1, 2))
})

test('filters are joined by AND', async () => {
  const [first, second] = included.map((one) => one['request-id'])
  expect(await ids('?request-type=exclusion')).toEqual([excluded['request-id']])
  expect(await ids('?request-type=alteration')).toEqual([])
  expect(await ids('?status=completed')).toHaveLength(3)
  expect(await ids('?status=processing')).toEqual([])
  expect(await ids(`?company-tax-id=${companies[1]?.taxId}`)).toEqual([second])
  expect(await ids(`?company-tax-id=${companies[0]?.taxId}&request-type=inclusion`)).toEqual([first])
  const today = businessDate(new Date())
  const tomorrow = addDays(today, 1)
  expect(await ids(`?until-dt=${tomorrow}`)).toHaveLength(3)
  expect(await ids(`?from-dt=${tomorrow}`)).toEqual([])
  expect(await ids(`?from-dt=2026-01-01&until-dt=${today}`)).toHaveLength(3)
  expect(await ids(`?from-dt=${today}&until-dt=${today}`)).toHaveLength(3)
})

test('a company of another client is refused like an unknown one, and parameters are checked', async () => {
  for (const taxId of [nextCnpj(), (await testApp.company()).taxId]) {
    const { status, body } = await partner.get(`/v1/request?company-tax-id=${taxId}`)
    expect([status, body.error]).toEqual([403, 'Not entitled to access this company'])
  }
  const wrong = ['status=done', 'request-type=x', 'reference=', `reference=${'x'.repeat(101)}`, 'refernce=a']
  for (const query of wrong) {
    const { status, body } = await partner.get(`/v1/request?${query}`)
    expect([query, status, body.error]).toEqual([query, 400, 'Invalid parameter'])
  }
  const { body } = await partner.get('/v1/request?from-dt=2026-11-02&until-dt=2026-11-01')
  expect(body.error).toBe("Invalid date filter: 'until-dt' must be greater than 'from-dt'")
})

test('a detail of an enrollment names its request, its benefit and its dates', async () => {
  const [inclusion] = included
  const detailOf = async (request: Json) => {
    const [[taxId, parts]] = Object.entries<Json>(request['status-by-tax-id']) as [[string, Json]]
    const { result } = expectOk(await partner.get(`/v1/enrollment/detail/${parts[health]['enrollment-id']}`)).body
    return { taxId, result }
  }
  const { taxId, result: exclusion } = await detailOf(excluded)
  expect(exclusion).toMatchObject({
    'request-id': excluded['request-id'],
    'benefit-id': await benefitOf(taxId),
    'start-date': null,
    'end-date': '2026-11-30',
    'exclusion-reason': 'dismissal',
    'extension-plan': false,
    'destination-company-tax-id': null,
    reference: null,
  })
  const { result } = await detailOf(inclusion)
  expect(result).toMatchObject({
    'request-id': inclusion['request-id'],
    'start-date': '2026-11-23',
    'end-date': null,
    'exclusion-reason': null,
    'extension-plan': null,
  })
})

test('a rejected inclusion shows the start that was accepted, a company change where it leads', async () => {
  const [here, there] = companies as [Company, Company]
  const [rejected, moved] = [primary(), primary()]
  const request = await testApp.include(partner, here, [rejected], '?resolution=reject')
  const { 'enrollment-id': id } = request['status-by-tax-id'][rejected['tax-id']][health]
  expect(expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result).toMatchObject({
    status: 'rejected',
    'start-date': '2026-11-23',
  })
  const before = await testApp.include(partner, here, [moved], '?resolution=approve')
  const data = { 'new-company-tax-id': there.taxId, 'requested-start-date': '2026-12-01' }
  const altered = expectOk(
    await partner.post(`/v1/enrollment/alteration/${moved['tax-id']}`, { 'alteration-data': data }),
  ).body
  const { result } = expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${moved['tax-id']}`)).body
  const inclusion = result.find((one: Json) => one['request-id'] === before['request-id'])
  const change = result.find((one: Json) => one['request-id'] === altered['request-id'])
  expect(change).toMatchObject({
    'company-tax-id': here.taxId,
    'destination-company-tax-id': there.taxId,
    'benefit-id': inclusion['benefit-id'],
    'start-date': '2026-12-01',
    'end-date': null,
  })
})
