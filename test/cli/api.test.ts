import { afterAll, beforeAll, expect, test } from 'vitest'
import { failure, json, openStub } from '../sdk/stub.ts'
import { type Client, type Company, primary, useTestApp } from '../world/test-app.ts'
import { anyClient, type Cli, openCli } from './command.ts'

const testApp = useTestApp()
let cli: Cli
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  company = await testApp.company({ name: 'Cerâmica São José' })
  partner = await testApp.partner(company.taxId)
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
})
afterAll(() => cli.clear())

test('api calls a path of each API with the client of the profile, and prints the response as it is', async () => {
  const read = await cli.run(['api', 'GET', `/v1/company/${company.taxId}`])
  expect(read).toMatchObject({ code: 0, err: '' })
  expect(read.json.result['tax-id']).toBe(company.taxId)
  const asOperator = await cli.run(['api', 'get', '/operator/v1/account'])
  expect(asOperator.json.result['client-id']).toBe(testApp.operator.clientId)
  const page = await cli.run(['api', 'GET', '/v1/company?items-per-page=1'])
  expect(page.json.pagination['total-items']).toBe(1)
  const template = `/v1/table/template?movement=exclusion&company-tax-id=${company.taxId}`
  const table = await cli.run(['api', 'GET', template, '--header', 'accept: text/csv'])
  expect(table.out).toContain(';')
})

test('api sends a body from a file and from standard input, and headers', async () => {
  const batch = { 'company-tax-id': company.taxId, members: [primary()] }
  const words = ['api', 'POST', '/v1/enrollment/inclusion?dry-run=true', '--body']
  const judged = await cli.run([...words, await cli.file('batch.json', JSON.stringify(batch))])
  expect(judged.json).toMatchObject({ 'dry-run': true })
  const lenient = { ...batch, members: [...batch.members, { name: 'x' }] }
  const typed = { stdin: JSON.stringify(lenient) }
  expect((await cli.run([...words, '-', '--header', 'Prefer: handling=lenient'], typed)).code).toBe(0)
  expect((await cli.run([...words, '-', '--header', 'content-type: text/plain'], typed)).code).toBe(1)
})

test('what api is refused ends as other commands do, with the sentences of the service; --json prints its body', async () => {
  const refused = await cli.run(['api', 'GET', '/v1/request?status=complete', '--json'])
  expect(refused.code).toBe(1)
  expect(refused.json).toMatchObject({ code: 'invalid-parameter' })
  expect(refused.err).toContain('Did you mean completed?')
  expect((await cli.run(['api', 'GET', '/v1/nothing'])).code).toBe(1)
  for (const words of [
    ['GET', 'v1/company'],
    ['GET', '/v1/company', '--header', 'x'],
    ['POST', '/x', '--body', 'absent.json'],
  ])
    expect((await cli.run(['api', ...words])).code).toBe(2)
  await cli.signIn('http://127.0.0.1:9', { partner })
  expect((await cli.run(['api', 'GET', '/v1/company'])).code).toBe(3)
  expect((await cli.run(['api', 'GET', '/operator/v1/company'])).code).toBe(4)
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
})

test('api repeats a call after 429 with a line, and takes another token for one that is refused', async () => {
  const stub = await openStub()
  await cli.signIn(stub.url, { partner: anyClient })
  stub.replies.push(failure(401, 'token-invalid'), failure(429, 'rate-limited', { 'retry-after': '1' }))
  stub.replies.push(json(200, { a: 1 }))
  const outcome = await cli.run(['api', 'DELETE', '/v1/anything'])
  expect(outcome).toMatchObject({ code: 0, out: '{"a":1}' })
  expect(outcome.err).toBe('Waiting 1 s: the server limits how many calls it takes (429).\n')
  expect(stub.calls.map(({ headers }) => headers.authorization?.slice(-7))).toEqual(['token-1', 'token-2', 'token-2'])
  await stub.close()
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
})

test('whoami says which client calls which service, its role, how many companies it sees, and the business day', async () => {
  const operator = await cli.run(['whoami', '--json'])
  const { 'business-date': day } = (await (await fetch(`${testApp.url}/v1/health`)).json()) as Record<string, string>
  expect(operator.json.result).toMatchObject({
    url: testApp.url,
    api: 'operator',
    'client-id': testApp.operator.clientId,
    role: 'admin',
    'business-date': day,
    companies: expect.any(Number),
  })
  const asPartner = await cli.run(['whoami', '--as', 'partner'])
  expect(asPartner).toMatchObject({ code: 0, err: '' })
  expect(asPartner.out).toMatch(new RegExp(`^client-id +${partner.clientId}$`, 'm'))
  expect(asPartner.out).toMatch(/^companies +1$/m)
  const expires = /^token-expires-at +(\S+)$/m.exec(asPartner.out)?.[1] ?? ''
  expect(Math.abs(Date.parse(expires) - Date.now() - 3_600_000)).toBeLessThan(120_000)
  expect(operator.out + asPartner.out).not.toContain(partner.clientSecret)
})
