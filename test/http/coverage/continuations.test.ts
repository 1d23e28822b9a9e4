import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  benefitsOf,
  continuationBody,
  createContinuation,
  excludePrimary,
  makeFamily,
} from '../../world/continuation.ts'
import { makeContract } from '../../world/contract.ts'
import {
  type ApiResponse,
  expectOk,
  health,
  inProduct,
  type Json,
  premium,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const url = '/operator/v1/continuation'
const family = () => makeFamily(testApp, company, partner)
const act = (id: string, verb: string, body: Json): Promise<ApiResponse> =>
  testApp.operator.post(`${url}/${id}/${verb}`, body)
const read = async (id: string): Promise<Json> => expectOk(await testApp.operator.get(`${url}/${id}`)).body.result
/** That of a family, as the partner sees it. */
async function continuationOf(benefitId: string): Promise<Json> {
  const { result } = expectOk(
    await partner.get(`/v1/continuation?company-tax-id=${company.taxId}&items-per-page=100`),
  ).body
  return result.find((one: Json) => one['benefit-ids']?.[0] === benefitId)
}
const statuses = async (cpf: string) =>
  (await benefitsOf(partner, cpf)).map((one) => [one.status, one['extension-plan'], one['end-date']])
/** The ids of the movements of a request, by the CPF. */
async function movementsOf(requestId: string): Promise<Record<string, string>> {
  const { 'status-by-tax-id': parts } = expectOk(await partner.get(`/v1/request/${requestId}`)).body
  const ids = Object.entries<Json>(parts).map(([cpf, products]) => [
    cpf,
    (Object.values(products)[0] as Json)['enrollment-id'],
  ])
  return Object.fromEntries(ids)
}
const kept = [['active', true, null]]
/** The proposed exclusions of a benefit. */
const draftsOf = async (benefitId: string): Promise<Json[]> =>
  expectOk(await testApp.operator.get('/operator/v1/draft-exclusion?items-per-page=100')).body.result.filter(
    (one: Json) => one['benefit-id'] === benefitId,
  )
/** Until the clock has done what is due. */
const reaches = (id: string, status: string) =>
  until(
    () => read(id),
    (shown) => shown.status === status,
  )

test('the lists have a filter by the person', async () => {
  const [one, other] = [await family(), await family()]
  const [made] = [await createContinuation(testApp, one), await createContinuation(testApp, other)]
  const path = `/continuation?member-id=${made['member-id'].toUpperCase()}`
  for (const [by, api] of [
    [testApp.operator, '/operator/v1'],
    [partner, '/v1'],
  ] as const) {
    const { result, pagination } = expectOk(await by.get(api + path)).body
    expect([api, result.map((item: Json) => item['continuation-id']), pagination['total-items']]).toEqual([
      api,
      [made['continuation-id']],
      1,
    ])
  }
})

describe('an operator', () => {
  test('offers the plan, and an accepted one keeps the benefits of the family', async () => {
    const one = await family()
    const created = await createContinuation(testApp, one)
    expect(created).toMatchObject({
      status: 'notice-pending',
      months: 14,
      'without-end': false,
      'term-start': '2026-12-01',
      'term-end': '2028-01-31',
      'option-until': null,
      'due-date': null,
      'missing-setting': null,
    })
    expect(created['benefit-ids']).toHaveLength(2)
    const id = created['continuation-id']
    const offered = expectOk(await act(id, 'notice', { 'notice-date': '2026-11-20' })).body.result
    expect(offered).toMatchObject({ status: 'offered', 'option-until': '2026-12-21', 'due-date': '2026-12-21' })
    const answer = { option: 'accepted', 'option-date': '2026-11-23' }
    expect(expectOk(await act(id, 'option', answer)).body.result).toMatchObject({
      status: 'accepted',
      'option-date': '2026-11-23',
    })
    expect([await statuses(one.cpf), await statuses(one.child)]).toEqual([kept, kept])
    expect(await continuationOf(one.benefitId)).toEqual(await read(id))
    expect(expectOk(await partner.get(`/v1/continuation/${id}`)).body.result).toEqual(await read(id))
  })

  test('records that it was declined, and an exclusion of the family is proposed', async () => {
    const one = await family()
    const { 'continuation-id': id } = await createContinuation(testApp, one, { 'notice-date': '2026-11-20' })
    const answer = { option: 'declined', 'option-date': '2026-11-22' }
    expect(expectOk(await act(id, 'option', answer)).body.result.status).toBe('declined')
    const [draft] = await draftsOf(one.benefitId)
    expect(draft).toMatchObject({
      cause: 'continuation',
      'exclusion-reason': 'dismissal',
      'end-date': '2026-11-30',
      status: 'open',
    })
    expect(await statuses(one.cpf)).toEqual([['active', false, null]])
    expectOk(await testApp.operator.post(`/operator/v1/draft-exclusion/${draft?.['draft-id']}/confirm`, {}))
  })

  test('cannot decline for somebody who was not told, who may accept', async () => {
    const one = await family()
    const { 'continuation-id': id } = await createContinuation(testApp, one)
    const { status, body } = await act(id, 'option', { option: 'declined', 'option-date': '2026-11-23' })
    expect([status, body]).toMatchObject([409, { code: 'continuation-status', status: 'notice-pending' }])
    expect(await draftsOf(one.benefitId)).toEqual([])
    expectOk(await act(id, 'option', { option: 'accepted', 'option-date': '2026-11-23' }))
  })

  test('ends it for a new job, with the benefits of the family', async () => {
    const one = await family()
    const { 'continuation-id': id } = await createContinuation(testApp, one, { 'notice-date': '2026-11-20' })
    const early = { reason: 'new-job', 'end-date': '2026-11-23' }
    expect((await act(id, 'end', early)).body).toMatchObject({ code: 'continuation-status', status: 'offered' })
    expectOk(await act(id, 'option', { option: 'accepted', 'option-date': '2026-11-20' }))
    const ended = expectOk(await act(id, 'end', early)).body.result
    expect(ended).toMatchObject({
      status: 'ended',
      'end-reason': 'new-job',
      'end-date': '2026-11-23',
      'benefit-ids': null,
    })
    const inactive = [['inactive', true, '2026-11-23']]
    expect([await statuses(one.cpf), await statuses(one.child)]).toEqual([inactive, inactive])
    expect((await act(id, 'option', { option: 'declined', 'option-date': '2026-11-23' })).body.code).toBe(
      'continuation-status',
    )
  })

  test('is refused where nothing can be kept, where there is one, and with days that cannot be', async () => {
    const one = await family()
    const post = (more: Json) => testApp.operator.post(url, continuationBody(one, more))
    const refused = async (more: Json) => {
      const { status, body } = await post(more)
      return [status, body.code, body.details?.[0]?.field]
    }
    expect(await refused({ 'benefit-id': '01995e0c-7012-7b1f-9d55-1f0a2e3b4c5d' })).toEqual([
      404,
      'benefit-not-found',
      undefined,
    ])
    expect(await refused({ 'leaving-date': '2019-11-30' })).toEqual([400, 'date-out-of-range', 'leaving-date'])
    expect(await refused({ 'leaving-date': '2024-12-31' })).toEqual([400, 'invalid-body', 'leaving-date'])
    const child = (await benefitsOf(partner, one.child))[0]?.['benefit-id']
    expect(await refused({ 'benefit-id': child })).toEqual([404, 'benefit-not-found', undefined])
    const { 'continuation-id': id } = await createContinuation(testApp, one, { 'notice-date': '2026-11-20' })
    expect(await refused({})).toEqual([409, 'continuation-exists', undefined])
    for (const day of ['2026-11-19', '2026-11-24', '2026-12-21']) {
      const { status, body } = await act(id, 'option', { option: 'accepted', 'option-date': day })
      expect([status, body.details]).toMatchObject([400, [{ field: 'option-date', code: 'invalid' }]])
    }
  })
})

describe('an exclusion', () => {
  const items = { 'extension-plan': true, contributed: true, 'contribution-months': 12, 'notice-date': '2026-11-23' }
  const accepted = { ...items, option: 'accepted', 'option-date': '2026-11-23' }

  test('with an extension plan and the items starts a continuation', async () => {
    const one = await family()
    await excludePrimary(partner, company, one.cpf, accepted)
    expect(await continuationOf(one.benefitId)).toMatchObject({
      status: 'accepted',
      months: 6,
      'leaving-date': '2026-11-30',
      'term-end': '2027-05-31',
      'option-date': '2026-11-23',
    })
    expect([await statuses(one.cpf), await statuses(one.child)]).toEqual([kept, kept])
  })

  test.each([
    ['no answer yet', { ...items, option: 'no-answer' }, 'offered'],
    ['no notice yet', { ...items, 'notice-date': undefined }, 'notice-pending'],
  ])('with %s starts one that waits', async (_, details, status) => {
    const one = await family()
    await excludePrimary(partner, company, one.cpf, details)
    expect(await continuationOf(one.benefitId)).toMatchObject({ status })
  })

  test('without the items keeps the benefits, without a term', async () => {
    const one = await family()
    await excludePrimary(partner, company, one.cpf, { 'extension-plan': true })
    expect(await statuses(one.cpf)).toEqual(kept)
    expect(await continuationOf(one.benefitId)).toBeUndefined()
  })

  describe('with an extension plan', () => {
    const today = '2026-11-23'
    const ended = [['inactive', false, today]]
    const noRight = (why: string) => ({ status: 'no-right', 'not-eligible-reason': why })
    const cases: [string, Json, Json][] = [
      ['who declined', { ...accepted, option: 'declined' }, { status: 'declined', 'not-eligible-reason': null }],
      [
        'who declined, without the months',
        { option: 'declined', 'extension-plan': true },
        { 'contribution-months': null },
      ],
      ['who did not contribute', { ...items, contributed: false }, noRight('no-contribution')],
      ['who contributed for no month', { ...items, 'contribution-months': 0 }, noRight('no-contribution')],
    ]
    const refusedOf = async (cpf: string): Promise<Json> => {
      const [{ 'member-id': memberId }] = await benefitsOf(partner, cpf)
      const { result } = expectOk(await partner.get(`/v1/continuation?member-id=${memberId}`)).body
      expect(result).toHaveLength(1)
      return result[0]
    }

    test.each(cases)('of %s is an ordinary exclusion, and a continuation says why', async (_, details, shown) => {
      const one = await family()
      await excludePrimary(partner, company, one.cpf, { ...details, 'end-date': today })
      expect([await statuses(one.cpf), await statuses(one.child)]).toEqual([ended, ended])
      const continuation = await refusedOf(one.cpf)
      expect(continuation).toMatchObject({ 'benefit-ids': null, 'due-date': null, 'term-end': null, ...shown })
      const { status, body } = await partner.get(`/v1/continuation/${continuation['continuation-id']}/notice`)
      expect([status, body.code]).toEqual([409, 'continuation-status'])
    })

    test.each(cases)('of %s in a batch is an ordinary exclusion too', async (_, details, shown) => {
      const one = await family()
      const exclusion = { 'end-date': today, 'exclusion-reason': 'dismissal', ...details }
      const member = { 'tax-id': one.cpf, 'exclusion-details': exclusion }
      const body = { 'company-tax-id': company.taxId, members: [member] }
      expectOk(await partner.post('/v1/enrollment/exclusion?resolution=approve', body))
      await until(
        () => statuses(one.child),
        (found) => found[0]?.[0] === 'inactive',
      )
      expect(await statuses(one.cpf)).toEqual(ended)
      expect(await refusedOf(one.cpf)).toMatchObject(shown)
    })

    test('and is hired again is told that the continuation ends first', async () => {
      const { cpf } = await family()
      await excludePrimary(partner, company, cpf, { 'extension-plan': true, contributed: true })
      expect(await statuses(cpf)).toEqual(kept)
      const products = inProduct('health-insurance', health, 'on-inclusion-date')
      const { status, body } = await partner.post(
        '/v1/enrollment/inclusion',
        { 'company-tax-id': company.taxId, members: [primary({ 'tax-id': cpf, products })] },
        { 'accept-language': 'pt-BR' },
      )
      expect([status, body.result?.[0]?.['offense-details']]).toMatchObject([
        400,
        [{ code: 'already-enrolled', message: expect.stringMatching(/encerre antes a manutenção do plano/) }],
      ])
    })

    test('that is answered anew is judged anew', async () => {
      const one = await family()
      const path = `/v1/enrollment/exclusion/${one.cpf}/product/${company.products[health]}`
      const details = { ...accepted, 'end-date': today, 'exclusion-reason': 'dismissal', option: 'declined' }
      const { 'request-id': requestId } = expectOk(await partner.post(path, { 'exclusion-details': details })).body
      const [id] = Object.values(await movementsOf(requestId))
      const movement = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
      expect(movement).toMatchObject({ 'extension-plan': false, 'exclusion-details': { option: 'declined' } })
      const transition = (body: Json) =>
        testApp.operator.post(`/operator/v1/enrollment/${movement.id}/transition`, body)
      const pending = [{ kind: 'field', field: 'option', message: 'Confirme a opção' }]
      expectOk(await transition({ status: 'pending-correction', reason: 'Confirme', 'pending-items': pending }))
      const answer = { data: { option: 'accepted' } }
      const answered = expectOk(await partner.post(`/v1/enrollment/${movement.id}/answer`, answer)).body.result
      expect(answered).toMatchObject({ 'extension-plan': true })
      expectOk(await transition({ status: 'completed' }))
      expect([await statuses(one.cpf), await statuses(one.child)]).toEqual([kept, kept])
      expect(await refusedOf(one.cpf)).toMatchObject({ status: 'accepted' })
    })

    test('closes the offer that waited for the answer', async () => {
      const one = await family()
      const { 'continuation-id': id } = await createContinuation(testApp, one, { 'notice-date': '2026-11-20' })
      await excludePrimary(partner, company, one.cpf, { ...items, contributed: false, 'end-date': today })
      expect(await refusedOf(one.cpf)).toMatchObject({ 'continuation-id': id, ...noRight('no-contribution') })
    })

    test.each(['dismissal', 'dismissal-with-cause', 'resignation', 'mutual-agreement'])(
      'and %s of who had retired keeps the plan as the retired do',
      async (reason) => {
        const one = await family()
        const retired = { 'keeps-working-after-retirement': true, 'contribution-months': 120 }
        await excludePrimary(partner, company, one.cpf, { ...accepted, 'exclusion-reason': reason, ...retired })
        expect(await statuses(one.cpf)).toEqual(kept)
        expect(await continuationOf(one.benefitId)).toMatchObject({ ground: 'retirement', 'without-end': true })
      },
    )

    test.each([
      ['before the notice', '2026-11-19'],
      ['after today', '2026-11-24'],
    ])('and an answer %s is refused, as the operator’s is', async (_, day) => {
      const one = await family()
      const path = `/v1/enrollment/exclusion/${one.cpf}/product/${company.products[health]}`
      const details = {
        'end-date': today,
        'exclusion-reason': 'dismissal',
        ...accepted,
        'notice-date': '2026-11-20',
        'option-date': day,
      }
      const { status, body } = await partner.post(path, { 'exclusion-details': details })
      expect([status, body.details]).toMatchObject([400, [{ field: 'exclusion-details.option-date', code: 'invalid' }]])
      const members = [{ 'tax-id': one.cpf, 'exclusion-details': details }]
      const batch = await partner.post('/v1/enrollment/exclusion', { 'company-tax-id': company.taxId, members })
      expect([batch.status, batch.body.result[0]['offense-details']]).toMatchObject([
        400,
        [{ code: 'invalid-exclusion-details', field: 'exclusion-details.option-date' }],
      ])
    })
  })

  test('brings the answer to an offer, or closes it', async () => {
    const one = await family()
    const { 'continuation-id': id } = await createContinuation(testApp, one, { 'notice-date': '2026-11-20' })
    await excludePrimary(partner, company, one.cpf, { ...accepted, 'notice-date': '2026-11-20' })
    expect(await read(id)).toMatchObject({ status: 'accepted', 'notice-date': '2026-11-20', 'contribution-months': 12 })
    const other = await family()
    const declined = await createContinuation(testApp, other, { 'notice-date': '2026-11-20' })
    const details = { ...accepted, 'end-date': '2026-11-23', 'extension-plan': false, option: 'declined' }
    await excludePrimary(partner, company, other.cpf, details)
    await reaches(declined['continuation-id'], 'declined')
    const asked = await family()
    const active = await createContinuation(testApp, asked, { 'notice-date': '2026-11-20' })
    await excludePrimary(partner, company, asked.cpf, {
      'end-date': '2026-11-23',
      'exclusion-reason': 'requested-by-beneficiary',
    })
    expect(await reaches(active['continuation-id'], 'ended')).toMatchObject({
      'end-reason': 'request',
      'end-date': '2026-11-23',
    })
  })

  describe('for the death of the primary', () => {
    const death = (day: string) => ({ 'end-date': day, 'exclusion-reason': 'death' })
    const excludeChild = async ({ child }: { child: string }, details: Json) => {
      const path = `/v1/enrollment/exclusion/${child}/product/${company.products[health]}?resolution=approve`
      expectOk(await partner.post(path, { 'exclusion-details': details }))
    }
    async function mourning(day: string) {
      const one = await family()
      await excludePrimary(partner, company, one.cpf, accepted)
      const id = (await continuationOf(one.benefitId))?.['continuation-id']
      const { 'request-id': requestId } = await excludePrimary(partner, company, one.cpf, death(day))
      return { ...one, id, requestId }
    }

    test('ends the benefit of the dead, and the others keep theirs', async () => {
      const one = await mourning('2026-11-22')
      expect(await read(one.id)).toMatchObject({ status: 'accepted', 'primary-death-date': '2026-11-22' })
      expect(await statuses(one.cpf)).toEqual([['inactive', true, '2026-11-22']])
      expect(await statuses(one.child)).toEqual(kept)
      const [{ 'benefit-id': child }] = await benefitsOf(partner, one.child)
      expect((await read(one.id))['benefit-ids']).toEqual([child])
      expect(Object.keys(await movementsOf(one.requestId))).toEqual([one.cpf])
      const members = expectOk(await partner.get(`/v1/member?filter=tax-id=${one.cpf}`)).body.result
      expect(members).toEqual([])
    })

    test('of a coming day ends it on that day', async () => {
      const one = await mourning('2026-11-25')
      expect(await statuses(one.cpf)).toEqual([['active', true, '2026-11-25']])
      expect(await statuses(one.child)).toEqual(kept)
    })

    test('lets an operator end it, and it ends with the last of the family', async () => {
      const [one, other] = [await mourning('2026-11-22'), await mourning('2026-11-22')]
      const ended = expectOk(await act(one.id, 'end', { reason: 'request', 'end-date': '2026-11-23' })).body.result
      expect(ended).toMatchObject({ status: 'ended', 'benefit-ids': null })
      expect(await statuses(one.child)).toEqual([['inactive', true, '2026-11-23']])
      await excludeChild(other, death('2026-11-23'))
      expect(await reaches(other.id, 'ended')).toMatchObject({ 'end-reason': 'death-of-all', 'end-date': '2026-11-23' })
    })

    test('and another end of the last of the family is no death of all', async () => {
      const one = await mourning('2026-11-22')
      await excludeChild(one, { 'end-date': '2026-11-23', 'exclusion-reason': 'requested-by-beneficiary' })
      expect(await reaches(one.id, 'ended')).toMatchObject({ 'end-reason': 'request', 'end-date': '2026-11-23' })
    })
  })

  test('of a retired person waits for the setting that the term needs', async () => {
    const one = await family()
    const retired = {
      ...accepted,
      'exclusion-reason': 'retirement',
      'contribution-months': 119,
      'end-date': '2026-11-22',
    }
    await excludePrimary(partner, company, one.cpf, retired)
    const waiting = await continuationOf(one.benefitId)
    expect(waiting).toMatchObject({
      status: 'accepted',
      months: null,
      'term-end': null,
      'missing-setting': 'retirement-remainder',
    })
    const plans = [{ 'product-id': company.products[health] }]
    await makeContract(testApp, company, { plans, 'retirement-remainder': 'whole-years' })
    const active = await reaches(waiting?.['continuation-id'], 'active')
    expect(active).toMatchObject({ months: 108, 'term-end': '2035-11-22', 'missing-setting': null })
    const short = continuationBody(await family(), { ground: 'retirement', 'contribution-months': 6 })
    const { status, body } = await testApp.operator.post(url, short)
    expect([status, body]).toMatchObject([
      409,
      { code: 'continuation-not-eligible', 'not-eligible-reason': 'less-than-a-year' },
    ])
  })
})

test('a change of the plan does not restart the term', async () => {
  const one = await family()
  await excludePrimary(partner, company, one.cpf, {
    'end-date': '2026-11-22',
    'extension-plan': true,
    contributed: true,
    'contribution-months': 12,
    option: 'accepted',
  })
  const before = await continuationOf(one.benefitId)
  const change = { 'alteration-data': { 'new-product-id': company.products[premium] } }
  const changed = await partner.post(`/v1/enrollment/alteration/${one.cpf}?resolution=approve`, change)
  expectOk(changed)
  const id = before?.['continuation-id']
  const after = await until(
    () => read(id),
    (shown) => shown['product-name'] === premium,
  )
  expect(after).toMatchObject({ 'term-start': '2026-11-23', 'term-end': before?.['term-end'] })
  expect(after['benefit-ids']).not.toContain(one.benefitId)
})

test('a change to another company takes it along', async () => {
  const other = await testApp.company()
  const group = await testApp.partner(company.taxId, other.taxId)
  const one = await family()
  const { 'continuation-id': id } = await createContinuation(testApp, one, {
    'notice-date': '2026-11-20',
    prices: [{ 'age-band': '0-18', amount: '412.35' }],
  })
  expectOk(await act(id, 'option', { option: 'accepted', 'option-date': '2026-11-23' }))
  const before = await read(id)
  const change = { 'company-tax-id': company.taxId, 'alteration-data': { 'new-company-tax-id': other.taxId } }
  expectOk(await group.post(`/v1/enrollment/alteration/${one.cpf}?resolution=approve`, change))
  const after = await until(
    () => read(id),
    (shown) => shown['company-tax-id'] === other.taxId,
  )
  expect(after).toMatchObject({
    status: 'accepted',
    'term-start': before['term-start'],
    'term-end': before['term-end'],
    'created-at': before['created-at'],
  })
  expect((await partner.get(`/v1/continuation/${id}`)).status).toBe(404)
  expectOk(await group.get(`/v1/continuation/${id}/notice`))
})

test('a continuation of another company is unknown, and its company is not entitled', async () => {
  const one = await family()
  const { 'continuation-id': id } = await createContinuation(testApp, one)
  const other = await testApp.company()
  const stranger = await testApp.partner(other.taxId)
  const unknown = await stranger.get('/v1/continuation/01995e0d-1b21-7c33-8d44-5e6f70819203')
  const { 'request-trace-id': _, ...error } = unknown.body
  expect(await stranger.get(`/v1/continuation/${id}`)).toMatchObject({ status: 404, body: error })
  expect((await stranger.get(`/v1/continuation?company-tax-id=${company.taxId}`)).body.code).toBe('not-entitled')
  expect(expectOk(await stranger.get('/v1/continuation')).body.result).toEqual([])
})

test('the rules of the database hold', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
