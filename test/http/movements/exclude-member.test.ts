import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  nextCpf,
  openTestApp,
  useTestApp,
  primary,
  until,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const path = (cpf: string, rest: string) => `/v1/enrollment/exclusion/${cpf}/${rest}`

const details = (overrides: Json = {}) => ({
  'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal', ...overrides },
})

const byProduct = (
  cpf: string,
  overrides: Json = {},
  query = '',
  product = health,
  client = partner,
): Promise<ApiResponse> => client.post(path(cpf, `product/${company.products[product]}`) + query, details(overrides))

const request = async (response: ApiResponse): Promise<Json> =>
  expectOk(await partner.get(`/v1/request/${expectOk(response).body['request-id']}`)).body

const person = async (cpf: string, client = partner): Promise<Json> =>
  expectOk(await client.get('/v1/member?include-inactive=true')).body.result.find(
    (one: Json) => one.profile['tax-id'] === cpf,
  )

const move = (id: string, body: Json) => testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)

/** A primary with active cover in health, and dependents. */
async function family(dependents = 1, overrides: Json = {}): Promise<string[]> {
  const mother = primary(overrides)
  const children = Array.from({ length: dependents }, () =>
    dependent(mother['tax-id'], { products: mother['products'] }),
  )
  await testApp.include(partner, company, [mother, ...children], '?resolution=approve')
  return [mother, ...children].map((member) => member['tax-id'])
}

const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

describe('200', () => {
  test("a primary's benefit by product takes the dependents' along, each under its own CPF", async () => {
    const [mother = '', son = '', daughter = ''] = await family(2, { products: inBoth })
    const shown = await request(await byProduct(mother))
    expect(shown).toMatchObject({ 'request-type': 'exclusion', status: 'completed' })
    expect(Object.keys(shown['status-by-tax-id']).toSorted((a, b) => a.localeCompare(b))).toEqual(
      [mother, son, daughter].toSorted((a, b) => a.localeCompare(b)),
    )
    const id = shown['status-by-tax-id'][mother][health]['enrollment-id']
    const detail = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
    expect(detail).toMatchObject({ 'enrollment-type': 'exclusion', status: 'created', 'scheduled-action-date': null })
    expect((await person(mother)).benefits.map((one: Json) => one.status)).toEqual(['active', 'active'])

    expectOk(await move(id, { status: 'completed' }))
    for (const cpf of [mother, son, daughter]) {
      const { benefits } = await person(cpf)
      expect(benefits.find((one: Json) => one['product-name'] === health)).toMatchObject({
        status: 'inactive',
        'end-date': monday,
      })
      expect(benefits.find((one: Json) => one['product-name'] === dental)).toMatchObject({
        status: 'active',
        'end-date': null,
      })
    }
    const theirs = expectOk(
      await partner.get(`/v1/enrollment/detail/${shown['status-by-tax-id'][son][health]['enrollment-id']}`),
    )
    expect(theirs.body.result.history.at(-1)).toMatchObject({ status: 'completed', actor: 'operator' })
  })

  test('a dependent is excluded from all products of one primary, and the primary stays', async () => {
    const [mother = '', son = ''] = await family(1, { products: inBoth })
    const response = await partner.post(
      path(son, `dependent-of/${mother}`),
      details({ 'exclusion-reason': 'loss-of-dependent-status' }),
    )
    const shown = await request(response)
    expect(Object.keys(shown['status-by-tax-id'][son]).toSorted((a, b) => a.localeCompare(b))).toEqual([dental, health])
    const ids = Object.values<Json>(shown['status-by-tax-id'][son]).map((part) => part['enrollment-id'])
    expectOk(
      await testApp.operator.post('/operator/v1/enrollment/transition', { 'enrollment-ids': ids, status: 'completed' }),
    )
    expect((await person(son)).benefits.every((one: Json) => one.status === 'inactive')).toBe(true)
    expect((await person(mother)).benefits.every((one: Json) => one.status === 'active')).toBe(true)
  })

  test('by benefit id, formatted CPF, with resolution=approve: inactive at once', async () => {
    const [mother = ''] = await family(0)
    const [benefit] = (await person(mother)).benefits
    const formatted = mother.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    const response = await partner.post(
      `${path(formatted, `benefit/${benefit['benefit-id']}`)}?resolution=approve`,
      details(),
    )
    expect((await request(response))['enrollment-summary']).toEqual({ completed: 1 })
    expect((await person(mother)).benefits).toMatchObject([{ status: 'inactive', 'end-date': monday }])
  })

  test('resolution=reject leaves everything as it was', async () => {
    const [mother = '', son = ''] = await family(1)
    const before = [await person(mother), await person(son)]
    const shown = await request(await byProduct(mother, {}, '?resolution=reject'))
    expect(shown['enrollment-summary']).toEqual({ rejected: 2 })
    expect([await person(mother), await person(son)]).toEqual(before)
    expectOk(await byProduct(mother))
  })

  test('a future end date is scheduled; approved ahead the benefit stays active until then, and a further one replaces the day', async () => {
    const [mother = ''] = await family(0)
    const first = await request(await byProduct(mother, { 'end-date': '2026-12-31' }))
    const id = first['status-by-tax-id'][mother][health]['enrollment-id']
    expect(expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result).toMatchObject({
      status: 'scheduled',
      'scheduled-action-date': '2026-12-31',
      'scheduled-reason': 'future-end-date',
    })
    expectOk(await move(id, { status: 'completed' }))
    expect((await person(mother)).benefits).toMatchObject([{ status: 'active', 'end-date': '2026-12-31' }])
    expectOk(await byProduct(mother, { 'end-date': '2026-12-15' }, '?resolution=approve'))
    expect((await person(mother)).benefits).toMatchObject([{ status: 'active', 'end-date': '2026-12-15' }])
  })

  test('with an extension plan the family stays active, marked, until the operator ends it', async () => {
    const [mother = '', son = ''] = await family(1)
    expectOk(await byProduct(mother, { 'extension-plan': true }, '?resolution=approve'))
    for (const cpf of [mother, son]) {
      expect((await person(cpf)).benefits).toMatchObject([
        { status: 'active', 'extension-plan': true, 'end-date': null },
      ])
    }
    const id = (await person(mother)).benefits[0]['benefit-id']
    const body = { 'end-date': monday, reason: 'Fim do prazo legal' }
    const ended = await testApp.operator.post(`/operator/v1/benefit/${id}/end`, body)
    expect(ended.status).toBe(200)
    expect(ended.body.result).toMatchObject({ 'benefit-id': id, status: 'inactive', 'end-date': monday })
    expect((await person(son)).benefits).toMatchObject([{ status: 'inactive', 'end-date': monday }])
    expect(await testApp.sql('select end_reason from benefit where id = $1', [id])).toEqual([
      { end_reason: 'Fim do prazo legal' },
    ])
    expect(await testApp.sql('select actor from audit where target = $1', [id])).toEqual([
      { actor: testApp.operator.clientId },
    ])
  })

  test('completing it also ends dependents who joined since, by exclusions of the service under the same request', async () => {
    const [mother = ''] = await family(0)
    const shown = await request(await byProduct(mother))
    const late = dependent(mother)
    await testApp.include(partner, company, [late], '?resolution=approve')
    expectOk(await move(shown['status-by-tax-id'][mother][health]['enrollment-id'], { status: 'completed' }))
    expect((await person(late['tax-id'])).benefits).toMatchObject([{ status: 'inactive', 'end-date': monday }])
    const after = expectOk(await partner.get(`/v1/request/${shown['request-id']}`)).body
    const part = after['status-by-tax-id'][late['tax-id']][health]
    expect(part).toMatchObject({ status: 'enrollment-created', 'enrollment-status': 'completed' })
    const detail = expectOk(await partner.get(`/v1/enrollment/detail/${part['enrollment-id']}`)).body.result
    expect(detail.history.map((item: Json) => [item.status, item.actor])).toEqual([
      ['created', 'service'],
      ['completed', 'service'],
    ])
  })

  describe('a part of a dependent that was completed before the primary’s stays the only one of the dependent', () => {
    const cases: [string, Json, Json, Json][] = [
      ['with its day', {}, { status: 'completed' }, { status: 'active', 'end-date': '2026-11-30' }],
      [
        'with an earlier day',
        {},
        { status: 'completed', 'end-date': '2026-11-25' },
        { status: 'active', 'end-date': '2026-11-25' },
      ],
      [
        'with an extension plan',
        { 'extension-plan': true },
        { status: 'completed' },
        { status: 'active', 'end-date': null, 'extension-plan': true },
      ],
    ]
    test.each(cases)('%s', async (_case, overrides, decision, benefit) => {
      const [mother = '', son = ''] = await family(1)
      const shown = await request(await byProduct(mother, { 'end-date': '2026-11-30', ...overrides }))
      const idOf = (cpf: string) => shown['status-by-tax-id'][cpf][health]['enrollment-id']
      expectOk(await move(idOf(son), decision))
      expectOk(await move(idOf(mother), { status: 'completed' }))
      const after = expectOk(await partner.get(`/v1/request/${shown['request-id']}`)).body
      expect(after['status-by-tax-id'][son][health]).toMatchObject({
        'enrollment-id': idOf(son),
        'enrollment-status': 'completed',
      })
      expect(after['enrollment-summary']).toEqual({ completed: 2 })
      expect((await person(son)).benefits).toMatchObject([benefit])
    })
  })

  describe('an exclusion of a dependent approved ahead keeps its earlier day when the primary’s benefit ends', () => {
    const own = details({ 'end-date': '2026-11-25', 'exclusion-reason': 'loss-of-dependent-status' })
    const exclude = async (son: string, mother: string) =>
      expectOk(await partner.post(`${path(son, `dependent-of/${mother}`)}?resolution=approve`, own))
    const benefitsOf = async (cpf: string) => (await person(cpf)).benefits
    const ended = [{ status: 'active', 'end-date': '2026-11-25', 'extension-plan': false }]

    test.each([
      ['by an exclusion', {}],
      ['under an extension plan', { 'extension-plan': true }],
    ])('%s', async (_case, overrides) => {
      const [mother = '', son = '', daughter = ''] = await family(2)
      await exclude(son, mother)
      expectOk(await byProduct(mother, { 'end-date': '2026-11-30', ...overrides }, '?resolution=approve'))
      expect(await benefitsOf(son)).toMatchObject(ended)
      expect(await benefitsOf(daughter)).not.toMatchObject(ended)
    })

    test('by an exclusion that was requested before the dependent joined', async () => {
      const [mother = ''] = await family(0)
      const shown = await request(await byProduct(mother, { 'end-date': '2026-11-30' }))
      const late = dependent(mother)
      await testApp.include(partner, company, [late], '?resolution=approve')
      await exclude(late['tax-id'], mother)
      expectOk(await move(shown['status-by-tax-id'][mother][health]['enrollment-id'], { status: 'completed' }))
      expect(await benefitsOf(late['tax-id'])).toMatchObject(ended)
    })

    test('by the operator, from an extension plan', async () => {
      const [mother = '', son = '', daughter = ''] = await family(2)
      expectOk(await byProduct(mother, { 'extension-plan': true }, '?resolution=approve'))
      await exclude(son, mother)
      const [{ 'benefit-id': id }] = await benefitsOf(mother)
      const end = (day: string) =>
        testApp.operator.post(`/operator/v1/benefit/${id}/end`, { 'end-date': day, reason: 'Fim do prazo legal' })
      for (const day of ['2026-11-30', '2026-12-15']) {
        expect((await end(day)).status).toBe(200)
        expect(await benefitsOf(son)).toMatchObject([{ 'end-date': '2026-11-25' }])
        expect(await benefitsOf(daughter)).toMatchObject([{ 'end-date': day }])
      }
    })

    test('and a later day of the primary’s is the dependent’s too, where it had none of its own', async () => {
      const [mother = '', son = ''] = await family(1)
      for (const day of ['2026-11-27', '2026-11-30']) {
        expectOk(await byProduct(mother, { 'end-date': day }, '?resolution=approve'))
        expect(await benefitsOf(son)).toMatchObject([{ status: 'active', 'end-date': day }])
      }
    })
  })

  test('an excluded person may be included again', async () => {
    const [mother = ''] = await family(0)
    expectOk(await byProduct(mother, {}, '?resolution=approve'))
    const again = await testApp.include(partner, company, [primary({ 'tax-id': mother })], '?resolution=approve')
    expect(again.status).toBe('completed')
    expect(
      (await person(mother)).benefits
        .map((one: Json) => one.status)
        .toSorted((a: string, b: string) => a.localeCompare(b)),
    ).toEqual(['active', 'inactive'])
  })

  test('a scheduled exclusion is processed on its day, and the benefit ends on the approved day', async () => {
    const own = await openTestApp()
    const theirs = await own.company()
    const client = await own.partner(theirs.taxId)
    const waiting = primary()
    const approved = primary()
    await own.include(client, theirs, [waiting, approved], '?resolution=approve')
    const send = (cpf: string, query = '') =>
      client.post(path(cpf, `product/${theirs.products[health]}`) + query, details({ 'end-date': '2026-12-10' }))
    const id = expectOk(await send(waiting['tax-id'])).body['request-id']
    expectOk(await send(approved['tax-id'], '?resolution=approve'))
    await own.restart({ VIGENCIA_BUSINESS_DATE: '2026-12-12' })
    const read = async () => expectOk(await client.get(`/v1/request/${id}`)).body['enrollment-summary']
    await until(read, (summary) => summary.created === 1)
    await until(
      () => person(approved['tax-id'], client),
      (shown) => shown.benefits[0].status === 'inactive',
    )
    expect((await person(waiting['tax-id'], client)).benefits[0].status).toBe('active')
    await own.close()
  })
})

describe('400', () => {
  const invalid: [string, Json, string, string[]][] = [
    ['no details at all', {}, 'Invalid exclusion-details', ['exclusion-details']],
    ['details that are no object', { 'exclusion-details': 'x' }, 'Invalid exclusion-details', ['exclusion-details']],
    ['nothing in them', { 'exclusion-details': {} }, 'Invalid exclusion-details', ['end-date', 'exclusion-reason']],
    ['a day that does not exist', details({ 'end-date': '2026-02-30' }), 'Invalid exclusion-details', ['end-date']],
    ['an unknown reason', details({ 'exclusion-reason': 'moved' }), 'Invalid exclusion-details', ['exclusion-reason']],
    ['an unknown key', details({ 'end-dat': 'x' }), 'Invalid exclusion-details', ['end-dat']],
    [
      'an extension that is no boolean',
      details({ 'extension-plan': 'yes' }),
      'Invalid exclusion-details',
      ['extension-plan'],
    ],
    [
      'other without details',
      details({ 'exclusion-reason': 'other' }),
      "Exclusion reason 'other' requires details",
      [],
    ],
    [
      'other with blank details',
      details({ 'exclusion-reason': 'other', 'exclusion-reason-details': '  ' }),
      "Exclusion reason 'other' requires details",
      [],
    ],
    [
      'an extension for a resignation',
      details({ 'exclusion-reason': 'resignation', 'extension-plan': true }),
      'Extension plan is only available for dismissal or retirement',
      [],
    ],
    ['an end before the start', details({ 'end-date': '2026-11-22' }), 'Invalid exclusion-details', ['end-date']],
    ['a key beside the details', { ...details(), reason: 'x' }, 'Invalid body', ['reason']],
  ]

  test('each fault of the body has its message, on all three endpoints, and nothing is excluded', async () => {
    const [mother = '', son = ''] = await family(1)
    const benefitId = (await person(son)).benefits[0]['benefit-id']
    const endpoints = [`dependent-of/${mother}`, `product/${company.products[health]}`, `benefit/${benefitId}`]
    for (const [name, body, error, fields] of invalid) {
      for (const endpoint of endpoints) {
        const response = await partner.post(path(son, endpoint), body)
        expect([name, endpoint, response.status, response.body.error]).toEqual([name, endpoint, 400, error])
        const blamed = (response.body.details ?? []).map((one: Json) => one.field.replace('exclusion-details.', ''))
        expect(blamed).toEqual(fields)
      }
    }
    expect((await person(son)).benefits).toMatchObject([{ status: 'active', 'end-date': null }])
  })

  test('malformed ids are named', async () => {
    const cpf = nextCpf()
    for (const [rest, error] of [
      [`${cpf.slice(1)}/product/${company.products[health]}`, 'Invalid member-tax-id'],
      [`${cpf}/product/x`, 'Invalid product-id'],
      [`${cpf}/benefit/x`, 'Invalid benefit-id'],
      [`${cpf}/dependent-of/123`, 'Invalid primary-member-tax-id'],
    ]) {
      const response = await partner.post(`/v1/enrollment/exclusion/${rest}`, details())
      expect([response.status, response.body.error]).toEqual([400, error])
    }
  })
})

test('401 without a token', async () => {
  const response = await testApp.call('POST', path(nextCpf(), `dependent-of/${nextCpf()}`), { body: details() })
  expect([response.status, response.body.error]).toEqual([401, 'Invalid credentials'])
})

test("403 for a member of another tenant's, 404 for an unknown one, both audited without the CPF", async () => {
  const other = await testApp.company()
  const stranger = await testApp.partner(other.taxId)
  const [mother = ''] = await family(0)
  const unknown = nextCpf()
  const foreign = await byProduct(mother, {}, '', health, stranger)
  expect([foreign.status, foreign.body.error]).toEqual([
    403,
    "You are not authorized to exclude this member's benefits.",
  ])
  const missing = await byProduct(unknown, {}, '', health, stranger)
  expect([missing.status, missing.body.error]).toEqual([404, 'Member not found'])
  const rows = await testApp.sql("select * from audit where action = 'member.denied' and actor = $1", [
    stranger.clientId,
  ])
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain(mother)
})

describe('404', () => {
  test('each endpoint says what it did not find', async () => {
    const [mother = ''] = await family(0)
    const other = await testApp.company()
    for (const [rest, error] of [
      [`dependent-of/${nextCpf()}`, 'No active benefits found in member as dependent of given primary-member'],
      [`product/${company.products[dental]}`, 'No active benefit found in member for given product'],
      [`product/${other.products[health]}`, 'No active benefit found in member for given product'],
      ['benefit/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', 'No active benefit found in member with given benefit-id'],
    ]) {
      const response = await partner.post(path(mother, rest as string), details())
      expect([response.status, response.body.error]).toEqual([404, error])
    }
  })
})

describe('409', () => {
  const ongoing = 'Exclusion not performed. Member still has ongoing enrollments'

  test('any open enrollment of a dependent is reported with its id by the dependent exclusion, before other errors', async () => {
    const [mother = '', son = ''] = await family(1)
    const open = await testApp.include(partner, company, [
      primary({ 'tax-id': son, products: inProduct('dental-insurance', dental) }),
    ])
    const id = open['status-by-tax-id'][son][dental]['enrollment-id']
    for (const primaryTaxId of [mother, nextCpf()]) {
      const response = await partner.post(
        path(son, `dependent-of/${primaryTaxId}`),
        details({ 'end-date': '2020-01-01' }),
      )
      expect([response.status, response.body.error]).toEqual([409, ongoing])
      expect(response.body['enrollment-ids']).toEqual([id])
    }
    expectOk(await byProduct(son))
  })

  test('by product and by benefit only an open change of the named benefit is reported', async () => {
    const [mother = ''] = await family(0, { products: inBoth })
    const open = await request(await byProduct(mother))
    const id = open['status-by-tax-id'][mother][health]['enrollment-id']
    const benefitId = (await person(mother)).benefits.find((one: Json) => one['product-name'] === health)['benefit-id']
    for (const rest of [`product/${company.products[health]}`, `benefit/${benefitId}`]) {
      const response = await partner.post(path(mother, rest), details({ 'end-date': '2020-01-01' }))
      expect([response.status, response.body.error]).toEqual([409, ongoing])
      expect(response.body['enrollment-ids']).toEqual([id])
    }
    const change = await partner.post(`/v1/enrollment/alteration/${mother}`, {
      'company-tax-id': company.taxId,
      'alteration-data': { phone: '11987654321' },
    })
    expectOk(change)
    expectOk(await byProduct(mother, {}, '', dental))
  })

  test('two active benefits of one product are ambiguous, and so are benefits in two companies', async () => {
    const [mother = ''] = await family(0)
    const [father = ''] = await family(0)
    await testApp.include(
      partner,
      company,
      [dependent(father, { 'tax-id': mother, 'dependent-type': 'spouse' })],
      '?resolution=approve',
    )
    const twice = await byProduct(mother)
    expect([twice.status, twice.body.error]).toEqual([409, 'More than one active benefit found for this product'])
    expect(twice.body['benefit-ids']).toHaveLength(2)

    const other = await testApp.company()
    const both = await testApp.partner(company.taxId, other.taxId)
    const cpf = nextCpf()
    for (const employer of [company, other]) {
      const parent = { ...primary(), 'tax-id': father }
      const members =
        employer === company ? [dependent(father, { 'tax-id': cpf })] : [parent, dependent(father, { 'tax-id': cpf })]
      expect((await testApp.include(both, employer, members, '?resolution=approve')).status).toBe('completed')
    }
    const response = await both.post(path(cpf, `dependent-of/${father}`), details())
    expect([response.status, response.body.error]).toEqual([409, 'Active benefits found in more than one company'])
    expect(response.body['benefit-ids']).toHaveLength(2)
  })

  test('of 100 concurrent exclusions of one benefit one is accepted, and 99 get its id', async () => {
    const [mother = ''] = await family(0)
    // On a slow cluster a call may wait too long for a connection, and is to be sent again.
    const send = () =>
      until(
        () => byProduct(mother),
        ({ status }) => status !== 503,
      )
    const responses = await Promise.all(Array.from({ length: 100 }, send))
    const taken = responses.filter((response) => response.status === 200)
    expect(taken).toHaveLength(1)
    const shown = await request(taken[0] as ApiResponse)
    const id = shown['status-by-tax-id'][mother][health]['enrollment-id']
    for (const response of responses.filter((one) => one.status !== 200)) {
      expect([response.status, response.body['enrollment-ids']]).toEqual([409, [id]])
    }
  })

  test("a part that went along is neither rejected nor cancelled alone while its primary's is open", async () => {
    const [mother = '', son = ''] = await family(1)
    const parts = (await request(await byProduct(mother)))['status-by-tax-id']
    const theirs = parts[son][health]['enrollment-id']
    for (const status of ['rejected', 'cancelled']) {
      const response = await move(theirs, { status, reason: 'sozinho' })
      expect([response.status, response.body.error]).toEqual([409, 'Illegal transition'])
    }
    expectOk(await move(theirs, { status: 'broker-processing' }))
    expectOk(await move(theirs, { status: 'carrier-processing' }))
    const own = parts[mother][health]['enrollment-id']
    expect((await move(own, { status: 'cancelled' })).status).toBe(409)
    expectOk(await move(own, { status: 'rejected', reason: 'Engano' }))
    expect(expectOk(await partner.get(`/v1/enrollment/detail/${theirs}`)).body.result).toMatchObject({
      status: 'rejected',
      reason: 'Engano',
    })
  })

  test('the operator can end benefits of an extension plan only', async () => {
    const [mother = ''] = await family(0)
    const id = (await person(mother)).benefits[0]['benefit-id']
    const body = { 'end-date': monday, reason: 'x' }
    const response = await testApp.operator.post(`/operator/v1/benefit/${id}/end`, body)
    expect([response.status, response.body.error]).toEqual([409, 'Benefit is not under an extension plan'])
    const unknown = await testApp.operator.post('/operator/v1/benefit/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21/end', body)
    expect([unknown.status, unknown.body.error]).toEqual([404, 'Benefit not found'])
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
