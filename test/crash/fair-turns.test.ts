import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { monday, until } from '../world/test-app.ts'
import { readDifferences, readOpenWork } from './invariants.ts'
import { type IdleTestApp, openIdleTestApp, targetOf } from './steps.ts'
import { products } from './tenant.ts'
import { type Batch, batchOf, largeBatch, sendBatch, type Target } from './load.ts'
import { scaled } from '../scale.ts'

let idle: IdleTestApp
let context: Context
let target: Target
const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
  target = await targetOf(idle.testApp, await idle.testApp.company())
})

afterAll(() => idle.close())

async function accept(batch: Batch, to = target): Promise<Batch> {
  expect(await sendBatch(to, batch)).toBe(200)
  return batch
}

/** Runs a worker during `act` and until no work is open. */
async function withWorker(act: () => Promise<unknown>): Promise<void> {
  const worker = startWorker(context)
  try {
    await act()
    await until(
      () => readOpenWork(ask, monday),
      (open) => open === 0,
    )
  } finally {
    await worker.stop()
  }
}

test('a small request of another client does not wait for thirty large ones, sent after them or while they are processed', async () => {
  const crowd = Array.from({ length: 30 }, () => largeBatch(scaled(100, 250), products))
  for (const batch of crowd) await accept(batch)
  const company = await idle.testApp.company()
  const [last, amid] = [await targetOf(idle.testApp, company), await targetOf(idle.testApp, company)]
  const sentLast = await accept(largeBatch(1, products), last)
  const sentAmid = largeBatch(1, products)
  const finished = async () => {
    const [row] = await ask<{ n: number }>(
      'select count(*)::int as n from request where id = any($1) and finished_at is not null',
      [crowd.map((batch) => batch.requestId)],
    )
    return row?.n ?? 0
  }
  let before = 0
  await withWorker(async () => {
    await until(finished, (n) => n >= 5)
    before = await finished()
    await accept(sentAmid, amid)
  })
  const ahead = async ({ requestId }: Batch) => {
    const [row] = await ask<{ n: number }>(
      `select count(*)::int as n from request r, request mine where mine.id = $1 and r.id = any($2)
         and r.finished_at < mine.finished_at`,
      [requestId, crowd.map((batch) => batch.requestId)],
    )
    return row?.n ?? 0
  }
  expect(await ahead(sentLast)).toBeLessThanOrEqual(8)
  // Most of the thirty must still be unfinished when the request is sent.
  expect(before).toBeLessThan(15)
  expect((await ahead(sentAmid)) - before).toBeLessThanOrEqual(8)
  expect(await readDifferences(ask, [...crowd, sentLast, sentAmid])).toEqual({})
})

test('an inclusion is accepted while a step of the same client runs', async () => {
  const [first, second] = [await accept(largeBatch(2, products)), largeBatch(2, products)]
  const holder = new Client({ connectionString: idle.testApp.databaseUrl })
  await holder.connect()
  await holder.query('begin; lock table benefit in share row exclusive mode')
  let outcome: unknown
  await withWorker(async () => {
    await until(
      () => ask(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      (rows) => rows.length > 0,
    )
    let status: number | null = null
    const received = sendBatch(target, second).then((got) => (status = got))
    const acceptanceWaits = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~ 'insert into request'`
    const rows = await until(
      () => ask(acceptanceWaits),
      (rows) => rows.length > 0 || status !== null,
    )
    outcome = rows.length > 0 ? 'the acceptance waits for the step' : status
    await holder.query('commit')
    await holder.end()
    await received
  })
  expect(outcome).toBe(200)
  expect(await readDifferences(ask, [first, second])).toEqual({})
})

test('of two requests in progress with one person the earlier completes, even when its step starts later', async () => {
  const { members } = largeBatch(1, products)
  const [first, second] = [await accept(batchOf(members)), await accept(batchOf(members))]
  const beside = await accept(largeBatch(1, products))
  const state = async () =>
    Object.fromEntries(
      (
        await ask<{ id: string; status: string; offenses: string[] | null }>(
          `select id, status, failures -> 0 -> 'offenses' as offenses from request where id = any($1)`,
          [[first, second, beside].map(({ requestId }) => requestId)],
        )
      ).map(({ id, status, offenses }) => [id, [status, offenses]]),
    )
  const holder = new Client({ connectionString: idle.testApp.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from work where target_id = $1 for update', [first.requestId])
  await withWorker(async () => {
    const seen = await until(state, (now) => now[beside.requestId ?? '']?.[0] === 'completed')
    expect(seen[second.requestId ?? '']).toEqual(['processing', null])
    await holder.query('rollback')
    await holder.end()
  })
  const last = await state()
  expect(last[first.requestId ?? '']).toEqual(['completed', null])
  expect(last[second.requestId ?? '']).toEqual(['failed', ['ongoing-enrollment']])
})
