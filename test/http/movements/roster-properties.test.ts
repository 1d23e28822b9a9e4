import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  type Json,
  nextCpf,
  premium,
  useTestApp,
} from '../../world/test-app.ts'
import { child, confirmDraft, covered, employee, itemsOf, openSync, putList, sendList } from '../../world/rosters.ts'

/* What holds of any list: against the service, with what it says of each person. */

const testApp = useTestApp()
const statement = {
  states: ['people', 'dependents', 'products'],
  defaults: { 'start-option': 'on-inclusion-date' },
  // Small companies: one person is many.
  'accept-doubts': ['too-few-people', 'no-dependents', 'many-identity-conflicts'],
}
const runs = { seed: 20_261_129, numRuns: 6 }

/** What becomes of a family between the state and the list. */
const change = fc.record({
  plan: fc.constantFrom('same', 'premium', 'dental-too'),
  fate: fc.constantFrom('stays', 'stays', 'stays', 'leaves', 'says-last-day', 'marries', 'moves', 'other-cpf'),
  children: fc.integer({ min: 0, max: 2 }),
  childrenListed: fc.integer({ min: 0, max: 3 }),
  center: fc.constantFrom('4200', '4300'),
})
const scene = fc.record({
  families: fc.array(change, { minLength: 2, maxLength: 7 }),
  joiners: fc.integer({ min: 0, max: 3 }),
})
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never

interface Lists {
  readonly here: readonly Json[]
  readonly list: readonly Json[]
}

function listsOf({ families, joiners }: Scene): Lists {
  const here: Json[] = []
  const list: Json[] = []
  for (const [n, { plan, fate, children, childrenListed, center }] of families.entries()) {
    const primary = employee(n, { 'cost-center': center, phone: '11987654321' })
    const kids = Array.from({ length: Math.max(children, childrenListed) }, (_, k) =>
      child(primary, { 'date-of-birth': `201${k}-04-0${1 + k}` }),
    )
    here.push(primary, ...kids.slice(0, children))
    if (fate === 'leaves') continue
    const product = plan === 'premium' ? premium : health
    const stated = {
      ...primary,
      'product-name': product,
      ...(fate === 'marries' && { name: `${primary.name} Brandão`, phone: '11912345678' }),
      ...(fate === 'moves' && { 'job-title': 'Analista' }),
      ...(fate === 'says-last-day' && { 'end-date': '2026-12-15', 'exclusion-reason': 'resignation' }),
      ...(fate === 'other-cpf' && { 'tax-id': nextCpf() }),
    }
    list.push(stated)
    if (plan === 'dental-too' && fate !== 'says-last-day') list.push({ ...stated, 'product-name': dental })
    list.push(
      ...kids.slice(0, childrenListed).map((kid) => ({
        ...kid,
        'product-name': product,
        'primary-member-tax-id': stated['tax-id'],
      })),
    )
  }
  for (let n = 0; n < joiners; n += 1) list.push(employee(100 + n, { 'cost-center': '4200' }))
  return { here, list }
}

async function world(lists: Lists): Promise<{ company: Company; payroll: Client }> {
  const company = await testApp.company()
  const payroll = await testApp.partner(company.taxId)
  await covered(testApp, company, lists.here)
  return { company, payroll }
}

/** What an item says, without what differs by draft. */
const sayings = (items: readonly Json[]): string[] =>
  items
    .map((item) =>
      JSON.stringify([
        item.class,
        item.status,
        item['tax-id'],
        item['product-name'],
        item.differences,
        item.explanation,
        item['also-ends'],
        item.needs,
        item.offenses,
      ]),
    )
    .toSorted()

async function confirmAll(client: Client, sync: Json): Promise<string[]> {
  const items = (await itemsOf(client, sync)).filter(({ status }) => status === 'proposed')
  if (items.length === 0) return []
  const body: Json = {
    items: items.map(({ number }) => ({ number })),
    'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'resignation' },
    'start-option': 'on-inclusion-date',
  }
  let response = await confirmDraft(client, sync, body)
  if (response.status === 409) {
    response = await confirmDraft(client, sync, {
      ...body,
      guard: { people: response.body.people, reason: 'Encerramento' },
    })
  }
  return expectOk(response).body.result['request-ids']
}

async function decideAll(company: Company): Promise<void> {
  for (;;) {
    const open = await testApp.sql<{ id: string }>(
      `select id from open_movement where company_id = $1 and status not in ('scheduled') order by id`,
      [company.id],
    )
    if (open.length === 0) return
    for (const { id } of open)
      await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' })
  }
}

test('what is here gives nothing, in any order of its lines', async () => {
  await fc.assert(
    fc.asyncProperty(scene, fc.infiniteStream(fc.nat()), async (given, keys) => {
      const { here } = listsOf(given)
      const { company, payroll } = await world({ here, list: here })
      const shuffled = here
        .map((line) => ({ line, key: keys.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ line }) => line)
      const sync = await sendList(payroll, company, shuffled, statement)
      expect(await itemsOf(payroll, sync)).toEqual([])
      expect(sync).toMatchObject({ 'draft-id': null, unchanged: here.length, doubts: [] })
    }),
    runs,
  )
})

test('the order of the lines and of their fields does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const lists = listsOf(given)
      const { company, payroll } = await world(lists)
      const one = await sendList(payroll, company, lists.list, statement)
      const reversed = lists.list
        .toReversed()
        .map((line) => Object.fromEntries(Object.entries(line as object).toReversed()))
      const other = await sendList(payroll, company, reversed, statement)
      expect(sayings(await itemsOf(payroll, other))).toEqual(
        sayings(
          (await itemsOf(payroll, one)).map((item) => ({
            ...item,
            status: item.status === 'superseded' ? 'proposed' : item.status,
          })),
        ),
      )
    }),
    runs,
  )
})

test('everything confirmed and completed, the same list proposes nothing; of who still differs it says why', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const lists = listsOf(given)
      const { company, payroll } = await world(lists)
      // What follows a plan or a CPF comes after it.
      for (let night = 0; night < 3; night += 1) {
        const ids = await confirmAll(payroll, await sendList(payroll, company, lists.list, statement))
        await Promise.all(ids.map((id) => testApp.finished(payroll, id)))
        await decideAll(company)
      }
      const last = await sendList(payroll, company, lists.list, statement)
      const left = await itemsOf(payroll, last)
      // A list may contradict itself, as with a new child of who leaves: the rules say so.
      const isTold = (item: Json) => item.explanation !== null || item.offenses.length > 0
      expect(left.filter((item) => !isTold(item))).toEqual([])
    }),
    { ...runs, numRuns: 4 },
  )
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('two lists of half of the company each say what the whole list says', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const lists = listsOf(given)
      const { company, payroll } = await world(lists)
      const whole = sayings(
        (await itemsOf(payroll, await sendList(payroll, company, lists.list, statement))).map((item) => ({
          ...item,
          explanation: null,
        })),
      )
      const centers = new Map(
        lists.list.flatMap((line) =>
          line['cost-center'] === undefined ? [] : [[line['tax-id'], line['cost-center']]],
        ),
      )
      const centerOf = (line: Json) => centers.get(line['primary-member-tax-id'] ?? line['tax-id'])
      const halves: Json[] = []
      for (const center of ['4200', '4300']) {
        const half = lists.list.filter((line) => centerOf(line) === center)
        if (half.length === 0 && !lists.here.some((line) => line['cost-center'] === center)) continue
        // A list has a person at least.
        if (half.length === 0) return
        const within = { 'cost-centers': [center] }
        halves.push(...(await itemsOf(payroll, await sendList(payroll, company, half, { ...statement, within }))))
      }
      const isMoved = (item: Json) => ({ ...item, explanation: null })
      expect(sayings(halves.map(isMoved))).toEqual(whole)
    }),
    runs,
  )
})

test('more people in a list never exclude anybody', async () => {
  await fc.assert(
    fc.asyncProperty(scene, fc.integer({ min: 1, max: 5 }), async (given, more) => {
      const lists = listsOf(given)
      const { company, payroll } = await world(lists)
      const exclusionsOf = (items: readonly Json[]) =>
        items
          .filter((item) => item.class === 'exclusion')
          .map((item) => `${item['tax-id']} ${item['product-name']}`)
          .toSorted()
      const before = exclusionsOf(await itemsOf(payroll, await sendList(payroll, company, lists.list, statement)))
      const added = Array.from({ length: more }, (_, n) => employee(200 + n))
      const after = exclusionsOf(
        await itemsOf(payroll, await sendList(payroll, company, [...lists.list, ...added], statement)),
      )
      expect(after).toEqual(before)
    }),
    runs,
  )
})

/** A crew that is large enough for the doubts, as it is here. */
const crewOf = (count: number): Json[] => Array.from({ length: count }, (_, n) => employee(n))

const spoil = fc.record({
  how: fc.constantFrom('shuffled CPFs', 'shuffled names', 'half re-encoded', 'truncated'),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
})

/** Bytes of the list in which something went wrong. */
function spoiled(crew: readonly Json[], { how, seed }: { how: string; seed: number }): Buffer {
  const lines = (rows: readonly Json[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const turn = 1 + (seed % (crew.length - 1))
  const turned = (field: string) => crew.map((row, n) => ({ ...row, [field]: crew[(n + turn) % crew.length]?.[field] }))
  if (how === 'shuffled CPFs') return Buffer.from(lines(turned('tax-id')))
  if (how === 'shuffled names') return Buffer.from(lines(turned('name')))
  const bytes = Buffer.from(lines(crew))
  if (how === 'truncated') return bytes.subarray(0, 1 + (seed % (bytes.length - 2)))
  const half = Math.floor(bytes.length / 2)
  return Buffer.concat([bytes.subarray(0, half), Buffer.from(bytes.subarray(half).toString('latin1'), 'utf8')])
}

test('a list with a column sorted alone, half of it in another encoding, or cut off proposes no exclusion', async () => {
  const crew = crewOf(40)
  const { company, payroll } = await world({ here: crew, list: crew })
  await fc.assert(
    fc.asyncProperty(spoil, async (given) => {
      const body = { states: ['people', 'products'], 'people-count': crew.length }
      const sync = await openSync(payroll, company, body)
      const { result } = expectOk(await putList(payroll, sync, spoiled(crew, given))).body
      const proposed = (await itemsOf(payroll, result)).filter((item) => item.status === 'proposed')
      expect([given.how, proposed.filter(({ class: one }) => one !== 'inclusion')]).toEqual([given.how, []])
    }),
    { ...runs, numRuns: 20 },
  )
})

test('nothing outside of what the list is about is an item, and with any policy nobody leaves by absence alone', async () => {
  const policy = {
    automatic: ['inclusion', 'leaver', 'plan-change', 'correction', 'company-data'],
    'guard-people': 200,
    'guard-percent': 100,
    'min-presence-percent': 0,
  }
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const lists = listsOf(given)
      const list = lists.list.filter((line) => line['product-name'] !== dental)
      if (list.length === 0) return
      const { company, payroll } = await world(lists)
      expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}/roster-policy`, policy))
      const within = { 'cost-centers': ['4200'], 'product-types': ['health-insurance'] }
      const sync = await sendList(payroll, company, list, { ...statement, within, automatic: true })
      const items = await itemsOf(payroll, sync)
      const centers = new Map(lists.here.map((line) => [line['tax-id'], line['cost-center']]))
      const outside = items.filter((item) => centers.get(item['tax-id']) === '4300')
      expect(
        outside.filter(({ explanation }) => explanation !== 'outside-scope' && explanation !== 'other-primary'),
      ).toEqual([])
      expect(items.filter((item) => item['product-name'] === dental)).toEqual([])
      const executed = ['confirmed', 'requested', 'refused', 'approval']
      const byAbsence = items.filter(({ class: one }) => one === 'exclusion' || one === 'tax-id-correction')
      expect(byAbsence.filter(({ status }) => executed.includes(status))).toEqual([])
    }),
    runs,
  )
})
