import { expect, test } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { processAcknowledgement } from '#exchange/shipments/acknowledge.ts'
import { act, enroll, moved, openShipmentOf, openShipper, readShipment, shipmentPath } from '../world/shipment.ts'
import { expectOk, type Json, until } from '../world/test-app.ts'
import { isLong, scaled } from '../scale.ts'
import { families, useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { InjectedError, withInjectedErrors } from './steps.ts'

/* Acknowledgements while steps fail and workers are killed: each line is done once, and items say what their movements say. */

const idle = useIdleTestApp()
const { ask } = idle

/** A sent shipment of movements of these members. */
async function sent(members: Json[]): Promise<{ id: string; ids: string[] }> {
  const shipper = await openShipper(idle.testApp)
  return idle.withWorker(async () => {
    const ids = await enroll(idle.testApp, shipper, members)
    const id = await openShipmentOf(idle.testApp, shipper.contractId)
    expectOk(await act(idle.testApp, id, 'close'))
    expectOk(await act(idle.testApp, id, 'send'))
    await moved(idle.testApp, id)
    await idle.nothingOpen()
    return { id, ids }
  })
}

/** Sends lines that accept these movements. @returns the id of the job. */
async function acknowledge(id: string, ids: readonly string[], query = ''): Promise<string> {
  const lines = ids.map((one, card) => ({ 'enrollment-id': one, outcome: 'accepted', 'card-number': String(card) }))
  const response = await idle.testApp.call('POST', `${shipmentPath}/${id}/acknowledgement${query}`, {
    token: idle.testApp.operator.token,
    body: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  expect(response.status).toBe(202)
  return response.body.result['job-id']
}

const readJob = async (id: string): Promise<Json> =>
  expectOk(await idle.testApp.operator.get(`/operator/v1/decision-job/${id}`)).body.result

/** How often each of the enrollments was completed. */
async function completionsOf(ids: readonly string[]): Promise<number[]> {
  const rows = await ask<{ times: number }>(
    `select count(h.step)::int as times from unnest($1::uuid[]) with ordinality as i (id, place)
     left join enrollment_history h on h.enrollment_id = i.id and h.status = 'completed' and h.actor = 'carrier'
     group by i.place order by i.place`,
    [ids],
  )
  return rows.map(({ times }) => times)
}

/** Everything that a step may write. */
async function countRows(): Promise<unknown> {
  const tables = ['enrollment_history', 'event', 'audit', 'work']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await ask(
    `select ${counts.join(', ')}, (select json_agg(json_build_array(s.number, s.status) order by s.id) from shipment s) as shipments,
       (select json_agg(json_build_array(i.status, i.acknowledgement) order by i.shipment_id, i.position) from shipment_item i) as items,
       (select json_agg(json_build_array(j.status, j.accepted, j.rejected) order by j.id) from decision_job j) as jobs`,
  )
  return row
}

test.runIf(isLong).each([
  ['an acknowledgement', '', 1],
  ['a dry run', '?dry-run=true', 0],
])(
  '%s: a step that fails after any of its statements leaves nothing, and the next run completes it',
  async (_, query, times) => {
    const { id, ids } = await sent(families(2))
    const jobId = await acknowledge(id, ids, query)
    const injection = withInjectedErrors(idle.context)
    const step = (on: Context) =>
      write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
        processAcknowledgement(on, tx, jobId, 0),
      )
    const before = await countRows()
    let failed = 0
    let result: unknown
    for (let after = 1; ; after += 1) {
      injection.arm(after)
      result = await step(injection.context).catch((error: unknown) => error)
      if (!(result instanceof InjectedError)) break
      failed += 1
      expect(await countRows()).toEqual(before)
    }
    expect([result, failed > 15]).toEqual(['done', true])
    const once = await countRows()
    expect(await step(idle.context)).toBe('done')
    expect(await countRows()).toEqual(once)
    expect(await readJob(jobId)).toMatchObject({ status: 'done', accepted: ids.length })
    expect(await completionsOf(ids)).toEqual(ids.map(() => times))
    expect((await readShipment(idle.testApp, id)).status).toBe(times === 1 ? 'acknowledged' : 'sent')
    await ask('delete from work where target_id = $1', [jobId])
    expect(await readViolations(ask)).toEqual({})
  },
)

test.runIf(isLong)(
  'after kill -9 of the worker in the middle of an acknowledgement another one goes on: each line is done once',
  async () => {
    const { id, ids } = await sent(families(scaled(500, 2_000)))
    const jobId = await acknowledge(id, ids)
    const kills = scaled(1, 3)
    for (let killed = 0, doneBefore = 0; killed < kills; killed += 1) {
      const worker = await idle.startWorkerProcess()
      const job = await until(
        () => readJob(jobId),
        ({ done }) => done > doneBefore,
      )
      await worker.kill()
      expect(job['finished-at']).toBeNull()
      doneBefore = (await readJob(jobId)).done
    }
    await idle.startWorkerProcess()
    const job = await until(
      () => readJob(jobId),
      (one) => one['finished-at'] !== null,
    )
    expect(job).toMatchObject({ status: 'done', done: ids.length, accepted: ids.length, rejected: 0 })
    expect(await completionsOf(ids)).toEqual(ids.map(() => 1))
    expect(await readShipment(idle.testApp, id)).toMatchObject({
      status: 'acknowledged',
      counts: { accepted: ids.length },
    })
    expect(await readViolations(ask)).toEqual({})
  },
)
