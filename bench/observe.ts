/*
 * What it costs to observe a request: the CPU of a log line and of a count, in this process, against what the libraries do for the
 * same. `node bench/observe.ts 2> /dev/null`
 */
import { pino } from 'pino'
import { Histogram, Registry } from 'prom-client'
import { openLog } from '../src/platform/log.ts'
import { countAnswer } from '../src/telemetry/metrics.ts'
import { printTable, times } from './figures.ts'

const lines = 100_000
const linesInTurn = 4
const counts = 2_000_000
const routes = Array.from({ length: 40 }, (_, n) => `/v1/thing-${n}/:thingId`)
const id = '01a1fd79-6462-777a-99a8-ccfafc5eef9c'

/** CPU of this process, its threads included, for one of `count`, in microseconds; a turn of the event loop after every few. */
async function cpuOf(count: number, inTurn: number, act: (n: number) => void): Promise<number> {
  for (let n = 0; n < 10_000; n += 1) act(n)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const before = process.cpuUsage()
  for (let n = 0; n < count; n += 1) {
    act(n)
    if (n % inTurn === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

const plain = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: false }))
const log = openLog('info')
const route = (n: number) => routes[n % routes.length] ?? ''
const histogram = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Beside ours.',
  labelNames: ['method', 'route', 'status'],
  registers: [new Registry()],
})

const idle = await cpuOf(lines, linesInTurn, () => {})
const pinoLine = await cpuOf(lines, linesInTurn, (n) =>
  plain.info({ 'request-trace-id': id, method: 'GET', route: route(n), status: 200, ms: (n % 70) / 10 }, 'answered'),
)
const ownLine = await cpuOf(lines, linesInTurn, (n) => log.answered(id, 'GET', route(n), 200, (n % 700) / 100))
const theirCount = await cpuOf(counts / 10, 1_000, (n) =>
  histogram.observe({ method: 'GET', route: route(n), status: 200 }, (n % 70) / 1_000),
)
const ownCount = await cpuOf(counts, 1_000, (n) => countAnswer('GET', route(n), 200, n % 70))

const us = (value: number) => `${value.toFixed(2)} us`
printTable('CPU of observing one request', [
  ['What', 'CPU', 'Of the library'],
  ['a turn of the event loop, shared by four (taken off the lines)', us(idle), ''],
  ['log line through pino', us(pinoLine - idle), ''],
  ['log line of an answer', us(ownLine - idle), times((ownLine - idle) / (pinoLine - idle))],
  ['observation through prom-client', us(theirCount), ''],
  ['observation of an answer', us(ownCount), times(ownCount / theirCount)],
])
