/*
 * Sends the load of bench/national-load.ts, in a process of its own: `node bench/national-generator.ts FILE` with its settings as JSON.
 * Each kind arrives on a schedule of its own, whether responses come or not, and a latency counts from the scheduled time. Prints a JSON
 * line every interval and a last one with the totals.
 */
import { readFileSync } from 'node:fs'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kind, Mix, type Planned, type Rates } from './national-mix.ts'
import { companiesOf } from './national-population.ts'
import { signIn, startPeopleAfter } from './partner.ts'
import { Sender } from './sender.ts'

export interface GeneratorSettings {
  readonly urls: readonly string[]
  readonly members: number
  readonly companies: number
  readonly clients: readonly { readonly id: string; readonly secret: string }[]
  readonly operator: { readonly id: string; readonly secret: string }
  readonly seconds: number
  readonly intervalSeconds: number
  readonly rates: Rates
  readonly seed: number
}

/** Of the responses of a kind or group; latencies in milliseconds, null when there were none. */
export interface Outcome {
  readonly count: number
  readonly p50: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
  /** Responses that are not 2xx, by status, or by the code of the socket's error. */
  readonly errors: Record<string, number>
  /** Parts of successful responses that failed: lines of files, people of an inclusion. */
  readonly failedParts: number
}

export interface GeneratorLine {
  readonly isLast: boolean
  /** Seconds from the start of the load. */
  readonly at: number
  readonly kinds: Record<string, Outcome>
  readonly groups: Record<Kind['group'], Outcome>
  /** By how much requests were given to a connection later than scheduled because this process was busy. */
  readonly lateMs: { readonly p99: number; readonly max: number }
  /** Without a connection, and without a complete response. */
  readonly waiting: number
  readonly underWay: number
  /** Enrollments that wait for an operator. */
  readonly open: number
  /** Scheduled when there was nothing to send, by kind. */
  readonly skipped: Record<string, number>
  /** Of the first response of each kind and status that is an error. */
  readonly samples: Record<string, string>
}

const readConnections = 64
const writeConnections = 32
const lastResponsesMs = 120_000
/** Tokens are valid for an hour. */
const renewEveryMs = 45 * 60_000
const largestMicroseconds = 3_600_000_000
const sampleLength = 300

class Recorder {
  readonly latencies = newHistogram()
  errors: Record<string, number> = {}
  failedParts = 0

  add(other: Recorder): void {
    // An empty one would set the smallest value to one that was never recorded.
    if (other.latencies.count > 0) this.latencies.add(other.latencies)
    for (const [status, count] of Object.entries(other.errors)) this.errors[status] = (this.errors[status] ?? 0) + count
    this.failedParts += other.failedParts
  }

  reset(): void {
    this.latencies.reset()
    this.errors = {}
    this.failedParts = 0
  }

  get outcome(): Outcome {
    const { latencies, errors, failedParts } = this
    const at = (percent: number) => (latencies.count === 0 ? null : latencies.percentile(percent) / 1_000)
    const [p50, p99, p999, max] = [at(50), at(99), at(99.9), latencies.count === 0 ? null : latencies.max / 1_000]
    return { count: latencies.count, p50, p99, p999, max, errors, failedParts }
  }
}

function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: largestMicroseconds, figures: 3 })
}

const record = (histogram: RecordableHistogram, milliseconds: number) =>
  histogram.record(Math.min(largestMicroseconds, Math.max(1, Math.round(milliseconds * 1_000))))

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as GeneratorSettings
const [url = ''] = settings.urls
const random = randomFrom(settings.seed)
startPeopleAfter(Math.floor(random() * 700_000_000))
const accounts = [...settings.clients, settings.operator]
const headers = accounts.map(() => ({ authorization: '' }))
const renew = async (n: number) => {
  const { id, secret } = accounts[n] as (typeof accounts)[number]
  Object.assign(headers[n] as object, await signIn(url, id, secret))
}
/** As often as it takes: an overloaded service may refuse it. */
const renewUntilDone = async (n: number): Promise<void> => {
  for (;;) {
    try {
      return await renew(n)
    } catch {
      await pause(1_000)
    }
  }
}
for (let n = 0; n < accounts.length; n += 1) await renew(n)

const companies = companiesOf(settings.members, settings.companies)
const mix = new Mix(
  { url, companies, rates: settings.rates },
  { clients: headers.slice(0, -1), operator: headers.at(-1) ?? { authorization: '' } },
  random,
)
const reader = await Sender.open(settings.urls, readConnections)
const writer = await Sender.open(settings.urls, writeConnections)
const schedule = mix.kinds.map((kind) => ({
  kind,
  // Rare kinds come at a fixed interval, so that a short run has them too.
  dueIn: kind.perSecond >= 1 ? 0 : 500 / kind.perSecond,
  interval: new Recorder(),
  total: new Recorder(),
}))
const late = { interval: newHistogram(), total: newHistogram() }
const skipped: Record<string, number> = {}
const samples: Record<string, string> = {}

/** Milliseconds until the next one: those of a Poisson process, or the same each time for a rare kind. */
function gap({ perSecond }: Kind): number {
  return (perSecond >= 1 ? -Math.log(1 - random()) : 1) * (1_000 / perSecond)
}

function send(kind: Kind, recorder: Recorder, { bytes, onBody }: Planned, dueAt: number): void {
  const onEnd = (status: string, body: string) => {
    record(recorder.latencies, performance.now() - dueAt)
    if (status.startsWith('2')) recorder.failedParts += onBody?.(body) ?? 0
    else {
      recorder.errors[status] = (recorder.errors[status] ?? 0) + 1
      samples[`${kind.name}: ${status}`] ??= Buffer.from(body, 'latin1').toString().slice(0, sampleLength)
    }
  }
  ;(kind.group === 'reads' ? reader : writer).send({ bytes, dueAt, onEnd })
}

function sendDue(start: number): void {
  for (const one of schedule) {
    while (one.kind.perSecond > 0 && start + one.dueIn <= performance.now()) {
      const dueAt = start + one.dueIn
      one.dueIn += gap(one.kind)
      const planned = one.kind.plan()
      if (planned === null) {
        skipped[one.kind.name] = (skipped[one.kind.name] ?? 0) + 1
        continue
      }
      record(late.interval, performance.now() - dueAt)
      send(one.kind, one.interval, planned, dueAt)
    }
  }
}

function printLine(at: number, which: 'interval' | 'total'): void {
  const group = (name: Kind['group']) => {
    const sum = new Recorder()
    for (const one of schedule) if (one.kind.group === name) sum.add(one[which])
    return sum.outcome
  }
  const line: GeneratorLine = {
    isLast: which === 'total',
    at,
    kinds: Object.fromEntries(schedule.map((one) => [one.kind.name, one[which].outcome])),
    groups: { reads: group('reads'), movements: group('movements'), operators: group('operators') },
    lateMs: { p99: late[which].percentile(99) / 1_000, max: late[which].max / 1_000 },
    waiting: reader.waiting + writer.waiting,
    underWay: reader.underWay + writer.underWay,
    open: mix.open,
    skipped,
    samples,
  }
  console.log(JSON.stringify(line))
}

function endInterval(at: number): void {
  for (const { interval, total } of schedule) total.add(interval)
  if (late.interval.count > 0) late.total.add(late.interval)
  printLine(at, 'interval')
  for (const { interval } of schedule) interval.reset()
  late.interval.reset()
}

let renewed = 0
const renewals = setInterval(() => {
  void renewUntilDone(renewed++ % accounts.length)
}, renewEveryMs / accounts.length)
const hasUnanswered = () => reader.waiting + reader.underWay + writer.waiting + writer.underWay > 0
const endMs = settings.seconds * 1_000
const start = performance.now()
let nextLine = settings.intervalSeconds
for (;;) {
  const elapsed = performance.now() - start
  if (elapsed < endMs) sendDue(start)
  else if (!hasUnanswered() || elapsed > endMs + lastResponsesMs) break
  if (elapsed >= nextLine * 1_000) {
    endInterval(nextLine)
    nextLine += settings.intervalSeconds
  }
  await pause(1)
}
clearInterval(renewals)
endInterval((performance.now() - start) / 1_000)
printLine((performance.now() - start) / 1_000, 'total')
reader.close()
writer.close()
process.exit(0)
