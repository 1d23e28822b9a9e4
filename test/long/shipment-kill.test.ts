import { expect, test } from 'vitest'
import type { ClientActor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { closeShipment } from '#exchange/shipments/close.ts'
import { processShipment, sendShipment } from '#exchange/shipments/send.ts'
import { act, enroll, itemsOf, openShipmentOf, openShipper, readShipment } from '../world/shipment.ts'
import { expectOk, type Json, until } from '../world/test-app.ts'
import { scaled } from '../scale.ts'
import { failAfterEach } from '../crash/fail-after-each.ts'
import { families, useIdleTestApp } from '../crash/idle-fixture.ts'
import { readViolations } from '../crash/invariants.ts'

/* Shipments while steps fail and workers are killed: each movement goes to the carrier once. */

const idle = useIdleTestApp()
const { ask } = idle

/** The open shipment of a new contract with movements of these members. */
async function opened(members: Json[]): Promise<{ id: string; ids: string[] }> {
  const shipper = await openShipper(idle.testApp)
  const ids = await idle.withWorker(() => enroll(idle.testApp, shipper, members))
  return { id: await openShipmentOf(idle.testApp, shipper.contractId), ids }
}

/** How often each of the enrollments went to the carrier. */
async function sentOf(ids: readonly string[]): Promise<number[]> {
  const rows = await ask<{ times: number }>(
    `select count(h.step)::int as times from unnest($1::uuid[]) with ordinality as i (id, place)
     left join enrollment_history h on h.enrollment_id = i.id and h.status = 'carrier-processing' group by i.place order by i.place`,
    [ids],
  )
  return rows.map(({ times }) => times)
}

/** Everything that an act or a step may write; no rule is broken. */
async function stored(): Promise<unknown> {
  const tables = ['enrollment_history', 'event', 'audit', 'work', 'shipment_file']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await ask(
    `select ${counts.join(', ')}, (select json_agg(json_build_array(s.number, s.status) order by s.id) from shipment s) as shipments,
       (select json_agg(i.status order by i.shipment_id, i.position) from shipment_item i) as items`,
  )
  return [row, await readViolations(ask)]
}

const failing = <Result>(act: (on: Context) => Promise<Result>) => failAfterEach(idle.context, stored, act)

test('an act that fails after any of its statements leaves nothing; a step of the sending too, and the next run completes it', async () => {
  const { id, ids } = await opened(families(3))
  const actor: ClientActor = {
    kind: 'operator',
    clientId: idle.testApp.operator.clientId,
    origin: { address: '127.0.0.1', traceId: 'x' },
  }
  const close = (on: Context) => closeShipment(on, actor, id, { skipNotReady: false, language: 'en' })
  expect((await failing(close)).failed).toBeGreaterThan(8)
  const send = (on: Context) => sendShipment(on, actor, id, { sentAt: null, carrierProtocol: '7' })
  expect((await failing(send)).failed).toBeGreaterThan(5)
  const step = (on: Context) =>
    write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
      processShipment(on, tx, id),
    )
  const { result, failed } = await failing(step)
  expect(result).toBe('done')
  expect(failed).toBeGreaterThan(8)
  const once = await stored()
  expect(await step(idle.context)).toBe('done')
  expect(await stored()).toEqual(once)
  await idle.withWorker(() => idle.nothingOpen())
  expect(await sentOf(ids)).toEqual(ids.map(() => 1))
  expect(await readViolations(ask)).toEqual({})
})

test('after kill -9 of the worker in the middle of a sending another one goes on: each movement is sent once', async () => {
  const { id, ids } = await opened(families(scaled(600, 2_000)))
  expectOk(await act(idle.testApp, id, 'close'))
  expectOk(await act(idle.testApp, id, 'send'))
  const read = async (): Promise<Json> => (await readShipment(idle.testApp, id)).counts
  const kills = scaled(1, 3)
  for (let killed = 0, sentBefore = 0; killed < kills; killed += 1) {
    const worker = await idle.startWorkerProcess()
    await until(read, ({ sent }) => sent > sentBefore)
    await worker.kill()
    sentBefore = (await read()).sent
    expect(sentBefore).toBeLessThan(ids.length)
  }
  await idle.startWorkerProcess()
  expect(await until(read, ({ ready }) => ready === 0)).toMatchObject({ sent: ids.length, cancelled: 0 })
  expect(await sentOf(ids)).toEqual(ids.map(() => 1))
  const positions = (await itemsOf(idle.testApp, id)).map(({ position }) => position)
  expect(positions).toEqual(positions.map((_, index) => index + 1))
  expect(await readViolations(ask)).toEqual({})
})
