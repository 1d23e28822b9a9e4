import { afterAll, beforeAll, expect, test } from 'vitest'
import { processDueWork } from '#apps/worker/due-work.ts'
import type { Context } from '#platform/http/context.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { inProduct, life, monday, primary, until } from '../world/test-app.ts'
import { readViolations, readDifferences, readOpenWork } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, targetOf, withInjectedErrors } from './steps.ts'
import { type Batch, batchOf, largeBatch, sendBatch, type Target } from './load.ts'
import { isLong, scaled } from '../scale.ts'
import { products } from './tenant.ts'

const itsDay = '2026-12-01'
const signal = new AbortController().signal

let idle: IdleTestApp
let target: Target
let clocks: Context[]
let including: Context
const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

beforeAll(async () => {
  idle = await openIdleTestApp()
  const later = { VIGENCIA_BUSINESS_DATE: itsDay }
  clocks = [await idle.context(later), await idle.context(later)]
  including = await idle.context()
  target = await targetOf(idle.testApp, await idle.testApp.company())
})

afterAll(() => idle.close())

/** Includes and processes the batch; the business date of the clocks is a week later. */
async function include(batch: Batch): Promise<void> {
  expect(await sendBatch(target, batch)).toBe(200)
  const worker = startWorker(including)
  await until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )
  await worker.stop()
}

const scheduled = (count: number): Batch =>
  batchOf(
    Array.from({ length: count }, () =>
      primary({ products: inProduct('life-insurance', life, 'on-admission-date'), 'admission-date': itsDay }),
    ),
  )

const countDue = async (): Promise<number> => readOpenWork(ask, itsDay)

async function expectMovedOnce(batch: Batch): Promise<void> {
  const moved = await ask<{ status: string; steps: number }>(
    `select e.status, (select count(*)::int from enrollment_history h where h.enrollment_id = e.id) as steps
     from enrollment e where e.request_id = $1 group by e.id, e.status`,
    [batch.requestId],
  )
  expect(moved).toHaveLength(batch.parts.length)
  expect(moved.filter(({ status, steps }) => status !== 'created' || steps !== 1)).toEqual([])
  expect(await readDifferences(ask, [batch])).toEqual({})
}

test('due work is processed once by two processes at once, in several steps', async () => {
  const batch = scheduled(1_100)
  await include(batch)
  expect(await countDue()).toBe(1_100)
  await Promise.all([...clocks, ...clocks].map((context) => processDueWork(context, signal)))
  expect(await countDue()).toBe(0)
  await expectMovedOnce(batch)
  await Promise.all(clocks.map((context) => processDueWork(context, signal)))
  await expectMovedOnce(batch)
})

test.runIf(isLong)(
  'a run that fails after any statement changes nothing, and the next run processes everything',
  async () => {
    const [clock] = clocks
    if (clock === undefined) throw new Error('no clock')
    const injection = withInjectedErrors(clock)
    const partial: unknown[] = []
    let failed = 0
    for (let after = 1; injection.fired > 0 || failed === 0; after += 1) {
      const batch = scheduled(3)
      await include(batch)
      injection.arm(after)
      const error = await processDueWork(injection.context, signal).catch((cause: unknown) => cause)
      if (injection.fired > 0) {
        failed += 1
        const due = await countDue()
        if (!(error instanceof InjectedError) || due !== 3) partial.push({ after, error, due })
        partial.push(...Object.entries(await readViolations(ask)))
      }
      injection.disarm()
      await processDueWork(injection.context, signal)
      await expectMovedOnce(batch)
    }
    expect(partial).toEqual([])
  },
)

test('benefits on their last day end once when two processes end them at once', async () => {
  const batch = largeBatch(scaled(300, 900), products, '?resolution=approve')
  await include(batch)
  await ask(
    `update benefit b set end_date = $2 from enrollment e
     where e.company_id = b.company_id and e.benefit_id = b.id and e.request_id = $1`,
    [batch.requestId, itsDay],
  )
  await Promise.all([...clocks, ...clocks].map((context) => processDueWork(context, signal)))
  const wrong = await ask<{ n: number }>(
    `select b.id, b.status, count(v.id)::int as n from enrollment e
     join benefit b on b.company_id = e.company_id and b.id = e.benefit_id
     left join event v on v.type = 'benefit.deactivated' and v.data->>'benefit-id' = b.id::text
     where e.request_id = $1 group by b.id, b.status having b.status <> 'inactive' or count(v.id) <> 1`,
    [batch.requestId],
  )
  expect(wrong).toEqual([])
  expect(await readViolations(ask)).toEqual({})
})
