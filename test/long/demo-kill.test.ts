import { afterEach, expect, test } from 'vitest'
import { ensureDemo } from '#apps/demo/demo.ts'
import type { Context } from '#platform/http/context.ts'
import { finishWork } from '#apps/worker/worker.ts'
import { scaled } from '../scale.ts'
import { readViolations } from '../crash/invariants.ts'
import { killAfter } from '../crash/kill-points.ts'
import { type IdleTestApp, openIdleTestApp } from '../crash/steps.ts'

let idle: IdleTestApp | undefined
afterEach(() => idle?.close())

const start = (on: Context) => ensureDemo(on, Buffer.alloc(32, 7), () => finishWork(on))

/** All that the demo makes, without ids and times. */
async function read({ database }: Context): Promise<unknown> {
  const [row] = await database.query(
    `select (select value from service_metadata where name = 'demo') as state,
       (select json_agg(json_build_array(number, status, carrier_protocol) order by number) from shipment) as shipments,
       (select json_agg(json_build_array(shipment.number, shipment_item.status) order by shipment.number, shipment_item.position)
        from shipment_item join shipment on shipment.id = shipment_item.shipment_id) as items,
       (select json_agg(json_build_array(member_tax_id, status) order by member_tax_id) from enrollment) as enrollments,
       (select count(*)::int from contract) as contracts, (select count(*)::int from request) as requests,
       (select count(*)::int from invoice) as invoices, (select count(*)::int from work) as work`,
  )
  return row
}

test('the start after one that was killed at any point makes what is missing, once', { timeout: 600_000 }, async () => {
  idle = await openIdleTestApp()
  const clean = await idle.context()
  await start(clean)
  const expected = await read(clean)
  expect(expected).toMatchObject({
    state: 'made',
    shipments: [
      [1, 'sent', '2026-118840'],
      [2, 'open', null],
    ],
    requests: 2,
    work: 0,
  })
  const stride = scaled(53, 5)
  let killed = true
  for (let at = 20; killed; at += stride) {
    await idle.close()
    idle = await openIdleTestApp()
    const context = await idle.context()
    const point = killAfter(context, at)
    await start(point.context).catch((error: unknown) => {
      if (!point.killed) throw error
    })
    killed = point.killed
    await start(context)
    expect([at, await read(context)]).toEqual([at, expected])
    await start(context)
    expect([at, await read(context)]).toEqual([at, expected])
    const { testApp } = idle
    expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
  }
})
