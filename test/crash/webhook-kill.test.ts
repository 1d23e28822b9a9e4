import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Company, expectOk, type Json, monday, useTestApp } from '../world/test-app.ts'
import { putInvoice } from '../world/invoice.ts'
import { deliveriesOf, makeEndpoint, openReceiver, type Receiver } from '../world/receiver.ts'
import { isLong } from '../scale.ts'
import { clearPrograms, startProgram } from './program.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true', VIGENCIA_ROLE: 'api' })
let company: Company
let receiver: Receiver

beforeAll(async () => {
  company = await testApp.company()
  receiver = await openReceiver()
})

afterAll(async () => {
  await clearPrograms()
  await receiver.close()
})

const worker = () =>
  startProgram({
    VIGENCIA_DATABASE_URL: testApp.databaseUrl,
    VIGENCIA_MASTER_KEY: testApp.masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_DATA_DIR: testApp.dataDir,
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_BUSINESS_DATE: monday,
  })

test(
  'killed with -9 while receivers think: every event comes, under its webhook-id, and none is stuck',
  { timeout: 120_000 },
  async () => {
    const partner = await testApp.partner(company.taxId)
    await makeEndpoint(partner, receiver.url)
    receiver.respond = () => null
    const dying = await worker()
    for (let n = 0; n < 12; n += 1) await putInvoice(testApp, company, { id: uuidv7() })
    await receiver.until(5)
    await dying.kill()
    const seen = receiver.calls.length
    receiver.respond = () => ({ status: 204 })
    // The long run waits for the end of the leases, half a minute.
    if (!isLong) await testApp.sql('update webhook_delivery set leased_until = now() where leased_until is not null')
    const program = await worker()
    const events = expectOk(await partner.get('/v1/webhook-event')).body.result
    expect(events).toHaveLength(12)
    for (const { id } of events) {
      const made = await deliveriesOf(partner, id, (all) => all.at(-1)?.status === 'succeeded')
      expect(made.map((one: Json) => one.attempt)).toEqual([1])
    }
    const again = receiver.calls.slice(seen).map(({ headers }) => headers['webhook-id'])
    expect(again.toSorted()).toEqual(events.map((event: Json) => event.id).toSorted())
    expect(await program.stop()).toBe(0)
    expect(program.errorLines).toEqual([])
  },
)
