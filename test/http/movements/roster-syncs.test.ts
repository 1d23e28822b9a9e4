import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  type Json,
  nextCpf,
  premium,
  type TestApp,
  until,
  useTestApp,
} from '../../world/test-app.ts'
import {
  child,
  confirmDraft,
  covered,
  employee,
  itemsOf,
  openSync,
  proposedOf,
  putList,
  sendList,
} from '../../world/rosters.ts'

/* Lists of who should be covered: what follows from them, as a payroll program sees it. Today is Monday, 23 November 2026. */

const testApp = useTestApp({ VIGENCIA_SECOND_PERSON_EXCLUSIONS: '30' })
const production = useTestApp({ VIGENCIA_ENVIRONMENT: 'production' })

let company: Company
let payroll: Client
beforeEach(async () => {
  company = await testApp.company()
  payroll = await testApp.partner(company.taxId)
})

const complete = { states: ['people', 'dependents', 'products'], defaults: { 'start-option': 'on-inclusion-date' } }
const everybody = { states: ['people', 'products'], defaults: { 'start-option': 'on-inclusion-date' } }

/** So many primaries, covered. */
async function crew(count: number, at: Company = company, app: TestApp = testApp): Promise<Json[]> {
  const people = Array.from({ length: count }, (_, n) => employee(n))
  await covered(app, at, people)
  return people
}

/** What is still to be decided is completed by the carrier. */
async function decideAll(app: TestApp, at: Company): Promise<void> {
  const open = await app.sql<{ id: string }>(
    `select id from open_movement where company_id = $1 and primary_member_id is null or company_id = $1 order by id`,
    [at.id],
  )
  for (const { id } of open)
    await app.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' })
}

const classesOf = (items: readonly Json[]): Json =>
  Object.fromEntries(
    [...Map.groupBy(items, (item) => `${item.class} ${item.status}`)].map(([name, some]) => [name, some.length]),
  )
const only = (items: readonly Json[], name: string): Json => {
  const found = items.filter((item) => item.class === name)
  expect(found).toHaveLength(1)
  return found[0]
}
const leaving = { 'end-date': '2026-11-20', 'exclusion-reason': 'resignation' }

describe('a list that is complete in people and products', () => {
  test('includes who is new, asks what is needed of who left, and the same list again gives nothing', async () => {
    const people = await crew(30)
    const [rafael, ...rest] = people
    const paulo = employee(40, { 'admission-date': '2026-11-20' })
    const list = [...rest, paulo]
    const sync = await sendList(payroll, company, list, {
      ...everybody,
      'people-count': 30,
      reference: 'folha 2026-11',
    })
    expect(sync).toMatchObject({
      status: 'compared',
      lines: 30,
      'refused-lines': 0,
      unchanged: 29,
      doubts: [],
      problems: [],
    })
    const items = await itemsOf(payroll, sync)
    expect(classesOf(items)).toEqual({ 'inclusion proposed': 1, 'exclusion proposed': 1 })
    expect(only(items, 'exclusion')).toMatchObject({
      'tax-id': rafael['tax-id'],
      name: rafael.name,
      'product-name': health,
      needs: ['exclusion-reason', 'end-date'],
      'by-number-only': false,
      'also-ends': 0,
    })
    const lacking = await confirmDraft(payroll, sync, { classes: ['inclusion', 'exclusion'] })
    expect([lacking.status, lacking.body.code]).toEqual([400, 'needs-missing'])
    const confirmed = expectOk(
      await confirmDraft(payroll, sync, { classes: ['inclusion', 'exclusion'], 'exclusion-details': leaving }),
    ).body.result
    expect(confirmed).toMatchObject({ status: 'closed', 'closed-because': 'done' })
    expect(confirmed['request-ids']).toHaveLength(2)
    await Promise.all(confirmed['request-ids'].map((id: string) => testApp.finished(payroll, id)))
    await decideAll(testApp, company)
    const again = await sendList(payroll, company, list, everybody)
    expect(again).toMatchObject({ status: 'compared', 'draft-id': null, unchanged: 30 })
  })

  test('in which too many are missing proposes no exclusion', async () => {
    const people = await crew(40)
    const sync = await sendList(payroll, company, people.slice(0, 28), everybody)
    expect(sync.doubts).toEqual([{ doubt: 'too-few-people', found: 70, limit: 80 }])
    const items = await itemsOf(payroll, sync)
    expect(classesOf(items)).toEqual({ 'exclusion held': 12 })
    expect(new Set(items.map(({ explanation }) => explanation))).toEqual(new Set(['doubtful-list']))
    const accepted = await sendList(payroll, company, people.slice(0, 28), {
      ...everybody,
      'accept-doubts': ['too-few-people'],
    })
    expect(classesOf(await itemsOf(payroll, accepted))).toEqual({ 'exclusion proposed': 12 })
    const rows = await testApp.sql(`select actor, target from audit where action = 'roster-sync.doubts-accepted'`)
    expect(rows).toEqual([{ actor: payroll.clientId, target: `${accepted['roster-sync-id']} too-few-people` }])
  })

  test('of which one column was sorted alone proposes nothing', async () => {
    const people = await crew(40)
    const cpfs = people.map((person) => person['tax-id']).toReversed()
    const sync = await sendList(
      payroll,
      company,
      people.map((person, n) => ({ ...person, 'tax-id': cpfs[n] })),
      everybody,
    )
    expect(sync.doubts.map(({ doubt }: Json) => doubt)).toContain('many-identity-conflicts')
    expect(proposedOf(await itemsOf(payroll, sync))).toEqual([])
  })

  test('asks for the number of those who leave, and a reason', async () => {
    const people = await crew(100)
    const sync = await sendList(payroll, company, people.slice(12), everybody)
    const confirm = (guard: Json) =>
      confirmDraft(payroll, sync, { classes: ['exclusion'], 'exclusion-details': leaving, ...guard })
    const refused = await confirm({})
    expect([refused.status, refused.body.code, refused.body.people]).toEqual([409, 'guard-not-confirmed', 12])
    expect((await confirm({ guard: { people: 11, reason: 'Encerramento' } })).status).toBe(409)
    expect((await confirm({ guard: { people: 12 } })).status).toBe(400)
    const draft = expectOk(await confirm({ guard: { people: 12, reason: 'Encerramento da unidade de Betim' } })).body
      .result
    expect(draft.status).toBe('closed')
  })

  test('compares names folded, and takes what is missing or blank as not stated', async () => {
    const otavio = employee(1, { name: 'Otávio D’Ávila Souza', phone: '(11) 98765-4321' })
    await covered(testApp, company, [otavio, employee(2)])
    const { phone: _, 'mothers-name': __, ...stated } = otavio
    const sync = await sendList(payroll, company, [{ ...stated, name: 'OTAVIO D AVILA SOUZA', 'mothers-name': '' }], {
      states: [],
    })
    expect(sync).toMatchObject({ unchanged: 1, 'draft-id': null })
  })
})

test('in production a correction waits for the broker, and the list of the next night does not repeat it', async () => {
  const at = await production.company()
  const client = await production.partner(at.taxId)
  const [lucia] = await crew(3, at, production)
  const name = 'Lúcia Ferraz Brandão'
  const married = [{ ...lucia, name: `${lucia.name.split(' ').slice(0, 2).join(' ')} Brandão` }]
  const sync = await sendList(client, at, married, { states: [] })
  expect(only(await itemsOf(client, sync), 'correction')).toMatchObject({
    status: 'proposed',
    differences: [{ field: 'name', here: lucia.name, stated: married[0].name }],
  })
  expectOk(await confirmDraft(client, sync, { classes: ['correction'] }))
  expect(only(await itemsOf(client, sync), 'correction')).toMatchObject({ status: 'approval', approval: 'broker' })
  const next = await sendList(client, at, married, { states: [] })
  expect(await itemsOf(client, next)).toMatchObject([{ class: 'held', explanation: 'waits-for-approval' }])
  expectOk(await confirmDraft(production.operator, sync, { classes: ['correction'] }, '/operator/v1'))
  const [item] = await itemsOf(client, sync)
  expect(item).toMatchObject({ status: 'requested' })
  expect(name).not.toBe(lucia.name)
})

test('another CPF of the same person is one correction, by its number only', async () => {
  const [igor, ...rest] = await crew(10)
  const right = nextCpf()
  const sync = await sendList(payroll, company, [{ ...igor, 'tax-id': right }, ...rest], complete)
  const items = await itemsOf(payroll, sync)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    class: 'tax-id-correction',
    'tax-id': igor['tax-id'],
    'by-number-only': true,
    differences: [{ field: 'tax-id', here: igor['tax-id'], stated: right }],
  })
  const bulk = await confirmDraft(payroll, sync, { classes: ['tax-id-correction'] })
  expect([bulk.status, bulk.body.code]).toEqual([400, 'not-in-bulk'])
  const draft = expectOk(await confirmDraft(payroll, sync, { items: [{ number: items[0].number }] })).body.result
  expect(draft).toMatchObject({ status: 'closed' })
  await Promise.all(draft['request-ids'].map((id: string) => testApp.finished(payroll, id)))
  await decideAll(testApp, company)
  expect(await sendList(payroll, company, [{ ...igor, 'tax-id': right }, ...rest], complete)).toMatchObject({
    'draft-id': null,
  })
})

describe('who is here and not listed', () => {
  test('is no leaver when included after the day of the list, or when another end is near', async () => {
    const [sonia, camila, ...rest] = await crew(10)
    const late = employee(50)
    const included = await testApp.include(payroll, company, [
      {
        ...late,
        products: { 'health-insurance': [{ name: health, 'start-option': 'on-inclusion-date' }] },
        'product-name': undefined,
      },
    ])
    expect(included.status).not.toBe('failed')
    await decideAll(testApp, company)
    expectOk(
      await payroll.post(`/v1/enrollment/exclusion/${camila['tax-id']}/company/${company.taxId}?resolution=approve`, {
        'exclusion-details': { 'end-date': '2026-12-15', 'exclusion-reason': 'resignation' },
      }),
    )
    await until(
      () => testApp.sql(`select from benefit where company_id = $1 and end_date is not null`, [company.id]),
      (rows) => rows.length > 0,
    )
    const sync = await sendList(payroll, company, [sonia, ...rest], { ...everybody, 'as-of': '2026-11-22' })
    const items = await itemsOf(payroll, sync)
    expect(items.map((item) => [item['tax-id'], item.class, item.explanation]).toSorted()).toEqual(
      [
        [camila['tax-id'], 'held', expect.stringMatching(/^(ends-already|open-movement)$/)],
        [late['tax-id'], 'held', 'newer-than-list'],
      ].toSorted(),
    )
  })

  test('of a part of the company may have moved, and is confirmed by number only', async () => {
    const here = employee(1, { 'cost-center': '4200' })
    const moved = employee(2, { 'cost-center': '4200' })
    const other = employee(3, { 'cost-center': '4300' })
    await covered(testApp, company, [here, moved, other])
    const within = { 'cost-centers': ['4200'] }
    const sync = await sendList(payroll, company, [here], { ...everybody, within, 'accept-doubts': ['too-few-people'] })
    const items = await itemsOf(payroll, sync)
    expect(items).toMatchObject([
      { class: 'exclusion', 'tax-id': moved['tax-id'], explanation: 'may-have-moved', 'by-number-only': true },
    ])
    const none = await confirmDraft(payroll, sync, { classes: ['exclusion'], 'exclusion-details': leaving })
    expect([none.status, none.body.code]).toEqual([400, 'nothing-selected'])
    const outside = await sendList(payroll, company, [here, moved, other], { ...everybody, within })
    expect(await itemsOf(payroll, outside)).toMatchObject([{ class: 'held', explanation: 'outside-scope' }])
  })

  test('leaves with the dependents; a dependent who is listed makes it a question', async () => {
    const people = await crew(20)
    const [kid, other] = [child(people[0]), child(people[1])]
    await covered(testApp, company, [kid, other])
    const gone = await sendList(payroll, company, [...people.slice(1), other], complete)
    expect(await itemsOf(payroll, gone)).toMatchObject([
      { class: 'exclusion', 'tax-id': people[0]['tax-id'], 'also-ends': 1, explanation: null },
    ])
    const asked = await sendList(payroll, company, [...people.slice(1), kid, other], complete)
    expect((await itemsOf(payroll, asked)).filter((item) => item.class === 'exclusion')).toMatchObject([
      { 'tax-id': people[0]['tax-id'], explanation: 'dependents-listed', 'by-number-only': true },
    ])
  })

  test('but returns later is included after the former cover', async () => {
    const [wagner] = await crew(1)
    expectOk(
      await payroll.post(`/v1/enrollment/exclusion/${wagner['tax-id']}/company/${company.taxId}?resolution=approve`, {
        'exclusion-details': { 'end-date': '2026-11-20', 'exclusion-reason': 'resignation' },
      }),
    )
    await until(
      () => testApp.sql(`select from benefit where company_id = $1 and status = 'inactive'`, [company.id]),
      (rows) => rows.length > 0,
    )
    const sync = await sendList(payroll, company, [wagner], complete)
    expect(await itemsOf(payroll, sync)).toMatchObject([
      { class: 'inclusion', 'tax-id': wagner['tax-id'], offenses: [] },
    ])
  })
})

test('another plan of the same kind is a change of plan, which the dependents follow', async () => {
  const davi = employee(1)
  const helena = child(davi)
  const beatriz = employee(2)
  await covered(testApp, company, [davi, helena, beatriz, { ...beatriz, 'product-name': dental }])
  const list = [{ ...davi, 'product-name': premium }, { ...helena, 'product-name': premium }, beatriz]
  const sync = await sendList(payroll, company, list, everybody)
  const items = await itemsOf(payroll, sync)
  expect(classesOf(items)).toEqual({ 'plan-change proposed': 1, 'held held': 1, 'exclusion proposed': 1 })
  expect(only(items, 'plan-change')).toMatchObject({ 'tax-id': davi['tax-id'] })
  expect(only(items, 'held')).toMatchObject({ 'tax-id': helena['tax-id'], explanation: 'follows-primary' })
  expect(only(items, 'exclusion')).toMatchObject({ 'tax-id': beatriz['tax-id'], 'product-name': dental })
})

test('a last day with its reason is executed without anybody where the policy says so; an exclusion by absence never', async () => {
  const people = await crew(20)
  expectOk(
    await testApp.operator.put(`/operator/v1/company/${company.taxId}/roster-policy`, {
      automatic: ['inclusion', 'leaver', 'company-data'],
      'guard-people': 20,
      'guard-percent': 10,
      'min-presence-percent': 80,
    }),
  )
  const [gone, unsaid, moved, ...rest] = people.slice(1)
  const list = [
    { ...gone, 'end-date': '2026-12-31', 'exclusion-reason': 'resignation' },
    { ...unsaid, 'end-date': '2026-12-31' },
    { ...moved, 'cost-center': '4300' },
    ...rest,
  ]
  const sync = await sendList(payroll, company, list, { ...everybody, automatic: true })
  const readItems = async () =>
    Object.fromEntries((await itemsOf(payroll, sync)).map((item) => [item['tax-id'], [item.class, item.status]]))
  const items = await until(readItems, (seen) => !JSON.stringify(seen).includes('confirmed'))
  expect(items).toEqual({
    [gone['tax-id']]: ['leaver', 'requested'],
    [unsaid['tax-id']]: ['leaver', 'proposed'],
    [moved['tax-id']]: ['company-data', 'requested'],
    [people[0]['tax-id']]: ['exclusion', 'proposed'],
  })
})

test('HR confirms what the payroll program sent; another company gets 404', async () => {
  const people = await crew(10)
  const sync = await sendList(payroll, company, people.slice(1), everybody)
  const other = await testApp.partner((await testApp.company()).taxId)
  for (const path of [`/v1/movement-draft/${sync['draft-id']}`, `/v1/roster-sync/${sync['roster-sync-id']}`]) {
    expect((await other.get(path)).status).toBe(404)
  }
  expect((await confirmDraft(other, sync, { classes: ['exclusion'] })).status).toBe(404)
  const hr = await testApp.partner(company.taxId)
  const draft = expectOk(await confirmDraft(hr, sync, { classes: ['exclusion'], 'exclusion-details': leaving })).body
    .result
  const [made] = await testApp.sql<{ client: string }>('select client_id as client from request where id = $1', [
    draft['request-ids'][0],
  ])
  expect(made?.client).toBe(hr.clientId)
})

test('a newer list of the same people replaces what an older one proposed', async () => {
  const people = await crew(10)
  const first = await sendList(payroll, company, people.slice(1), everybody)
  const second = await sendList(payroll, company, people.slice(1), everybody)
  expect((await payroll.get(`/v1/movement-draft/${first['draft-id']}`)).body.result).toMatchObject({
    status: 'closed',
    'closed-because': 'superseded',
  })
  expect(classesOf(await itemsOf(payroll, second))).toEqual({ 'exclusion proposed': 1 })
})

test('an operator sends the list of a company, which the company sees', async () => {
  const people = await crew(10)
  const intake = { medium: 'email', 'received-at': '2026-11-23T08:40:00-03:00', 'requester-name': 'Paula Andrade' }
  const sync = await sendList(testApp.operator, company, people.slice(1), { ...everybody, intake }, '/operator/v1')
  const seen = (await payroll.get(`/v1/movement-draft/${sync['draft-id']}`)).body.result
  expect(seen).toMatchObject({ source: 'roster-sync', status: 'open' })
  const draft = expectOk(
    await confirmDraft(
      testApp.operator,
      sync,
      { classes: ['exclusion'], 'exclusion-details': leaving },
      '/operator/v1',
    ),
  ).body.result
  const request = (await payroll.get(`/v1/request/${draft['request-ids'][0]}`)).body
  expect(request.intake).toMatchObject({ medium: 'email', 'requester-name': 'Paula Andrade' })
})

test('a list that was lost by a crash of the database is read again', async () => {
  const people = await crew(10)
  const sync = await openSync(payroll, company, everybody)
  expect(sync['roster-sync-id']).not.toBe(randomUUID())
  await putList(
    payroll,
    sync,
    people
      .slice(1)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
    '/v1',
    {
      'content-type': 'application/x-ndjson',
    },
  )
  await testApp.sql('truncate roster_line, roster_person, roster_item')
  const done = await until(
    async () => (await payroll.get(`/v1/roster-sync/${sync['roster-sync-id']}`)).body.result,
    ({ status }: Json) => status === 'compared',
  )
  expect(done).toMatchObject({ lines: 9, unchanged: 9 })
})
