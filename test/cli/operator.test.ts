import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeContract } from '../world/contract.ts'
import { enroll, needPlanCode, openShipmentOf } from '../world/shipment.ts'
import { type Client, companyBody, health, type Json, nextCnpj, useTestApp, primary } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp()
let cli: Cli

beforeAll(async () => {
  cli = await openCli()
  await cli.signIn(testApp.url, { operator: testApp.operator })
})
afterAll(async () => {
  await cli.clear()
})

test('company put makes a company of a file, and list finds it', async () => {
  const taxId = nextCnpj()
  const file = await cli.file(
    'company.json',
    JSON.stringify({ 'company-tax-id': taxId, ...companyBody, name: 'Tecelagem Rio Claro' }),
  )
  const put = await cli.run(['company', 'put', file, '--json'])
  expect(put.code).toBe(0)
  expect(put.json.result).toMatchObject({ 'tax-id': taxId, name: 'Tecelagem Rio Claro' })
  const list = await cli.run(['company', 'list', '--query', 'tecelagem'])
  expect(list.out.split('\n')[0]).toBe('COMPANY-TAX-ID\tNAME\tPRODUCTS')
  expect(list.out.split('\n')[1]).toContain(`${taxId}\tTecelagem Rio Claro\t`)
  expect((await cli.run(['company', 'list', '--query', 'tecelagem', '--json'])).json.result).toHaveLength(1)
})

test('a body that the service refuses ends with 1 and names the fields; a file that is no JSON with 2', async () => {
  const bad = await cli.file('bad.json', JSON.stringify({ 'company-tax-id': nextCnpj(), name: 'X', products: [{}] }))
  const refused = await cli.run(['company', 'put', bad, '--json'])
  expect(refused.code).toBe(1)
  expect(refused.json.error).toBe('Invalid body')
  expect(refused.err).toMatch(/products\[0\]\S*: missing/)
  const none = await cli.run(['company', 'put', await cli.file('none.json', '{"a":')])
  expect(none).toMatchObject({ code: 2, out: '' })
  expect((await cli.run(['company', 'put', 'absent.json'])).code).toBe(2)
  expect((await cli.run(['company', 'put', await cli.file('nameless.json', '{}')])).err).toContain('--company-tax-id')
})

test('a client is made, entitled, given a second secret and revoked', async () => {
  const company = await testApp.company()
  const made = await cli.run(['client', 'create', 'Folha Aurora', '--json'])
  expect(made.code).toBe(0)
  const { 'client-id': id, 'client-secret': secret } = made.json
  expect(made.err).not.toContain(secret)
  const client = await testApp.signIn(id, secret)
  const sees = async () => (await client.get(`/v1/company/${company.taxId}`)).status
  expect(await sees()).toBe(403)
  expect((await cli.run(['entitlement', 'grant', id, company.taxId])).code).toBe(0)
  expect(await sees()).toBe(200)
  expect((await cli.run(['entitlement', 'revoke', id, company.taxId, '--json'])).code).toBe(0)
  expect(await sees()).toBe(403)

  const namesake = await cli.run(['client', 'create', 'folha áurora', '--json'])
  expect(namesake.code).toBe(0)
  expect(namesake.err).toContain(`warning: client ${id} has the name Folha Aurora too`)
  const rotated = await cli.run(['client', 'rotate', id])
  expect(rotated.err).toContain('works until the next rotation')
  const second = /client-secret {2}(\S+)/.exec(rotated.out)?.[1] ?? ''
  expect((await testApp.signIn(id, second)).token).toBeTruthy()
  expect((await cli.run(['client', 'list'])).out).toContain(`${id}\tFolha Aurora\t`)
  const refused = await cli.run(['client', 'revoke', id])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(/^error: .*cannot be undone\.\n.*--yes\.\n$/)
  const looked = await cli.run(['client', 'revoke', id, '--dry-run', '--json'])
  expect(looked.json).toMatchObject({ 'dry-run': true, result: { 'client-id': id, name: 'Folha Aurora' } })
  expect((await client.get('/v1/company')).status).toBe(200)
  expect((await cli.run(['--yes', 'client', 'revoke', id])).code).toBe(0)
  expect((await client.get('/v1/company')).status).toBe(401)
  const again = await cli.run(['client', 'revoke', id, '--json', '--yes'])
  expect(again.code).toBe(1)
  expect(again.json.error).toBe('Client not found')
})

test('a role without permission ends with 1 and names the roles that have it', async () => {
  const other = await openCli()
  await other.signIn(testApp.url, { operator: await testApp.operatorOf('auditor') })
  const outcome = await other.run(['client', 'create', 'X'])
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('Not allowed for this role')
  expect(outcome.err).toContain('operator of another role')
  await other.clear()
})

async function includeThree(partner: Client, taxId: string): Promise<string[]> {
  const request = await testApp.include(partner, { id: '', taxId, products: {} }, [primary(), primary(), primary()])
  return Object.values<Json>(request['status-by-tax-id']).flatMap((parts) =>
    Object.values<Json>(parts).map((part) => part['enrollment-id']),
  )
}

test('movements are listed, completed from a list of ids, and rejected with a reason', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const [first = '', second = '', third = ''] = await includeThree(partner, company.taxId)
  const listed = await cli.run([
    'enrollment',
    'list',
    '--status',
    'created',
    '--company-tax-id',
    company.taxId,
    '--ids',
  ])
  expect(listed.out.trim().split('\n').sort()).toEqual([first, second, third].sort())

  const one = await cli.run(['enrollment', 'complete', first, '--card-number', '0045', '--json'])
  expect(one.json).toEqual({ result: [{ 'enrollment-id': first, status: 'completed' }] })
  const without = await cli.run(['enrollment', 'reject', second])
  expect(without).toMatchObject({ code: 2, out: '' })
  expect(without.err).toContain('--reason')
  expect((await cli.run(['enrollment', 'reject', second, '--reason', 'Refused by the carrier'])).code).toBe(0)

  // One of these is done already: the other is moved all the same.
  const rest = await cli.run(['enrollment', 'complete', '-'], { stdin: `${second}\n${third}\n` })
  expect(rest.code).toBe(5)
  expect(rest.out).toBe(`${second}\tIllegal transition\n`)
  expect(rest.err).toContain('1 completed, 1 refused')
  expect((await cli.run(['enrollment', 'complete', third])).code).toBe(1)
  const table = await cli.run(['enrollment', 'list', '--company-tax-id', company.taxId])
  expect(table.out.split('\n')[0]).toContain('NAME\tMEMBER-TAX-ID\tMEMBER\tCOMPANY-TAX-ID\tCARRIER\t')
  expect(table.out).toMatch(
    new RegExp(`^${third}\tinclusion\tcompleted\t.*\t\\d{11}\tprimary\t${company.taxId}\t`, 'm'),
  )
})

test('in a terminal a table is aligned, and what came from outside moves no cursor', async () => {
  const company = await testApp.company({ name: 'Papelaria Vermelha' })
  // The API refuses such a name, but it may be in the database.
  await testApp.sql('update company set name = $1 where id = $2', ['Papelaria \u001b[31mVermelha', company.id])
  const outcome = await cli.inTerminal(['company', 'list', '--query', 'papelaria'])
  expect(outcome.out).toContain(`${company.taxId}  Papelaria  [31mVermelha  Saúde`)
  expect(outcome.out).not.toContain('\u001b[31mVermelha')
})

test('an error says all that its body says, and in a second line how to go on', async () => {
  const company = await testApp.company()
  const contract = await makeContract(testApp, company, { plans: [{ 'product-id': company.products[health] }] })
  const shipper = { company, partner: await testApp.partner(company.taxId), contractId: contract['contract-id'] }
  await needPlanCode(testApp, shipper.contractId)
  const [id = ''] = await enroll(testApp, shipper, [primary()])
  const shipment = await openShipmentOf(testApp, shipper.contractId)
  const close = await cli.run(['shipment', 'close', shipment])
  expect(close).toMatchObject({ code: 1, out: '' })
  const [sentence, ...lines] = close.err.trimEnd().split('\n')
  expect(sentence).toContain('Shipment has items that are not ready')
  expect(lines[0]).toBe('  not-ready: 1')
  expect(lines[1]).toContain(`  items: enrollment-id ${id}, problems plan-code-missing (`)
  expect(lines.at(-1)).toBe('Correct them, or leave them for the next shipment: --skip-not-ready')
  const reopen = (await cli.run(['shipment', 'reopen', shipment])).err.trimEnd().split('\n')
  expect(reopen.slice(1, 3)).toEqual(['  status: open', '  allowed: closed'])
  expect(reopen).toHaveLength(4)
})
