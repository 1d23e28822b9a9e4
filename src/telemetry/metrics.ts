import { collectDefaultMetrics, Counter, Registry } from 'prom-client'
import type { RequestType, TerminalStatus } from '../domain/enums.ts'

/*
 * What one process counts. Counted at most once a request, in plain numbers: what Prometheus reads is made of them when it asks.
 * Labels are route templates, types and outcomes: never an id, a path or a person.
 */

const registry = new Registry()

const movements = new Counter({
  name: 'vigencia_movements_total',
  help: 'Movements (enrollments) that ended in this process, by type and outcome.',
  labelNames: ['type', 'outcome'] as const,
  registers: [registry],
})

const deliveries = new Counter({
  name: 'vigencia_webhook_deliveries_total',
  help: 'Attempts to deliver an event to a webhook endpoint, by outcome.',
  labelNames: ['outcome'] as const,
  registers: [registry],
})

const movementRequests = new Counter({
  name: 'vigencia_requests_total',
  help: 'Movement requests that this process responded to, by type and outcome.',
  labelNames: ['type', 'outcome'] as const,
  registers: [registry],
})

/** Counts ended movements. Call it after the transaction is committed. */
export function countMovements(type: RequestType, outcome: TerminalStatus, count = 1): void {
  movements.inc({ type, outcome }, count)
}

/** Counts a response to a movement request. */
export function countMovementRequest(type: RequestType, status: number): void {
  movementRequests.inc({ type, outcome: status < 300 ? 'accepted' : status < 500 ? 'refused' : 'failed' })
}

/** One attempt to deliver an event. */
export function countDelivery(outcome: 'succeeded' | 'failed'): void {
  deliveries.inc({ outcome })
}

let flying = 0

/** A request came in. */
export function requestBegins(): void {
  flying += 1
}

/** Its connection or its answer ended, whichever came first. */
export function requestEnds(): void {
  flying -= 1
}

/** Upper bounds of the histogram's buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Durations {
  readonly method: string
  readonly route: string
  readonly status: number
  /** How many fell into each bucket; the last is what was slower than all. */
  readonly counts: number[]
  seconds: number
}

/** By route template and method, then by status: two look-ups and an addition for each answer. */
const durations = new Map<string, Map<string, (Durations | undefined)[]>>()

/** An answer went out. @param milliseconds since its request came in. */
export function countAnswer(method: string, route: string, status: number, milliseconds: number): void {
  let methods = durations.get(route)
  if (methods === undefined) durations.set(route, (methods = new Map()))
  let statuses = methods.get(method)
  if (statuses === undefined) methods.set(method, (statuses = []))
  const kept = (statuses[status] ??= { method, route, status, counts: bounds.map(() => 0).concat(0), seconds: 0 })
  const seconds = milliseconds / 1_000
  let bucket = 0
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
  kept.counts[bucket] = (kept.counts[bucket] ?? 0) + 1
  kept.seconds += seconds
}

/** Everything that this process counts, in the text format of Prometheus. */
export async function metricsText(): Promise<string> {
  startDefaults()
  const inFlight = { name: 'http_requests_in_flight', help: 'Requests whose answer is not finished.', value: flying }
  // A mean of nothing yet, which the library spells as no reader of the format does.
  const counted = (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN')
  return `${counted}${gaugesText([inFlight])}${durationText()}`
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE

let started = false

/** Memory, CPU, event loop and garbage of the process; measured from the first call on. */
export function startDefaults(): void {
  if (started) return
  started = true
  collectDefaultMetrics({ register: registry })
}

function everyDuration(): Durations[] {
  const statuses = [...durations.values()].flatMap((methods) => [...methods.values()].flat())
  return statuses.filter((one) => one !== undefined)
}

function durationText(): string {
  const name = 'http_request_duration_seconds'
  const lines = everyDuration().flatMap(({ method, route, status, counts, seconds }) => {
    const labels = `method="${method}",route="${route}",status="${status}"`
    let total = 0
    const buckets = counts.map((count, n) => {
      total += count
      return `${name}_bucket{${labels},le="${bounds[n] ?? '+Inf'}"} ${total}`
    })
    return [...buckets, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${total}`]
  })
  return `# HELP ${name} Time from a request to its answer.\n# TYPE ${name} histogram\n${lines.map((line) => `${line}\n`).join('')}`
}

/** A figure that is read when Prometheus asks. */
export interface Reading {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** Readings as gauges, in the text format of Prometheus. */
export function gaugesText(readings: readonly Reading[]): string {
  return readings
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('')
}
