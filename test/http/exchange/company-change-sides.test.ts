import { expect, onTestFinished, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { calendar, contractBody, makeContract } from '../../world/contract.ts'
import { done, erase, planned } from '../../world/erasing.ts'
import { openReceiver } from '../../world/receiver.ts'
import {
  act,
  itemsOf,
  moved,
  needPlanCode,
  openShipmentOf,
  plansOf,
  readShipment,
  shipmentPath,
} from '../../world/shipment.ts'
import { copyOf } from '../../world/subject-data.ts'
import {
  type Client,
  type Company,
  companyBody,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

/* A change of company: the contract of the destination includes the person, that of the former company excludes them. */

const testApp = useTestApp({
  VIGENCIA_BUSINESS_DATE: '2026-12-07',
  VIGENCIA_RETENTION: 'benefit=0',
  VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
})
const boreal = 'Operadora Boreal'

interface Companies {
  readonly former: Company
  readonly next: Company
  readonly partner: Client
}

/** Two companies and their partner; the second has the product of another carrier, unless of the same. */
async function twoCompanies(nextCarrier = boreal): Promise<Companies> {
  const former = await testApp.company()
  const [first, ...others] = companyBody.products
  const next = await testApp.company({ products: [{ ...first, 'carrier-name': nextCarrier }, ...others] })
  return { former, next, partner: await testApp.partner(former.taxId, next.taxId) }
}

const contractOfFormer = async ({ former }: Companies): Promise<string> =>
  (await makeContract(testApp, former, { plans: plansOf(former, health) }))['contract-id']

const nextContract = ({ next }: Companies, more: Json = {}): Json => ({
  'carrier-name': boreal,
  'contract-number': '800008',
  plans: [{ 'product-id': next.products[health], 'carrier-plan-code': 'BO77' }],
  ...more,
})

const contractOfNext = async (companies: Companies, more: Json = {}): Promise<string> =>
  (await makeContract(testApp, companies.next, nextContract(companies, more)))['contract-id']

interface Moving {
  readonly id: string
  readonly member: Json
  readonly dependents: readonly Json[]
}

/** Includes a family and asks for its change of company. */
async function change(
  { former, next, partner }: Companies,
  { followers = () => [], data = {} }: { followers?: (primary: string) => Json[]; data?: Json } = {},
): Promise<Moving> {
  const member = primary()
  const dependents = followers(member['tax-id'])
  await testApp.include(partner, former, [member, ...dependents], '?resolution=approve')
  const { body } = expectOk(
    await partner.post(`/v1/enrollment/alteration/${member['tax-id']}`, {
      'company-tax-id': former.taxId,
      'alteration-data': { 'requested-start-date': '2026-12-07', 'new-company-tax-id': next.taxId, ...data },
    }),
  )
  const request = await testApp.finished(partner, body['request-id'])
  const [part] = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
  return { id: part?.['enrollment-id'], member, dependents }
}

async function changed(...[options]: [Parameters<typeof change>[1]?]) {
  const companies = await twoCompanies()
  const former = await contractOfFormer(companies)
  const next = await contractOfNext(companies)
  return { companies, former, next, ...(await change(companies, options)) }
}

const family = (taxId: string) => [
  dependent(taxId, { name: 'Davi Brandão Souza' }),
  dependent(taxId, { name: 'Lia Brandão Souza', 'date-of-birth': '2018-03-02' }),
]

async function close(contractId: string): Promise<string> {
  const shipment = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipment, 'close'))
  return shipment
}

async function sendOpen(contractId: string): Promise<string> {
  const shipment = await close(contractId)
  expectOk(await act(testApp, shipment, 'send'))
  await moved(testApp, shipment)
  return shipment
}

async function answer(shipment: string, ...lines: Json[]): Promise<Json[]> {
  const sent = await testApp.call('POST', `${shipmentPath}/${shipment}/acknowledgement`, {
    token: testApp.operator.token,
    body: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
    headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
  })
  return expectOk(sent).body.result
}

const openItems = async (contractId: string) =>
  (await itemsOf(testApp, await openShipmentOf(testApp, contractId))).map((item) => [item['enrollment-id'], item.side])
const fileOf = async (shipment: string): Promise<string> =>
  (await testApp.operator.get(`${shipmentPath}/${shipment}/file`)).text
const decide = (id: string, status: string, more: Json = {}) =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status, ...more })
const detail = async ({ partner }: Companies, id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
const handOver = async (companies: Companies, id: string): Promise<Json> =>
  (await detail(companies, id))['carrier-hand-over']

const linesNaming = (text: string, ...people: Json[]) =>
  text.split(/\r?\n/).flatMap((line) => people.filter((one) => line.includes(one['tax-id'])).map((one) => one.name))

test('the destination’s carrier gets an inclusion of the family; once it has accepted, the former one gets an exclusion', async () => {
  const { companies, id, member, dependents, former, next } = await changed({ followers: family })
  const [davi, lia] = dependents as [Json, Json]
  expect([await openItems(next), await openItems(former)]).toEqual([[[id, 'joining']], []])
  const { result: listed } = expectOk(await testApp.operator.get(`${shipmentPath}?contract-id=${next}`)).body
  expect(listed[0].counts.waiting).toBe(1)

  const joining = await sendOpen(next)
  const included = await fileOf(joining)
  expect(included.match(/;inclusion;/g)).toHaveLength(3)
  expect(linesNaming(included, davi, lia).toSorted()).toEqual([davi['name'], lia['name']])
  for (const value of ['800008', 'BO77', companies.next.taxId]) expect(included).toContain(value)
  expect(included).not.toContain('900001')
  expect(included).not.toContain('AE1230')
  const [item] = await itemsOf(testApp, joining)
  expect(item).toMatchObject({
    'enrollment-id': id,
    'enrollment-status': 'carrier-processing',
    'member-tax-id': member['tax-id'],
    'line-numbers': [2, 3, 4],
    side: 'joining',
    status: 'sent',
  })
  expect(await openItems(former)).toEqual([])
  expect(await readViolations(testApp.sql)).toEqual({})

  const cards = [member, davi, lia].map((one, index) => {
    return { 'tax-id': one['tax-id'], outcome: 'accepted', 'card-number': `NOVA-${index}` }
  })
  expect(await answer(joining, ...cards.slice(0, 2))).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  expect(await answer(joining, ...cards.slice(2))).toMatchObject([{ flags: ['card-corrected'] }])
  expect(await answer(joining, ...cards)).toMatchObject(cards.map(() => ({ flags: ['unchanged'] })))
  const rows = await testApp.sql(
    `select company.tax_id as company, member.tax_id as person, benefit.card_number as card from benefit
     join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     join company on company.id = benefit.company_id where benefit.status = 'active' and member.tax_id = any($1) order by card`,
    [[member, davi, lia].map((one) => one['tax-id'])],
  )
  expect(rows.map(({ company, card }) => [company, card])).toEqual(
    [0, 1, 2].map((index) => [companies.next.taxId, `NOVA-${index}`]),
  )

  expect([await openItems(next), await openItems(former)]).toEqual([[], [[id, 'leaving']]])
  const leaving = await sendOpen(former)
  const excluded = await fileOf(leaving)
  expect(excluded.match(/;exclusion;/g)).toHaveLength(3)
  expect(excluded.match(/2026-12-06/g)).toHaveLength(3)
  expect(excluded).toContain('900001')
  expect(excluded).not.toContain('NOVA')
  expect(await readViolations(testApp.sql)).toEqual({})
  expect(await answer(leaving, { 'enrollment-id': id, outcome: 'refused', code: '17' })).toMatchObject([
    { outcome: 'refused', status: 'completed' },
  ])
  const again = await sendOpen(former)
  expect(await answer(again, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ outcome: 'accepted' }])
  expect(await openItems(former)).toEqual([])
  expect((await readShipment(testApp, joining)).status).toBe('acknowledged')
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('the answer of an operator completes it too, with the same carrier on both sides', async () => {
  const companies = await twoCompanies('Operadora Aurora')
  const former = await contractOfFormer(companies)
  const next = await contractOfNext(companies, { 'carrier-name': 'Operadora Aurora' })
  const { id, member } = await change(companies)
  await testApp.sql(
    `update benefit set card_number = '0099' where member_id = (select id from member where tax_id = $1)`,
    [member['tax-id']],
  )
  const shipment = await sendOpen(next)
  expectOk(await decide(id, 'completed', { 'card-number': '0099' }))
  expect((await itemsOf(testApp, shipment)).map((item) => [item.status, item['enrollment-status']])).toEqual([
    ['accepted', 'completed'],
  ])
  expect((await readShipment(testApp, shipment)).status).toBe('acknowledged')
  expect(await openItems(former)).toEqual([[id, 'leaving']])
  expect(await answer(shipment, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ flags: ['unchanged'] }])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('what the destination’s carrier refuses is sent again after the partner’s answer', async () => {
  const { companies, id, former, next } = await changed()
  const shipment = await sendOpen(next)
  const refused = { 'enrollment-id': id, outcome: 'refused', code: '17', message: 'CPF inválido' }
  expect(await answer(shipment, refused)).toMatchObject([{ outcome: 'refused', status: 'pending-correction' }])
  const [item] = await itemsOf(testApp, shipment)
  expect([item?.['status'], item?.['carrier-message'], item?.['enrollment-status']]).toEqual([
    'refused',
    'CPF inválido',
    'pending-correction',
  ])
  expect(await openItems(next)).toEqual([])
  expectOk(await companies.partner.post(`/v1/enrollment/${id}/answer`, { comment: 'Conferido' }))
  expect((await detail(companies, id))['status']).toBe('broker-processing')
  expect([await openItems(next), await openItems(former)]).toEqual([[[id, 'joining']], []])
  const again = await sendOpen(next)
  expect(await answer(shipment, refused)).toMatchObject([{ flags: ['in-later-shipment'] }])
  expect(await answer(again, { 'enrollment-id': id, outcome: 'in-analysis' })).toMatchObject([
    { status: 'carrier-processing' },
  ])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a movement that was cancelled since the close keeps the shipment from being sent; a cancelled shipment lets it go', async () => {
  const { companies, id, next } = await changed()
  const other = await change(companies)
  const shipment = await close(next)
  expectOk(await companies.partner.post(`/v1/enrollment/${id}/cancel`))
  const refused = await act(testApp, shipment, 'send')
  expect([refused.status, refused.body.code]).toEqual([409, 'shipment-items-changed'])
  expect(refused.body.items).toMatchObject([{ 'enrollment-id': id, status: 'cancelled' }])
  expectOk(await act(testApp, shipment, 'reopen'))
  expect(await openItems(next)).toEqual([[other.id, 'joining']])
  const again = await close(next)
  expect(await openItems(next)).toEqual([])
  expectOk(await act(testApp, again, 'cancel'))
  expect(await openItems(next)).toEqual([[other.id, 'joining']])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('the calendar of the destination’s contract decides, and a change of it is followed', async () => {
  const companies = await twoCompanies()
  await makeContract(testApp, companies.former, { plans: plansOf(companies.former, health), calendar: calendar(10) })
  const next = await contractOfNext(companies, { calendar: calendar(20) })
  const { id } = await change(companies)
  expect(await handOver(companies, id)).toMatchObject({
    'cut-off-date': '2026-12-18',
    'expected-start-date': '2027-01-01',
    'after-cut-off': true,
    'sent-at': null,
  })
  const scheduled = await change(companies, { data: { 'requested-start-date': '2027-02-01' } })
  expect((await detail(companies, scheduled.id))['status']).toBe('scheduled')
  expect(await handOver(companies, scheduled.id)).toMatchObject({
    'cut-off-date': '2027-01-20',
    'after-cut-off': false,
  })
  const due = async () =>
    expectOk(await testApp.operator.get(`/operator/v1/enrollment/${scheduled.id}`)).body.result['due-date']
  expect(await due()).toBe('2027-01-20')
  expect(await openItems(next)).toEqual([[id, 'joining']])

  const replaced = contractBody(companies.next, nextContract(companies, { calendar: calendar(5) }))
  expectOk(await testApp.operator.put(`/operator/v1/contract/${next}`, replaced))
  expect(await due()).toBe('2027-01-05')
  expect(await openItems(next)).toEqual([
    [id, 'joining'],
    [scheduled.id, 'joining'],
  ])
  const shipment = await sendOpen(next)
  expect(await handOver(companies, scheduled.id)).toMatchObject({
    'cut-off-date': '2027-01-05',
    'expected-start-date': '2027-02-01',
    'sent-at': (await readShipment(testApp, shipment))['sent-at'],
  })
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('without a contract of the destination it is in no shipment until an operator has completed it', async () => {
  const companies = await twoCompanies()
  const former = await contractOfFormer(companies)
  const { id } = await change(companies)
  expect(await openItems(former)).toEqual([])
  expect(await handOver(companies, id)).toBeNull()
  expectOk(await decide(id, 'completed'))
  expect(await openItems(former)).toEqual([[id, 'leaving']])
  const leaving = await sendOpen(former)
  expect(await fileOf(leaving)).toContain(';exclusion;')
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('the carrier that is left may be told where the person goes', async () => {
  const { companies, id, former, next } = await changed()
  await needPlanCode(testApp, former, 'destination.contract-number')
  const shipment = await sendOpen(next)
  await answer(shipment, { 'enrollment-id': id, outcome: 'accepted' })
  expect(await openItems(former)).toEqual([[id, 'leaving']])
  expect(await fileOf(await sendOpen(former))).toContain('800008')
  expect((await detail(companies, id))['destination-company-tax-id']).toBe(companies.next.taxId)
})

test('without a contract of the former company nothing leaves', async () => {
  const companies = await twoCompanies()
  const next = await contractOfNext(companies)
  const { id } = await change(companies)
  const shipment = await sendOpen(next)
  expect(await fileOf(shipment)).toContain(';inclusion;')
  expect(await answer(shipment, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ status: 'completed' }])
  expect(await testApp.sql('select from leaving_movement where enrollment_id = $1', [id])).toEqual([])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a connector of the destination gets the family with the values of its contract', async () => {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const companies = await twoCompanies()
  await contractOfFormer(companies)
  const next = await contractOfNext(companies, { channel: 'connector' })
  const settings = { connector: { url: receiver.url }, deliver: 'automatic' }
  expectOk(await testApp.operator.put(`/operator/v1/contract/${next}/channel`, settings))
  const { id, member, dependents } = await change(companies, { followers: family })
  const shipment = await close(next)
  await until(
    () => readShipment(testApp, shipment),
    ({ status }) => status === 'sent',
  )
  const [item, ...others] = receiver.calls[0]?.body.items ?? []
  expect([item['enrollment-id'], item.movement, others]).toEqual([id, 'inclusion', []])
  const ofContract = {
    'contract.contract-number': '800008',
    'contract.company-tax-id': companies.next.taxId,
    'plan.carrier-plan-code': 'BO77',
  }
  expect(item.values).toMatchObject({ ...ofContract, 'person.tax-id': member['tax-id'] })
  expect(item.dependents).toMatchObject(
    dependents.map((one) => ({ values: { ...ofContract, 'person.tax-id': one['tax-id'] } })),
  )
  await moved(testApp, shipment)
})

test('operators find it by the shipment and the protocol of the destination', async () => {
  const { companies, id, next } = await changed()
  const own = await change(companies)
  const shipment = await openShipmentOf(testApp, next)
  const listed = async (query: string): Promise<Json[]> =>
    expectOk(await testApp.operator.get(`/operator/v1/enrollment?company-tax-id=${companies.former.taxId}${query}`))
      .body.result
  const found = async (query: string) => (await listed(query)).map((item) => item['id'])
  expect((await listed('&status=open')).map((item) => item['shipment'])).toEqual([null, null])
  expectOk(await act(testApp, shipment, 'close'))
  expectOk(await act(testApp, shipment, 'send', { 'sent-at': '2026-10-13T15:00:00Z' }))
  await moved(testApp, shipment)
  const protocol = `BOREAL/${companies.next.taxId}`
  expectOk(
    await testApp.operator.put(`${shipmentPath}/${shipment}/item/1/carrier-protocol`, { 'carrier-protocol': protocol }),
  )
  const [item] = await listed(`&q=${encodeURIComponent(protocol.toLowerCase())}`)
  expect(item).toMatchObject({
    id,
    'carrier-protocol': protocol,
    shipment: { 'shipment-id': shipment, number: 1, 'cut-off-date': null },
  })
  const both = [id, own.id]
  for (const query of [`&shipment-id=${shipment}`, '&shipment-number=1', '&status=open&overdue-at-carrier=true'])
    expect([query, (await found(query)).toSorted()]).toEqual([query, both.toSorted()])
  const { result: movement } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
  expect([movement['carrier-protocol'], movement.shipment['shipment-id']]).toEqual([protocol, shipment])
  expect(movement['carrier-hand-over']['carrier-protocol']).toBe(protocol)
  const exported = await testApp.operator.get(`/operator/v1/enrollment/export?company-tax-id=${companies.former.taxId}`)
  expect(exported.text).toContain(protocol)
  for (const q of [protocol, id]) {
    const { result } = expectOk(
      await testApp.operator.get(`/operator/v1/search?${new URLSearchParams({ q }).toString()}`),
    ).body
    expect(result.find((one: Json) => one.type === 'movement')).toMatchObject({ id, 'carrier-protocol': protocol })
  }
})

/** The benefits of these people have ended long ago. */
const endBenefits = (people: readonly Json[]) =>
  testApp.sql(
    `update benefit set status = 'inactive', start_date = '2001-01-01', end_date = '2001-02-01'
     where member_id in (select id from member where tax_id = any($1))`,
    [people.map((one) => one['tax-id'])],
  )

test('the files of both sides are of the person: their copy, who saw them, and their erasure', async () => {
  const { id, companies, member, dependents, former, next } = await changed({ followers: family })
  const [davi] = dependents as [Json, Json]
  const joining = await sendOpen(next)
  const said = { outcome: 'accepted', 'card-number': 'NOVA-7', message: 'Incluída', protocol: 'P-1' }
  await answer(joining, { 'enrollment-id': id, ...said })
  const leaving = await sendOpen(former)
  const copy = await copyOf(testApp, member['tax-id'])
  const shared = JSON.parse(copy.get('compartilhamentos.json')?.toString() ?? '')
  const text = JSON.stringify(shared)
  for (const value of ['900001', '800008', 'joining', 'leaving'])
    expect([value, text.includes(value)]).toEqual([value, true])
  for (const one of [member, davi]) {
    const [found] = await testApp.sql('select id from member where tax_id = $1 and company_id = $2', [
      one['tax-id'],
      companies.former.id,
    ])
    const seen = expectOk(await testApp.operator.get(`/operator/v1/member/${found?.['id']}/disclosure`)).body.result
    expect(seen.filter(({ action }: Json) => action === 'shipment.sent')).toHaveLength(2)
  }

  await answer(leaving, { 'enrollment-id': id, outcome: 'accepted' })
  await endBenefits([member, ...dependents])
  const second = await testApp.operatorOf('admin')
  const { done: erased } = await erase(testApp, second, davi['tax-id'])
  expect(erased.status).toBe('fulfilled')
  for (const shipment of [joining, leaving]) expect((await readShipment(testApp, shipment)).file).toBeNull()
  expect((await itemsOf(testApp, joining))[0]).toMatchObject({ 'carrier-message': 'Incluída' })
  await erase(testApp, second, member['tax-id'])
  expect((await itemsOf(testApp, joining))[0]).toMatchObject({ 'carrier-message': null, 'carrier-protocol': null })
})

test('a legal hold on somebody who changed company keeps the file of the destination', async () => {
  const { companies, id, member, next } = await changed()
  const other = await change(companies)
  const shipment = await sendOpen(next)
  await answer(shipment, ...[id, other.id].map((one) => ({ 'enrollment-id': one, outcome: 'accepted' })))
  await endBenefits([member, other.member])
  expectOk(await testApp.operator.post('/operator/v1/legal-hold', { 'tax-id': member['tax-id'], reason: 'Processo' }))
  const { at, plan } = await planned(testApp, other.member['tax-id'])
  const file = { class: 'file', rows: 1, ground: 'legal-hold' }
  expect(plan.items).toContainEqual(expect.objectContaining({ ...file, action: 'keep' }))
  const second = await testApp.operatorOf('admin')
  expectOk(await second.post(`${at}/approve`))
  expect(await done(testApp, at)).toMatchObject({ status: 'partly-fulfilled', remaining: [file] })
  expect((await readShipment(testApp, shipment)).file).not.toBeNull()
})

test('a cut-off of the destination’s contract that passes without it is told once', async () => {
  const companies = await twoCompanies()
  const former = await contractOfFormer(companies)
  const next = await contractOfNext(companies, { calendar: calendar(20) })
  const { id } = await change(companies)
  const own = await change(companies)
  await close(next)
  const late = await change(companies)
  for (const day of ['2026-12-21', '2026-12-22']) {
    expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': day }))
    await until(
      async () => expectOk(await testApp.operator.get('/operator/v1/clock')).body.result,
      (shown) => shown['business-date'] === day,
    )
  }
  const events = await testApp.sql(
    `select data ->> 'enrollment-id' as id, company_id, data ->> 'cut-off-date' as "cutOff" from event
     where data ->> 'enrollment-id' = any($1) and data ? 'warning'`,
    [[id, own.id, late.id]],
  )
  expect(events).toEqual([{ id: late.id, company_id: companies.former.id, cutOff: '2027-01-20' }])
  expect(await handOver(companies, late.id)).toMatchObject({ 'cut-off-date': '2027-01-20', 'after-cut-off': true })
  expect(await openItems(former)).toEqual([])
})
