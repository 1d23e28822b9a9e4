import { afterAll, beforeAll, expect, test } from 'vitest'
import { freezeDueForecasts, freezeForecast } from '#money/forecasts/freeze.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Context } from '#platform/http/context.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { openValeClaro, type ValeClaro, valeClaroDay } from '../world/vale-claro.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, openIdleTestApp } from './steps.ts'

/* A forecast is stored while statements fail, by hand and by the clock: there is the one of before, or the new one. */

let idle: IdleTestApp
let context: Context
let one: ValeClaro
const operator = (): ClientActor => ({
  kind: 'operator',
  clientId: idle.testApp.operator.clientId,
  origin: { address: '127.0.0.1', traceId: 'x' },
})

beforeAll(async () => {
  idle = await openIdleTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })
  // It reads what the app stored.
  context = await idle.context({ VIGENCIA_DATA_DIR: idle.testApp.dataDir })
  const worker = startWorker(context)
  try {
    one = await openValeClaro(idle.testApp)
  } finally {
    await worker.stop()
  }
})
afterAll(() => idle.close())

/** What a failed act leaves as it was; no rule is broken. */
const stored = async () => [
  await checksumsOf(idle.testApp.sql, ['forecast', 'forecast_line', 'audit']),
  await readViolations(idle.testApp.sql),
]

const linesOf = (month: string) =>
  idle.testApp.sql<{ count: number; total: number }>(
    `select count(*)::int as count, sum(firm + scheduled + at_carrier + requested)::int as total
     from forecast join forecast_line on forecast_line.forecast_id = forecast.id
     where forecast.contract_id = $1 and forecast.reference_month = $2`,
    [one.contractId, month],
  )

test('whichever statement fails, there is no forecast, or that of before', async () => {
  const freeze = (on: Context) => freezeForecast(on, operator(), one.contractId, '2027-01')
  const { failed } = await failAfterEach(context, stored, freeze)
  expect(failed).toBeGreaterThan(5)
  const whole = [{ count: 9, total: 163_994 }]
  expect(await linesOf('2027-01')).toEqual(whole)
  await failAfterEach(context, stored, freeze)
  expect(await linesOf('2027-01')).toEqual(whole)
})

test('the clock stores it once, whichever statement fails, and two processes at once store one', async () => {
  const signal = new AbortController().signal
  // On the day after the cut-off of January: it is that of February.
  const freeze = (on: Context) => freezeDueForecasts(on, '2027-01-19', signal)
  const { result, failed } = await failAfterEach(context, stored, freeze)
  expect([result, failed > 5]).toEqual([1, true])
  const whole = await linesOf('2027-02')
  expect(whole[0]?.count).toBe(9)
  const other = await idle.context()
  expect(await Promise.all([freeze(context), freeze(other)])).toEqual([0, 0])
  const next = [context, other].map((on) => freezeDueForecasts(on, '2027-02-19', signal))
  expect((await Promise.all(next)).some((count) => count === 1)).toBe(true)
  expect((await linesOf('2027-03'))[0]?.count).toBe(9)
  expect(await linesOf('2027-02')).toEqual(whole)
  expect(await readViolations(idle.testApp.sql)).not.toHaveProperty('forecast-sum')
})
