import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MovementKind, TerminalStatus } from '#kernel/enums.ts'

/* The metrics of one process. Labels are route templates, types and outcomes: never an id, a path or a person. */

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
export function countMovements(type: MovementKind, outcome: TerminalStatus, count = 1): void {
  movements.inc({ type, outcome }, count)
}

/** Counts a response to a movement request. */
export function countMovementRequest(type: MovementKind, status: number): void {
  movementRequests.inc({ type, outcome: status < 300 ? 'accepted' : status < 500 ? 'refused' : 'failed' })
}

/** One attempt to deliver an event. */
export function countDelivery(outcome: 'succeeded' | 'failed'): void {
  deliveries.inc({ outcome })
}

let requestsInFlight = 0

void new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests whose response is not finished.',
  registers: [registry],
  collect() {
    this.set(requestsInFlight)
  },
})

/** A request was received; its response is neither sent nor cut off. */
export function countRequest(): void {
  requestsInFlight += 1
}

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to its response.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
})

/** A response was sent. @param route the template. @param milliseconds since the request was received. */
export function countResponse(method: string, route: string, status: number, milliseconds: number): void {
  requestsInFlight -= 1
  durations.observe({ method, route, status }, milliseconds / 1_000)
}

/** The metrics of this process, in the text format of Prometheus. */
export async function metricsText(): Promise<string> {
  startDefaults()
  // prom-client writes the mean of no values as `Nan`, which the format does not know.
  return (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN')
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE

let started = false

/** Starts to measure memory, CPU, event loop and garbage collection of the process. */
export function startDefaults(): void {
  if (started) return
  started = true
  collectDefaultMetrics({ register: registry })
}

/** A value that is read at each scrape. */
export interface GaugeValue {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** Gauges in the text format of Prometheus. */
export function gaugesText(values: readonly GaugeValue[]): string {
  return values
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('')
}
