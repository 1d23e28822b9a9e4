import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeDemoData } from '../platform/embedded-postgres/engine-fixture.ts'
import { type Json } from '../world/test-app.ts'
import { unzip } from '../world/invoice.ts'
import { demoClient, endPrograms, startOn, tokenOf } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

test('the demo company has two invoices with PDF files, to be downloaded as the welcome says; a second start makes no more', async () => {
  // The folder was started once before.
  const program = startOn(await makeDemoData())
  const url = await program.url
  const headers = { authorization: `Bearer ${await tokenOf(url, demoClient(program, 'partner'))}` }
  const list = await fetch(`${url}/v1/invoices/pending-payment`, { headers })
  const { result } = (await list.json()) as Json
  expect(result.map((invoice: Json) => [invoice.id, invoice['invoice-status']])).toEqual([
    ['demo-invoice-2', 'all-overdue'],
    ['demo-invoice-1', 'all-pending'],
  ])
  const path = /^# .*(\/v1\/invoices\/\S+\/download)$/m.exec(program.out)?.[1]
  const zip = await fetch(`${url}${path}`, { headers })
  const entries = unzip(Buffer.from(await zip.arrayBuffer()))
  expect(entries).toHaveLength(2)
  expect(entries.every((entry) => entry.bytes.subarray(0, 5).toString() === '%PDF-')).toBe(true)
  await program.stop()
})
