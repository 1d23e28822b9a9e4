import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeDemoData } from '../platform/embedded-postgres/engine-fixture.ts'
import { type Json, until } from '../world/test-app.ts'
import { demoClient, endPrograms, startOn, tokenOf } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

test('a carrier of the demo has a contract with a shipment that waits for its answer and an open one; a second start makes no more', async () => {
  // The folder was started once before.
  const program = startOn(await makeDemoData())
  const url = await program.url
  const headers = { authorization: `Bearer ${await tokenOf(url, demoClient(program, 'operator'))}` }
  const get = async (path: string) => (await (await fetch(`${url}/operator/v1/${path}`, { headers })).json()) as Json
  const { result: contracts } = await get('contract')
  expect(contracts).toMatchObject([
    {
      'carrier-name': 'Seguradora Atlas',
      plans: [{ 'carrier-plan-code': 'VG24' }],
      calendar: {
        'cut-off-day': 20,
        'when-not-business-day': 'previous',
        'coverage-day': 1,
        'coverage-month-offset': 1,
      },
      'answer-within-business-days': 10,
      status: 'active',
    },
  ])
  // The worker moves the movements of the shipment that was sent.
  const { result: shipments } = await until(
    () => get('shipment'),
    ({ result }) => result.at(-1).counts.sent === 3,
  )
  expect(shipments).toMatchObject([
    { number: 2, status: 'open' },
    { number: 1, status: 'sent', 'carrier-protocol': '2026-118840', counts: { ready: 0, sent: 3 } },
  ])
  const { result: open } = await get(`shipment/${shipments[0]['shipment-id']}`)
  expect(open.counts).toMatchObject({ ready: 2, 'not-ready': 0 })
  expect(program.out).toMatch(/^# .*: npx vigencia shipment list$/m)
  await program.stop()
})
