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
import { child, confirmDraft, covered, employee, itemsOf, sendList } from '../../world/rosters.ts'

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
