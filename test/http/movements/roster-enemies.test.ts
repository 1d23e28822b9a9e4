import { beforeAll, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { child, covered, employee, itemsOf, openSync, putList } from '../../world/rosters.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  type Json,
  until,
  useTestApp,
} from '../../world/test-app.ts'

/* Lists that are made to break the service, or that are of something else. */

const testApp = useTestApp()
let company: Company
let payroll: Client
let here: Json[]
beforeAll(async () => {
  company = await testApp.company()
  payroll = await testApp.partner(company.taxId)
  here = Array.from({ length: 12 }, (_, n) => employee(n))
  await covered(testApp, company, [...here, child(here[0] ?? {}), child(here[1] ?? {})])
})

const everybody = { states: ['people', 'dependents', 'products'] }
const types = { ndjson: 'application/x-ndjson', csv: 'text/csv', json: 'application/json' } as const
const linesOf = (rows: readonly Json[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** What became of a list; its first answer is no error of the service. */
async function sent(
  list: string | Buffer,
  type: string = types.ndjson,
  statement: Json = everybody,
  on: { company: Company; payroll: Client } = { company, payroll },
): Promise<Json> {
  const sync = await openSync(on.payroll, on.company, statement)
  const answer = await putList(on.payroll, sync, list, '/v1', { 'content-type': type, prefer: 'wait=60' })
  if (answer.status >= 400) {
    expect(answer.status).toBeLessThan(500)
    return { status: answer.status, code: answer.body.code }
  }
  const seen = await until(
    async () => expectOk(await on.payroll.get(`/v1/roster-sync/${sync['roster-sync-id']}`)).body.result,
    ({ status }: Json) => !['reading', 'comparing'].includes(status),
  )
  // No step failed on the way.
  const failed = expectOk(await testApp.operator.get('/operator/v1/failed-step')).body.result
  expect(failed).toEqual([])
  return seen
}

const exclusionsOf = async (sync: Json, client = payroll): Promise<string[]> =>
  (await itemsOf(client, sync))
    .filter((item) => item.status === 'proposed' && ['exclusion', 'leaver'].includes(item.class))
    .map((item) => item['tax-id'])

const products = (count: number) => ({
  products: { 'health-insurance': Array.from({ length: count }, (_, n) => ({ name: `Plano ${n}` })) },
})

test.each<[string, () => string | Buffer, string, Json]>([
  [
    '200,001 lines',
    () => '{"tax-id":"1"}\n'.repeat(200_001),
    types.ndjson,
    { problems: [{ problem: 'too-many-lines' }] },
  ],
  [
    'a line of 10 MB',
    () => JSON.stringify({ ...here[0], 'mothers-name': 'a'.repeat(10_000_000) }),
    types.ndjson,
    { problems: [{ problem: 'no-people' }] },
  ],
  [
    'a cell of 10 MB',
    () => `tax-id;name\n${here[0]?.['tax-id']};${'a'.repeat(10_000_000)}\n`,
    types.csv,
    { problems: [{ problem: 'no-people' }] },
  ],
  [
    'a heading of 10 MB',
    () => `tax-id;${'a'.repeat(10_000_000)}\n${here[0]?.['tax-id']};1\n`,
    types.csv,
    { status: 'failed' },
  ],
  [
    'a CSV without line ends',
    () => `tax-id;name;${`${here[0]?.['tax-id']};Lúcia;`.repeat(100_000)}`,
    types.csv,
    { status: 'failed' },
  ],
  [
    'JSON that is deep',
    () => `{"members":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`,
    types.json,
    { problems: [{ problem: 'not-readable' }] },
  ],
  [
    'a line that is deep',
    () => `{"tax-id":"${here[0]?.['tax-id']}","products":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    types.ndjson,
    { problems: [{ problem: 'no-people' }] },
  ],
  [
    'JSON with a key twice',
    () => `{"members":[],"members":[{"tax-id":"${here[0]?.['tax-id']}"}]}`,
    types.json,
    { status: 'failed' },
  ],
  ['no member', () => '{"members":[]}', types.json, { problems: [{ problem: 'no-people' }] }],
  [
    '10,001 members',
    () => JSON.stringify({ members: Array.from({ length: 10_001 }, () => ({})) }),
    types.json,
    { problems: [{ problem: 'too-many-lines' }] },
  ],
  ['nothing', () => '', types.ndjson, { status: 400, code: 'invalid-body' }],
  ['blank lines', () => '\n\n \n', types.ndjson, { status: 'failed' }],
  ['a byte order mark alone', () => '\uFEFF', types.csv, { status: 'failed' }],
  [
    'a header alone',
    () => 'tax-id;name;product-name;beneficiary-type\n',
    types.csv,
    { problems: [{ problem: 'no-people' }] },
  ],
  [
    'headings twice',
    () => `tax-id;name;tax-id\n${here[0]?.['tax-id']};Lúcia;${here[1]?.['tax-id']}\n`,
    types.csv,
    { status: 'failed' },
  ],
  ['NUL bytes', () => Buffer.alloc(1_000_000), types.csv, { status: 'failed' }],
  ['NUL bytes as NDJSON', () => Buffer.alloc(1_000_000), types.ndjson, { problems: [{ problem: 'no-people' }] }],
  [
    'random bytes',
    () => Buffer.from(Array.from({ length: 50_000 }, (_, n) => (n * 7919) % 251)),
    types.csv,
    { status: 'failed' },
  ],
  [
    '10,000 products of a member',
    () => JSON.stringify({ members: [{ ...here[0], ...products(10_000) }] }),
    types.json,
    { problems: [{ problem: 'no-people' }] },
  ],
  [
    '400,000 products of a member',
    () => JSON.stringify({ members: [{ ...here[0], ...products(400_000) }] }),
    types.json,
    { problems: [{ problem: 'no-people' }] },
  ],
  ['a PDF', () => '%PDF-1.7\n1 0 obj\n', types.csv, { problems: [{ problem: 'not-readable' }] }],
])('%s', async (_name, list, type, expected) => {
  // What takes as long as the square of its length does not end within the limit of `sent`.
  expect(await sent(list(), type)).toMatchObject(expected)
})

test('the same list in other bytes says the same', async () => {
  const columns = [
    'beneficiary-type',
    'tax-id',
    'primary-member-tax-id',
    'dependent-type',
    'name',
    'date-of-birth',
    'product-name',
  ]
  const text = [columns, ...here.map((one) => columns.map((name) => one[name] ?? ''))]
    .map((row) => row.join(';'))
    .join('\r\n')
  const utf16 = Buffer.from(`\uFEFF${text}\r\n`, 'utf16le')
  const found: unknown[] = []
  for (const bytes of [
    Buffer.from(`${text}\r\n`),
    Buffer.from(`\uFEFF${text}\r\n`),
    Buffer.from(`${text}\r\n`, 'latin1'),
    Buffer.from(`${text.replaceAll('\r\n', '\r')}\r`),
    utf16,
    Buffer.from(utf16).swap16(),
  ]) {
    const sync = await sent(bytes, types.csv, { states: ['people', 'products'] })
    found.push([sync.status, sync.lines, sync.unchanged, (await itemsOf(payroll, sync)).length])
  }
  const read = ['compared', 12, 12, 0]
  expect(found).toEqual([read, read, read, read, ['failed', null, null, 0], ['failed', null, null, 0]])
})

test('CPFs that are equal in all lines exclude nobody', async () => {
  const list = here.map((one) => ({ ...one, 'tax-id': here[0]?.['tax-id'] }))
  const sync = await sent(linesOf(list))
  expect(sync.status).toBe('compared')
  expect(await exclusionsOf(sync)).toEqual([])
})

test('invisible characters and NUL in names and CPFs change nothing, or are refused', async () => {
  const list = here.map((one) => ({
    ...one,
    name: `\u200B${one.name}\u0000`,
    'tax-id': `\u200B${one['tax-id']}\u00A0`,
  }))
  const sync = await sent(linesOf(list), types.ndjson, { states: ['people'] })
  expect(sync).toMatchObject({ status: 'failed', problems: [{ problem: 'no-people' }] })
  const some = await sent(linesOf([...list.slice(0, 1), ...here.slice(1)]), types.ndjson, { states: ['people'] })
  expect(some).toMatchObject({ status: 'compared', 'refused-lines': 1 })
  expect(await exclusionsOf(some)).toEqual([])
})

test('two people whose CPFs are swapped are held, and nobody leaves', async () => {
  const [first, second] = here
  const list = here.map((one) =>
    one === first
      ? { ...one, 'tax-id': second?.['tax-id'] }
      : one === second
        ? { ...one, 'tax-id': first?.['tax-id'] }
        : one,
  )
  const sync = await sent(linesOf(list), types.ndjson, { states: ['people', 'products'] })
  const items = await itemsOf(payroll, sync)
  expect(items.map((item) => [item.class, item.explanation])).toEqual([
    ['held', 'identity-conflict'],
    ['held', 'identity-conflict'],
  ])
})

test('an employee id and a birth date of several people match nobody', async () => {
  const own = await testApp.company()
  const client = await testApp.partner(own.taxId)
  const twins = [1, 2].map((n) => employee(n, { 'employee-id': 'V-7', 'date-of-birth': '1984-02-11' }))
  await covered(testApp, own, twins)
  const other = employee(3, { 'employee-id': 'V-7', 'date-of-birth': '1984-02-11' })
  const sync = await sent(
    linesOf([...twins.slice(1), other]),
    types.ndjson,
    { states: [] },
    { company: own, payroll: client },
  )
  const items = await itemsOf(client, sync)
  // Nor where all of them but one are listed.
  expect(items.map((item) => [item.class, item['tax-id']])).toEqual([['inclusion', other['tax-id']]])
  const both = await sent(linesOf([other]), types.ndjson, { states: [] }, { company: own, payroll: client })
  expect((await itemsOf(client, both)).map((item) => [item.class, item['tax-id']])).toEqual([
    ['inclusion', other['tax-id']],
  ])
})

test('somebody who is a primary and a dependent, and a child of both parents, are each compared in their role', async () => {
  const own = await testApp.company()
  const client = await testApp.partner(own.taxId)
  const [mother, father] = [employee(1), employee(2)]
  const kid = child(mother)
  const ofFather = { ...kid, 'primary-member-tax-id': father['tax-id'], 'product-name': dental }
  const wife = child(father, {
    'tax-id': mother['tax-id'],
    name: mother.name,
    'date-of-birth': mother['date-of-birth'],
    'dependent-type': 'spouse',
    gender: mother.gender,
    'mothers-name': mother['mothers-name'],
    'product-name': dental,
  })
  const all = [mother, father, { ...father, 'product-name': dental }, kid, ofFather, wife]
  await covered(testApp, own, all)
  const on = { company: own, payroll: client }
  const same = await sent(linesOf(all), types.ndjson, everybody, on)
  expect(await itemsOf(client, same)).toEqual([])
  const without = await sent(linesOf(all.filter((one) => one !== ofFather)), types.ndjson, everybody, on)
  const left = (await itemsOf(client, without)).map((item) => [item.class, item['product-name'], item['tax-id']])
  expect(left).toEqual([['exclusion', dental, kid['tax-id']]])
})

test('lines of another company are refused, and exclude nobody', async () => {
  const other = await testApp.company()
  const sync = await sent(linesOf(here.map((one) => ({ ...one, 'company-tax-id': other.taxId }))))
  expect(sync).toMatchObject({ status: 'failed', problems: [{ problem: 'no-people' }] })
  const half = await sent(
    linesOf(here.map((one, n) => ({ ...one, ...(n % 2 === 0 && { 'company-tax-id': other.taxId }) }))),
  )
  expect(half.doubts.map((one: Json) => one.doubt)).toContain('many-refused-lines')
  expect(await exclusionsOf(half)).toEqual([])
})

test('a company without people gets inclusions', async () => {
  const own = await testApp.company()
  const client = await testApp.partner(own.taxId)
  const sync = await sent(linesOf([employee(1)]), types.ndjson, everybody, { company: own, payroll: client })
  expect((await itemsOf(client, sync)).map((item) => item.class)).toEqual(['inclusion'])
})

test('cost centers of 10,000 characters and thousands of them are refused or answered', async () => {
  for (const centers of [['x'.repeat(10_000)], Array.from({ length: 5_000 }, (_, n) => `${n}`), ['\u0000'], ['']]) {
    const answer = await payroll.post('/v1/roster-sync', {
      'company-tax-id': company.taxId,
      states: [],
      within: { 'cost-centers': centers },
    })
    expect([200, 400]).toContain(answer.status)
    if (answer.status === 200) {
      const sync = answer.body.result
      expectOk(await putList(payroll, sync, linesOf(here)))
    }
  }
})

test.each<[string, (mother: Json) => Json[]]>([
  ['a family of 20,000 dependents', (mother) => Array.from({ length: 20_000 }, () => child(mother))],
  ['somebody with 20,000 lines', (mother) => Array.from({ length: 20_000 }, () => mother)],
])('%s is a mistake of the list', async (_name, more) => {
  const own = await testApp.company()
  const client = await testApp.partner(own.taxId)
  const mother = employee(1)
  await covered(testApp, own, [mother])
  const on = { company: own, payroll: client }
  const sync = await sent(linesOf([mother, ...more(mother)]), types.ndjson, everybody, on)
  expect(sync).toMatchObject({
    status: 'failed',
    problems: [{ problem: 'too-many-lines', field: 'primary-member-tax-id', line: null }],
  })
})

test('a family of 900 dependents is compared', async () => {
  const own = await testApp.company()
  const client = await testApp.partner(own.taxId)
  const mother = employee(1)
  await covered(testApp, own, [mother])
  const kids = Array.from({ length: 900 }, () => child(mother))
  const on = { company: own, payroll: client }
  expect(await sent(linesOf([mother, ...kids]), types.ndjson, everybody, on)).toMatchObject({ unchanged: 1, of: 901 })
})

test('a product that is renamed between the list and its comparison is unknown, and nobody loses it', async () => {
  const own = await testApp.company()
  const client = await testApp.partner(own.taxId)
  const people = [1, 2, 3].map((n) => employee(n))
  await covered(testApp, own, people)
  await testApp.sql(
    `update product set name = 'Saúde Nova', name_key = 'saude nova' where company_id = $1 and id = $2`,
    [own.id, own.products[health]],
  )
  const sync = await sent(linesOf(people), types.ndjson, everybody, { company: own, payroll: client })
  const items = await itemsOf(client, sync)
  expect(items.map((item) => item.explanation)).toEqual(people.map(() => 'unknown-product'))
})

test('after all of it nothing is left', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
