import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importTemplate } from '#movements/rules/import-columns.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOfRows } from '../platform/tables/workbook.ts'
import { respondJson, anyClient, type Call, type Cli, openCli, openStandIn } from './command.ts'

/** Behaves as decided of `POST /operator/v1/member/import`: every line with `bad` in it is rejected. */
const state = { 'import-id': '', 'dry-run': false, lines: 0, accepted: 0, rejected: 0, errors: [] as object[] }
let how: 'answer' | 'break' | 'break off' | 'refuse' = 'answer'
let polls = 0
let cli: Cli
let standIn: Awaited<ReturnType<typeof openStandIn>>

function judge(call: Call): void {
  const lines = call.body.trim().split('\n').slice(1)
  const errors = lines.flatMap((line, n) =>
    line.includes('bad') ? [{ line: n + 2, offenses: ['invalid-tax-id'] }] : [],
  )
  Object.assign(state, {
    'import-id': call.query.get('import-id'),
    'dry-run': call.query.get('dry-run') === 'true',
    lines: lines.length,
    accepted: lines.length - errors.length,
    rejected: errors.length,
    errors,
    ...(call.body.includes('name') ? { warnings: [{ warning: 'unknown-column', field: 'Idade' }] } : {}),
  })
}

beforeAll(async () => {
  cli = await openCli()
  standIn = await openStandIn(async (call, response) => {
    if (call.method === 'POST') {
      if (how === 'refuse') return respondJson(response, 403, { error: 'Not allowed for this role' })
      judge(call)
      if (how !== 'answer') return void response.destroy()
      // The progress is read while the file is sent.
      while (polls < 2) await new Promise((resolve) => setImmediate(resolve))
      return respondJson(response, 200, state)
    }
    if (call.path.endsWith('/error')) {
      response.writeHead(200, { 'content-type': call.headers.accept })
      return void response.end(`as ${call.headers.accept}\n`)
    }
    polls += 1
    if (polls === 1) return respondJson(response, 404, { error: 'Import not found' })
    const running = polls < 3 && how === 'answer'
    const status = running ? 'running' : how === 'break off' ? 'broken' : 'done'
    respondJson(response, 200, { ...state, lines: running ? 1 : state.lines, status })
  })
  await cli.signIn(standIn.url, { operator: anyClient })
})
beforeEach(() => {
  polls = 0
  how = 'answer'
  standIn.calls.length = 0
})
afterAll(async () => {
  await cli.clear()
  await standIn.close()
})

const csv = 'tax-id,name\n1,good\n2,bad\n3,good\n'

test('the file is sent as it is, progress is shown, bad lines are named and end with 5', async () => {
  const file = await cli.file('members.csv', csv)
  const outcome = await cli.run(['import', file])
  expect(outcome.code).toBe(5)
  expect(outcome.out).toBe(`1/3 lines, 1 rejected\n3/3 lines\n${file}:3: invalid-tax-id\n`)
  expect(outcome.err).toContain('warning unknown-column Idade\n')
  expect(outcome.err).toContain('3 lines, 2 stored, 1 rejected.')
  const sent = standIn.calls.find(({ method }) => method === 'POST')
  expect(sent).toMatchObject({ path: '/operator/v1/member/import', body: csv })
  expect(sent?.headers['content-type']).toBe('text/csv')
  expect(sent?.headers['content-length']).toBe(String(csv.length))
})

test('a dry run of NDJSON without errors ends with 0 and says so', async () => {
  const file = await cli.file('members.ndjson', '{"a":1}\n{"a":2}\n')
  const outcome = await cli.run([
    'import',
    file,
    '--dry-run',
    '--json',
    '--import-id',
    '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  ])
  expect(outcome.code).toBe(0)
  expect(outcome.json).toMatchObject({
    'import-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
    'dry-run': true,
    rejected: 0,
  })
  const sent = standIn.calls.find(({ method }) => method === 'POST')
  expect(sent?.headers['content-type']).toBe('application/x-ndjson')
})

test('a connection that breaks while the service goes on is followed to the end', async () => {
  how = 'break'
  polls = 1
  const outcome = await cli.run(['import', await cli.file('broken.csv', csv), '--json'])
  expect(outcome.json).toMatchObject({ status: 'done', lines: 3, rejected: 1 })
  expect(outcome.code).toBe(5)
})

test('an import that broke off, or was never begun, ends with 3 and says that it may be repeated', async () => {
  how = 'break off'
  polls = 1
  const file = await cli.file('off.csv', csv)
  const outcome = await cli.run(['import', file])
  expect(outcome.code).toBe(3)
  expect(outcome.err).toContain('Repeat the command')
  polls = 0
  expect((await cli.run(['import', file])).code).toBe(3)
})

test('--errors writes every rejected line, of CSV as CSV; a role without permission ends with 1, a missing file with 2', async () => {
  const errors = join(cli.folder, 'errors.csv')
  const file = await cli.file('more.csv', csv)
  const outcome = await cli.run(['import', file, '--errors', errors])
  expect(outcome.out).not.toContain('invalid-tax-id')
  expect(await readFile(errors, 'utf8')).toBe('as text/csv\n')
  how = 'refuse'
  expect((await cli.run(['import', file])).code).toBe(1)
  expect((await cli.run(['import', 'absent.csv'])).code).toBe(2)
})

test('standard input is sent as it is; NDJSON is known by its content', async () => {
  const errors = join(cli.folder, 'errors.ndjson')
  const lines = '\uFEFF{"a":1}\n{"a":"bad"}\n{"a":2}\n'
  const outcome = await cli.run(['import', '-', '--errors', errors], { stdin: lines })
  expect(outcome.code).toBe(5)
  const sent = standIn.calls.find(({ method }) => method === 'POST')
  expect([sent?.body, sent?.headers['content-type']]).toEqual([lines.trimStart(), 'application/x-ndjson'])
  expect(await readFile(errors, 'utf8')).toBe('as application/x-ndjson\n')
  polls = 2
  expect((await cli.run(['import', '-'], { stdin: csv })).out).toContain('stdin:3: invalid-tax-id\n')
})

test('a workbook is sent as one, whatever its name, with its sheet', async () => {
  const file = await cli.file('members.csv', bookOfRows([['name'], ['Ana']]))
  expect((await cli.run(['import', file, '--sheet', 'Vidas'])).code).toBe(0)
  const sent = standIn.calls.find(({ method }) => method === 'POST')
  expect([sent?.headers['content-type'], sent?.query.get('sheet')]).toEqual([xlsxType, 'Vidas'])
})

test('a file that is neither CSV, XLSX nor NDJSON ends with 2 and says what it is', async () => {
  const workbook = await cli.file('members.csv', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  const array = await cli.file('members.json', '[{"a":1}]')
  for (const [file, message] of [
    [workbook, `${workbook} is an Excel workbook (.xls)`],
    [array, `${array} is a JSON array, not NDJSON.`],
  ] as const) {
    const outcome = await cli.run(['import', file])
    expect([outcome.code, outcome.err]).toEqual([2, expect.stringContaining(message)])
  }
  expect(standIn.calls).toEqual([])
})

test('the template is printed without a service', async () => {
  // Decoding removes the byte order mark.
  expect((await cli.run(['import', 'template'])).out.trim()).toBe(importTemplate('pt-BR').trim())
  const { json } = await cli.run(['import', 'template', '--language', 'en', '--json'])
  expect(json).toEqual({ language: 'en', columns: importTemplate('en').trim().split(';') })
  const file = join(cli.folder, 'template.xlsx')
  expect(await cli.run(['import', 'template', '--output', file])).toMatchObject({ code: 0, out: '' })
  expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK')
  const words = ['import', 'template', '--company-tax-id', '12ABC34501DE35']
  expect((await cli.run([...words, '--output', join(cli.folder, 'template.csv')])).code).toBe(2)
  expect(standIn.calls).toEqual([])
})
