import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ClientActor } from '../../src/core/actor.ts'
import { write } from '../../src/core/write.ts'
import type { Context } from '../../src/http/context.ts'
import { closeShipment } from '../../src/shipments/close.ts'
import { processShipment, sendShipment } from '../../src/shipments/send.ts'
import { startWorker } from '../../src/worker.ts'
import { act, enroll, itemsOf, openShipmentOf, openShipper, readShipment } from '../http/shipment.ts'
import { dependent, expectOk, type Json, monday, primary, until } from '../http/test-app.ts'
import { scaled } from '../scale.ts'
import { readOpenWork, readViolations } from './invariants.ts'
import { clearPrograms, type Program, startProgram } from './program.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from './steps.ts'

/* Shipments while steps fail and workers are killed: each movement goes to the carrier once. */

let idle: IdleTestApp
let context: Context

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
})

afterEach(clearPrograms)
afterAll(() => idle.close())

const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

async function withWorker<Result>(act: () => Promise<Result>): Promise<Result> {
  const worker = startWorker(context)
  try {
    return await act()
  } finally {
    await worker.stop()
  }
}

const families = (count: number): Json[] =>
  Array.from({ length: count }, () => primary()).flatMap((one) => [one, dependent(one['tax-id'])])

/** The open shipment of a new contract with movements of these members. */
async function opened(members: Json[]): Promise<{ id: string; ids: string[] }> {
  const shipper = await openShipper(idle.testApp)
  const ids = await withWorker(() => enroll(idle.testApp, shipper, members))
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

/** Everything that an act or a step may write. */
async function countRows(): Promise<unknown> {
  const tables = ['enrollment_history', 'event', 'audit', 'work', 'shipment_file']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await ask(
    `select ${counts.join(', ')}, (select json_agg(json_build_array(s.number, s.status) order by s.id) from shipment s) as shipments,
       (select json_agg(i.status order by i.shipment_id, i.position) from shipment_item i) as items`,
  )
  return row
}

/** Makes the act fail after each of its statements in turn, then lets it end. @returns what it returned, and how often it failed. */
async function failing<Result>(
  act: (on: Context) => Promise<Result>,
): Promise<{ readonly result: Result; readonly failed: number }> {
  const injection = withInjectedErrors(context)
  const before = await countRows()
  for (let after = 1; ; after += 1) {
    injection.arm(after)
    const result = await act(injection.context).catch((error: unknown) => error)
    if (!(result instanceof InjectedError)) {
      if (result instanceof Error) throw result
      return { result: result as Result, failed: after - 1 }
    }
    expect(await countRows()).toEqual(before)
    expect(await readViolations(ask)).toEqual({})
  }
}

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
  const once = await countRows()
  expect(await step(context)).toBe('done')
  expect(await countRows()).toEqual(once)
  await withWorker(() =>
    until(
      () => readOpenWork(ask, monday),
      (open) => open === 0,
    ),
  )
  expect(await sentOf(ids)).toEqual(ids.map(() => 1))
  expect(await readViolations(ask)).toEqual({})
})

const startWorkerProcess = (): Promise<Program> =>
  startProgram({
    VIGENCIA_DATABASE_URL: idle.testApp.databaseUrl,
    VIGENCIA_MASTER_KEY: idle.testApp.masterKey,
    VIGENCIA_DATA_DIR: idle.testApp.dataDir,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_ROLE: 'worker',
    VIGENCIA_BUSINESS_DATE: monday,
  })

test('after kill -9 of the worker in the middle of a sending another one goes on: each movement is sent once', async () => {
  const { id, ids } = await opened(families(scaled(600, 2_000)))
  expectOk(await act(idle.testApp, id, 'close'))
  expectOk(await act(idle.testApp, id, 'send'))
  const read = async (): Promise<Json> => (await readShipment(idle.testApp, id)).counts
  const kills = scaled(1, 3)
  for (let killed = 0, sentBefore = 0; killed < kills; killed += 1) {
    const worker = await startWorkerProcess()
    await until(read, ({ sent }) => sent > sentBefore)
    await worker.kill()
    sentBefore = (await read()).sent
    expect(sentBefore).toBeLessThan(ids.length)
  }
  await startWorkerProcess()
  expect(await until(read, ({ ready }) => ready === 0)).toMatchObject({ sent: ids.length, cancelled: 0 })
  expect(await sentOf(ids)).toEqual(ids.map(() => 1))
  const positions = (await itemsOf(idle.testApp, id)).map(({ position }) => position)
  expect(positions).toEqual(positions.map((_, index) => index + 1))
  expect(await readViolations(ask)).toEqual({})
})
