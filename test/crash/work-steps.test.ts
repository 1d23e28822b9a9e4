import { write } from '#platform/core/write.ts'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Progress } from '#platform/http/district.ts'
import { processItems } from '#movements/kinds.ts'
import { startWorker } from '#apps/worker/worker.ts'
import type { Context } from '#platform/http/context.ts'
import { dependent, monday, primary, until } from '../world/test-app.ts'
import { scaled } from '../scale.ts'
import { seed } from '../seed.ts'
import { rngOf } from './rng.ts'
import { readViolations, readDifferences, readOpenWork } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, targetOf, withInjectedErrors } from './steps.ts'
import { products } from './tenant.ts'
import { type Batch, batchOf, largeBatch, sendBatch, smallBatch, type Target } from './load.ts'

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

const nothingOpen = () =>
  until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )

/** Runs a worker for each of these contexts during `act`. */
async function withWorkers(services: readonly Context[], act: () => Promise<unknown>): Promise<void> {
  const workers = services.map(startWorker)
  try {
    await act()
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

/** Counts everything that a step may write. */
async function countRows(): Promise<unknown> {
  const tables = ['member', 'benefit', 'enrollment', 'enrollment_history', 'event', 'movement_item', 'work']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await ask(
    `select ${counts.join(', ')}, (select json_agg(r.status order by r.id) from request r) as requests`,
  )
  return row
}

const wake = async (): Promise<void> => {
  await ask('update work set run_at = now()')
  await ask('notify vigencia_work')
}

const mother = () =>
  primary({
    products: {
      'health-insurance': [{ name: products.health, 'start-option': 'on-inclusion-date' }],
      'dental-insurance': [{ name: products.dental, 'start-option': 'on-inclusion-date' }],
    },
  })

function family(query: string): Batch {
  const one = mother()
  return batchOf([one, dependent(one['tax-id'])], query)
}

/** One step of the request, as the worker runs it. */
async function step(on: Context, { requestId }: Batch): Promise<Progress> {
  const [request] = await ask<{ company_id: string }>('select company_id from request where id = $1', [requestId])
  return write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
    processItems(on, tx, request?.company_id ?? '', requestId ?? ''),
  )
}

test.each([
  ['a family that is approved', () => family('?resolution=approve')],
  ['a family that is rejected', () => family('?resolution=reject')],
  ['a batch of two steps', () => largeBatch(501, products)],
])(
  '%s: a step that fails after any of its statements leaves nothing, and the next run completes it',
  async (_, make) => {
    const injection = withInjectedErrors(context)
    const batch = await accept(make())
    let failed = 0
    for (let progress: Progress = 'more'; progress === 'more';) {
      const before = await countRows()
      for (let after = 1; ; after += 1) {
        injection.arm(after)
        const result = await step(injection.context, batch).catch((error: unknown) => error)
        if (!(result instanceof InjectedError)) {
          progress = result as Progress
          break
        }
        failed += 1
        expect(await countRows()).toEqual(before)
        expect(await readViolations(ask)).toEqual({})
      }
      expect(['more', 'done']).toContain(progress)
    }
    expect(failed).toBeGreaterThan(5)
    await withWorkers([context], nothingOpen)
    expect(await readDifferences(ask, [batch])).toEqual({})
  },
)

/* A commit on Citus, which another server has still to finish: the work is visible, what it is for is not. */
test.each([
  ['request', 'id'],
  ['movement_item', 'request_id'],
])('work is kept while its %s is not visible yet', async (table, column) => {
  const batch = await accept(family('?resolution=approve'))
  const runAt = () => ask<{ run_at: Date }>('select run_at from work where target_id = $1', [batch.requestId])
  const [before] = await runAt()
  const hidden = randomUUID()
  const rename = `update ${table} set ${column} = $2 where ${column} = $1`
  await ask(rename, [batch.requestId, hidden])
  await withWorkers([context], () =>
    until(runAt, (rows) => rows.length === 0 || Number(rows[0]?.run_at) > Number(before?.run_at)),
  )
  await ask(rename, [hidden, batch.requestId])
  expect(await runAt()).toHaveLength(1)
  await withWorkers([context], nothingOpen)
  expect(await readDifferences(ask, [batch])).toEqual({})
})

test('a part that fails because of another request fails once, after an error in any statement', async () => {
  const injection = withInjectedErrors(context)
  for (let after = 1; ; after += scaled(3, 1)) {
    const one = mother()
    const both = batchOf([one, primary()])
    await accept(batchOf([one]))
    await accept(both)
    injection.arm(after)
    await withWorkers([injection.context], async () => {
      await until(
        () => readOpenWork(ask, monday),
        (open) => open === 0 || injection.fired > 0,
      )
      injection.disarm()
      await until(
        async () => {
          await wake()
          return readOpenWork(ask, monday)
        },
        (open) => open === 0,
      )
    })
    expect(await readViolations(ask)).toEqual({})
    const ended = await ask<{ status: string }>('select status from request order by created_at desc, id desc limit 2')
    expect(ended.map((row) => row.status).toSorted()).toEqual([
      'completed',
      expect.stringMatching(/failed|partial-failure/),
    ])
    const saved = await ask('select 1 from enrollment where member_tax_id = $1', [one['tax-id']])
    expect(saved).toHaveLength(2)
    if (injection.fired === 0) break
  }
})

test('one chunk processed twice at once, and once more, has the result of one run', async () => {
  const batch = await accept(family('?resolution=approve'))
  const run = (on: Context) => step(on, batch)
  const other = await idle.context()
  const holder = new Client({ connectionString: idle.testApp.databaseUrl })
  await holder.connect()
  await holder.query('begin; lock table member in share row exclusive mode')
  const both = Promise.all([run(context), run(other)])
  const waiting = () =>
    ask<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and application_name = 'vigencia api'`,
    )
  await until(waiting, ([row]) => row?.n === 2)
  await holder.query('commit')
  await holder.end()
  expect(await both).toEqual(['done', 'done'])
  const once = await countRows()
  expect(await run(context)).toBe('done')
  expect(await countRows()).toEqual(once)
  await withWorkers([context], nothingOpen)
  expect(await readDifferences(ask, [batch])).toEqual({})
})

test('three workers on the same work process it once, with dependents sent right after their primaries', async () => {
  const rng = rngOf(seed)
  const services = [context, await idle.context(), await idle.context()]
  const primaries = Array.from({ length: scaled(60, 120) }, () => primary())
  const children = primaries.map((one) => dependent(one['tax-id']))
  // Large ones take several steps.
  const [large, waiting] = [scaled(600, 1_300), scaled(30, 80)]
  const halves = rng.between(1, primaries.length - 1)
  const batches: Batch[] = [
    largeBatch(large, products, '?resolution=approve'),
    batchOf(primaries.slice(0, halves)),
    batchOf(primaries.slice(halves)),
    batchOf(children),
    ...Array.from({ length: scaled(50, 150) }, () => smallBatch(rng, products, '2027-01-04')),
    largeBatch(large, products),
  ]
  const tenants = [target, await targetOf(idle.testApp, await idle.testApp.company())]
  for (const batch of batches.slice(0, waiting)) await accept(batch)
  await withWorkers(services, async () => {
    for (const batch of batches.slice(waiting)) await accept(batch, tenants[rng.between(0, 1)])
    await nothingOpen()
  })
  expect(await readDifferences(ask, batches)).toEqual({})
})

test('work that always fails is retried without delaying other work, and completes once the cause is removed', async () => {
  const [poisoned, next] = [await accept(largeBatch(3, products)), await accept(largeBatch(3, products))]
  const other = await targetOf(idle.testApp, await idle.testApp.company())
  const theirs = await accept(largeBatch(3, products), other)
  const nowhere = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
  const rewrite = (from: string, to: string) =>
    ask(
      `update movement_item set payload = jsonb_set(payload, '{product_id}', to_jsonb($3::text))
       where request_id = $1 and payload ->> 'product_id' = $2`,
      [poisoned.requestId, from, to],
    )
  const [item] = await ask<{ product_id: string }>(
    `select payload ->> 'product_id' as product_id from movement_item where request_id = $1`,
    [poisoned.requestId],
  )
  await rewrite(item?.product_id ?? '', nowhere)
  const statusOf = async ({ requestId }: Batch) =>
    (await ask<{ status: string }>('select status from request where id = $1', [requestId]))[0]?.status
  await withWorkers([context], async () => {
    await until(
      () => Promise.all([next, theirs].map(statusOf)),
      (all) => all.every((status) => status === 'completed'),
    )
    const later = await accept(largeBatch(3, products))
    await until(
      () => statusOf(later),
      (status) => status === 'completed',
    )
    expect(await statusOf(poisoned)).toBe('processing')
    expect(await ask('select 1 from work where attempts > 0 and run_at > created_at')).toHaveLength(1)
    await rewrite(nowhere, item?.product_id ?? '')
    await wake()
    await nothingOpen()
  })
  expect(await readDifferences(ask, [poisoned, next, theirs])).toEqual({})
})
