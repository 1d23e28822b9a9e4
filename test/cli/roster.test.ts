import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { covered, employee } from '../world/rosters.ts'
import { type Client, type Company, health, type Json, useTestApp } from '../world/test-app.ts'
import { bookOfRows } from '../platform/tables/workbook.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp()
const production = useTestApp({ VIGENCIA_ENVIRONMENT: 'production' })
let cli: Cli
let company: Company
let partner: Client
let people: Json[]

beforeAll(async () => {
  cli = await openCli()
})
afterAll(async () => {
  await cli.clear()
})
beforeEach(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
  people = Array.from({ length: 20 }, (_, n) => employee(n))
  await covered(testApp, company, people)
})

const listOf = (rows: readonly Json[], name = 'folha.ndjson') =>
  cli.file(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
const syncWords = (file: string, states = 'people,products') => [
  'roster',
  'sync',
  file,
  '--company-tax-id',
  company.taxId,
  '--states',
  states,
]
const drafts = async (): Promise<Json[]> => (await partner.get('/v1/movement-draft')).body.result
const started = ['--start-option', 'on-inclusion-date']
const leaving = ['--end-date', '2026-11-30', '--exclusion-reason', 'resignation']

test('a list that equals what is there ends with 0, and standard input is read', async () => {
  const file = await listOf(people)
  const outcome = await cli.run(syncWords(file))
  expect(outcome).toMatchObject({ code: 0, out: '' })
  expect(outcome.err).toContain('20 lines, 0 refused; 20 people are as the list has them.\nNothing differs.\n')
  const piped = await cli.run(syncWords('-'), { stdin: await readFile(file, 'utf8') })
  expect(piped).toMatchObject({ code: 0 })
})

test('CSV, JSON, NDJSON and a workbook give the same', async () => {
  const [, ...rest] = people
  const listed = [...rest.slice(0, -1), { ...rest.at(-1), 'marital-status': 'married' }]
  const headings = Object.keys(listed.at(-1) ?? {})
  const rows = [headings, ...listed.map((row) => headings.map((heading) => String(row[heading] ?? '')))]
  const members = listed.map(({ 'product-name': name, ...row }) => ({
    ...row,
    products: { 'health-insurance': [{ name }] },
  }))
  const files = [
    await listOf(listed),
    await cli.file('folha.csv', rows.map((row) => `${row.join(';')}\r\n`).join('')),
    await cli.file('folha.json', JSON.stringify({ members })),
    await cli.file('folha.xlsx', bookOfRows(rows)),
  ]
  const seen = []
  for (const file of files) {
    const { code, json } = await cli.run([...syncWords(file), '--dry-run', '--json'])
    const { 'roster-sync': sync, 'movement-draft': draft, needs } = json.result
    seen.push([code, sync.lines, sync.unchanged, draft.counts, needs])
  }
  expect(seen[0]).toMatchObject([1, 19, 18, [{ class: 'correction' }, { class: 'exclusion' }], [{}, {}]])
  expect(seen.slice(1)).toEqual([seen[0], seen[0], seen[0]])
})

test('a dry run prints what differs, ends with 1, and leaves no open draft', async () => {
  const [gone, married, ...rest] = people
  const file = await listOf([{ ...married, 'marital-status': 'married' }, ...rest, employee(30)])
  const output = join(cli.folder, 'differs.ndjson')
  const outcome = await cli.run([...syncWords(file), '--dry-run', '--output', output])
  expect(outcome.code).toBe(1)
  const lines = outcome.out.split('\n')
  expect(lines.slice(0, 6)).toEqual([
    'CLASS\tPROPOSED',
    'correction\t1',
    'exclusion\t1',
    'inclusion\t1',
    expect.stringMatching(/^needs /),
    expect.stringMatching(/^needs /),
  ])
  expect(outcome.out).toContain(`\texclusion\t${gone?.['tax-id']}\t${gone?.['name']}\t${health}\t`)
  expect(outcome.out).toContain('\tmarital-status: - > married\t')
  expect(outcome.err).toContain('A dry run: nothing was kept.')
  const items = (await readFile(output, 'utf8')).trimEnd().split('\n')
  expect(items.map((line) => JSON.parse(line).class).toSorted()).toEqual(['correction', 'exclusion', 'inclusion'])
  expect(await drafts()).toMatchObject([{ status: 'closed', 'closed-because': 'discarded', 'request-ids': [] }])
})

test('what is complete is confirmed; what is left ends with 1, and then with 0', async () => {
  const [, ...rest] = people
  const incomplete = employee(31, { 'mothers-name': null })
  const file = await listOf([...rest, employee(30), incomplete])
  const words = [...syncWords(file), ...started, '--confirm', 'inclusion,correction']
  const first = await cli.run(words)
  expect(first.code).toBe(1)
  expect(first.out).toMatch(/\ninclusion\t1\t1\n/)
  expect(first.out).toMatch(/\nrequest-id \S{36}\n/)
  const [draft] = await drafts()
  expect(first.err).toContain(`vigencia movement-draft items ${draft?.['draft-id']} --status proposed`)
  const everything = await listOf([...rest, { ...incomplete, 'mothers-name': 'Nair Duarte Reis' }])
  const last = await cli.run([
    ...syncWords(everything),
    ...started,
    ...leaving,
    '--confirm',
    'inclusion,exclusion',
    '--yes',
    '--json',
  ])
  expect(last.code).toBe(0)
  expect(last.json.result).toMatchObject({
    'roster-sync': { status: 'compared' },
    'movement-draft': { status: 'closed', 'closed-because': 'done' },
    explanations: [{ explanation: 'open-movement', items: 1 }],
  })
})

test('exclusions are asked for: without a terminal nothing is confirmed', async () => {
  const file = await listOf(people.slice(1))
  const words = [...syncWords(file), ...leaving, '--confirm', 'exclusion']
  const silent = await cli.run(words)
  expect(silent.code).toBe(1)
  expect(silent.err).toContain('1 person is excluded.')
  expect(silent.err).toContain('repeat the command with --yes')
  const asked = await cli.inTerminal(words, { answers: [['1 person is excluded. Continue? y/n', 'y']] })
  expect(asked.code).toBe(0)
  const closed = (await drafts()).map((draft) => draft['closed-because'])
  expect(closed).toEqual(['done', 'superseded'])
})

test('doubts end with 3 unless they are accepted', async () => {
  const file = await listOf(people.slice(0, 10))
  const doubtful = await cli.run([...syncWords(file), '--dry-run'])
  expect(doubtful.code).toBe(3)
  expect(doubtful.out).toMatch(/^doubt too-few-people: 50, limit 80\n/)
  expect(doubtful.out).toContain('\ndoubtful-list: 10\n')
  const accepted = await cli.run([...syncWords(file), '--dry-run', '--accept-doubt', 'too-few-people'])
  expect(accepted.code).toBe(1)
  expect(accepted.out).toMatch(/^doubt too-few-people: 50, limit 80, accepted\nguard: 10 of 20 people would leave /)
})

test('more exclusions than usual end with 3 until their number and a reason are given', async () => {
  const file = await listOf(people.slice(4))
  const words = [...syncWords(file), ...leaving, '--confirm', 'exclusion', '--yes']
  const refused = await cli.run(words)
  expect(refused.code).toBe(3)
  expect(refused.err).toContain('repeat the command with --guard-people 4 --guard-reason TEXT')
  const json = await cli.run([...words, '--json'])
  expect(json).toMatchObject({ code: 3, json: { code: 'guard-not-confirmed', people: 4 } })
  const meant = await cli.run([...words, '--guard-people', '4', '--guard-reason', 'Encerramento da unidade'])
  expect(meant.code).toBe(0)
})

test('what is still needed with the given reason is said, and nothing is confirmed', async () => {
  const file = await listOf(people.slice(1))
  const words = [
    ...syncWords(file),
    '--end-date',
    '2026-11-30',
    '--exclusion-reason',
    'other',
    '--confirm',
    'exclusion',
  ]
  const outcome = await cli.run([...words, '--yes'])
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('exclusion-reason-details')
  expect(await drafts()).toMatchObject([{ status: 'open', 'request-ids': [] }])
})

test('--automatic confirms what the policy allows, and waits for it', async () => {
  const set = await cli.file(
    'policy.json',
    JSON.stringify({ automatic: ['correction'], 'guard-people': 20, 'guard-percent': 10, 'min-presence-percent': 80 }),
  )
  expect(await cli.run(['roster', 'policy', 'set', company.taxId, set])).toMatchObject({ code: 0 })
  expect(
    (await cli.run(['roster', 'policy', 'show', company.taxId, '--as', 'partner', '--json'])).json.result,
  ).toMatchObject({
    automatic: ['correction'],
  })
  const [married, ...rest] = people
  const file = await listOf([{ ...married, 'marital-status': 'married' }, ...rest])
  const outcome = await cli.run([...syncWords(file), '--automatic', '--json'])
  expect(outcome).toMatchObject({
    code: 0,
    json: { result: { 'movement-draft': { status: 'closed', 'closed-because': 'done' } } },
  })
  const shown = await cli.run(['roster', 'list', '--as', 'partner', '--json'])
  expect(shown.json.result).toMatchObject([{ status: 'compared', 'file-name': 'folha.ndjson' }])
})

test('in production corrections wait for the broker, which is nothing left for the company', async () => {
  const at = await production.company()
  const own = await production.partner(at.taxId)
  const some = [employee(0), employee(1)]
  await covered(production, at, some)
  await cli.signIn(production.url, { partner: own })
  const file = await listOf([{ ...some[0], 'marital-status': 'married' }])
  const words = ['roster', 'sync', file, '--company-tax-id', at.taxId, '--states', '', '--confirm', 'correction']
  const outcome = await cli.run(words)
  expect(outcome.code).toBe(0)
  expect(outcome.out).toContain('CLASS\tAPPROVAL\ncorrection\t1\n')
  expect(outcome.err).toContain('1 waits for the broker.')
})

test('refused lines and a list that cannot be compared end with 3', async () => {
  const file = await listOf([...people, { ...employee(40), 'date-of-birth': 'ontem' }])
  const refused = await cli.run([...syncWords(file), '--accept-doubt', 'many-refused-lines', '--json'])
  expect(refused).toMatchObject({ code: 3, json: { result: { 'roster-sync': { 'refused-lines': 1 } } } })
  const csv = await cli.file('folha.csv', `CPF;Nome\r\n${people[0]?.['tax-id']};Alguém\r\n`)
  const failed = await cli.run(syncWords(csv))
  expect(failed).toMatchObject({ code: 3, out: '' })
  expect(failed.err).toContain('scope-not-in-file')
  const json = await cli.run([...syncWords(csv), '--json'])
  expect(json.json.result.problems).toMatchObject([{ problem: 'scope-not-in-file' }])
})

test('an operator says how the list came, and its dry run is discarded too', async () => {
  const file = await listOf([{ ...people[0], 'marital-status': 'married' }])
  const operator = [...syncWords(file, ''), '--as', 'operator']
  expect(await cli.run(operator)).toMatchObject({ code: 2, out: '' })
  const came = ['--medium', 'email', '--received-at', '2026-11-20T18:40:00-03:00', '--requester-name', 'Paula Andrade']
  expect((await cli.run([...operator, ...came, '--dry-run'])).code).toBe(1)
  expect((await cli.run([...operator, ...came, '--confirm', 'correction'])).code).toBe(0)
  const [done, tried] = await drafts()
  expect([done?.['closed-because'], tried?.['closed-because']]).toEqual(['done', 'discarded'])
  const id = done?.['request-ids'][0]
  expect((await testApp.operator.get(`/operator/v1/request/${id}`)).body.result.intake).toMatchObject({
    medium: 'email',
  })
})

test('wrong words are wrong usage, and send nothing', async () => {
  const file = await listOf(people)
  expect((await cli.run(syncWords(file, 'people,everything'))).code).toBe(2)
  expect((await cli.run([...syncWords(file), '--dry-run', '--confirm', 'inclusion'])).code).toBe(2)
  expect((await cli.run([...syncWords(file), '--confirm', 'tax-id-correction'])).code).toBe(2)
  const absent = join(cli.folder, 'absent.csv')
  expect(await cli.run(syncWords(absent))).toMatchObject({ code: 2, err: `error: There is no file ${absent}.\n` })
  expect((await partner.get('/v1/roster-sync')).body.result).toEqual([])
})
