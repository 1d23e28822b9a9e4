import { afterAll, beforeAll, expect, test } from 'vitest'
import { bradescoInvoice } from '../world/bradesco.ts'
import { contractBody } from '../world/contract.ts'
import { pricedContract } from '../world/price.ts'
import { enroll, needPlanCode, openShipmentOf, openShipper } from '../world/shipment.ts'
import { primary, useTestApp } from '../world/test-app.ts'
import { anyClient, type Cli, openCli, openStandIn, type Outcome, respondJson } from './command.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })
let cli: Cli

beforeAll(async () => {
  cli = await openCli()
  await cli.signIn(testApp.url, { operator: testApp.operator })
})
afterAll(async () => {
  await cli.clear()
})

/** What a refused command printed after its sentence. */
function afterSentence({ code, out, err }: Outcome): string[] {
  expect([code, out]).toEqual([1, ''])
  return err.trimEnd().split('\n').slice(1)
}

test('closing close names what is open, and --reason, with which the month is closed', async () => {
  const company = await testApp.company()
  await pricedContract(testApp, company)
  const words = ['closing', 'close', '--company-tax-id', company.taxId, '--reference-month', '2026-11']
  expect(afterSentence(await cli.run(words))).toEqual([
    '  open-items: roster, invoice',
    'Do it, or close with a reason: --reason TEXT',
  ])
  expect((await cli.run([...words, '--reason', 'Operadora sem fatura'])).code).toBe(0)
  expect(afterSentence(await cli.run(words))[0]).toBe('  reference-month: 2026-11')
})

test('contract expected-invoice names the settings that are missing', async () => {
  const contract = await pricedContract(testApp, await testApp.company(), { proration: null })
  const words = ['contract', 'expected-invoice', contract['contract-id'], '--reference-month', '2026-11']
  expect(afterSentence(await cli.run(words))).toEqual([
    '  missing-settings: proration',
    'Set them in the contract: vigencia contract put',
  ])
})

test('carrier-file upload names the contract that the file is of', async () => {
  const contract = await pricedContract(testApp, await testApp.company())
  const invoice = bradescoInvoice('900009', '202611', [{ certificate: '1', name: 'A', amount: 41_235 }])
  const file = await cli.file('fatura.txt', invoice)
  const words = ['carrier-file', 'upload', contract['contract-id'], file, '--kind', 'invoice']
  const lines = afterSentence(
    await cli.run([...words, '--reference-month', '2026-11', '--layout-id', 'bradesco-invoice']),
  )
  expect(lines[0]).toBe('  found: 900009')
})

test('shipment close says how many movements are not ready, and names the first with their problems, without a CPF', async () => {
  const shipper = await openShipper(testApp)
  await needPlanCode(testApp, shipper.contractId, 'registration.job-title')
  const people = Array.from({ length: 12 }, () => primary({ 'job-title': undefined }))
  const ids = await enroll(testApp, shipper, people)
  const lines = afterSentence(await cli.run(['shipment', 'close', await openShipmentOf(testApp, shipper.contractId)]))
  expect(lines[0]).toBe('  not-ready: 12')
  const items = lines.filter((line) => line.startsWith('  items: enrollment-id '))
  expect(items).toHaveLength(10)
  expect(ids).toEqual(expect.arrayContaining(items.map((item) => /enrollment-id ([^,]+)/.exec(item)?.[1])))
  for (const item of items) expect(item).toMatch(/problems [a-z-]+ \(.+registration\.job-title.+\)$/)
  expect(lines.at(-1)).toContain('--skip-not-ready')
  for (const person of people) expect(lines.join('\n')).not.toContain(person['tax-id'])
})

test('a wrong value has those that are allowed', async () => {
  const company = await testApp.company()
  const contract = await pricedContract(testApp, company)
  const file = await cli.file('contract.json', JSON.stringify(contractBody(company, { proration: 'weekly' })))
  const [line] = afterSentence(await cli.run(['contract', 'put', contract['contract-id'], file]))
  expect(line).toMatch(/^ {2}proration: invalid.*none.*daily-30/)
})

test('a body of any size is printed in part, with how much more there is', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => `id-${index}`)
  const body = {
    error: 'Ongoing enrollments',
    code: 'ongoing-enrollments',
    'enrollment-ids': ids,
    items: ids.map((id) => ({ 'enrollment-id': id, problems: ids.map((code) => ({ code, message: `x ${code}` })) })),
    found: 'y'.repeat(600),
    details: ids.map((id) => ({ field: id, code: 'unknown' })),
    ...Object.fromEntries(ids.map((id) => [id, 1])),
  }
  const stub = await openStandIn((_call, response) => respondJson(response, 409, body))
  const other = await openCli()
  await other.signIn(stub.url, { operator: anyClient })
  const lines = afterSentence(await other.run(['company', 'list']))
  await stub.close()
  await other.clear()
  expect(lines).toHaveLength(20 + 1 + 1 + 20 + 1 + 1 + 17 + 1 + 1)
  expect(lines).toContain('  details: 5 more')
  expect(lines).toContain(`  enrollment-ids: ${ids.slice(0, 20).join(', ')}, 5 more`)
  expect(lines).toContain('  items: 5 more')
  expect(lines.find((line) => line.startsWith('  items: enrollment-id id-19,'))).toMatch(/id-19 \(x id-19\); 5 more$/)
  expect(lines).toContain(`  found: ${'y'.repeat(500)}… (100 more characters)`)
  expect(lines.at(-2)).toBe('  8 more members')
})
