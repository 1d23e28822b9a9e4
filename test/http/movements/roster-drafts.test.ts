import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AutomaticClass } from '#kernel/roster-syncs.ts'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  premium,
  primary,
  type TestApp,
  useCompany,
  useTestApp,
} from '../../world/test-app.ts'
import { insertRoster, type RosterRow } from '../../world/roster-draft.ts'

/* Movements that follow from a list of people, and are confirmed, in parts and with what they lack. */

const testApp = useTestApp({ VIGENCIA_SECOND_PERSON_EXCLUSIONS: '20' })
const { company, partner } = useCompany(testApp)
const production = useTestApp({ VIGENCIA_ENVIRONMENT: 'production' })

const wait = { prefer: 'wait=30' }

/** People who are covered. */
async function covered(members: readonly Json[], app = testApp, client: Client = partner, at = company): Promise<void> {
  const body = { 'company-tax-id': at.taxId, members }
  const { 'request-id': id } = expectOk(await client.post('/v1/enrollment/inclusion', body)).body
  const seen = await app.finished(client, id)
  for (const products of Object.values<Json>(seen['status-by-tax-id'])) {
    for (const part of Object.values<Json>(products)) {
      const path = `/operator/v1/enrollment/${part['enrollment-id']}/transition`
      expectOk(await app.operator.post(path, { status: 'completed' }))
    }
  }
}

async function people(count: number): Promise<Json[]> {
  const members = Array.from({ length: count }, () => primary())
  await covered(members)
  return members
}

/** Many who are covered, without their movements. */
async function crowd(count: number): Promise<Json[]> {
  const members = Array.from({ length: count }, () => primary())
  await testApp.include(partner, company, members, '?resolution=approve')
  return members
}

interface Given {
  readonly app?: TestApp
  readonly client?: Client
  readonly at?: Company
  readonly covered?: number
  readonly scopeKey?: string
  readonly isDoubtful?: boolean
  readonly automatic?: readonly AutomaticClass[]
}

/** The draft of a list. @returns its id. */
const list = (
  rows: readonly RosterRow[],
  { app = testApp, client = partner, at = company, covered: lives = 1_000, ...more }: Given = {},
) => insertRoster(app, client, at, rows, { ...more, covered: { [at.products[health] ?? '']: lives } })

const leaving = (one: Json, details: Json = {}, more: Partial<RosterRow> = {}): RosterRow => ({
  class: 'exclusion',
  movement: 'exclusion',
  taxId: one['tax-id'],
  name: one.name,
  productId: company.products[health] ?? null,
  productName: health,
  entry: { 'tax-id': one['tax-id'], 'product-id': company.products[health], 'exclusion-details': details },
  differences: [{ field: 'product-name', here: health, stated: null }],
  needs: ['exclusion-reason', 'end-date'].filter((field) => !Object.hasOwn(details, field)),
  ...more,
})
const correcting = (one: Json, data: Json, here: Json = {}, more: Partial<RosterRow> = {}): RosterRow => ({
  class: 'correction',
  movement: 'alteration',
  taxId: one['tax-id'],
  name: one.name,
  entry: { 'tax-id': one['tax-id'], 'alteration-data': data },
  differences: Object.entries(data).map(([field, stated]) => ({
    field,
    here: here[field] ?? one[field] ?? null,
    stated: stated as string,
  })),
  ...more,
})
const including = (one: Json, more: Partial<RosterRow> = {}): RosterRow => ({
  class: 'inclusion',
  movement: 'inclusion',
  taxId: one['tax-id'],
  name: one.name,
  memberType: one['beneficiary-type'],
  productName: health,
  entry: one,
  differences: [{ field: 'product-name', here: null, stated: health }],
  ...more,
})
const writing = (one: Json, data: Json): RosterRow => ({
  ...correcting(one, data),
  class: 'company-data',
  movement: null,
  entry: data,
})

const pathOf = (id: string, api = '/v1') => `${api}/movement-draft/${id}`
const shown = async (id: string, client: Client = partner, api = '/v1'): Promise<Json> =>
  expectOk(await client.get(pathOf(id, api))).body.result
const itemsOf = async (id: string, query = '', client: Client = partner, api = '/v1'): Promise<Json[]> =>
  expectOk(await client.get(`${pathOf(id, api)}/item${query}`)).body.result
const confirm = (id: string, body: Json, client: Client = partner, api = '/v1'): Promise<ApiResponse> =>
  client.post(`${pathOf(id, api)}/confirm`, body, wait)
const asOperator = (id: string, body: Json, client: Client = testApp.operator) =>
  confirm(id, body, client, '/operator/v1')
const count = (draft: Json, name: string): Json => draft.counts.find((one: Json) => one.class === name)
const statuses = async (id: string): Promise<string[]> => (await itemsOf(id)).map((item) => item.status)
const storedOf = async (cpf: string): Promise<Json> => {
  const [row] = await testApp.sql('select * from member where company_id = $1 and tax_id = $2', [company.id, cpf])
  return row ?? {}
}
const memberOf = async (cpf: string): Promise<string> =>
  (await testApp.sql('select id from member where company_id = $1 and tax_id = $2', [company.id, cpf]))[0]?.['id']

const dismissed = { 'end-date': '2026-12-15', 'exclusion-reason': 'dismissal-with-cause' }

describe('the items of a list', () => {
  test('are shown with their movements, explanations and needs, and filtered; the company sees a list of an operator', async () => {
    const [gone, other] = await people(2)
    const newcomer = primary({ name: 'Paulo Quadros Lins' })
    const id = await list(
      [
        leaving(gone, {}, { alsoEnds: 2, lines: [] }),
        including(newcomer, { lines: [7], employeeId: 'V-0317', needs: ['mothers-name'] }),
        { ...correcting(other, {}), class: 'held', movement: null, entry: null, explanation: 'identity-conflict' },
        {
          class: 'refused',
          movement: null,
          taxId: null,
          entry: null,
          differences: [],
          lines: [9],
          offenses: ['conflicting-lines'],
        },
      ],
      { client: testApp.operator },
    )
    const draft = await shown(id)
    expect(draft).toMatchObject({ source: 'roster-sync', movement: null, status: 'open', 'guard-reasons': [] })
    expect(draft.guard).toEqual([
      { 'product-id': company.products[health], 'product-name': health, covered: 1_000, leaving: 1, 'is-over': false },
    ])
    const items = await itemsOf(id)
    expect(items.map((item) => [item.number, item.class, item.movement, item.status])).toEqual([
      [1, 'inclusion', 'inclusion', 'proposed'],
      [2, 'exclusion', 'exclusion', 'proposed'],
      [3, 'held', null, 'held'],
      [4, 'refused', null, 'refused'],
    ])
    expect(items[0]).toMatchObject({
      name: 'Paulo Quadros Lins',
      'employee-id': 'V-0317',
      'member-type': 'primary',
      'member-id': null,
      lines: [7],
      needs: ['mothers-name'],
    })
    expect(items[1]).toMatchObject({
      'product-name': health,
      'also-ends': 2,
      'by-number-only': false,
      needs: ['exclusion-reason', 'end-date'],
    })
    expect(items[3]).toMatchObject({ 'tax-id': null, name: null, offenses: ['conflicting-lines'], lines: [9] })
    expect(await itemsOf(id, '?explanation=identity-conflict')).toMatchObject([{ number: 3 }])
    expect(await itemsOf(id, '?q=quadros%20lins')).toMatchObject([{ number: 1 }])
    expect(await itemsOf(id, '?q=v-0317')).toMatchObject([{ number: 1 }])
    const listed = expectOk(await partner.get('/v1/movement-draft?source=roster-sync')).body.result
    expect(listed.map((one: Json) => one['draft-id'])).toContain(id)
    const events = await testApp.sql(
      `select data from event where type = 'movement-draft.opened' and data->>'draft-id' = $1`,
      [id],
    )
    expect(events[0]?.['data'].counts).toContainEqual({ class: 'inclusion', items: 1 })
    const foreign = await testApp.partner((await testApp.company()).taxId)
    expect((await foreign.get(pathOf(id))).status).toBe(404)
    expect((await foreign.post(`${pathOf(id)}/confirm`, { classes: ['exclusion'] })).status).toBe(404)
  })

  test('of which none can be confirmed make a draft that is closed at once; those of a doubtful list are held but for inclusions', async () => {
    const [one, other] = await people(2)
    const held = await list([
      { ...correcting(one, {}), class: 'held', movement: null, entry: null, explanation: 'future-start' },
    ])
    expect(await shown(held)).toMatchObject({ status: 'closed', 'closed-because': 'done' })
    const doubtful = await list([leaving(other, dismissed), including(primary())], { isDoubtful: true })
    expect(await itemsOf(doubtful)).toMatchObject([
      { class: 'inclusion', status: 'proposed', explanation: null },
      { class: 'exclusion', status: 'held', explanation: 'doubtful-list' },
    ])
    expect((await confirm(doubtful, { classes: ['exclusion'] })).body.code).toBe('nothing-selected')
    expect(await readViolations(testApp.sql)).toEqual({})
  })
})

describe('a confirmation', () => {
  test('gives what all lack, what an item has wins; nothing is confirmed while anything is missing', async () => {
    const [first, second, third] = await people(3)
    const id = await list([first, second, third].map((one) => leaving(one, {})))
    const missing = await confirm(id, { classes: ['exclusion'] })
    expect([missing.status, missing.body.code, missing.body.error]).toEqual([400, 'needs-missing', 'Invalid body'])
    expect(missing.body.items).toHaveLength(3)
    expect(missing.body.items[0]).toEqual({ number: 1, needs: ['exclusion-reason', 'end-date'] })
    const partly = await confirm(id, { classes: ['exclusion'], 'exclusion-details': { 'end-date': '2026-12-15' } })
    expect(partly.body.items[2]).toEqual({ number: 3, needs: ['exclusion-reason'] })
    expect(await statuses(id)).toEqual(['proposed', 'proposed', 'proposed'])
    const numberOf = async (cpf: string) => (await itemsOf(id, `?q=${cpf}`))[0]?.['number']
    const dead = await numberOf(second['tax-id'])
    const kept = await numberOf(third['tax-id'])
    const { result } = expectOk(
      await confirm(id, {
        classes: ['exclusion'],
        except: [kept],
        'exclusion-details': dismissed,
        items: [{ number: dead, 'exclusion-details': { 'exclusion-reason': 'death', 'end-date': '2026-12-01' } }],
      }),
    ).body
    expect(count(result, 'exclusion')).toMatchObject({ requested: 2, proposed: 1 })
    await testApp.finished(partner, result['request-ids'][0])
    const history = async (cpf: string): Promise<Json[]> =>
      expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${cpf}&enrollment-type=exclusion`)).body.result
    expect(await history(first['tax-id'])).toMatchObject([{ 'end-date': '2026-12-15' }])
    expect(await history(second['tax-id'])).toMatchObject([{ 'end-date': '2026-12-01', 'exclusion-reason': 'death' }])
    expect(await history(third['tax-id'])).toEqual([])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('is refused at the places of its body that are wrong', async () => {
    const [one, other] = await people(2)
    const id = await list([leaving(one), correcting(other, { phone: '11912345678' })])
    const bad = await confirm(id, {
      items: [
        { number: 2, data: { phone: '1' } },
        { number: 1, 'exclusion-details': { 'exclusion-reason': 'never', shoe: 1 } },
      ],
      'exclusion-details': { 'end-date': '2026-02-30' },
    })
    expect(bad.status).toBe(400)
    expect(bad.body.details.map((detail: Json) => [detail.field, detail.code]).toSorted()).toEqual([
      ['exclusion-details.end-date', 'invalid'],
      ['items[0].data.phone', 'invalid'],
      ['items[1].exclusion-details.exclusion-reason', 'invalid'],
      ['items[1].exclusion-details.shoe', 'unknown'],
    ])
    const misplaced = await confirm(id, { items: [{ number: 2, 'exclusion-details': dismissed }] })
    expect(misplaced.body.details).toEqual([{ field: 'items[0].exclusion-details', code: 'not-applicable' }])
    const unexplained = await confirm(id, {
      items: [{ number: 1, 'exclusion-details': { 'end-date': '2026-12-15', 'exclusion-reason': 'other' } }],
    })
    expect(unexplained.body.details).toEqual([
      { field: 'items[0].exclusion-details.exclusion-reason-details', code: 'missing' },
    ])
    expect(await statuses(id)).toEqual(['proposed', 'proposed'])
  })

  test('completes inclusions, families together, and asks for their start', async () => {
    const mother = primary()
    const child = dependent(mother['tax-id'])
    const products = { 'health-insurance': [{ name: health }] }
    const { 'mothers-name': _, ...incomplete } = mother
    const id = await list([
      including({ ...child, products }, { family: 'a', needs: ['start-option'] }),
      including({ ...incomplete, products }, { family: 'a', position: 0, needs: ['mothers-name', 'start-option'] }),
    ])
    const lacking = await confirm(id, { classes: ['inclusion'], 'start-option': 'on-inclusion-date' })
    expect(lacking.body.items).toEqual([{ number: 1, needs: ['mothers-name'] }])
    const { result } = expectOk(
      await confirm(id, {
        classes: ['inclusion'],
        'start-option': 'on-inclusion-date',
        items: [{ number: 1, data: { 'mothers-name': 'Nair Duarte Reis' } }],
      }),
    ).body
    expect(result).toMatchObject({ status: 'closed', 'closed-because': 'done' })
    const seen = await testApp.finished(partner, result['request-ids'][0])
    expect(Object.keys(seen['status-by-tax-id']).toSorted()).toEqual([mother['tax-id'], child['tax-id']].toSorted())
    expect((await storedOf(mother['tax-id']))['mothers_name']).toBe('Nair Duarte Reis')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('makes one alteration of what differs of a person, with other values where they are given', async () => {
    const [one] = await people(1)
    const change: RosterRow = {
      ...correcting(one, {}),
      class: 'plan-change',
      entry: { 'tax-id': one['tax-id'], 'alteration-data': { 'new-product-id': company.products[premium] } },
      differences: [{ field: 'product-name', here: health, stated: premium }],
    }
    const id = await list([change, correcting(one, { phone: '11912345678' })])
    const { result } = expectOk(
      await confirm(id, {
        classes: ['plan-change'],
        'start-date': '2026-12-01',
        items: [{ number: 2, data: { phone: '11955554444' } }],
      }),
    ).body
    expect(result['request-ids']).toHaveLength(1)
    const seen = await testApp.finished(partner, result['request-ids'][0])
    expect(Object.keys(seen['status-by-tax-id'])).toEqual([one['tax-id']])
    const movements = await testApp.sql(
      `select data->'alteration-data' as data from enrollment where request_id = $1`,
      [result['request-ids'][0]],
    )
    expect(movements).toEqual([
      {
        data: {
          'new-product-id': company.products[premium],
          'requested-start-date': '2026-12-01',
          phone: '11955554444',
        },
      },
    ])
    expect(await statuses(id)).toEqual(['requested', 'requested'])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('takes what is confirmed by its number only by its number', async () => {
    const [moved, other] = await people(2)
    const fix = (one: Json): RosterRow => ({
      ...correcting(one, { 'tax-id': primary()['tax-id'] }),
      class: 'tax-id-correction',
      byNumberOnly: true,
    })
    const id = await list([
      leaving(moved, dismissed, { byNumberOnly: true, explanation: 'may-have-moved' }),
      fix(other),
    ])
    const bulk = await confirm(id, { classes: ['tax-id-correction'] })
    expect([bulk.status, bulk.body.code, bulk.body.details]).toEqual([
      400,
      'not-in-bulk',
      [{ field: 'classes', code: 'not-applicable' }],
    ])
    expect((await confirm(id, { classes: ['exclusion'] })).body.code).toBe('nothing-selected')
    expectOk(await confirm(id, { items: [{ number: 1 }, { number: 2 }] }))
    expect(await statuses(id)).toEqual(['requested', 'requested'])
  })
})

describe('many who leave', () => {
  test('need their number and a reason, from the guard of the company on', async () => {
    const many = await crowd(21)
    const id = await list(
      many.map((one) => leaving(one, dismissed)),
      { covered: 1_000 },
    )
    expect((await shown(id)).guard).toMatchObject([{ leaving: 21, 'is-over': true }])
    const body = { classes: ['exclusion'] }
    const without = await confirm(id, body)
    expect([without.status, without.body.code, without.body.people]).toEqual([409, 'guard-not-confirmed', 21])
    expect(without.body.products).toEqual([
      { 'product-id': company.products[health], 'product-name': health, covered: 1_000, leaving: 21 },
    ])
    const wrong = await confirm(id, { ...body, guard: { people: 20, reason: 'Encerramento' } })
    expect([wrong.status, wrong.body.people]).toEqual([409, 21])
    expect((await confirm(id, { ...body, guard: { people: 21, reason: ' ' } })).status).toBe(400)
    const { result } = expectOk(
      await confirm(id, { ...body, guard: { people: 21, reason: 'Encerramento da unidade de Betim' } }),
    ).body
    expect(result).toMatchObject({ status: 'closed', 'guard-reasons': ['Encerramento da unidade de Betim'] })
    const audit = await testApp.sql(`select action, target from audit where target like $1 || '%' order by id`, [id])
    expect(audit.map(({ action, target }) => [action, target.slice(id.length)])).toContainEqual([
      'movement-draft.items-confirmed',
      ' exclusion=21 guard=21',
    ])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('in parts are as many together; a small company asks from three people on', async () => {
    const some = await crowd(4)
    const id = await list(
      some.map((one) => leaving(one, dismissed)),
      { covered: 20 },
    )
    expectOk(await confirm(id, { items: [{ number: 1 }, { number: 2 }] }))
    const third = await confirm(id, { items: [{ number: 3 }] })
    expect([third.status, third.body.people, third.body.products[0].leaving]).toEqual([409, 1, 3])
    expectOk(await confirm(id, { items: [{ number: 3 }], guard: { people: 1, reason: 'Fim do projeto' } }))
    const path = `/operator/v1/company/${company.taxId}/roster-policy`
    const policy = { automatic: [], 'guard-people': 100, 'guard-percent': 100, 'min-presence-percent': 80 }
    expectOk(await testApp.operator.put(path, policy))
    expectOk(await confirm(id, { items: [{ number: 4 }] }))
    await testApp.sql('delete from roster_policy')
  })

  test('and are confirmed by an operator need another one', async () => {
    const [ana, bruno] = [await testApp.operatorOf('analyst'), await testApp.operatorOf('analyst')]
    const many = await crowd(21)
    const [corrected] = await people(1)
    const id = await list(
      [...many.map((one) => leaving(one, dismissed)), correcting(corrected, { phone: '11912345678' })],
      {
        covered: 1_000,
      },
    )
    const body = { classes: ['exclusion', 'correction'], guard: { people: 21, reason: 'Fim do contrato' } }
    const { result: first } = expectOk(await asOperator(id, body, ana)).body
    expect([count(first, 'exclusion').approval, count(first, 'correction').requested]).toEqual([21, 1])
    const again = await asOperator(id, body, ana)
    expect([again.status, again.body.code]).toEqual([403, 'second-person-needed'])
    expect((await confirm(id, body)).body.code).toBe('nothing-selected')
    const { result } = expectOk(await asOperator(id, body, bruno)).body
    expect(count(result, 'exclusion')).toMatchObject({ requested: 21, approval: 0 })
    expect(await readViolations(testApp.sql)).toEqual({})
  })
})

test('in production alterations of a company wait for its broker; the others are requested', async () => {
  const at = await production.company()
  const client = await production.partner(at.taxId)
  const one = primary()
  await covered([one], production, client, at)
  const id = await list([correcting(one, { phone: '11912345678' }), including(primary())], {
    app: production,
    client,
    at,
  })
  const { result } = expectOk(await confirm(id, { classes: ['correction', 'inclusion'] }, client)).body
  expect(result).toMatchObject({ status: 'open', approval: 'broker' })
  expect([count(result, 'correction').approval, count(result, 'inclusion').requested]).toEqual([1, 1])
  const approved = expectOk(await asOperator(id, { classes: ['correction'] }, production.operator)).body.result
  expect(approved).toMatchObject({ status: 'closed', 'closed-because': 'done' })
  expect(await readViolations(production.sql)).toEqual({})
})

test('data that no carrier has are written to the person at once, and the former cost center is kept', async () => {
  const mine = primary({ 'cost-center': '4200', 'job-title': 'Tecelã' })
  const stale = primary({ 'cost-center': '4200' })
  await covered([mine, stale])
  const id = await list([
    writing(mine, { 'cost-center': '4300', 'job-title': 'Mestra' }),
    writing(stale, { 'cost-center': '4300' }),
  ])
  await testApp.sql(`update member set cost_center = '5000' where tax_id = $1`, [stale['tax-id']])
  const { result } = expectOk(await confirm(id, { classes: ['company-data'] })).body
  expect(result).toMatchObject({ status: 'closed', 'closed-because': 'done', 'request-ids': [] })
  const items = await itemsOf(id)
  const of = (one: Json) => items.find((item) => item['tax-id'] === one['tax-id'])
  expect([of(mine)?.['status'], of(stale)?.['status'], of(stale)?.['offenses']]).toEqual([
    'requested',
    'refused',
    ['changed-meanwhile'],
  ])
  expect(await storedOf(mine['tax-id'])).toMatchObject({ cost_center: '4300', details: { 'job-title': 'Mestra' } })
  expect((await storedOf(stale['tax-id']))['cost_center']).toBe('5000')
  const memberId = await memberOf(mine['tax-id'])
  expect(await testApp.sql('select cost_center from member_cost_center where member_id = $1', [memberId])).toEqual([
    { cost_center: '4200' },
  ])
  const audit = await testApp.sql(`select actor from audit where action = 'member.updated' and target = $1`, [memberId])
  expect(audit).toEqual([{ actor: partner.clientId }])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a correction of what has changed since is refused, and the exclusion of a benefit that has ended', async () => {
  const [changed, kept, gone] = await people(3)
  const id = await list([
    correcting(changed, { phone: '11912345678' }),
    correcting(kept, { phone: '11912345678' }),
    leaving(gone, dismissed),
  ])
  await testApp.sql(`update member set details = details || '{"phone":"11977776666"}' where tax_id = $1`, [
    changed['tax-id'],
  ])
  await testApp.sql(
    `update benefit set status = 'inactive', end_date = '2026-11-22' where member_id = (select id from member where tax_id = $1)`,
    [gone['tax-id']],
  )
  expectOk(await confirm(id, { classes: ['correction', 'exclusion'] }))
  const of = async (one: Json) => (await itemsOf(id, `?q=${one['tax-id']}`))[0]
  expect([(await of(changed))?.['offenses'], (await of(gone))?.['offenses']]).toEqual([
    ['changed-meanwhile'],
    ['no-active-benefit'],
  ])
  expect((await of(kept))?.['status']).toBe('requested')
})

test('a newer list of the same people ends what is proposed of the older one, but not what waits or is confirmed', async () => {
  const [one, other] = await people(2)
  const scopeKey = randomUUID()
  const rows = [leaving(one, dismissed), correcting(other, { phone: '11912345678' })]
  const older = await list(rows, { scopeKey })
  const elsewhere = await list([leaving(one, dismissed)], { scopeKey: randomUUID() })
  expectOk(await confirm(older, { classes: ['correction'] }))
  const newer = await list(rows.slice(0, 1), { scopeKey })
  expect(await statuses(older)).toEqual(['superseded', 'requested'])
  expect(await shown(older)).toMatchObject({ status: 'closed', 'closed-because': 'done' })
  const newest = await list(rows.slice(0, 1), { scopeKey })
  expect(await shown(newer)).toMatchObject({ status: 'closed', 'closed-because': 'superseded' })
  expect([(await shown(elsewhere)).status, (await shown(newest)).status]).toEqual(['open', 'open'])
  expect((await confirm(older, { classes: ['exclusion'] })).body.code).toBe('movement-draft-status')
  expect(await readViolations(testApp.sql)).toEqual({})
})

describe('what is confirmed without anybody', () => {
  test('has no needs and no offenses, is of a class that may be, and never an absence', async () => {
    const [one, other, third] = await people(3)
    const id = await list(
      [
        including(primary()),
        including(primary(), { needs: ['mothers-name'] }),
        including(primary(), { offenses: ['dependent-too-old'] }),
        correcting(one, { phone: '11912345678' }),
        { ...leaving(other, dismissed), class: 'leaver' },
        leaving(third, dismissed),
      ],
      { automatic: ['inclusion', 'leaver', 'company-data'] },
    )
    const finished = async () => (await shown(id)).status !== 'requesting'
    await expect.poll(finished, { timeout: 20_000 }).toBe(true)
    const items = await itemsOf(id)
    expect(items.map((item) => [item.class, item.status]).toSorted()).toEqual([
      ['correction', 'proposed'],
      ['exclusion', 'proposed'],
      ['inclusion', 'proposed'],
      ['inclusion', 'proposed'],
      ['inclusion', 'requested'],
      ['leaver', 'requested'],
    ])
    const requests = await testApp.sql('select client_id from request where draft_id = $1', [id])
    expect(requests.map((row) => row['client_id'])).toEqual([partner.clientId, partner.clientId])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('is nobody of whom many would leave', async () => {
    const some = await crowd(3)
    const id = await list(
      some.map((one): RosterRow => ({ ...leaving(one, dismissed), class: 'leaver' })),
      {
        covered: 20,
        automatic: ['leaver'],
      },
    )
    expect(await statuses(id)).toEqual(['proposed', 'proposed', 'proposed'])
  })
})

test('two confirmations of one item request it once', async () => {
  const [one] = await people(1)
  const id = await list([leaving(one, dismissed)])
  const both = await Promise.all([confirm(id, { classes: ['exclusion'] }), confirm(id, { classes: ['exclusion'] })])
  expect(both.map(({ status }) => status).toSorted()).toSatisfy(
    (found: number[]) => found[0] === 200 && (found[1] ?? 0) >= 400,
  )
  expect((await shown(id))['request-ids']).toHaveLength(1)
})

describe('the policy of a company', () => {
  test('is the usual one until an admin sets another, without absences and CPFs', async () => {
    const at = await testApp.company()
    const client = await testApp.partner(at.taxId)
    const path = `/operator/v1/company/${at.taxId}/roster-policy`
    const usual = { automatic: [], 'guard-people': 20, 'guard-percent': 10, 'min-presence-percent': 80 }
    const read = async () => expectOk(await client.get(`/v1/company/${at.taxId}/roster-policy`)).body.result
    expect(await read()).toEqual({ 'company-tax-id': at.taxId, ...usual })
    for (const value of ['exclusion', 'tax-id-correction']) {
      const refused = await testApp.operator.put(path, { ...usual, automatic: [value] })
      expect([refused.status, refused.body.details[0].field]).toEqual([400, 'automatic[0]'])
    }
    const own = { automatic: ['inclusion'], 'guard-people': 5, 'guard-percent': 50, 'min-presence-percent': 0 }
    expectOk(await testApp.operator.put(path, own))
    expect(await read()).toEqual({ 'company-tax-id': at.taxId, ...own })
    const analyst = await testApp.operatorOf('analyst')
    expect((await analyst.put(path, own)).status).toBe(403)
    expect(expectOk(await analyst.get(path)).body.result).toMatchObject(own)
    expect((await partner.get(`/v1/company/${at.taxId}/roster-policy`)).status).toBe(403)
  })
})
