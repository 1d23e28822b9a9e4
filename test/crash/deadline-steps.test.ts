import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { writeDeadlineEvents } from '#movements/transition/deadline-events.ts'
import { processDueWork } from '#apps/worker/due-work.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { type Client, type Company, dependent, expectOk, health, type Json, primary } from '../world/test-app.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from './steps.ts'
import { isLong } from '../scale.ts'

/* The events of deadlines that are near. */

const signal = new AbortController().signal
let idle: IdleTestApp
let company: Company
let partner: Client
let including: Context

beforeAll(async () => {
  idle = await openIdleTestApp()
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
  including = await idle.context()
})

afterAll(() => idle.close())

/** Runs the events of a business day. @returns how many it wrote. */
const runOn = async (day: string): Promise<number> =>
  writeDeadlineEvents(await idle.context({ VIGENCIA_BUSINESS_DATE: day }), day, signal)

/** Includes a mother, admitted on 2 November, with a child of 10 November. @returns their movements. */
async function includeFamily(): Promise<[string, string]> {
  const worker = startWorker(including)
  const mother = primary()
  const child = dependent(mother['tax-id'], { 'date-of-birth': '2026-11-10', 'dependency-date': undefined })
  const request = await idle.testApp.include(partner, company, [mother, child])
  await worker.stop()
  const idOf = (member: Json): string => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  return [idOf(mother), idOf(child)]
}

const eventsOf = async (ids: readonly string[]): Promise<Json[]> =>
  (
    await idle.testApp.sql<{ data: Json }>(
      `select data from event where type = 'deadline.approaching' and data->>'enrollment-id' = any($1) order by id`,
      [ids],
    )
  ).map(({ data }) => data)

const kindsOf = async (ids: readonly string[]): Promise<string[]> =>
  (await eventsOf(ids)).map(({ kind, until }) => `${kind} ${until}`)

test('a deadline is reported once, from the days of the setting before it, with ids only', async () => {
  const ids = await includeFamily()
  expect([await runOn('2026-11-24'), await runOn('2026-11-25'), await runOn('2026-11-25')]).toEqual([0, 1, 0])
  const { 'request-id': requestId } = expectOk(await partner.get(`/v1/enrollment/detail/${ids[0]}`)).body.result
  expect(await eventsOf(ids)).toEqual([
    {
      'company-id': company.id,
      'company-tax-id': company.taxId,
      'request-id': requestId,
      'enrollment-id': ids[0],
      'member-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'product-id': company.products[health],
      kind: 'inclusion-window',
      until: '2026-12-02',
    },
  ])
  // Those of a child, also after a day on which the service did not run.
  expect(await runOn('2026-12-12')).toBe(2)
  expect((await kindsOf(ids)).toSorted()).toEqual([
    'inclusion-window 2026-12-02',
    'inclusion-window 2026-12-10',
    'newborn 2026-12-10',
  ])
})

test('a movement that the carrier has, or that has ended, has none', async () => {
  const [mother, child] = await includeFamily()
  const to = (id: string, status: string) =>
    idle.testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status, reason: 'Dados incorretos' })
  expectOk(await to(mother, 'broker-processing'))
  expectOk(await to(mother, 'carrier-processing'))
  expectOk(await to(child, 'rejected'))
  await runOn('2026-12-12')
  expect(await eventsOf([mother, child])).toEqual([])
})

test('two processes at once report everything once', async () => {
  const ids = await includeFamily()
  const context = await idle.context({ VIGENCIA_BUSINESS_DATE: '2026-12-12' })
  await Promise.all([context, context, context].map((one) => writeDeadlineEvents(one, '2026-12-12', signal)))
  expect(await eventsOf(ids)).toHaveLength(3)
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

test.runIf(isLong)('a run that fails after any statement is completed by the next one', async () => {
  const day = '2026-12-12'
  const injection = withInjectedErrors(await idle.context({ VIGENCIA_BUSINESS_DATE: day }))
  let failed = 0
  for (let after = 1, isOver = false; !isOver; after += 1) {
    const ids = await includeFamily()
    injection.arm(after)
    const error = await writeDeadlineEvents(injection.context, day, signal).catch((cause: unknown) => cause)
    isOver = injection.fired === 0
    if (!isOver) expect(error).toBeInstanceOf(InjectedError)
    if (!isOver) failed += 1
    injection.disarm()
    await processDueWork(injection.context, signal)
    expect(await eventsOf(ids)).toHaveLength(3)
  }
  expect(failed).toBeGreaterThan(2)
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})
