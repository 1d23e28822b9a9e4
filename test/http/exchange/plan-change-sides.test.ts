import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { calendar } from '../../world/contract.ts'
import { type ChangeOptions, changePlan, family } from '../../world/changed-plan.ts'
import { act, itemsOf, moved, needPlanCode, openShipmentOf, shipmentPath } from '../../world/shipment.ts'
import { erase } from '../../world/erasing.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* A plan change to another contract: the new carrier includes the person, the former one excludes it. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-07', VIGENCIA_RETENTION: 'benefit=0' })
const changedPlan = (options?: ChangeOptions) => changePlan(testApp, options)

async function sendOpen(contractId: string): Promise<string> {
  const shipment = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipment, 'close'))
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

test('the new carrier gets an inclusion; once it has accepted, the former one gets an exclusion', async () => {
  const { id, member, former, next } = await changedPlan()
  expect([await openItems(next), await openItems(former)]).toEqual([[[id, 'joining']], []])
  const joining = await sendOpen(next)
  const included = await fileOf(joining)
  expect(included).toContain(';inclusion;')
  expect(included).toContain('800008')
  expect(included).toContain('BO77')
  expect(await openItems(former)).toEqual([])
  expect(
    await answer(joining, { 'tax-id': member['tax-id'], outcome: 'accepted', 'card-number': '0099' }),
  ).toMatchObject([{ outcome: 'accepted', status: 'completed' }])

  expect([await openItems(next), await openItems(former)]).toEqual([[], [[id, 'leaving']]])
  const leaving = await sendOpen(former)
  const excluded = await fileOf(leaving)
  expect(excluded).toContain(';exclusion;')
  expect(excluded).toContain('900001')
  expect(excluded).toContain('2026-12-06')
  expect(excluded).not.toContain('800008')
  expect((await itemsOf(testApp, leaving)).map((item) => [item.status, item.side])).toEqual([['sent', 'leaving']])
  expect(await readViolations(testApp.sql)).toEqual({})

  expect(await answer(leaving, { 'enrollment-id': id, outcome: 'refused', code: '17' })).toMatchObject([
    { outcome: 'refused', status: 'completed' },
  ])
  expect(await openItems(former)).toEqual([[id, 'leaving']])
  const again = await sendOpen(former)
  expect(await answer(again, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ outcome: 'accepted' }])
  expect(await answer(again, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ flags: ['unchanged'] }])
  expect(await openItems(former)).toEqual([])
  const shown = expectOk(await testApp.operator.get(`${shipmentPath}/${again}`)).body.result
  expect([shown.status, shown.counts.accepted]).toEqual(['acknowledged', 1])
  expect(await readViolations(testApp.sql)).toEqual({})
})

const linesNaming = (text: string, ...people: Json[]) =>
  text.split(/\r?\n/).flatMap((line) => people.filter((one) => line.includes(one['tax-id'])).map((one) => one.name))

async function cardsOf(taxId: string): Promise<Json[]> {
  const rows = await testApp.sql(
    `select benefit.status, benefit.card_number as card from benefit join member on member.company_id = benefit.company_id
       and member.id = benefit.member_id where member.tax_id = $1 order by benefit.start_date, benefit.id`,
    [taxId],
  )
  return rows.map((row) => [row['status'], row['card']])
}

// Before the tests that move dates into the past by SQL, which the invariants do not allow.
test('a change for a coming day is in the files of both sides, with the dependents', async () => {
  const dated = { calendar: calendar(20) }
  const { id, member, dependents, former, next } = await changedPlan({
    leaving: dated,
    joining: dated,
    followers: family,
    startDate: '2027-01-01',
  })
  const [davi, lia, ended] = dependents as [Json, Json, Json]
  expect([await openItems(next), await openItems(former)]).toEqual([[[id, 'joining']], []])
  const joining = await sendOpen(next)
  const included = await fileOf(joining)
  expect(linesNaming(included, davi, lia, ended).toSorted()).toEqual([davi['name'], lia['name']])
  expect(included.match(/;inclusion;.*;2027-01-01;/g)).toHaveLength(3)
  expect(await answer(joining, ...accepted(member, davi, lia))).toMatchObject(
    [member, davi, lia].map(() => ({ outcome: 'accepted', status: 'completed' })),
  )
  expect([await openItems(next), await openItems(former)]).toEqual([[], [[id, 'leaving']]])
  const excluded = await fileOf(await sendOpen(former))
  expect(linesNaming(excluded, davi, lia, ended).toSorted()).toEqual([davi['name'], lia['name']])
  expect(excluded.match(/;exclusion;.*;2026-12-31;/g)).toHaveLength(3)
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('the dependents who move along are in the files of both sides, and the new carrier gives each a card', async () => {
  const { id, member, dependents, former, next } = await changedPlan({ followers: family })
  const [davi, lia, ended] = dependents as [Json, Json, Json]
  for (const [index, one] of [member, davi, lia].entries()) {
    await testApp.sql(
      'update benefit set card_number = $1 where member_id = (select id from member where tax_id = $2)',
      [`ANT-${index}`, one['tax-id']],
    )
  }
  const joining = await sendOpen(next)
  const included = await fileOf(joining)
  expect(included).not.toContain('ANT-')
  expect(linesNaming(included, davi, lia, ended).toSorted()).toEqual([davi['name'], lia['name']])
  expect(included.match(/;inclusion;/g)).toHaveLength(3)
  expect((await itemsOf(testApp, joining)).map((item) => [item['enrollment-id'], item['line-numbers']])).toEqual([
    [id, [2, 3, 4]],
  ])
  const cards = [member, davi, lia].map((one, index) => {
    return { 'tax-id': one['tax-id'], outcome: 'accepted', 'card-number': `NOVA-${index}` }
  })
  expect(await answer(joining, { 'tax-id': ended['tax-id'], outcome: 'accepted' })).toMatchObject([
    { code: 'unknown-line' },
  ])
  expect(await answer(joining, ...cards.slice(0, 2))).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  expect([(await cardsOf(davi['tax-id'])).at(-1), (await cardsOf(lia['tax-id'])).at(-1)]).toEqual([
    ['active', 'NOVA-1'],
    ['active', null],
  ])
  expect(await answer(joining, ...cards.slice(2))).toMatchObject([{ flags: ['card-corrected'] }])
  expect((await cardsOf(lia['tax-id'])).at(-1)).toEqual(['active', 'NOVA-2'])
  expect(await answer(joining, ...cards)).toMatchObject(cards.map(() => ({ flags: ['unchanged'] })))

  const leaving = await sendOpen(former)
  const excluded = await fileOf(leaving)
  expect(linesNaming(excluded, davi, lia, ended).toSorted()).toEqual([davi['name'], lia['name']])
  expect(excluded.match(/;exclusion;/g)).toHaveLength(3)
  expect(excluded.match(/2026-12-06/g)).toHaveLength(3)
  expect(excluded).not.toContain('NOVA')
  for (const card of ['ANT-0', 'ANT-1', 'ANT-2']) expect(excluded).toContain(card)
  const left = [member, davi, lia].map((one) => ({ 'tax-id': one['tax-id'], outcome: 'accepted' }))
  const refused = { ...left[2], outcome: 'refused', code: '17', message: 'Sem cadastro' }
  await answer(leaving, ...left.slice(0, 2), refused)
  const [item] = await itemsOf(testApp, leaving)
  expect([item?.['status'], item?.['carrier-message']]).toEqual(['refused', 'Sem cadastro'])
  const again = await sendOpen(former)
  expect(await fileOf(again)).toBe(excluded)
  await answer(again, ...left)
  expect(await openItems(former)).toEqual([])
  expect(await readViolations(testApp.sql)).toEqual({})

  const second = await testApp.operatorOf('admin')
  const { result: shown } = expectOk(await testApp.operator.get(`${shipmentPath}/${joining}`)).body
  expect(shown.file).not.toBeNull()
  const [found] = await testApp.sql('select id from member where tax_id = $1', [lia['tax-id']])
  const seen = expectOk(await testApp.operator.get(`/operator/v1/member/${found?.['id']}/disclosure`)).body.result
  expect(seen.filter((one: Json) => one.action === 'shipment.sent')).toHaveLength(3)
  await testApp.sql(
    `update benefit set status = 'inactive', start_date = '2001-01-01', end_date = '2001-02-01'
     where member_id in (select id from member where tax_id = any($1))`,
    [[member, ...dependents].map((one) => one['tax-id'])],
  )
  const { done } = await erase(testApp, second, lia['tax-id'])
  expect(done.status).toBe('fulfilled')
  for (const shipment of [joining, leaving, again]) {
    expect(expectOk(await testApp.operator.get(`${shipmentPath}/${shipment}`)).body.result.file).toBeNull()
  }
})

test('a refused dependent refuses the change', async () => {
  const { member, dependents, next } = await changedPlan({
    joining: { layouts: { movement: 'universal-workbook' } },
    followers: family,
  })
  const [davi, lia] = dependents as [Json, Json]
  const shipment = await sendOpen(next)
  const [item] = await itemsOf(testApp, shipment)
  expect([item?.['line-numbers'], item?.['sheets']]).toEqual([
    [2, 2, 3],
    ['Inclusão grupo familiar', 'Inclusão dependente', 'Inclusão dependente'],
  ])
  const lines = [member, davi, lia].map((one) => ({ 'tax-id': one['tax-id'], outcome: 'accepted' }))
  await answer(shipment, ...lines.slice(0, 2), { ...lines[2], outcome: 'refused', code: '17', message: 'CPF inválido' })
  const [refused] = await itemsOf(testApp, shipment)
  expect([refused?.['status'], refused?.['carrier-message'], refused?.['enrollment-status']]).toEqual([
    'refused',
    'CPF inválido',
    'pending-correction',
  ])
})

test('a dependent without what the file needs keeps the change out, and is named by its benefit', async () => {
  const { dependents, next } = await changedPlan({ followers: family })
  await needPlanCode(testApp, next, 'registration.admission-date')
  const shipment = await openShipmentOf(testApp, next)
  const [item] = await itemsOf(testApp, shipment)
  const benefits = await testApp.sql(
    `select benefit.id from benefit join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     where member.tax_id = any($1) and benefit.status = 'active' order by benefit.id`,
    [dependents.map((one) => one['tax-id'])],
  )
  expect([item?.['status'], item?.['problems'].map((problem: Json) => problem['benefit-id'])]).toEqual([
    'not-ready',
    benefits.map((row) => row['id']),
  ])
  expect((await act(testApp, shipment, 'close')).body.code).toBe('shipment-items-not-ready')
})

const accepted = (...people: Json[]) =>
  people.map((one, index) => ({ 'tax-id': one['tax-id'], outcome: 'accepted', 'card-number': `NOVA-${index}` }))

test('the universal workbook of the former carrier has a row of exclusion for each who leaves', async () => {
  const layouts = { movement: 'universal-workbook' }
  const { member, dependents, former, next } = await changedPlan({ leaving: { layouts }, followers: family })
  const [davi, lia] = dependents as [Json, Json]
  await answer(await sendOpen(next), ...accepted(member, davi, lia))
  const leaving = await sendOpen(former)
  const [item] = await itemsOf(testApp, leaving)
  expect([item?.['side'], item?.['line-numbers'], item?.['sheets']]).toEqual([
    'leaving',
    [2, 3, 4],
    ['Exclusão', 'Exclusão', 'Exclusão'],
  ])
})

test('a file of a shipment stays while a dependent who moves along is held', async () => {
  const { member, dependents, next } = await changedPlan({ followers: family })
  const [davi, lia] = dependents as [Json, Json]
  const joining = await sendOpen(next)
  await answer(joining, ...accepted(member, davi, lia))
  const hold = { 'tax-id': lia['tax-id'], reason: 'Ação trabalhista' }
  expectOk(await testApp.operator.post('/operator/v1/legal-hold', hold))
  await testApp.sql(
    `update benefit set status = 'inactive', start_date = '2001-01-01', end_date = '2001-02-01'
     where member_id in (select id from member where tax_id = any($1))`,
    [[member, davi, lia].map((one) => one['tax-id'])],
  )
  const second = await testApp.operatorOf('admin')
  const fileOfJoining = async () => expectOk(await testApp.operator.get(`${shipmentPath}/${joining}`)).body.result.file
  const { done } = await erase(testApp, second, davi['tax-id'])
  expect([done.status, (await fileOfJoining()) === null]).toEqual(['partly-fulfilled', false])
})
