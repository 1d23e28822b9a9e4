import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { DUE_DEADLINES } from '#kernel/enums.ts'
import { addDays } from '#kernel/calendar.ts'
import { seed } from '../../seed.ts'
import { calendar } from '../../world/contract.ts'
import { act, enroll, moved, openShipmentOf, openShipper, type Shipper } from '../../world/shipment.ts'
import {
  companyBody,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/* The clocks of the norms: on a movement, in the queue and in the list of deadlines. */

// A Friday.
const today = '2026-12-18'
const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: today })

let shipper: Shipper
beforeAll(async () => {
  shipper = await openShipper(testApp, { calendar: calendar(25) })
})

const longAdmitted = (more: Json = {}): Json => primary({ 'admission-date': '2020-02-03', ...more })

const detailOf = async (id: string, by: Shipper = shipper): Promise<Json> =>
  expectOk(await by.partner.get(`/v1/enrollment/detail/${id}`)).body.result
const deadlinesOf = async (id: string, by?: Shipper): Promise<string[]> =>
  (await detailOf(id, by))['deadlines'].map(({ kind, until }: Json) => `${kind} ${until}`)
const dueOf = async (id: string): Promise<(string | null)[]> => {
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
  return [result['due-date'], result['due-kind']]
}
const listed = async (query: Record<string, string>): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/deadline?${new URLSearchParams(query).toString()}`)).body.result

/** Includes a person and requests the exclusion. @returns the id of the exclusion. */
async function excluded(details: Json, by: Shipper = shipper): Promise<string> {
  const member = longAdmitted({
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-admission-date' }] },
  })
  await testApp.include(by.partner, by.company, [member], '?resolution=approve')
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${by.company.products[health]}`
  const sent = { 'exclusion-details': { 'end-date': today, ...details } }
  const { body } = expectOk(await by.partner.post(path, sent))
  const request = await testApp.finished(by.partner, body['request-id'])
  return request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
}

const onRequest = (requestedAt: string) => ({
  'exclusion-reason': 'requested-by-beneficiary',
  'requested-at': requestedAt,
})

const transition = async (id: string, body: Json) =>
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body))

describe('an inclusion', () => {
  test('has 30 days from the admission, for the partner and the operator, until the carrier has it', async () => {
    const [id = ''] = await enroll(testApp, shipper, [primary({ 'admission-date': '2026-12-01' })])
    const deadlines = [{ kind: 'inclusion-window', until: '2026-12-31', norm: 'RN 557, art. 6' }]
    expect((await detailOf(id))['deadlines']).toEqual(deadlines)
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
    expect(result).toMatchObject({ deadlines, 'due-date': '2026-12-31', 'due-kind': 'inclusion-window' })
    await transition(id, { status: 'broker-processing' })
    expect(await dueOf(id)).toEqual(['2026-12-31', 'inclusion-window'])
    await transition(id, { status: 'carrier-processing' })
    expect(await dueOf(id)).toEqual([null, null])
    expect((await detailOf(id))['deadlines']).toEqual(deadlines)
  })

  test('on its last day still has it; a day later it is late, and nothing is due', async () => {
    const [last = '', late = ''] = await enroll(testApp, shipper, [
      primary({ 'admission-date': '2026-11-18' }),
      primary({ 'admission-date': '2026-11-17' }),
    ])
    expect(await dueOf(last)).toEqual([today, 'inclusion-window'])
    expect([await deadlinesOf(late), await dueOf(late)]).toEqual([[], [null, null]])
  })

  test('of a dependent starts with the latest of the admission, the dependency and the birth', async () => {
    const mother = longAdmitted()
    const [, spouse = '', baby = ''] = await enroll(testApp, shipper, [
      mother,
      dependent(mother['tax-id'], { 'dependent-type': 'spouse', 'dependency-date': '2026-12-05' }),
      dependent(mother['tax-id'], { 'date-of-birth': '2026-12-10', 'dependency-date': undefined }),
    ])
    expect(await deadlinesOf(spouse)).toEqual(['inclusion-window 2027-01-04'])
    expect(await deadlinesOf(baby)).toEqual(['inclusion-window 2027-01-09', 'newborn 2027-01-09'])

    const father = primary({ 'admission-date': '2026-12-14' })
    const [, child = ''] = await enroll(testApp, shipper, [
      father,
      dependent(father['tax-id'], { 'date-of-birth': '2026-12-01', 'dependency-date': undefined }),
    ])
    expect(await deadlinesOf(child)).toEqual(['newborn 2026-12-31', 'inclusion-window 2027-01-13'])
    expect(await dueOf(child)).toEqual(['2026-12-31', 'newborn'])
  })

  test('of an adopted child starts with the adoption', async () => {
    const products = companyBody.products.map((product) => ({
      ...product,
      'allowed-dependent-types': ['adopted-child'],
    }))
    const company = await testApp.company({ products })
    const by = { company, partner: await testApp.partner(company.taxId), contractId: '' }
    const mother = longAdmitted()
    const [, id = ''] = await enroll(testApp, by, [
      mother,
      dependent(mother['tax-id'], {
        'dependent-type': 'adopted-child',
        'date-of-birth': '2019-05-06',
        'dependency-date': '2026-12-03',
      }),
    ])
    expect(await dueOf(id)).toEqual(['2027-01-02', 'inclusion-window'])
    expect((await listed({ 'company-tax-id': company.taxId })).map(({ kind }) => kind)).toEqual([
      'inclusion-window',
      'newborn',
    ])
  })

  test('in a product that the norms do not name has none', async () => {
    const member = primary({
      'admission-date': '2026-12-01',
      products: inProduct('life-insurance', life, 'on-admission-date'),
    })
    const request = await testApp.include(shipper.partner, shipper.company, [member])
    const id = request['status-by-tax-id'][member['tax-id']][life]['enrollment-id']
    expect([await deadlinesOf(id), await dueOf(id)]).toEqual([[], [null, null]])
  })

  test('whose admission an answer corrects counts from it', async () => {
    const [id = ''] = await enroll(testApp, shipper, [primary({ 'admission-date': '2026-12-01' })])
    await transition(id, { status: 'pending-correction', reason: 'Conferir a admissão' })
    expectOk(await shipper.partner.post(`/v1/enrollment/${id}/answer`, { data: { 'admission-date': '2026-12-07' } }))
    expect([await deadlinesOf(id), await dueOf(id)]).toEqual([
      ['inclusion-window 2027-01-06'],
      ['2027-01-06', 'inclusion-window'],
    ])
  })
})

describe('an exclusion that the beneficiary requested', () => {
  test('has effect when the carrier hears of it, which then proves it within 10 business days', async () => {
    const own = await openShipper(testApp)
    const id = await excluded(onRequest('2026-12-10'), own)
    expect(await dueOf(id)).toEqual([today, 'exclusion-end'])
    const shipment = await openShipmentOf(testApp, own.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    expectOk(await act(testApp, shipment, 'send'))
    await moved(testApp, shipment)
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
    expect(result.deadlines).toEqual([
      { kind: 'effective-exclusion', until: today, norm: 'RN 561' },
      { kind: 'proof-of-exclusion', until: '2027-01-05', norm: 'RN 561 (RN 412, art. 18)' },
      { kind: 'carrier-notice', until: '2027-01-09', norm: 'RN 561' },
    ])
    expect(await dueOf(id)).toEqual(['2027-01-05', 'proof-of-exclusion'])
    await transition(id, { status: 'completed' })
    expect(await listed({ 'company-tax-id': own.company.taxId })).toEqual([])
  })

  test('that was sent some days ago counts from then, by the business days of the contract', async () => {
    const own = await openShipper(testApp, { calendar: calendar(25, { 'own-holidays': ['2026-12-24', '12-31'] }) })
    const id = await excluded(onRequest('2026-12-10'), own)
    const shipment = await openShipmentOf(testApp, own.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    const sentAt = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString()
    expectOk(await act(testApp, shipment, 'send', { 'sent-at': sentAt }))
    await moved(testApp, shipment)
    expect(await deadlinesOf(id, own)).toEqual([
      'effective-exclusion 2026-12-16',
      // Without the two days the 31st.
      'proof-of-exclusion 2027-01-05',
      'carrier-notice 2027-01-09',
    ])
  })

  test('that comes to the carrier again counts from the first time', async () => {
    const id = await excluded(onRequest('2026-12-10'))
    for (const status of ['broker-processing', 'carrier-processing']) await transition(id, { status })
    expect(await dueOf(id)).toEqual(['2027-01-05', 'proof-of-exclusion'])
    await testApp.sql(`update enrollment set informed_on = '2026-12-15', proof_until = '2026-12-30' where id = $1`, [
      id,
    ])
    await transition(id, { status: 'pending-correction', reason: 'Conferir o dia' })
    expectOk(await shipper.partner.post(`/v1/enrollment/${id}/answer`, { data: { 'requested-at': '2026-12-09' } }))
    expect((await detailOf(id))['status']).toBe('carrier-processing')
    expect(await dueOf(id)).toEqual(['2026-12-30', 'proof-of-exclusion'])
  })
})

describe('an exclusion of somebody who leaves', () => {
  const dismissal = { 'exclusion-reason': 'dismissal', contributed: true, 'notice-date': '2026-12-11' }

  test('has 30 days to choose the plan and 60 to change the carrier, from the notice', async () => {
    const id = await excluded(dismissal)
    // The 30th day is a Sunday.
    expect(await deadlinesOf(id)).toEqual(['continuation-option 2027-01-11', 'portability-window 2027-02-09'])
    expect(await dueOf(id)).toEqual([today, 'exclusion-end'])
    await transition(id, { status: 'broker-processing' })
    await transition(id, { status: 'carrier-processing' })
    expect(await dueOf(id)).toEqual(['2027-01-11', 'continuation-option'])
  })

  test('and has not answered yet has them too', async () => {
    const id = await excluded({ ...dismissal, 'contribution-months': 30, option: 'no-answer' })
    expect(await dueOf(id)).toEqual([today, 'exclusion-end'])
    const none = await excluded({ ...dismissal, 'contribution-months': 0, option: 'no-answer' })
    expect(await dueOf(none)).toEqual([today, 'exclusion-end'])
  })

  test('has the days to answer in the list until the answer, also when the exclusion is completed', async () => {
    const own = await openShipper(testApp, { calendar: calendar(25) })
    const company = { 'company-tax-id': own.company.taxId }
    const items = { ...dismissal, 'extension-plan': true, 'contribution-months': 30, option: 'no-answer' }
    const id = await excluded(items, own)
    const deadline = { kind: 'continuation-option', until: '2027-01-11', 'enrollment-id': id }
    expect(await listed(company)).toMatchObject([{ ...deadline, status: 'created', 'continuation-id': null }])
    await transition(id, { status: 'completed' })
    const { result } = expectOk(await own.partner.get('/v1/continuation')).body
    const continuationId = result[0]['continuation-id']
    const ofOffer = { ...deadline, status: 'completed', 'continuation-id': continuationId, 'days-left': 24 }
    const shown = { ...ofOffer, 'contract-id': own.contractId, 'member-name': result[0]['member-name'], assignee: null }
    expect(await listed(company)).toMatchObject([shown])
    for (const [query, count] of [
      [{ 'contract-id': own.contractId }, 1],
      [{ kind: 'continuation-option' }, 1],
      [{ kind: 'newborn' }, 0],
      [{ 'until-dt': '2027-01-10' }, 0],
      [{ 'from-dt': '2027-01-12' }, 0],
      [{ assignee: 'none' }, 1],
      [{ assignee: testApp.operator.clientId }, 0],
    ] as const) {
      expect([query, await listed({ ...company, ...query })]).toEqual([
        query,
        expect.toSatisfy((rows) => rows.length === count),
      ])
    }
    const answer = { option: 'accepted', 'option-date': '2026-12-14' }
    expectOk(await testApp.operator.post(`/operator/v1/continuation/${continuationId}/option`, answer))
    expect(await listed(company)).toEqual([])
  })

  test('has them in the list without an exclusion, where an operator recorded the offer', async () => {
    const own = await openShipper(testApp)
    const member = longAdmitted()
    await testApp.include(own.partner, own.company, [member], '?resolution=approve')
    const [benefit] = expectOk(await own.partner.get(`/v1/benefit?member-tax-id=${member['tax-id']}`)).body.result
    const body = {
      'benefit-id': benefit['benefit-id'],
      ground: 'dismissal',
      'contribution-months': 30,
      'leaving-date': today,
    }
    expectOk(await testApp.operator.post('/operator/v1/continuation', { ...body, 'notice-date': '2026-12-11' }))
    expect(await listed({ 'company-tax-id': own.company.taxId })).toMatchObject([
      { kind: 'continuation-option', until: '2027-01-11', 'enrollment-id': null, 'member-id': benefit['member-id'] },
    ])
  })

  test('has none to choose it after an answer, and without a contribution', async () => {
    const answered = { ...dismissal, option: 'declined', 'option-date': '2026-12-14' }
    expect(await deadlinesOf(await excluded(answered))).toEqual(['portability-window 2027-02-09'])
    expect(await deadlinesOf(await excluded({ ...dismissal, contributed: false }))).toEqual([
      'portability-window 2027-02-09',
    ])
    const resigned = await excluded({ 'exclusion-reason': 'resignation' })
    expect([await deadlinesOf(resigned), await dueOf(resigned)]).toEqual([
      ['portability-window 2027-02-16'],
      [today, 'exclusion-end'],
    ])
  })
})

test('an exclusion whose last day is past is overdue until the carrier has it, and comes first in the queue', async () => {
  const own = await openShipper(testApp)
  const [inclusion = ''] = await enroll(testApp, own, [primary({ 'admission-date': '2026-11-20' })])
  const future = await excluded({ 'exclusion-reason': 'resignation', 'end-date': '2026-12-21' }, own)
  const past = await excluded({ 'exclusion-reason': 'resignation', 'end-date': '2026-12-16' }, own)
  expect(await dueOf(past)).toEqual(['2026-12-16', 'exclusion-end'])
  expect(await dueOf(future)).toEqual(['2026-12-21', 'exclusion-end'])
  const company = { 'company-tax-id': own.company.taxId }
  const query = new URLSearchParams({ ...company, status: 'open', sort: 'due-date' }).toString()
  const queue = expectOk(await testApp.operator.get(`/operator/v1/enrollment?${query}`)).body.result
  expect(queue.map(({ id }: Json) => id)).toEqual([past, inclusion, future])
  const open = (await listed({ ...company, kind: 'exclusion-end' })).map((item) => [
    item['enrollment-id'],
    item['days-left'],
    item['norm'],
  ])
  expect(open).toEqual([
    [past, -2, null],
    [future, 3, null],
  ])
  for (const status of ['broker-processing', 'carrier-processing']) await transition(past, { status })
  expect(await dueOf(past)).toEqual([null, null])
  expect((await listed(company)).map((item) => item['enrollment-id'])).toEqual([inclusion, future])
})

describe('the list of deadlines', () => {
  test('has what is due until a day, the earliest first, by company, contract, kind and assignee', async () => {
    const own = await openShipper(testApp, { calendar: calendar(25) })
    const [first = '', second = ''] = await enroll(testApp, own, [
      primary({ 'admission-date': '2026-12-01', name: 'Ana Prazo' }),
      primary({ 'admission-date': '2026-11-25' }),
    ])
    const overdue = await excluded({ ...onRequest('2026-11-01'), 'end-date': '2027-01-31' }, own)
    const company = { 'company-tax-id': own.company.taxId }
    const idsOf = async (query: Record<string, string>) =>
      (await listed({ ...company, ...query })).map((item) => item['enrollment-id'])
    expect(await idsOf({})).toEqual([overdue, second, first, overdue])
    expect(await idsOf({ 'until-dt': '2026-12-30' })).toEqual([overdue, second])
    expect(await idsOf({ 'until-dt': '2026-12-24' })).toEqual([overdue])
    expect(await idsOf({ 'from-dt': today, 'until-dt': '2026-12-25' })).toEqual([second])
    expect(await idsOf({ kind: 'carrier-notice' })).toEqual([overdue])
    expect(await idsOf({ kind: 'newborn' })).toEqual([])
    expect((await listed({ 'contract-id': own.contractId })).map((item) => item['enrollment-id'])).toEqual([
      overdue,
      second,
      first,
      overdue,
    ])
    const { clientId } = testApp.operator
    expectOk(await testApp.operator.put(`/operator/v1/enrollment/${first}/assignee`, { assignee: clientId }))
    expect(await idsOf({ assignee: clientId })).toEqual([first])
    expect(await idsOf({ assignee: 'none' })).toEqual([overdue, second, overdue])
    const page = expectOk(
      await testApp.operator.get(
        `/operator/v1/deadline?${new URLSearchParams({ ...company, 'items-per-page': '1', page: '3' }).toString()}`,
      ),
    ).body
    expect(page.pagination).toMatchObject({ 'total-items': 4, 'total-pages': 4 })
    expect(page.result).toMatchObject([
      {
        kind: 'inclusion-window',
        until: '2026-12-31',
        'days-left': 13,
        norm: 'RN 557, art. 6',
        'enrollment-type': 'inclusion',
        status: 'created',
        'member-name': 'Ana Prazo',
        'contract-id': own.contractId,
        assignee: clientId,
      },
    ])
    expect((await listed({ ...company, kind: 'carrier-notice' }))[0]).toMatchObject({ 'days-left': -17 })
  })

  test('400 for a range whose end comes first, and for another kind', async () => {
    const status = async (query: string) => (await testApp.operator.get(`/operator/v1/deadline?${query}`)).status
    expect(await status('from-dt=2026-12-02&until-dt=2026-12-01')).toBe(400)
    expect(await status('kind=portability-window')).toBe(400)
    expect(await status('company-tax-id=1')).toBe(400)
  })
})

test('what is due is the earliest deadline that the carrier, the broker or the person has to meet', async () => {
  const own = await openShipper(testApp)
  const day = (first: number, last: number) => fc.integer({ min: first, max: last }).map((days) => addDays(today, days))
  const inclusions = fc.record({ admission: day(-60, 0), birth: day(-60, 0), dependency: day(-60, 0) })
  const members = fc.sample(inclusions, { seed, numRuns: 40 }).flatMap(({ admission, birth, dependency }) => {
    const mother = primary({ 'admission-date': admission })
    return [
      mother,
      dependent(mother['tax-id'], {
        'date-of-birth': birth,
        'dependency-date': dependency < birth ? birth : dependency,
      }),
    ]
  })
  const ids = await enroll(testApp, own, members)
  const exclusions = fc.sample(day(-50, 0), { seed, numRuns: 5 })
  for (const requestedAt of exclusions) ids.push(await excluded(onRequest(requestedAt), own))
  const open = await listed({ 'company-tax-id': own.company.taxId, 'items-per-page': '500' })
  for (const id of ids) {
    const detail = await detailOf(id, own)
    const end = detail['enrollment-type'] === 'exclusion' ? [{ kind: 'exclusion-end', until: detail['end-date'] }] : []
    const due = [...detail['deadlines'].filter(({ kind }: Json) => DUE_DEADLINES.includes(kind)), ...end].toSorted(
      (one, other) => Number(one.until > other.until) - Number(one.until < other.until),
    )
    expect([id, await dueOf(id)]).toEqual([id, [due[0]?.['until'] ?? null, due[0]?.['kind'] ?? null]])
    const listedOfOne = open.filter((item) => item['enrollment-id'] === id).map(({ kind, until }) => [kind, until])
    expect(listedOfOne.toSorted()).toEqual(due.map(({ kind, until }: Json) => [kind, until]).toSorted())
  }
})
