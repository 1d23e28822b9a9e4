import { beforeAll, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  companyBody,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  monday,
  nextCnpj,
  nextCpf,
  openTestApp,
  useTestApp,
  premium,
  primary,
  until,
} from '../../world/test-app.ts'
import { named, newSlot, upload } from '../../world/upload.ts'

const testApp = useTestApp()
let company: Company
let other: Company
let foreign: Company
/** Entitled to `company` alone. */
let partner: Client
/** Entitled to `company` and `other`. */
let broker: Client
/** Entitled to `foreign` alone. */
let stranger: Client

beforeAll(async () => {
  company = await testApp.company()
  other = await testApp.company()
  foreign = await testApp.company()
  partner = await testApp.partner(company.taxId)
  broker = await testApp.partner(company.taxId, other.taxId)
  stranger = await testApp.partner(foreign.taxId)
})

const path = (cpf: string, query = '') => `/v1/enrollment/alteration/${cpf}${query}`

const alter = (cpf: string, data: Json, { client = partner, query = '', ...others }: Json = {}): Promise<ApiResponse> =>
  client.post(path(cpf, query), { ...others, 'alteration-data': data })

const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

/** Somebody with active health cover (and the other given products); the CPF. */
async function member(overrides: Json = {}, at = company, client: Client = partner): Promise<string> {
  const person = primary(overrides)
  await testApp.include(client, at, [person], '?resolution=approve')
  return person['tax-id']
}

const request = async (response: ApiResponse, client = partner): Promise<Json> =>
  expectOk(await client.get(`/v1/request/${expectOk(response).body['request-id']}`)).body

const idsOf = async (response: ApiResponse, client = partner): Promise<Record<string, string>> => {
  const [products] = Object.values<Json>((await request(response, client))['status-by-tax-id'])
  return Object.fromEntries(Object.entries<Json>(products).map(([name, part]) => [name, part['enrollment-id']]))
}

const detail = async (id: string, client = partner): Promise<Json> =>
  expectOk(await client.get(`/v1/enrollment/detail/${id}`)).body.result

const person = async (cpf: string, client = partner): Promise<Json> =>
  expectOk(await client.get('/v1/member?include-inactive=true')).body.result.find(
    (one: Json) => one.profile['tax-id'] === cpf,
  )

const move = (id: string, body: Json) => testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)

const exclude = (cpf: string, endDate = monday) =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`, {
    'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'resignation' },
  })

/** Status, message and details of a refusal. */
function errorOf({ status, body, headers }: ApiResponse): unknown[] {
  const details = body?.details?.map((detail: Json) => [detail.field, detail.code]) ?? []
  const traced = body?.['request-trace-id'] === headers.get('x-request-id')
  return traced ? [status, body.error, ...details] : [status, 'a response without its trace id']
}

const invalid = 'Invalid alteration-data'
const notAuthorized = 'You are not authorized to alter members in this company.'
const ongoing = 'Alteration not performed. Member still has ongoing enrollments'
const noPrimary = 'No active primary benefit found in member'

describe('200', () => {
  test('registration data become one enrollment per active benefit, and change nothing before one completes', async () => {
    const cpf = await member({ products: inBoth })
    const before = await person(cpf)
    const response = await alter(cpf, { name: 'Helena Lima', 'marital-status': 'other', 'monthly-salary': 523_000 })
    expect(Object.keys(response.body)).toEqual(['request-id'])
    const shown = await request(response)
    expect(shown).toMatchObject({
      'request-type': 'alteration',
      'company-tax-id': company.taxId,
      status: 'completed',
      'finished-at': shown['created-at'],
      'enrollment-summary': { created: 2 },
    })
    expect(Object.keys(shown['status-by-tax-id'])).toEqual([cpf])
    const ids = await idsOf(response)
    expect(Object.keys(ids).toSorted()).toEqual([dental, health].toSorted())
    expect(await detail(ids[dental] ?? '')).toMatchObject({
      'enrollment-type': 'alteration',
      status: 'created',
      'member-type': 'primary',
      'member-tax-id': cpf,
      'product-name': dental,
      'product-id': company.products[dental],
      'scheduled-action-date': null,
      'scheduled-reason': null,
    })
    expect(await person(cpf)).toEqual(before)
  })

  test('a text with signs of a wrong encoding is taken, with a warning that names it; so in a batch', async () => {
    const cpf = await member()
    const data = { name: 'JosÃ© da Silva', 'address-city': 'São Paulo' }
    const warning = { warning: 'suspicious-text', field: 'alteration-data.name' }
    expect(expectOk(await alter(cpf, data)).body.warnings).toEqual([warning])
    const { body } = expectOk(
      await partner.post('/v1/enrollment/alteration', {
        'company-tax-id': company.taxId,
        members: [
          { 'tax-id': cpf, 'alteration-data': { 'address-city': 'Campinas' } },
          { 'tax-id': await member(), 'alteration-data': { 'mothers-name': 'ConceiÃ§Ã£o Lima' } },
        ],
      }),
    )
    expect(body.warnings).toEqual([{ index: 1, warning: 'suspicious-text', field: 'alteration-data.mothers-name' }])
    expect(expectOk(await alter(cpf, { name: 'José da Silva' })).body).not.toHaveProperty('warnings')
  })

  test('a plan change is one enrollment under the new product’s name; registration data are enrollments of the other benefits', async () => {
    const cpf = await member({ products: inBoth })
    const response = await alter(cpf, { 'new-product-id': company.products[premium] })
    const ids = await idsOf(response)
    expect(Object.keys(ids)).toEqual([premium])
    expect(await detail(ids[premium] ?? '')).toMatchObject({
      'product-name': premium,
      'product-id': company.products[premium],
      'company-tax-id': company.taxId,
    })
    const both = await member({ products: inBoth })
    const idsOfBoth = await idsOf(
      await alter(both, { 'new-product-id': company.products[premium], phone: '11987654321' }),
    )
    expect(Object.keys(idsOfBoth).toSorted()).toEqual([dental, premium].toSorted())
    expect((await detail(idsOfBoth[dental] ?? ''))['product-id']).toBe(company.products[dental])
  })

  test('a company change is one enrollment per primary benefit, under the products of the destination', async () => {
    const cpf = await member({ products: inBoth })
    const data = { 'new-company-tax-id': other.taxId, 'new-product-id': other.products[premium] }
    const response = await alter(cpf, data, { client: broker })
    const ids = await idsOf(response, broker)
    expect(Object.keys(ids).toSorted()).toEqual([dental, premium].toSorted())
    expect((await request(response, broker))['company-tax-id']).toBe(company.taxId)
    expect((await detail(ids[premium] ?? '', broker))['product-id']).toBe(other.products[premium])
    expect((await detail(ids[dental] ?? '', broker))['product-id']).toBe(other.products[dental])
  })

  test('a requested day ahead is scheduled, for registration data alone too', async () => {
    const cpf = await member()
    for (const data of [{ 'new-product-id': company.products[premium] }, { name: 'Helena Lima' }]) {
      const ids = await idsOf(await alter(cpf, { ...data, 'requested-start-date': '2026-12-01' }))
      expect(await detail(Object.values(ids)[0] ?? '')).toMatchObject({
        status: 'scheduled',
        'scheduled-action-date': '2026-12-01',
        'scheduled-reason': 'future-requested-start-date',
      })
    }
    const today = await idsOf(await alter(cpf, { name: 'Helena Lima', 'requested-start-date': monday }))
    expect(await detail(today[health] ?? '')).toMatchObject({ status: 'created', 'scheduled-action-date': null })
  })

  test('CPF and CNPJ formatted, the company by its id, and all four ways to name it', async () => {
    const cpf = await member()
    const formatted = cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    const cnpj = company.taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5').toLowerCase()
    for (const response of [
      await alter(formatted, { name: 'A' }, { 'company-tax-id': cnpj }),
      await alter(cpf, { name: 'B', 'company-id': company.id.toUpperCase() }),
      await alter(cpf, { name: 'C', 'company-id': company.id }, { 'company-tax-id': company.taxId }),
    ]) {
      expect((await request(response))['status-by-tax-id']).toHaveProperty(cpf)
    }
  })

  test('of two companies that know the member the one with a benefit in force is meant', async () => {
    const cpf = await member()
    await member({ 'tax-id': cpf }, other, broker)
    const body = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'resignation' } }
    const ended = `/v1/enrollment/exclusion/${cpf}/product/${other.products[health]}?resolution=approve`
    expectOk(await broker.post(ended, body))
    expect((await request(await alter(cpf, { name: 'A' }, { client: broker }), broker))['company-tax-id']).toBe(
      company.taxId,
    )
  })

  test('registration data alone are accepted while a change, an exclusion or another alteration is open', async () => {
    const cpf = await member()
    expectOk(await alter(cpf, { name: 'A' }))
    expectOk(await exclude(await member()))
    expectOk(await alter(cpf, { 'new-product-id': company.products[premium] }))
    expectOk(await alter(cpf, { name: 'B', 'requested-start-date': '1999-01-01' }))
    const leaving = await member()
    expectOk(await exclude(leaving))
    expect((await alter(leaving, { name: 'C' })).status).toBe(200)
  })

  test('a member’s own CPF is no one else’s, and documents are used once', async () => {
    const cpf = await member()
    const document = await upload(partner)
    const documents = named(document)
    expectOk(await alter(cpf, { 'tax-id': cpf, documents }))
    expect(errorOf(await alter(cpf, { 'tax-id': cpf, documents }))).toEqual([
      400,
      invalid,
      ['alteration-data.documents', 'invalid'],
    ])
  })

  test('events and audit rows are written, without a CPF or a name', async () => {
    const cpf = await member({ products: inBoth })
    const response = await alter(cpf, { 'new-product-id': company.products[premium], name: 'Jussara Quintanilha' })
    const id = response.body['request-id']
    const events = await testApp.sql(`select type, data from event where data->>'request-id' = $1 order by id`, [id])
    expect(events.map((event) => event['type'])).toEqual([
      'enrollment.created',
      'enrollment.created',
      'request.completed',
    ])
    const audited = await testApp.sql('select actor, action, company_id from audit where target = $1', [id])
    expect(audited).toEqual([{ actor: partner.clientId, action: 'alteration.requested', company_id: company.id }])
    expect(JSON.stringify([events, audited])).not.toMatch(new RegExp(`${cpf}|Jussara`))
  })
})

describe('resolution', () => {
  test('reject leaves the member untouched and the movement with its history', async () => {
    const cpf = await member({ products: inBoth })
    const before = await person(cpf)
    const data = {
      'new-product-id': company.products[premium],
      'tax-id': nextCpf(),
      name: 'Outra',
      phone: '1133334444',
    }
    const response = await alter(cpf, data, { query: '?resolution=reject' })
    expect(await request(response)).toMatchObject({ status: 'completed', 'enrollment-summary': { rejected: 2 } })
    expect(await person(cpf)).toEqual(before)
    const shown = await detail((await idsOf(response))[premium] ?? '')
    expect(shown.history.map((step: Json) => [step.status, step.actor])).toEqual([
      ['created', 'partner'],
      ['rejected', 'resolution'],
    ])
    expect(shown.reason).toBeTruthy()
    expectOk(await alter(cpf, data))
  })

  test('approve completes every part before the response', async () => {
    const cpf = await member({ products: inBoth })
    const response = await alter(cpf, { name: 'Helena Lima' }, { query: '?resolution=approve' })
    expect(await request(response)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 2 } })
    expect((await person(cpf)).profile.name).toBe('Helena Lima')
  })

  test.each(['?resolution=maybe', '?resolution=', '?resolution=approve&resolution=approve', '?resolutoin=approve'])(
    '%s is an invalid parameter',
    async (query) => {
      const response = await alter(nextCpf(), { name: 'A' }, { query })
      expect([response.status, response.body.error]).toEqual([400, 'Invalid parameter'])
    },
  )
})

describe('400 of the shape, before it is looked whose company it is', () => {
  test.each([
    ['empty', {}, 'alteration-data', 'nothing-to-alter'],
    ['an unknown key', { name: 'A', 'job-title': 'x' }, 'alteration-data.job-title', 'unknown'],
    [
      'a day and a reason alone',
      { 'requested-start-date': monday, reason: 'x' },
      'alteration-data',
      'nothing-to-alter',
    ],
    ['documents alone', { documents: [] }, 'alteration-data', 'nothing-to-alter'],
    ['null', null, 'alteration-data', 'invalid'],
    ['a list', [], 'alteration-data', 'invalid'],
    ['a value that is null', { name: null }, 'alteration-data.name', 'invalid'],
    ['a value that is empty', { name: '' }, 'alteration-data.name', 'invalid'],
    ['a value outside its set', { gender: 'x' }, 'alteration-data.gender', 'invalid'],
  ])('%s', async (_case, data, field, code) => {
    for (const cpf of [nextCpf(), await member()]) {
      expect(errorOf(await alter(cpf, data, { 'company-tax-id': foreign.taxId }))).toEqual([
        400,
        invalid,
        [field, code],
      ])
    }
  })

  test('no alteration-data, an unknown field of the body, a malformed company', async () => {
    const cpf = nextCpf()
    expect(errorOf(await partner.post(path(cpf), {}))).toEqual([400, invalid, ['alteration-data', 'missing']])
    const data = { 'alteration-data': { name: 'A' } }
    expect(errorOf(await partner.post(path(cpf), { ...data, x: 1 }))).toEqual([400, 'Invalid body', ['x', 'unknown']])
    for (const taxId of ['1', null, '']) {
      const response = await partner.post(path(cpf), { ...data, 'company-tax-id': taxId })
      expect(errorOf(response)).toEqual([400, 'Invalid body', ['company-tax-id', 'invalid']])
    }
  })

  test('no body, no object, no JSON', async () => {
    for (const body of [undefined, '', '[]', '{', 'null', '"x"']) {
      const details = body === '{' ? [['body', 'malformed-json']] : []
      expect(errorOf(await partner.post(path(nextCpf()), body))).toEqual([400, 'Invalid body', ...details])
    }
  })

  test.each(['1', '52998224724', '11111111111', '%00', 'x'])('the CPF %s', async (cpf) => {
    expect(errorOf(await alter(cpf, { name: 'A' }))).toEqual([
      400,
      'Invalid member-tax-id',
      ['member-tax-id', 'invalid'],
    ])
  })
})

describe('400 of what the data say', () => {
  const plan = (id: string | undefined) => ({ 'new-product-id': id ?? '' })
  const key = 'alteration-data.new-product-id'

  test('a product that is unknown, another tenant’s, another company’s of the caller, or retired', async () => {
    const cpf = await member()
    const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
    for (const id of [unknown, foreign.products[premium], other.products[premium]]) {
      expect(errorOf(await alter(cpf, plan(id), { client: broker }))).toEqual([400, invalid, [key, 'unknown-product']])
    }
    const shrinking = await testApp.company()
    const client = await testApp.partner(shrinking.taxId)
    const there = await member({}, shrinking, client)
    const products = companyBody.products.filter((product) => product['product-name'] !== premium)
    expectOk(await testApp.operator.put(`/operator/v1/company/${shrinking.taxId}`, { ...companyBody, products }))
    expect(errorOf(await alter(there, plan(shrinking.products[premium]), { client }))).toEqual([
      400,
      invalid,
      [key, 'unknown-product'],
    ])
  })

  test('in a company change, a product of the company that is left', async () => {
    const cpf = await member()
    const data = { 'new-company-tax-id': other.taxId, ...plan(company.products[premium]) }
    expect(errorOf(await alter(cpf, data, { client: broker }))).toEqual([400, invalid, [key, 'unknown-product']])
  })

  test('a product of a type that the member has not, or has twice', async () => {
    const cpf = await member()
    expect(errorOf(await alter(cpf, plan(company.products[life])))).toEqual([
      400,
      invalid,
      [key, 'product-type-mismatch'],
    ])
    const three = await testApp.company({
      products: [...companyBody.products, { ...companyBody.products[0], 'product-name': 'Saúde Regional' }],
    })
    const client = await testApp.partner(three.taxId)
    const products = {
      'health-insurance': [health, premium].map((name) => ({ name, 'start-option': 'on-inclusion-date' })),
    }
    const twice = await member({ products }, three, client)
    const response = await alter(twice, plan(three.products['Saúde Regional']), { client })
    expect(errorOf(response)).toEqual([400, invalid, [key, 'ambiguous-product-type']])
  })

  test('a product in which the member has a benefit, or one on the way', async () => {
    const cpf = await member()
    expect(errorOf(await alter(cpf, plan(company.products[health])))).toEqual([400, invalid, [key, 'already-enrolled']])
    await testApp.include(partner, company, [
      primary({ 'tax-id': cpf, products: inProduct('health-insurance', premium) }),
    ])
    expect(errorOf(await alter(cpf, plan(company.products[premium])))).toEqual([
      400,
      invalid,
      [key, 'already-enrolled'],
    ])
  })

  test('a company change to the same company, to one without the product, or where the person has it', async () => {
    const field = 'alteration-data.new-company-tax-id'
    const cpf = await member()
    const to = (taxId: string) =>
      alter(cpf, { 'new-company-tax-id': taxId }, { client: broker, 'company-tax-id': company.taxId })
    expect(errorOf(await to(company.taxId))).toEqual([400, invalid, [field, 'same-company']])
    await member({ 'tax-id': cpf }, other, broker)
    expect(errorOf(await to(other.taxId))).toEqual([400, invalid, [field, 'already-enrolled']])
    const bare = await testApp.company({ products: companyBody.products.slice(1) })
    const client = await testApp.partner(company.taxId, bare.taxId)
    const response = await alter(cpf, { 'new-company-tax-id': bare.taxId }, { client })
    expect(errorOf(response)).toEqual([400, invalid, [field, 'no-equivalent-product']])
  })

  test('a company-id that is not that of company-tax-id', async () => {
    const cpf = await member()
    const response = await alter(
      cpf,
      { name: 'A', 'company-id': other.id },
      { client: broker, 'company-tax-id': company.taxId },
    )
    expect(errorOf(response)).toEqual([400, invalid, ['alteration-data.company-id', 'not-company-tax-id']])
  })

  test('a CPF that another member of the company has, or in a company change one of the destination', async () => {
    const field = 'alteration-data.tax-id'
    const [cpf, neighbour, far] = [await member(), await member(), await member({}, other, broker)]
    expect(errorOf(await alter(cpf, { 'tax-id': neighbour }))).toEqual([400, invalid, [field, 'already-in-use']])
    const away = { 'new-company-tax-id': other.taxId, 'tax-id': far }
    expect(errorOf(await alter(cpf, away, { client: broker }))).toEqual([400, invalid, [field, 'already-in-use']])
    expectOk(await alter(cpf, { 'tax-id': far }, { client: broker }))
    expectOk(await alter(cpf, { 'tax-id': await member({}, foreign, stranger) }))
  })

  test('the person’s own CPF is not a conflict, whatever id the person has in the destination', async () => {
    const wrong = await member()
    const right = nextCpf()
    expectOk(await alter(wrong, { 'tax-id': right }, { query: '?resolution=approve' }))
    const cpf = await member({ 'tax-id': wrong, products: inProduct('dental-insurance', dental) })
    await member({ 'tax-id': cpf, products: inProduct('health-insurance', health) }, other, broker)
    const data = { 'new-company-tax-id': other.taxId, 'tax-id': cpf }
    const response = await alter(cpf, data, { client: broker, 'company-tax-id': company.taxId })
    expect(response.status).toBe(200)
  })

  test('a start before the benefit’s', async () => {
    const cpf = await member()
    const data = { ...plan(company.products[premium]), 'requested-start-date': '2026-11-22' }
    expect(errorOf(await alter(cpf, data))).toEqual([
      400,
      invalid,
      ['alteration-data.requested-start-date', 'before-start-date'],
    ])
    expectOk(await alter(cpf, { ...data, 'requested-start-date': monday }))
  })

  test('documents that are unknown, malformed, another client’s or empty; the good one beside them stays unused', async () => {
    const cpf = await member()
    const good = await upload(partner)
    for (const id of [
      '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      'x',
      await upload(stranger),
      await upload(broker),
      (await newSlot(partner)).id,
    ]) {
      const response = await alter(cpf, { name: 'A', documents: named(good, id) })
      expect(errorOf(response)).toEqual([400, invalid, ['alteration-data.documents', 'invalid']])
    }
    expectOk(await alter(cpf, { name: 'A', documents: named(good) }))
  })

  test('and nothing is stored', async () => {
    const cpf = await member()
    const count = () =>
      testApp.sql(`select (select count(*) from request) as r, (select count(*) from enrollment) as e,
      (select count(*) from event) as v, (select count(*) from audit) as a`)
    const before = await count()
    expect((await alter(cpf, plan(company.products[life]))).status).toBe(400)
    expect(await count()).toEqual(before)
  })
})

describe('401', () => {
  test('without a token, before anything else is looked at', async () => {
    const response = await testApp.call('POST', path('x', '?what=ever'), {
      body: '{',
      headers: { 'content-type': 'text/plain' },
    })
    expect(errorOf(response)).toEqual([401, 'Invalid credentials'])
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('an operator’s token, and one of a revoked client', async () => {
    const cpf = await member()
    expect(errorOf(await alter(cpf, { name: 'A' }, { client: testApp.operator }))).toEqual([401, 'Invalid credentials'])
    const revoked = await testApp.partner(company.taxId)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${revoked.clientId}`))
    expect(errorOf(await alter(cpf, { name: 'A' }, { client: revoked }))).toEqual([401, 'Invalid credentials'])
    expect(errorOf(await alter(cpf, {}, { client: revoked }))).toEqual([401, 'Invalid credentials'])
  })
})

describe('403', () => {
  test('a company that is unknown, or another tenant’s, by CNPJ or id, as the present or the new one', async () => {
    const cpf = await member()
    const unknown = { taxId: nextCnpj(), id: '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }
    for (const { taxId, id } of [unknown, foreign]) {
      for (const cpfOrNobody of [cpf, nextCpf()]) {
        for (const response of [
          await alter(cpfOrNobody, { name: 'A' }, { 'company-tax-id': taxId }),
          await alter(cpfOrNobody, { name: 'A', 'company-id': id }),
          await alter(cpfOrNobody, { name: 'A', 'company-id': id }, { 'company-tax-id': company.taxId }),
          await alter(cpfOrNobody, { 'new-company-tax-id': taxId }),
        ]) {
          expect(errorOf(response)).toEqual([403, notAuthorized])
        }
      }
    }
  })

  test('a member of other tenants’ companies only', async () => {
    const cpf = await member({}, foreign, stranger)
    expect(errorOf(await alter(cpf, { name: 'A' }))).toEqual([403, notAuthorized])
  })

  test('an entitlement that was revoked, to the company or to the destination', async () => {
    const mine = await testApp.company()
    const client = await testApp.partner(mine.taxId, company.taxId)
    const cpf = await member({}, mine, client)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${client.clientId}/company/${company.taxId}`))
    expect(errorOf(await alter(cpf, { 'new-company-tax-id': company.taxId }, { client }))).toEqual([403, notAuthorized])
    expectOk(await testApp.operator.delete(`/operator/v1/client/${client.clientId}/company/${mine.taxId}`))
    expect(errorOf(await alter(cpf, { name: 'A' }, { client }))).toEqual([403, notAuthorized])
  })
})

describe('404', () => {
  test('a CPF that is unknown, and one that is unknown in the given company', async () => {
    expect(errorOf(await alter(nextCpf(), { name: 'A' }))).toEqual([404, 'Member not found'])
    const cpf = await member()
    expect(errorOf(await alter(cpf, { name: 'A' }, { client: broker, 'company-tax-id': other.taxId }))).toEqual([
      404,
      'Member not found',
    ])
    expect(errorOf(await alter(cpf, { name: 'A', 'company-id': other.id }, { client: broker }))).toEqual([
      404,
      'Member not found',
    ])
    const strange = await member({}, foreign, stranger)
    expect(errorOf(await alter(strange, { name: 'A' }, { 'company-tax-id': company.taxId }))).toEqual([
      404,
      'Member not found',
    ])
  })

  test('responses that disclose whether a CPF exists are audited without the CPF, those about companies are not', async () => {
    const denied = () =>
      testApp.sql(`select actor, target, address from audit where action = 'member.denied' order by id`)
    const before = (await denied()).length
    const cpf = nextCpf()
    await alter(cpf, { name: 'A' })
    await alter(await member({}, foreign, stranger), { name: 'A' })
    await alter(cpf, { name: 'A' }, { 'company-tax-id': company.taxId })
    await alter(cpf, { name: 'A' }, { 'company-tax-id': foreign.taxId })
    const rows = (await denied()).slice(before)
    expect(rows).toEqual(
      Array.from({ length: 3 }, () => ({ actor: partner.clientId, target: 'alteration', address: expect.any(String) })),
    )
  })

  test('no active primary benefit: pending, ended, or a dependent’s', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    const pending = primary()
    await testApp.include(partner, company, [pending])
    const gone = await member()
    expectOk(
      await partner.post(`/v1/enrollment/exclusion/${gone}/product/${company.products[health]}?resolution=approve`, {
        'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'death' },
      }),
    )
    for (const cpf of [child['tax-id'], pending['tax-id'], gone]) {
      for (const data of [
        { name: 'A' },
        { 'new-product-id': company.products[life] },
        { 'tax-id': mother['tax-id'] },
      ]) {
        expect(errorOf(await alter(cpf, data))).toEqual([404, noPrimary])
        expect(errorOf(await alter(cpf, data, { 'company-tax-id': company.taxId }))).toEqual([404, noPrimary])
      }
    }
  })
})

describe('409', () => {
  test('benefits in several of the caller’s companies, none named; a pending one counts', async () => {
    const cpf = await member()
    await testApp.include(broker, other, [primary({ 'tax-id': cpf })])
    const error = 'More than one company found for this member; send company-tax-id'
    for (const data of [{ name: 'A' }, { 'new-product-id': company.products[life] }]) {
      expect(errorOf(await alter(cpf, data, { client: broker }))).toEqual([409, error])
    }
    expectOk(await alter(cpf, { name: 'A' }, { client: broker, 'company-tax-id': company.taxId }))
    expectOk(await alter(cpf, { name: 'A', 'company-id': company.id }, { client: broker }))
    expectOk(await alter(cpf, { name: 'A' }))
  })

  const change = () => ({ 'new-product-id': company.products[premium] })

  test('an open exclusion, plan or company change of the same benefit, with its id, before CPF, day and documents', async () => {
    const refusedWith = async (cpf: string, ids: unknown[]) => {
      const data = { ...change(), 'requested-start-date': '1999-01-01', documents: named('x') }
      const response = await alter(cpf, data)
      expect(errorOf(response)).toEqual([409, ongoing])
      expect(response.body['enrollment-ids']).toEqual(ids)
    }
    const leaving = await member()
    await refusedWith(leaving, Object.values(await idsOf(await exclude(leaving, '2026-12-31'))))
    const changing = await member()
    await refusedWith(changing, Object.values(await idsOf(await alter(changing, change()))))
    const moving = await member()
    const response = await alter(moving, { 'new-company-tax-id': other.taxId }, { client: broker })
    await refusedWith(moving, Object.values(await idsOf(response, broker)))
  })

  test('not one of another benefit; and none once it is rejected', async () => {
    const cpf = await member({ products: inBoth })
    const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[dental]}`
    const ended = { 'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'resignation' } }
    const [exclusion] = Object.values(await idsOf(await partner.post(path, ended)))
    const [first] = Object.values(await idsOf(await alter(cpf, change())))
    const away = await alter(cpf, { 'new-company-tax-id': other.taxId }, { client: broker })
    expect(new Set(away.body['enrollment-ids'])).toEqual(new Set([exclusion, first]))
    expectOk(await move(first ?? '', { status: 'rejected', reason: 'Carência' }))
    expectOk(await alter(cpf, change()))
  })

  test('of 20 concurrent plan changes of one benefit one is accepted, and the others get its id', async () => {
    const cpf = await member()
    const responses = await Promise.all(Array.from({ length: 20 }, () => alter(cpf, change())))
    const [taken, ...more] = responses.filter((response) => response.status === 200)
    expect(more).toEqual([])
    const ids = Object.values(await idsOf(taken as ApiResponse))
    for (const response of responses.filter((one) => one !== taken)) {
      expect(errorOf(response)).toEqual([409, ongoing])
      expect(response.body['enrollment-ids']).toEqual(ids)
    }
  })

  test('of a concurrent exclusion and plan change one is accepted', async () => {
    for (let round = 0; round < 8; round += 1) {
      const cpf = await member()
      const responses = await Promise.all([exclude(cpf), alter(cpf, change())])
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    }
  })

  test('of two concurrent alterations with one document one is accepted', async () => {
    for (let round = 0; round < 4; round += 1) {
      const cpfs = [await member(), await member()]
      const documents = named(await upload(partner))
      const responses = await Promise.all(cpfs.map((cpf) => alter(cpf, { name: 'A', documents })))
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    }
  })
})

test('413 for a body over 1 MiB, 415 for what is not JSON', async () => {
  expect((await alter(nextCpf(), { name: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  const text = await partner.post(path(nextCpf()), 'hello', { 'content-type': 'text/plain' })
  expect(text.status).toBe(415)
})

test('a plan or company change that is open makes an inclusion into its product an ongoing-enrollment', async () => {
  const cpf = await member()
  expectOk(await alter(cpf, { 'new-product-id': company.products[premium] }))
  const moving = await member()
  expectOk(await alter(moving, { 'new-company-tax-id': other.taxId }, { client: broker }))
  const include = (at: Company, taxId: string, name: string) =>
    broker.post('/v1/enrollment/inclusion', {
      'company-tax-id': at.taxId,
      members: [primary({ 'tax-id': taxId, products: inProduct('health-insurance', name) })],
    })
  for (const response of [await include(company, cpf, premium), await include(other, moving, health)]) {
    expect([response.status, response.body.result?.[0].offenses]).toEqual([400, ['ongoing-enrollment']])
  }
  expectOk(await include(other, cpf, premium))
  expectOk(await include(other, moving, premium))
})

test('production: 404 with a valid token, before body, media type and parameters are checked', async () => {
  const production = await openTestApp({ VIGENCIA_ENVIRONMENT: 'production' })
  try {
    const there = await production.company()
    const client = await production.partner(there.taxId)
    const error = 'Alteration is only available in staging'
    const taxId = nextCpf()
    expect(errorOf(await alter(taxId, { name: 'A' }, { client }))).toEqual([404, error])
    expect(errorOf(await alter('x', { name: 'A' }, { client, query: '?resolution=approve' }))).toEqual([404, error])
    expect(errorOf(await client.post(path(taxId), 'x', { 'content-type': 'text/plain' }))).toEqual([404, error])
    expect(errorOf(await client.post(path(taxId), 'x'.repeat(2 * 1024 * 1024)))).toEqual([404, error])
    expect(errorOf(await production.call('POST', path(taxId)))).toEqual([401, 'Invalid credentials'])
    expectOk(await production.operator.delete(`/operator/v1/client/${client.clientId}`))
    expect(errorOf(await alter(taxId, { name: 'A' }, { client }))).toEqual([401, 'Invalid credentials'])
  } finally {
    await production.close()
  }
})

test('the OpenAPI document describes the 42 keys, and which of them are needed', async () => {
  const document = (await testApp.call('GET', '/openapi.json')).body
  const { post } = document.paths['/v1/enrollment/alteration/{member-tax-id}']
  const body = post.requestBody.content['application/json'].schema
  expect(body.required).toEqual(['alteration-data'])
  const named = body.properties['alteration-data'].$ref.split('/').at(-1)
  const data = document.components.schemas[named]
  expect(Object.keys(data.properties)).toHaveLength(42)
  expect(data.required ?? []).toEqual([])
  expect(Object.keys(post.responses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '409', '413', '415', '503']),
  )
})

test('a member who moved on meanwhile is judged by what is so now', async () => {
  const cpf = await member()
  const ids = await idsOf(await alter(cpf, { 'new-product-id': company.products[premium] }))
  expectOk(await move(ids[premium] ?? '', { status: 'completed' }))
  await until(
    () => person(cpf),
    (shown) =>
      shown.benefits.some((benefit: Json) => benefit['product-name'] === premium && benefit.status === 'active'),
  )
  const back = await alter(cpf, { 'new-product-id': company.products[health] })
  expect(Object.keys(await idsOf(back))).toEqual([health])
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
