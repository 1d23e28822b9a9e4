import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, businessDate } from '#kernel/calendar.ts'
import { EVENT_TYPES } from '#kernel/events.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  monday,
  useTestApp,
  premium,
  primary,
} from '../../world/test-app.ts'
import { openSync, putList, sendList } from '../../world/rosters.ts'
import { csv, discrepanciesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { makeContract } from '../../world/contract.ts'
import { cover, rosterRow } from '../../world/covered.ts'
import { draftBody } from '../../world/draft.ts'
import { mark, putFile, putInvoice } from '../../world/invoice.ts'
import { makeEndpoint, openReceiver, type Received, type Receiver, verified } from '../../world/receiver.ts'
import { plansOf } from '../../world/shipment.ts'

/*
 * Every type of event is received, signed, with the ids and the status that belong to it. The receiver hears all of two companies.
 */

const names = { name: 'Zoraide Canário Quental', 'mothers-name': 'Ondina Canário Quental' }

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true', VIGENCIA_ROLE: 'all' })
let company: Company
let other: Company
let partner: Client
let receiver: Receiver
let secret: string
/** CPFs, names and the like that must never leave in a body. */
const people = new Set<string>(['Zoraide', 'Ondina', 'Canário', 'canary@mail.example', '11987654321', '7654321'])

beforeAll(async () => {
  company = await testApp.company()
  other = await testApp.company()
  partner = await testApp.partner(company.taxId, other.taxId)
  receiver = await openReceiver()
  secret = (await makeEndpoint(partner, receiver.url)).secret
})

afterAll(async () => {
  await receiver.close()
})

const someone = (overrides: Json = {}): Json => {
  const one = primary({
    ...names,
    'email-private': 'canary@mail.example',
    phone: '11987654321',
    salary: 7_654_321,
    ...overrides,
  })
  people.add(one['tax-id'])
  return one
}

/** What was received of these ids in `data`, as `type status`, once there are that many; each verified. */
async function received(count: number, ids: Json): Promise<Received[]> {
  const about = ({ body }: Received) => Object.entries(ids).every(([name, id]) => body.data[name] === id)
  const calls = await receiver.until(count, about)
  for (const call of calls) expect(verified(call, secret)).toEqual(call.body)
  return calls
}

const shown = (calls: readonly Received[]) => calls.map(({ body }) => `${body.type} ${body.data.status}`).toSorted()

async function include(members: Json[], query = '', at = company): Promise<Json> {
  return testApp.include(partner, at, members, query)
}

const partOf = (request: Json, member: Json, product = health): string =>
  request['status-by-tax-id'][member['tax-id']][product]['enrollment-id']

const move = async (id: string, body: Json) =>
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body))

const exclude = (cpf: string, endDate: string, query = '', more: Json = {}): Promise<ApiResponse> =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}${query}`, {
    'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'dismissal', ...more },
  })

async function benefitsOf(cpf: string): Promise<Json> {
  const { body } = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${cpf}&include-inactive=true`))
  return body.result[0]
}

test('an inclusion: request.completed, enrollment.created, each step on the way, benefit.activated', async () => {
  const one = someone()
  const request = await include([one])
  const id = partOf(request, one)
  const requestId = request['request-id']
  const [done] = await received(1, { 'request-id': requestId, 'enrollment-id': undefined })
  expect(done?.body).toEqual({
    type: 'request.completed',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { 'company-id': company.id, 'request-id': requestId, status: 'completed' },
  })
  await move(id, { status: 'broker-processing' })
  await move(id, { status: 'pending-documents', reason: 'RG' })
  await move(id, { status: 'broker-processing' })
  await move(id, { status: 'pending-correction', reason: 'nome' })
  await move(id, { status: 'carrier-processing' })
  await move(id, { status: 'completed' })
  const calls = await received(7, { 'enrollment-id': id })
  const member = await benefitsOf(one['tax-id'])
  const subject = {
    'company-tax-id': company.taxId,
    'product-id': company.products[health],
    'member-id': member.id,
  }
  expect(shown(calls)).toEqual([
    'enrollment.completed completed',
    'enrollment.created created',
    'enrollment.pending pending-correction',
    'enrollment.pending pending-documents',
    'enrollment.updated broker-processing',
    'enrollment.updated broker-processing',
    'enrollment.updated carrier-processing',
  ])
  for (const { body } of calls) {
    const { status } = body.data
    const ids = { 'company-id': company.id, 'request-id': requestId, 'enrollment-id': id }
    expect(body.data).toEqual({ ...ids, ...subject, status })
  }
  const benefitId = member.benefits[0]['benefit-id']
  const [active] = await received(1, { 'benefit-id': benefitId })
  expect(active?.body).toMatchObject({
    type: 'benefit.activated',
    data: { 'company-id': company.id, 'benefit-id': benefitId, ...subject, status: 'active' },
  })
})

test('rejected and cancelled inclusions: told as such, and of the dependents who fall with them', async () => {
  const [one, two] = [someone(), someone()]
  const child = dependent(one['tax-id'], names)
  people.add(child['tax-id'])
  const request = await include([one, two, child])
  await move(partOf(request, one), { status: 'rejected', reason: 'Fora da vigência' })
  await move(partOf(request, two), { status: 'cancelled' })
  expect(shown(await received(2, { 'enrollment-id': partOf(request, one) }))).toContain('enrollment.rejected rejected')
  expect(shown(await received(2, { 'enrollment-id': partOf(request, child) }))).toContain(
    'enrollment.rejected rejected',
  )
  expect(shown(await received(2, { 'enrollment-id': partOf(request, two) }))).toContain(
    'enrollment.cancelled cancelled',
  )
})

test('requests whose parts fail: request.partial_failure and request.failed', async () => {
  await testApp.restart({ VIGENCIA_ROLE: 'api' })
  const [one, two] = [someone(), someone()]
  const send = async (members: Json[]) =>
    expectOk(await partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members })).body[
      'request-id'
    ]
  await send([one])
  const half = await send([one, two])
  const none = await send([one])
  await testApp.restart({ VIGENCIA_ROLE: 'all' })
  expect(shown(await received(1, { 'request-id': none }))).toEqual(['request.failed failed'])
  expect(shown(await received(2, { 'request-id': half }))).toEqual([
    'enrollment.created created',
    'request.partial_failure partial-failure',
  ])
})

describe('an exclusion', () => {
  test('of today, with the dependents who go along: enrollments, benefit.deactivated of each', async () => {
    const mother = someone()
    const child = dependent(mother['tax-id'], names)
    people.add(child['tax-id'])
    await include([mother, child], '?resolution=approve')
    const id = expectOk(await exclude(mother['tax-id'], monday, '?resolution=approve')).body['request-id']
    expect(shown(await received(5, { 'request-id': id }))).toEqual([
      'enrollment.completed completed',
      'enrollment.completed completed',
      'enrollment.created created',
      'enrollment.created created',
      'request.completed completed',
    ])
    for (const { 'tax-id': cpf } of [mother, child]) {
      const member = await benefitsOf(cpf)
      const calls = await received(2, { 'benefit-id': member.benefits[0]['benefit-id'] })
      expect(shown(calls)).toEqual(['benefit.activated active', 'benefit.deactivated inactive'])
      expect(calls[1]?.body.data['member-id']).toBe(member.id)
    }
  })

  test('of a day ahead: nothing ends before the clock comes to it', async () => {
    const one = someone()
    await include([one], '?resolution=approve')
    const id = expectOk(await exclude(one['tax-id'], '2026-11-30')).body['request-id']
    expect(shown(await received(2, { 'request-id': id }))).toEqual([
      'enrollment.created scheduled',
      'request.completed completed',
    ])
    const benefitId = (await benefitsOf(one['tax-id'])).benefits[0]['benefit-id']
    const [{ 'enrollment-id': enrollmentId } = { 'enrollment-id': '' }] = Object.values<Json>(
      expectOk(await partner.get(`/v1/request/${id}`)).body['status-by-tax-id'][one['tax-id']],
    )
    await move(enrollmentId, { status: 'completed' })
    expect(shown(await received(2, { 'enrollment-id': enrollmentId }))).toContain('enrollment.completed completed')
    expect(shown(await received(1, { 'benefit-id': benefitId }))).toEqual(['benefit.activated active'])
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-11-30' })
    expect(shown(await received(2, { 'benefit-id': benefitId }))).toEqual([
      'benefit.activated active',
      'benefit.deactivated inactive',
    ])
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: monday })
  })

  test('into an extension plan: deactivated only when the operator ends it', async () => {
    const one = someone()
    await include([one], '?resolution=approve')
    expectOk(await exclude(one['tax-id'], monday, '?resolution=approve', { 'extension-plan': true }))
    const benefitId = (await benefitsOf(one['tax-id'])).benefits[0]['benefit-id']
    const statuses = shown(await received(1, { 'benefit-id': benefitId }))
    expect(statuses).toEqual(['benefit.activated active'])
    const ending = { 'end-date': monday, reason: 'Prazo' }
    expectOk(await testApp.operator.post(`/operator/v1/benefit/${benefitId}/end`, ending))
    expect(shown(await received(2, { 'benefit-id': benefitId }))).toContain('benefit.deactivated inactive')
    const correction = { 'card-number': '0045 7799', reason: 'Digitada errada' }
    expectOk(await testApp.operator.post(`/operator/v1/benefit/${benefitId}/correction`, correction))
    expect(shown(await received(3, { 'benefit-id': benefitId }))).toContain('benefit.updated inactive')
  })
})

test('what is scheduled and taken up by the clock: enrollment.updated', async () => {
  const one = someone({
    'admission-date': '2026-12-01',
    products: inProduct('life-insurance', life, 'on-admission-date'),
  })
  const id = partOf(await include([one]), one, life)
  expect(shown(await received(1, { 'enrollment-id': id }))).toEqual(['enrollment.created scheduled'])
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-12-01' })
  expect(shown(await received(2, { 'enrollment-id': id }))).toContain('enrollment.updated created')
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: monday })
})

describe('an alteration', () => {
  const since = inProduct('health-insurance', health, 'on-admission-date')
  const alter = async (cpf: string, data: Json): Promise<string> =>
    expectOk(await partner.post(`/v1/enrollment/alteration/${cpf}?resolution=approve`, { 'alteration-data': data }))
      .body['request-id']

  test('of the plan: the old benefit deactivated, the new one activated', async () => {
    const one = someone({ products: since })
    await include([one], '?resolution=approve')
    const id = await alter(one['tax-id'], { 'new-product-id': company.products[premium], reason: 'Canário' })
    const told = await received(3, { 'request-id': id })
    expect(shown(told)).toEqual([
      'enrollment.completed completed',
      'enrollment.created created',
      'request.completed completed',
    ])
    const products = told.flatMap(({ body }) => body.data['product-id'] ?? [])
    expect(products).toEqual([company.products[premium], company.products[premium]])
    const { benefits } = await benefitsOf(one['tax-id'])
    const statusOf = (status: string) => benefits.find((benefit: Json) => benefit.status === status)['benefit-id']
    expect(shown(await received(2, { 'benefit-id': statusOf('inactive') }))).toContain('benefit.deactivated inactive')
    expect(shown(await received(1, { 'benefit-id': statusOf('active') }))).toEqual(['benefit.activated active'])
  })

  test('of the company: each benefit is told of in its own company', async () => {
    const one = someone({ products: since })
    await include([one], '?resolution=approve')
    await alter(one['tax-id'], { 'new-company-tax-id': other.taxId })
    const { benefits } = await benefitsOf(one['tax-id'])
    const statusOf = (status: string) => benefits.find((benefit: Json) => benefit.status === status)['benefit-id']
    const ended = await received(2, { 'benefit-id': statusOf('inactive') })
    expect(ended.map(({ body }) => body.data['company-id'])).toEqual([company.id, company.id])
    const [begun] = await received(1, { 'benefit-id': statusOf('active') })
    expect(begun?.body).toMatchObject({ type: 'benefit.activated', data: { 'company-id': other.id } })
  })
})

test('an invoice: issued, overdue by the clock, paid, with its invoice-status', async () => {
  const id = await putInvoice(testApp, company, { 'due-date': '2026-11-25' })
  const file = await putFile(testApp, id, { due: '2026-11-25' })
  const [issued] = await received(1, { 'invoice-id': id })
  expect(issued?.body).toMatchObject({
    type: 'invoice.issued',
    data: { 'company-id': company.id, 'invoice-id': id, status: 'all-pending' },
  })
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-11-26' })
  await received(2, { 'invoice-id': id })
  expectOk(await mark(testApp, id, file, 'paid'))
  expect(shown(await received(3, { 'invoice-id': id }))).toEqual([
    'invoice.issued all-pending',
    'invoice.overdue all-overdue',
    'invoice.paid all-paid',
  ])
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: monday })
})

test('a draft of the company: opened, and closed with what became of it', async () => {
  const one = someone()
  await include([one], '?resolution=approve')
  const { result } = expectOk(await partner.post('/v1/movement-draft', draftBody(company, one['tax-id']))).body
  const id = result['draft-id']
  expectOk(await partner.post(`/v1/movement-draft/${id}/discard`, {}))
  const calls = await received(2, { 'draft-id': id })
  expect(calls.map(({ body }) => [body.type, body.data]).toSorted()).toEqual([
    [
      'movement-draft.closed',
      { 'company-id': company.id, 'draft-id': id, status: 'closed', 'closed-because': 'discarded' },
    ],
    ['movement-draft.opened', { 'company-id': company.id, 'draft-id': id, status: 'open' }],
  ])
})

test('a roster of the carrier: compared, and corrected here by a movement', async () => {
  const plans = plansOf(company, health)
  const { 'contract-id': contractId } = await makeContract(testApp, company, { plans, 'show-discrepancies': true })
  const [one] = await cover(testApp, { company }, 1, () => names)
  if (one === undefined) throw new Error('nobody is covered')
  people.add(one.taxId)
  const file = await upload(testApp, { contractId }, csv([{ ...rosterRow(one), name: 'Zoraide Outra Quental' }]))
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  const [opened] = await received(1, { 'reconciliation-id': id })
  const count = { class: 'name-differs', open: 1, explained: 0, claimed: 0, corrected: 0, accepted: 0 }
  const counts = expect.arrayContaining([count])
  expect(opened?.body).toMatchObject({
    type: 'reconciliation.opened',
    data: { 'company-id': company.id, kind: 'roster', 'reference-month': '2026-11', counts },
  })
  const [differs] = await discrepanciesOf(testApp, id, '&class=name-differs')
  const discrepancyId = differs['discrepancy-id']
  const { result } = expectOk(await testApp.operator.post(`/operator/v1/discrepancy/${discrepancyId}/correct`)).body
  const [corrected] = await received(1, { 'discrepancy-id': discrepancyId })
  expect(corrected?.body).toMatchObject({
    type: 'discrepancy.corrected',
    data: { class: 'name-differs', 'request-id': result['request-id'] },
  })
})

test('a list of people: compared, with what its draft has, and one that cannot be', async () => {
  const one = someone()
  const { products: _, ...stated } = one
  const sync = await sendList(partner, company, [{ ...stated, 'product-name': health }], { states: [] })
  const [compared] = await received(1, { 'roster-sync-id': sync['roster-sync-id'] })
  expect(compared?.body).toMatchObject({
    type: 'roster-sync.compared',
    data: { 'company-id': company.id, status: 'compared', counts: [{ class: 'inclusion', items: 1 }] },
  })
  await received(1, { 'draft-id': sync['draft-id'] })
  const empty = await openSync(partner, company, { states: [] })
  await putList(partner, empty, '[]')
  const [failed] = await received(1, { 'roster-sync-id': empty['roster-sync-id'] })
  expect(failed?.body).toMatchObject({ type: 'roster-sync.failed', data: { status: 'failed' } })
})

test('the event list has all of it, newest first, with the ids under which it was delivered', async () => {
  const first = expectOk(await partner.get('/v1/webhook-event?items-per-page=500')).body
  expect(first.pagination['total-items']).toBe(first.result.length)
  const ids = first.result.map((event: Json) => event.id)
  expect(ids).toEqual(ids.toSorted().toReversed())
  const delivered = new Map(receiver.calls.map(({ headers, body }) => [headers['webhook-id'], body]))
  await receiver.until(first.result.length)
  for (const { id, ...event } of first.result) expect(delivered.get(id) ?? null).toEqual(event)
  const page = expectOk(await partner.get('/v1/webhook-event?items-per-page=3&page=2')).body
  expect(page.result).toEqual(first.result.slice(3, 6))
  const past = expectOk(await partner.get('/v1/webhook-event?items-per-page=500&page=4000')).body
  expect(past.result).toEqual([])
})

test('the event list can be filtered by type, company and day', async () => {
  const all = expectOk(await partner.get('/v1/webhook-event?items-per-page=500')).body.result as Json[]
  const listed = async (query: string) => {
    const { result, pagination } = expectOk(await partner.get(`/v1/webhook-event?items-per-page=500&${query}`)).body
    expect(pagination['total-items']).toBe(result.length)
    return result
  }
  const paid = all.filter(({ type }) => type === 'invoice.paid')
  expect(paid).not.toEqual([])
  expect(await listed('type=invoice.paid')).toEqual(paid)
  const ofCompany = all.filter(({ data }) => data['company-id'] === company.id)
  expect(await listed(`company-tax-id=${company.taxId}`)).toEqual(ofCompany)
  const both = paid.filter(({ data }) => data['company-id'] === company.id)
  expect(await listed(`type=invoice.paid&company-tax-id=${company.taxId}`)).toEqual(both)
  const today = businessDate(new Date())
  expect(await listed(`from-dt=${addDays(today, -1)}&until-dt=${addDays(today, 1)}`)).toEqual(all)
  expect(await listed(`from-dt=${today}&until-dt=${today}`)).toEqual(all)
  expect(await listed(`from-dt=${addDays(today, 2)}`)).toEqual([])
  expect(await listed(`until-dt=${addDays(today, -2)}`)).toEqual([])
  const refused = await partner.get('/v1/webhook-event?type=invoice.payed')
  expect([refused.status, refused.body.details[0].message]).toEqual([400, 'Did you mean invoice.paid?'])
  const foreign = await partner.get(`/v1/webhook-event?company-tax-id=${(await testApp.company()).taxId}`)
  expect([foreign.status, foreign.body.error]).toEqual([403, 'Not entitled to access this company'])
})

describe('the events after one', () => {
  /** An id of a time, ordered by `n` within its millisecond. */
  const idOf = (secondsAgo: number, n: number) => {
    const time = (Date.now() - secondsAgo * 1_000).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`
  }
  const beginning = '00000000-0000-0000-0000-000000000000'

  test('are listed from the oldest on, in pages, of all companies of the client; none of the last ten seconds', async () => {
    const [one, two, foreign] = await Promise.all([testApp.company(), testApp.company(), testApp.company()])
    const follower = await testApp.partner(one.taxId, two.taxId)
    const insert = async (at: Company, id: string, type = 'benefit.updated') => {
      await testApp.sql(
        `insert into event (company_id, id, type, at, data) values ($1, $2, $3, now(), json_build_object('company-id', $1::uuid, 'status', 'active',
           'benefit-id', $2::uuid, 'member-id', $2::uuid))`,
        [at.id, id, type],
      )
      return id
    }
    const ids = [
      await insert(one, idOf(90, 1)),
      await insert(two, idOf(80, 2), 'benefit.ending'),
      await insert(one, idOf(70, 3)),
      await insert(two, idOf(60, 4)),
    ]
    const recent = await insert(two, idOf(2, 5))
    const theirs = await insert(foreign, idOf(75, 6))
    const list = (query: string) => follower.get(`/v1/webhook-event?${query}`)
    const after = async (query: string) => {
      const { result, pagination } = expectOk(await list(`after=${query}`)).body
      return [result.map(({ id }: Json) => id), pagination['total-items']]
    }
    expect(await after(beginning)).toEqual([ids, 4])
    expect(await after(`${ids[0]}&items-per-page=2`)).toEqual([ids.slice(1, 3), 3])
    expect(await after(`${ids[0]}&items-per-page=2&page=2`)).toEqual([[ids[3]], 3])
    expect(await after(`${ids[0]}&type=benefit.ending`)).toEqual([[ids[1]], 1])
    expect(await after(`${ids[0]}&company-tax-id=${one.taxId}`)).toEqual([[ids[2]], 1])
    for (const last of [ids[3], recent]) expect(await after(`${last}`)).toEqual([[], 0])
    for (const unknown of [theirs, idOf(75, 7)]) {
      const { status, body } = await list(`after=${unknown}`)
      expect([status, body.code]).toEqual([404, 'webhook-event-not-found'])
    }
    const { status, body } = await list('after=7')
    expect([status, body.details[0].field]).toEqual([400, 'after'])
  })

  test('have the tests of the client too', async () => {
    const tester = await testApp.partner(company.taxId)
    const { id } = await makeEndpoint(tester, 'http://127.0.0.1:59998/')
    const { result } = expectOk(await tester.post(`/v1/webhook-endpoint/${id}/test`)).body
    const earlier = idOf(20, 1)
    await testApp.sql('update webhook_test_event set id = $2 where id = $1', [result.id, earlier])
    const types = 'type=webhook.test'
    const { body } = expectOk(await tester.get(`/v1/webhook-event?after=${beginning}&${types}`))
    expect(body.result).toEqual([{ ...result, id: earlier }])
    expect(expectOk(await tester.get(`/v1/webhook-event?after=${earlier}&${types}`)).body.result).toEqual([])
  })
})

test('a test event is in the list of its type, and in none of a company', async () => {
  const tester = await testApp.partner(company.taxId)
  const { id } = await makeEndpoint(tester, 'http://127.0.0.1:59998/')
  const { result: event } = expectOk(await tester.post(`/v1/webhook-endpoint/${id}/test`)).body
  const typed = expectOk(await tester.get('/v1/webhook-event?type=webhook.test')).body
  expect(typed).toMatchObject({ result: [event], pagination: { 'total-items': 1 } })
  const { body } = expectOk(await tester.get(`/v1/webhook-event?type=webhook.test&company-tax-id=${company.taxId}`))
  expect(body).toMatchObject({ result: [], pagination: { 'total-items': 0 } })
})

test('every type was received, none of them with a person in it', () => {
  const types = new Set(receiver.calls.map(({ body }) => body.type))
  // Those of ends that lie ahead are in draft-exclusions.test.ts.
  const others = new Set(['webhook.test', 'benefit.ending'])
  expect([...types].toSorted()).toEqual(EVENT_TYPES.filter((type) => !others.has(type)).toSorted())
  expect(people.size).toBeGreaterThan(12)
  const everything = receiver.calls.map(({ text, path, headers }) => path + JSON.stringify(headers) + text).join('\n')
  expect([...people].filter((canary) => everything.includes(canary))).toEqual([])
})

test('an event of another’s company, and an unknown one, are not found; a malformed id is a 400', async () => {
  const stranger = await testApp.partner((await testApp.company()).taxId)
  const [{ id }] = expectOk(await partner.get('/v1/webhook-event')).body.result
  const calls = (which: string) => [
    stranger.get(`/v1/webhook-event/${which}`),
    stranger.get(`/v1/webhook-event/${which}/delivery`),
    stranger.post(`/v1/webhook-event/${which}/redeliver`),
  ]
  for (const which of [id, '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21']) {
    for (const response of await Promise.all(calls(which))) {
      expect([response.status, response.body.error]).toEqual([404, 'Webhook event not found'])
    }
  }
  for (const response of await Promise.all(calls('x'))) {
    expect([response.status, response.body.error]).toEqual([400, 'Invalid webhook-event-id'])
  }
  expect(expectOk(await stranger.get('/v1/webhook-event')).body.result).toEqual([])
})
