import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  inProduct,
  type Json,
  nextCpf,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/* A CPF that was corrected in one of several companies: one id is one item. */

const testApp = useTestApp()

/** Includes the person in the company; the health plan unless told otherwise. */
const include = (partner: Client, company: Company, person: Json) =>
  testApp.include(partner, company, [person], '?resolution=approve')

async function correct(partner: Client, company: Company, from: string, to: string): Promise<void> {
  const body = { 'company-tax-id': company.taxId, 'alteration-data': { 'tax-id': to } }
  expectOk(await partner.post(`/v1/enrollment/alteration/${from}?resolution=approve`, body))
}

const companiesOf = ({ benefits }: Json): string[] => benefits.map((one: Json) => one['company-tax-id']).toSorted()

describe('in one of two companies of a client', () => {
  const [former, corrected] = [nextCpf(), nextCpf()]
  let one: Company
  let two: Company
  let partner: Client
  let since: string
  let item: Json

  beforeAll(async () => {
    one = await testApp.company()
    two = await testApp.company()
    partner = await testApp.partner(one.taxId, two.taxId)
    const person = primary({ 'tax-id': former, 'employee-id': 'E-1', 'bank-account-number': '4455' })
    await include(partner, one, person)
    await include(partner, two, { ...person, 'employee-id': 'E-2', products: inProduct('dental-insurance', dental) })
    await include(partner, two, primary())
    const [clock] = await testApp.sql<{ at: Date }>('select clock_timestamp() as at')
    since = clock?.at.toISOString() ?? ''
    await correct(partner, one, former, corrected)
    ;[item] = (await list(`?filter=tax-id%3D${corrected}`)).result
  })

  const list = async (query = ''): Promise<Json> => expectOk(await partner.get(`/v1/member${query}`)).body

  test('the item has the newest CPF, and the benefits of both', async () => {
    expect(item.profile['tax-id']).toBe(corrected)
    expect(companiesOf(item)).toEqual([one.taxId, two.taxId].toSorted())
  })

  test.each(['', '?include-inactive=true', '?page=1&items-per-page=500'])(
    'every id is once in the list %s',
    async (query) => {
      const { result, pagination } = await list(query)
      expect(result).toHaveLength(2)
      expect(new Set(result.map(({ id }: Json) => id)).size).toBe(2)
      expect(result).toContainEqual(item)
      if (pagination !== undefined) expect(pagination['total-items']).toBe(2)
    },
  )

  test('every id is once in pages of one', async () => {
    const pages = [await list('?page=1&items-per-page=1'), await list('?page=2&items-per-page=1')]
    expect(pages.flatMap(({ result }) => result)).toEqual((await list()).result)
    expect(pages.map(({ pagination }) => pagination['total-items'])).toEqual([2, 2])
  })

  test.each([
    ['either CPF', `tax-id%3D${former}`],
    ['both', `tax-id%3D${former}%7Ctax-id%3D${corrected}`],
    ['what the company with the former CPF knows', 'employee-id%3DE-2'],
    ['what the company with the newest CPF knows', 'employee-id%3DE-1'],
  ])('a filter by %s finds it', async (_what, filter) => {
    expect((await list(`?filter=${filter}`)).result).toEqual([item])
    expect((await list(`?filter=${filter}&page=1`)).result).toEqual([item])
  })

  test('the correction is a change of the whole item', async () => {
    const changed = `updated-since=${encodeURIComponent(since)}`
    expect((await list(`?${changed}`)).result).toEqual([item])
    expect((await list(`?${changed}&page=1`)).result).toEqual([item])
    expect((await list(`?${changed}&filter=employee-id%3DE-2`)).result).toEqual([item])
  })

  test('its id shows what both companies hold', async () => {
    const { result } = expectOk(await partner.get(`/v1/member/${item.id}`)).body
    expect(result).toMatchObject({ id: item.id, profile: { 'tax-id': corrected } })
    expect(companiesOf(result)).toEqual([one.taxId, two.taxId].toSorted())
    const held = result.registrations.map((each: Json) => [each['company-tax-id'], each['tax-id']])
    expect(new Map(held)).toEqual(
      new Map([
        [one.taxId, corrected],
        [two.taxId, former],
      ]),
    )
  })

  test('an operator sees the same', async () => {
    const read = async (path: string) => expectOk(await testApp.operator.get(`/operator/v1/member${path}`)).body.result
    const companies = expect.any(Array)
    const shownTo = { 'carrier-certificate': null, 'carrier-dependent-code': null }
    const benefits = item.benefits.map((benefit: Json) => ({ ...benefit, ...shownTo }))
    for (const cpf of [former, corrected])
      expect(await read(`?disclose=true&tax-id=${cpf}`)).toEqual([{ ...item, benefits, companies }])
    const { registrations, family, ...shown } = await read(`/${item.id}?disclose=true`)
    expect([shown, registrations.length, family]).toEqual([{ ...item, benefits, companies }, 2, []])
    const { body } = expectOk(await testApp.operator.post(`/operator/v1/member/${item.id}/disclosure`))
    expect(body.result['tax-id']).toBe(corrected)
    expect(body.result.registrations).toHaveLength(2)
    // In a company alone the person is who the company knows.
    const [only] = await read(`?disclose=true&company-tax-id=${two.taxId}&tax-id=${former}`)
    expect([only.profile['tax-id'], companiesOf(only)]).toEqual([former, [two.taxId]])
  })

  test('a client of one of the companies sees what that company knows', async () => {
    for (const [company, cpf] of [
      [one, corrected],
      [two, former],
    ] as const) {
      const own = await testApp.partner(company.taxId)
      const { result } = expectOk(
        await own.get(`/v1/member?filter=employee-id%3D${company === one ? 'E-1' : 'E-2'}`),
      ).body
      expect(result.map((each: Json) => [each.id, each.profile['tax-id'], companiesOf(each)])).toEqual([
        [item.id, cpf, [company.taxId]],
      ])
    }
  })
})

test('a company that knew the newest CPF already is part of the item', async () => {
  const companies = [await testApp.company(), await testApp.company(), await testApp.company()] as const
  const [one, two, three] = companies
  const partner = await testApp.partner(...companies.map(({ taxId }) => taxId))
  const [former, corrected] = [nextCpf(), nextCpf()]
  await include(partner, three, primary({ 'tax-id': corrected }))
  const person = primary({ 'tax-id': former })
  await include(partner, one, person)
  await include(partner, two, person)
  const [first] = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${corrected}`)).body.result
  await correct(partner, one, former, corrected)
  const { result } = expectOk(await partner.get('/v1/member')).body
  expect(result.map((item: Json) => [item.id, item.profile['tax-id'], companiesOf(item)])).toEqual([
    [first.id, corrected, companies.map(({ taxId }) => taxId).toSorted()],
  ])
})

test('once the other company has corrected it too, the former CPF is nobody', async () => {
  const [one, two] = [await testApp.company(), await testApp.company()]
  const partner = await testApp.partner(one.taxId, two.taxId)
  const [former, corrected] = [nextCpf(), nextCpf()]
  for (const company of [one, two]) await include(partner, company, primary({ 'tax-id': former }))
  for (const company of [one, two]) await correct(partner, company, former, corrected)
  const { result } = expectOk(await partner.get('/v1/member')).body
  expect(result.map((item: Json) => [item.profile['tax-id'], item.benefits.length])).toEqual([[corrected, 2]])
  expect(expectOk(await partner.get(`/v1/member?filter=tax-id%3D${former}`)).body.result).toEqual([])
})
