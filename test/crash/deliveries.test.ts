import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SftpTestServer, startSftpServer } from '../exchange/channels/sftp-server.ts'
import { openReceiver, type Receiver } from '../world/receiver.ts'
import { act, enroll, openShipmentOf, openShipper, readShipment, shipmentPath } from '../world/shipment.ts'
import { expectOk, type Json, until } from '../world/test-app.ts'
import { families, useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { isLong } from '../scale.ts'

/* Deliveries whose process is killed: the carrier has the shipment once, and none is stuck. */

const idle = useIdleTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let server: SftpTestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startSftpServer()
  receiver = await openReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
beforeEach(() => server.files.clear())

/** A closed shipment of a contract with this channel, whose delivery is requested. */
async function requested(channel: string, settings: Json): Promise<string> {
  const shipper = await openShipper(idle.testApp, { channel })
  expectOk(await idle.testApp.operator.put(`/operator/v1/contract/${shipper.contractId}/channel`, settings))
  await idle.withWorker(() => enroll(idle.testApp, shipper, families(2)))
  const id = await openShipmentOf(idle.testApp, shipper.contractId)
  expectOk(await act(idle.testApp, id, 'close'))
  expectOk(await act(idle.testApp, id, 'deliver'))
  return id
}

/** A worker delivers until this moment, is killed, and another one goes on. */
async function killAt(moment: Promise<unknown>, id: string, goOn: () => void): Promise<void> {
  const dying = await idle.startWorkerProcess()
  await moment
  await dying.kill()
  expect((await readShipment(idle.testApp, id)).status).toBe('closed')
  expect((await act(idle.testApp, id, 'reopen')).body.code).toBe('shipment-being-delivered')
  goOn()
  // Its end, which is minutes away.
  await idle.ask('update shipment_delivery set leased_until = now() where leased_until is not null')
  const worker = await idle.startWorkerProcess()
  await until(
    () => readShipment(idle.testApp, id),
    ({ status, counts }) => status === 'sent' && counts.ready === 0,
  )
  expect(await worker.stop()).toBe(0)
  expect(worker.errorLines).toEqual([])
  const { body } = expectOk(await idle.testApp.operator.get(`${shipmentPath}/${id}/delivery`))
  expect(body.result).toMatchObject([{ attempt: 1, status: 'succeeded', error: null }])
  expect(await readViolations(idle.ask)).toEqual({})
}

test.runIf(isLong).each(['before', 'after'] as const)(
  'after kill -9 %s the file has its name on the server of SFTP, the carrier has it once',
  async (moment) => {
    const { port, hostKey } = server
    const account = { host: '127.0.0.1', port, user: 'serra-azul', 'host-key': hostKey, password: 'senha' }
    const id = await requested('sftp', { sftp: { ...account, 'out-folder': '/out' } })
    const begun = Promise.withResolvers<void>()
    server.onRename = (now) => {
      if (now !== moment) return undefined
      begun.resolve()
      return new Promise(() => {})
    }
    await killAt(begun.promise, id, () => {
      server.onRename = () => {}
    })
    const { file } = await readShipment(idle.testApp, id)
    const sums = [...server.files.values()].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    expect(sums).toEqual([file.sha256])
    expect([...server.files.keys()]).toEqual([expect.stringMatching(/^\/out\/[^.][^/]*\.csv$/)])
  },
)

test('after kill -9 while a connector thinks, it gets the shipment again with the same key', async () => {
  const begun = Promise.withResolvers<void>()
  receiver.respond = () => {
    begun.resolve()
    return null
  }
  const id = await requested('connector', { connector: { url: receiver.url } })
  await killAt(begun.promise, id, () => {
    receiver.respond = () => ({ status: 202 })
  })
  const calls = receiver.calls.map(({ headers, text }) => [headers['idempotency-key'], headers['webhook-id'], text])
  expect(calls).toHaveLength(2)
  expect(calls[1]).toEqual(calls[0])
})
