import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, dental, expectOk, inProduct, type Json, useTestApp, primary } from '../world/test-app.ts'
import { readTableFile } from '#apps/cli/table-file.ts'
import { anyClient, type Cli, openCli, openStandIn } from './command.ts'

const testApp = useTestApp()
let cli: Cli
let partner: Client
let members: Json[]

beforeAll(async () => {
  cli = await openCli()
  const company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  const both = { ...primary()['products'], ...inProduct('dental-insurance', dental) }
  const people = [
    primary({ name: '=SUM(A1), "Aspas"', products: both, 'cost-center': 'CC-1' }),
    primary({ name: 'Çelik' }),
  ]
  await testApp.include(partner, company, people, '?resolution=approve')
  members = expectOk(await partner.get('/v1/member')).body.result
  await cli.signIn(testApp.url, { partner })
})
afterAll(async () => {
  await cli.clear()
})

test('as NDJSON and JSON it is what the service lists', async () => {
  const lines = await cli.run(['member', 'export'])
  expect(lines).toMatchObject({ code: 0, err: '' })
  expect(
    lines.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(members)
  expect((await cli.run(['member', 'export', '--format', 'json'])).json).toEqual({ result: members })
  expect((await cli.run(['member', 'export', '--json', '--filter', 'cost-center=CC-1'])).json.result).toHaveLength(1)
  expect((await cli.run(['member', 'export', '--json', '--filter', 'cost-center=CC-2'])).json).toEqual({ result: [] })
})

test('as CSV it opens in a Brazilian spreadsheet, with a line for each benefit, and no cell that a spreadsheet runs', async () => {
  const file = join(cli.folder, 'members.csv')
  const outcome = await cli.run(['member', 'export', '--output', file])
  expect(outcome).toMatchObject({ code: 0, out: '' })
  expect(outcome.err).toContain('2 members written')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const lines = (await readFile(file, 'utf8')).split('\r\n')
  expect(lines.pop()).toBe('')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^\uFEFFcompany-tax-id;beneficiary-type;name;tax-id;/)
  expect(lines.filter((line) => line.includes(`;"'=SUM(A1), ""Aspas""";`))).toHaveLength(2)
  expect(lines.filter((line) => line.includes(';Çelik;'))).toHaveLength(1)
})

test('as a workbook it has the cells of the CSV', async () => {
  const [text, book] = ['csv', 'xlsx'].map((ending) => join(cli.folder, `same.${ending}`)) as [string, string]
  for (const file of [text, book]) {
    expect(await cli.run(['member', 'export', '--output', file])).toMatchObject({ code: 0, out: '' })
  }
  const columns = { columnOf: (name: string) => ({ name, parse: String }), required: ['tax-id'] }
  const [ofText, ofBook] = await Promise.all(
    [text, book].map(async (file) => readTableFile(file, await readFile(file), columns)),
  )
  expect(ofBook?.lines).toHaveLength(3)
  expect(ofBook).toEqual(ofText)
})

test('a filter that the service refuses ends with 1, an unclear name of the file with 2', async () => {
  expect((await cli.run(['member', 'export', '--filter', 'color=red'])).code).toBe(1)
  expect((await cli.run(['member', 'export', '--output', join(cli.folder, 'members')])).code).toBe(2)
  expect((await cli.run(['member', 'export', '--output', join(cli.folder, 'absent', 'members.csv')])).code).toBe(2)
})

test.for(['{"result":[{"id":"1","profile":{"name":"a ] } , \\" b"},"benefits":[]}', '{"result":[{"id":"1"},{"id"'])(
  'a list that breaks off ends with 3 and leaves no file',
  async (start) => {
    const standIn = await openStandIn((_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 })
      response.write(start, () => response.destroy())
    })
    const other = await openCli()
    await other.signIn(standIn.url, { partner: anyClient })
    const file = join(other.folder, 'members.ndjson')
    expect((await other.run(['member', 'export', '--output', file])).code).toBe(3)
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await expect(stat(`${file}.part`)).rejects.toThrow('ENOENT')
    expect((await other.run(['member', 'export'])).code).toBe(3)
    await other.clear()
    await standIn.close()
  },
)
