import { beforeAll, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
let analyst: Client

beforeAll(async () => {
  analyst = await testApp.operatorOf('analyst')
})

const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

interface Person {
  readonly taxId: string
  readonly memberId: string
  /** By product name. */
  readonly benefits: ReadonlyMap<string, string>
}

async function personOf(taxId: string): Promise<Person> {
  const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${taxId}`)).body
  const [{ id: memberId, benefits }] = result
  return {
    taxId,
    memberId,
    benefits: new Map(benefits.map((one: Json) => [one['product-name'], one['benefit-id']])),
  }
}

async function employee(overrides: Json = {}): Promise<Person> {
  const member = primary(overrides)
  await testApp.include(partner, company, [member], '?resolution=approve')
  return personOf(member['tax-id'])
}

const secondCard = (memberId: string, body: Json, by = analyst): Promise<ApiResponse> =>
  by.post(`/operator/v1/member/${memberId}/second-card`, body)
const transfer = (memberId: string, body: Json, by = analyst): Promise<ApiResponse> =>
  by.post(`/operator/v1/member/${memberId}/contract-transfer`, body)
const lostCard = ({ memberId, benefits }: Person) =>
  secondCard(memberId, { 'benefit-id': benefits.get(health), reason: 'lost' })

/** The movements of an accepted request, as a partner of the company sees them. */
async function movementsOf(response: ApiResponse): Promise<Json[]> {
  const id = expectOk(response).body['request-id']
  const request = expectOk(await partner.get(`/v1/request/${id}`)).body
  const parts = Object.values<Json>(request['status-by-tax-id']).flatMap((products) => Object.values<Json>(products))
  return Promise.all(
    parts.map(
      async (part) => expectOk(await partner.get(`/v1/enrollment/detail/${part['enrollment-id']}`)).body.result,
    ),
  )
}

async function movementOf(response: ApiResponse): Promise<Json> {
  const [movement] = await movementsOf(response)
  return movement
}

const move = (id: string, body: Json) => analyst.post(`/operator/v1/enrollment/${id}/transition`, body)
const errorOf = ({ status, body }: ApiResponse) => [status, body.code]

describe('a second card', () => {
  test('of a benefit that starts later is scheduled for its start', async () => {
    const products = inProduct('health-insurance', health, 'on-next-billing-period')
    const movement = await movementOf(await lostCard(await employee({ products })))
    expect(movement).toMatchObject({ status: 'scheduled', 'alteration-kind': 'second-card' })
  })

  test('is an alteration with its kind, decided as every other, and completes with the number of the card', async () => {
    const person = await employee()
    const response = await secondCard(person.memberId, {
      'product-id': company.products[health],
      reason: 'stolen',
      reference: 'chamado 12',
    })
    const movement = await movementOf(response)
    expect(movement).toMatchObject({
      'enrollment-type': 'alteration',
      'alteration-kind': 'second-card',
      status: 'created',
      'benefit-id': person.benefits.get(health),
      reference: 'chamado 12',
      history: [{ status: 'created', actor: 'operator' }],
    })
    const request = expectOk(await partner.get(`/v1/request/${movement['request-id']}`)).body
    expect(request).toMatchObject({ 'request-type': 'alteration', 'alteration-kind': 'second-card' })
    const review = expectOk(await analyst.get(`/operator/v1/enrollment/${movement.id}`)).body.result
    expect(review).toMatchObject({ 'client-id': analyst.clientId, asked: { 'alteration-data': { reason: 'stolen' } } })
    const queue = async (kind: string) =>
      expectOk(await analyst.get(`/operator/v1/enrollment?alteration-kind=${kind}&member-id=${person.memberId}`)).body
        .result
    expect((await queue('second-card')).map(({ id }: Json) => id)).toEqual([movement.id])
    expect(await queue('contract-transfer')).toEqual([])
    const csv = expectOk(await analyst.get(`/operator/v1/enrollment/export?alteration-kind=second-card`)).text
    expect(csv).toMatch(/;alteration-kind;.*\r\n/)
    expect(csv.split('\r\n').find((line) => line.startsWith(movement.id))).toMatch(/;alteration;second-card;.*;stolen;/)

    expect(errorOf(await move(movement.id, { status: 'completed', 'start-date': '2026-11-24' }))).toEqual([
      400,
      'not-applicable',
    ])
    expectOk(await move(movement.id, { status: 'broker-processing' }))
    expectOk(await move(movement.id, { status: 'carrier-processing', 'carrier-protocol': 'P-9' }))
    expectOk(await move(movement.id, { status: 'completed', 'card-number': '7777 0001' }))
    const [benefit] = expectOk(await partner.get(`/v1/benefit?member-tax-id=${person.taxId}`)).body.result
    expect(benefit).toMatchObject({ status: 'active', 'card-number': '7777 0001' })
    const events = expectOk(await partner.get('/v1/webhook-event?items-per-page=500')).body.result
    const own = events.filter(({ data }: Json) => data['request-id'] === movement['request-id'])
    expect(own.map(({ type, data }: Json) => [type, data['alteration-kind']]).toSorted()).toEqual(
      [
        'enrollment.completed',
        'enrollment.created',
        'enrollment.updated',
        'enrollment.updated',
        'request.completed',
      ].map((type) => [type, 'second-card']),
    )
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('is of a dependent too, and one of a benefit is open at most, however many are requested at once', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    const person = await personOf(child['tax-id'])
    const responses = await Promise.all(Array.from({ length: 5 }, () => lostCard(person)))
    const accepted = responses.filter(({ status }) => status === 200)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(accepted).toHaveLength(1)
    const movement = await movementOf(accepted[0] as ApiResponse)
    for (const { status, body } of refused) {
      expect([status, body.code, body['enrollment-ids']]).toEqual([409, 'ongoing-enrollments', [movement.id]])
    }
    expectOk(await move(movement.id, { status: 'rejected', reason: 'Cartão encontrado' }))
    await movementOf(await lostCard(person))
  })

  test('stops no exclusion; once the benefit has ended it cannot complete', async () => {
    const person = await employee()
    const movement = await movementOf(await lostCard(person))
    const path = `/v1/enrollment/exclusion/${person.taxId}/benefit/${person.benefits.get(health)}?resolution=approve`
    const details = { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' }
    expectOk(await partner.post(path, { 'exclusion-details': details }))
    expect(errorOf(await move(movement.id, { status: 'completed' }))).toEqual([409, 'illegal-transition'])
    expectOk(await move(movement.id, { status: 'rejected', reason: 'Desligada' }))
    expect(errorOf(await lostCard(person))).toEqual([404, 'no-active-benefit'])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('a partner may add documents to it and comment, and changes nothing of it', async () => {
    const movement = await movementOf(await lostCard(await employee()))
    expectOk(await move(movement.id, { status: 'pending-documents', reason: 'Falta o boletim' }))
    const answer = (body: Json) => partner.post(`/v1/enrollment/${movement.id}/answer`, body)
    const refused = await answer({ data: { name: 'Outra Pessoa' } })
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ field: 'data.name', code: 'unknown' }]])
    expect(expectOk(await answer({ comment: 'Segue' })).body.result.status).toBe('created')
  })
})

describe('a transfer within the contract', () => {
  test('moves all that a primary has, and changes the registration data once', async () => {
    const person = await employee({ products: inBoth, 'employee-id': '00172', 'job-title': 'Soldadora' })
    const body = { 'start-date': '2026-11-23', 'sub-contract': '002', 'employee-id': ' 00481 ', 'cost-center': '4200' }
    const movements = await movementsOf(await transfer(person.memberId, body))
    expect(movements.map((one) => [one['alteration-kind'], one['start-date'], one.status])).toEqual([
      ['contract-transfer', '2026-11-23', 'created'],
      ['contract-transfer', '2026-11-23', 'created'],
    ])
    const [first, second] = movements
    const review = async (id: string) => expectOk(await analyst.get(`/operator/v1/enrollment/${id}`)).body.result
    expect((await review(first.id)).difference).toEqual([
      { field: 'sub-contract', old: null, new: '002' },
      { field: 'cost-center', old: null, new: '4200' },
      { field: 'employee-id', old: '00172', new: '00481' },
    ])
    expectOk(await move(first.id, { status: 'completed' }))
    const registration = async () =>
      expectOk(await partner.get(`/v1/member/${person.memberId}`)).body.result.registrations[0]
    const transferred = { 'employee-id': '00481', 'cost-center': '4200', 'job-title': 'Soldadora' }
    expect(await registration()).toMatchObject(transferred)
    expectOk(await move(second.id, { status: 'completed', 'card-number': '55' }))
    expect(await registration()).toMatchObject(transferred)
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('waits for its day, and only the named benefits move', async () => {
    const person = await employee({ products: inBoth })
    const body = {
      'benefit-ids': [person.benefits.get(dental)],
      'start-date': '2026-12-01',
      'cost-center-name': 'Solda',
    }
    const movements = await movementsOf(await transfer(person.memberId, body))
    expect(movements).toMatchObject([
      { 'product-name': dental, status: 'scheduled', 'scheduled-action-date': '2026-12-01' },
    ])
    const again = await transfer(person.memberId, { ...body, 'benefit-ids': undefined })
    expect([again.status, again.body['enrollment-ids']]).toEqual([409, [movements[0].id]])
  })

  test.each<[string, Json, number, string]>([
    ['nothing to change', { 'start-date': '2026-11-23' }, 400, 'invalid-body'],
    ['a day before the benefit', { 'start-date': '2026-11-01', 'sub-contract': '2' }, 400, 'before-start-date'],
    ['a day far away', { 'start-date': '2031-01-01', 'sub-contract': '2' }, 400, 'date-out-of-range'],
    [
      'a CPF in the reference',
      { 'start-date': '2026-11-23', 'sub-contract': '2', reference: '52998224725' },
      400,
      'invalid-body',
    ],
    [
      'a benefit of somebody else',
      { 'start-date': '2026-11-23', 'sub-contract': '2', 'benefit-ids': [unknown] },
      404,
      'no-active-benefit',
    ],
  ])('refuses %s', async (_, body, status, code) => {
    expect(errorOf(await transfer((await employee()).memberId, body))).toEqual([status, code])
  })

  test('is not of a dependent, whom the carrier moves with the primary', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    const { memberId } = await personOf(child['tax-id'])
    const response = await transfer(memberId, { 'start-date': '2026-11-23', 'sub-contract': '2' })
    expect(errorOf(response)).toEqual([404, 'no-active-benefit'])
  })
})

test('404 for an unknown person, 400 without a benefit or with both ways to name it, 403 for another role', async () => {
  const body = { 'benefit-id': unknown, reason: 'lost' }
  expect(errorOf(await secondCard(unknown, body))).toEqual([404, 'member-not-found'])
  const { memberId } = await employee()
  expect(errorOf(await secondCard(memberId, { reason: 'lost' }))).toEqual([400, 'invalid-body'])
  expect(errorOf(await secondCard(memberId, { ...body, 'product-id': unknown }))).toEqual([400, 'invalid-body'])
  expect(errorOf(await secondCard(memberId, { ...body, reason: 'bored' }))).toEqual([400, 'invalid-body'])
  for (const role of ['finance', 'auditor'] as const) {
    const other = await testApp.operatorOf(role)
    expect((await secondCard(memberId, body, other)).status).toBe(403)
    expect((await transfer(memberId, { 'start-date': '2026-11-23', 'sub-contract': '2' }, other)).status).toBe(403)
  }
})

test('when the clock ends the benefit, it is closed', async () => {
  const person = await employee()
  const path = `/v1/enrollment/exclusion/${person.taxId}/benefit/${person.benefits.get(health)}?resolution=approve`
  const details = { 'end-date': '2026-11-27', 'exclusion-reason': 'dismissal' }
  expectOk(await partner.post(path, { 'exclusion-details': details }))
  const { id } = await movementOf(await lostCard(person))
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-11-30' })
  const movement = await until(
    async () => expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result,
    ({ status }) => status === 'rejected',
  )
  expect(movement).toMatchObject({ reason: 'Benefit has ended', history: [{ actor: 'operator' }, { actor: 'clock' }] })
  expect(await readViolations(testApp.sql)).toEqual({})
})
