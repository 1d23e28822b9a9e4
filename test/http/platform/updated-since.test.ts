import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Client,
  companyBody,
  dependent,
  expectOk,
  health,
  type Json,
  nextCpf,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
let person: Json
/** An instant after everything so far. */
let since: string
beforeAll(async () => {
  // Nobody of these changes.
  await testApp.include(partner, company, [primary(), primary()], '?resolution=approve')
})
beforeEach(async () => {
  person = primary()
  await testApp.include(partner, company, [person], '?resolution=approve')
  since = await now()
})

/** The present instant, once it is later than every timestamp so far. */
async function now(): Promise<string> {
  const start = Date.now()
  return until(
    async () => new Date().toISOString(),
    (instant) => Date.parse(instant) > start,
  )
}

const dental = { 'dental-insurance': [{ name: 'Dental Sorriso', 'start-option': 'on-inclusion-date' }] }

const read = async (path: string, client: Client, query = '') => {
  const separator = path.includes('?') ? '&' : '?'
  return expectOk(await client.get(`${path}${separator}updated-since=${since}${query}`)).body.result as Json[]
}

/** What each list shows: CPFs of members (whole and page), CPFs and statuses of benefits and movements, statuses of requests. */
async function changed(client = partner) {
  const pairs = (items: Json[]) => items.map((one) => `${one['member-tax-id']} ${one.status}`).toSorted()
  const members = (await read('/v1/member', client)).map((one) => one.profile['tax-id'])
  expect((await read('/v1/member?page=1', client)).map((one) => one.profile['tax-id'])).toEqual(members)
  return {
    members,
    benefits: pairs(await read('/v1/benefit', client)),
    movements: pairs(await read('/v1/enrollment/history', client)),
    requests: (await read('/v1/request', client)).map((one) => one['enrollment-summary']),
  }
}

const nothing = { members: [], benefits: [], movements: [], requests: [] }
const move = async (request: Json, taxId: string, product: string, body: Json) => {
  const { 'enrollment-id': id } = request['status-by-tax-id'][taxId][product]
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body))
}

describe('updated-since', () => {
  test('shows nothing while nothing changes', async () => {
    expect(await changed()).toEqual(nothing)
  })

  test('shows a new movement, pending benefits included, and each later status of it', async () => {
    const taxId = person['tax-id']
    const request = await testApp.include(partner, company, [{ ...person, products: dental }])
    expect(await changed()).toEqual({
      members: [taxId],
      benefits: [`${taxId} pending`],
      movements: [`${taxId} created`],
      requests: [{ created: 1 }],
    })
    since = await now()
    expect(await changed()).toEqual(nothing)
    await move(request, taxId, 'Dental Sorriso', { status: 'broker-processing' })
    expect(await changed()).toEqual({
      ...nothing,
      movements: [`${taxId} broker-processing`],
      requests: [{ 'broker-processing': 1 }],
    })
    since = await now()
    await move(request, taxId, 'Dental Sorriso', { status: 'completed', 'card-number': '7' })
    expect(await changed()).toMatchObject({
      members: [taxId],
      movements: [`${taxId} completed`],
      requests: [{ completed: 1 }],
    })
    const [member] = await read('/v1/member', partner)
    expect(member.benefits).toHaveLength(2)
  })

  test('shows a member whose pending benefit was withdrawn, and one whose benefit ended', async () => {
    const taxId = person['tax-id']
    const request = await testApp.include(partner, company, [{ ...person, products: dental }])
    since = await now()
    await move(request, taxId, 'Dental Sorriso', { status: 'rejected', reason: 'x' })
    expect((await changed()).members).toEqual([taxId])
    since = await now()
    const body = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' } }
    const path = `/v1/enrollment/exclusion/${taxId}/product/${company.products[health]}?resolution=approve`
    expectOk(await partner.post(path, body))
    expect(await changed()).toMatchObject({ members: [taxId], benefits: [`${taxId} inactive`] })
    expect(expectOk(await partner.get(`/v1/member?filter=tax-id%3D${taxId}`)).body.result).toEqual([])
  })

  test('is combined with the other filters', async () => {
    const other = primary()
    await testApp.include(partner, company, [other], '?resolution=approve')
    const filter = (taxId: string) => `&filter=tax-id%3D${taxId}`
    expect(await read('/v1/member', partner, filter(person['tax-id']))).toEqual([])
    expect(await read('/v1/member', partner, filter(other['tax-id']))).toHaveLength(1)
    expect(await read('/v1/member?page=1', partner, filter(person['tax-id']))).toEqual([])
    expect(await read('/v1/benefit', partner, `&member-tax-id=${person['tax-id']}`)).toEqual([])
    expect(await read('/v1/enrollment/history', partner, '&enrollment-type=exclusion')).toEqual([])
    expect(await read('/v1/request', partner, '&status=processing')).toEqual([])
  })

  test('shows what shows a renamed product; putting a company again without a change is none', async () => {
    const own = await testApp.company()
    const client = await testApp.partner(own.taxId)
    const [healthy, toothed] = [primary(), primary({ products: dental })]
    await testApp.include(client, own, [healthy, toothed], '?resolution=approve')
    since = await now()
    const put = (body: Json) => testApp.operator.put(`/operator/v1/company/${own.taxId}`, body)
    expectOk(await put(companyBody))
    expect(await changed(client)).toEqual(nothing)
    const products = companyBody.products.map((product) => ({
      ...product,
      'product-id': own.products[product['product-name']],
    }))
    const [first, ...others] = products
    expectOk(await put({ ...companyBody, products: [{ ...first, 'product-name': 'Saúde Nova' }, ...others] }))
    const taxId = healthy['tax-id']
    expect(await changed(client)).toEqual({
      members: [taxId],
      benefits: [`${taxId} active`],
      movements: [`${taxId} completed`],
      requests: [],
    })
  })

  test('shows the dependents of a primary whose CPF was corrected, and the primary once, with the benefits under the former CPF', async () => {
    const [here, there] = [await testApp.company(), await testApp.company()]
    const client = await testApp.partner(here.taxId, there.taxId)
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await testApp.include(client, here, [mother, child], '?resolution=approve')
    await testApp.include(client, there, [{ ...mother }], '?resolution=approve')
    since = await now()
    const corrected = nextCpf()
    const path = `/v1/enrollment/alteration/${mother['tax-id']}?resolution=approve`
    const data = { 'company-tax-id': here.taxId, 'alteration-data': { 'tax-id': corrected } }
    expectOk(await client.post(path, data))
    expect((await changed(client)).members).toEqual([child['tax-id'], corrected].toSorted())
    const benefits = await read('/v1/benefit', client)
    expect(benefits.map((one) => one['member-tax-id']).toSorted()).toEqual(
      [mother['tax-id'], child['tax-id'], corrected].toSorted(),
    )
  })

  test('shows everything of a company that the client was granted since', async () => {
    const granted = await testApp.company()
    const member = primary()
    await testApp.include(await testApp.partner(granted.taxId), granted, [member], '?resolution=approve')
    since = await now()
    expectOk(await testApp.operator.put(`/operator/v1/client/${partner.clientId}/company/${granted.taxId}`))
    const taxId = member['tax-id']
    expect(await changed()).toEqual({
      members: [taxId],
      benefits: [`${taxId} active`],
      movements: [`${taxId} completed`],
      requests: [{ completed: 1 }],
    })
  })

  test('takes the timestamps of RFC 3339, with any offset', async () => {
    for (const path of ['/v1/member', '/v1/benefit', '/v1/enrollment/history', '/v1/request']) {
      for (const value of ['2026-11-23', '2026-11-23T10:00:00', '2026-11-31T10:00:00Z', 'x']) {
        const { status, body } = await partner.get(`${path}?updated-since=${encodeURIComponent(value)}`)
        expect([path, value, status, body.error]).toEqual([path, value, 400, 'Invalid parameter'])
        expect(body.details).toEqual([
          {
            field: 'updated-since',
            code: 'invalid',
            message: 'Must be a date and time with its offset, as YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DDTHH:MM:SS-03:00.',
          },
        ])
      }
      for (const value of ['2026-11-23T10:00:00.123456Z', '0000-01-01T00:00:00Z', '2026-11-23T10:00:00%2B23:59']) {
        expectOk(await partner.get(`${path}?updated-since=${value}`))
      }
      // The same instant, as Python and PHP write it, and where the `+` is not encoded.
      const [later, same] = ['2999-01-01T00:00:00-03:00', '2026-11-01T00:00:00+00:00']
      expect(expectOk(await partner.get(`${path}?updated-since=${later}`)).body.result).toEqual([])
      const { result } = expectOk(await partner.get(`${path}?updated-since=2026-11-01T00:00:00Z`)).body
      expect(result).not.toEqual([])
      for (const text of [same, encodeURIComponent(same)]) {
        expect(expectOk(await partner.get(`${path}?updated-since=${text}`)).body.result).toEqual(result)
      }
    }
  })
})

test('Date is not later than the moment that a list shows', async () => {
  for (const path of ['/v1/member', '/v1/member?page=1', '/v1/benefit', '/v1/enrollment/history', '/v1/request']) {
    const before = Date.now()
    const { headers } = await partner.get(path)
    const date = Date.parse(headers.get('date') ?? '')
    expect(date).toBeGreaterThan(before - 1_001)
    expect(date).toBeLessThanOrEqual(Date.now())
  }
})
