/* The tables at the end of bench/national-load.ts. */
import { ms, percentile, printTable } from './figures.ts'
import type { GeneratorLine, Outcome } from './national-generator.ts'
import type { MachineSample, Sample } from './national-samples.ts'

export interface Run {
  readonly seconds: number
  /** Enrollments made in the run: people by benefit. */
  readonly movements: number
  readonly before: MachineSample
  readonly samples: readonly Sample[]
  /** After the wait. */
  readonly after: MachineSample
  readonly total: GeneratorLine
  /** Seconds from the last response until nothing waited; null when something still did after half an hour. */
  readonly idleAfter: number | null
}

const machineCores = 16
/** Of the cores, so that bursts do not wait. */
const usableShare = 0.7
const mebibyte = 1024 * 1024

export function printReport(run: Run): void {
  const { total, samples } = run
  printTable(`Responses in ${run.seconds} s; latencies count from the scheduled time`, [
    ['Request', 'Responses', 'Rate', 'p50', 'p99', 'p99.9', 'Slowest', 'Errors', 'Failed parts'],
    ...Object.entries(total.groups).map(([name, outcome]) => rowOf(`all ${name}`, outcome, run.seconds)),
    ...Object.entries(total.kinds).map(([name, outcome]) => rowOf(name, outcome, run.seconds)),
  ])
  for (const [where, body] of Object.entries(total.samples)) console.log(`  ${where}: ${body}`)
  const skipped = Object.entries(total.skipped).map(([name, count]) => `${count} of ${name}`)
  console.log(
    `\nThe generator sent at most ${ms(total.lateMs.max)} after the schedule (p99 ${ms(total.lateMs.p99)}); without a response: ` +
      `${total.waiting + total.underWay}; nothing to send: ${skipped.join(', ') || 'never'}.`,
  )
  printQueues(run)
  printProcesses(run)
  printCost(run)
  const deliveries = samples.reduce((sum, { webhooks }) => sum + webhooks.count, run.after.webhooks.count)
  const delays = samples.flatMap(({ webhooks }) => (webhooks.count === 0 ? [] : [webhooks.p99]))
  console.log(
    `\nWebhooks: ${deliveries} received; p99 of their delay in an interval at most ${ms(Math.max(0, ...delays))}.`,
  )
}

function rowOf(name: string, outcome: Outcome, seconds: number): string[] {
  const { count, p50, p99, p999, max, errors, failedParts } = outcome
  const shown = Object.entries(errors).map(([status, times]) => `${times} x ${status}`)
  const latencies = [p50, p99, p999, max].map((one) => (one === null ? '' : ms(one)))
  return [
    name,
    String(count),
    `${(count / seconds).toFixed(2)}/s`,
    ...latencies,
    shown.join(', ') || 'none',
    String(failedParts),
  ]
}

function printQueues({ samples, idleAfter }: Run): void {
  const row = (name: string, unit: string, of: (sample: Sample) => number) => {
    const all = samples.map(of)
    return [
      name,
      ...[percentile(all, 50), Math.max(...all), all.at(-1) ?? 0].map(
        (one) => `${one.toFixed(one < 10 ? 1 : 0)}${unit}`,
      ),
    ]
  }
  printTable('What waited, at the end of each interval', [
    ['Queue', 'Median', 'Most', 'At the end'],
    row('accepted requests', '', ({ backlog }) => backlog.work),
    row('age of the oldest', ' s', ({ backlog }) => backlog.workAge),
    row('events to dispatch', '', ({ backlog }) => backlog.undispatched),
    row('deliveries', '', ({ pendingDeliveries }) => pendingDeliveries),
    row('audit rows outside the chain', '', ({ backlog }) => backlog.auditPending),
    row('enrollments for operators', '', ({ open }) => open),
  ])
  const when = idleAfter === null ? 'Something still waited half an hour' : `Nothing waited ${idleAfter.toFixed(1)} s`
  console.log(`\n${when} after the last response.`)
}

function printProcesses({ before, after, samples, seconds }: Run): void {
  printTable('Processes', [
    ['Process', 'CPU', 'Cores', 'Memory before', 'Most', 'At the end'],
    ...Object.keys(after.cpuSeconds).map((name) => {
      const cpu = cpuOf(name, before, after)
      const memory = samples.map(({ mebibytes }) => mebibytes[name] ?? Number.NaN)
      const sizes = [before.mebibytes[name] ?? Number.NaN, Math.max(...memory), memory.at(-1) ?? Number.NaN]
      return [name, `${cpu.toFixed(1)} s`, (cpu / seconds).toFixed(2), ...sizes.map((one) => `${one.toFixed(0)} MiB`)]
    }),
  ])
}

const cpuOf = (name: string, before: MachineSample, after: MachineSample) =>
  (after.cpuSeconds[name] ?? Number.NaN) - (before.cpuSeconds[name] ?? 0)

function printCost({ before, after, total, movements, seconds }: Run): void {
  const cpu = Object.keys(after.cpuSeconds).reduce((sum, name) => sum + cpuOf(name, before, after), 0)
  const bytes = after.databaseBytes - before.databaseBytes
  const wal = after.walBytes - before.walBytes
  const thousands = movements / 1_000
  const cores = cpu / seconds
  const factor = (machineCores * usableShare) / cores
  printTable('Cost', [
    ['What', 'Figure'],
    ['movements', `${movements}, ${(movements / seconds).toFixed(1)}/s`],
    ['CPU for a thousand movements with the reads beside them', `${(cpu / thousands).toFixed(1)} s`],
    ['database for a thousand movements', `${(bytes / mebibyte / thousands).toFixed(2)} MiB`],
    ['write-ahead log for a thousand movements', `${(wal / mebibyte / thousands).toFixed(1)} MiB`],
    ['size of the database', `${(after.databaseBytes / mebibyte).toFixed(0)} MiB`],
    [
      `estimate: ${machineCores} cores, ${usableShare * 100}% busy, without the generator`,
      `${Math.round((movements / seconds) * factor)} movements/s and ${Math.round((total.groups.reads.count / seconds) * factor)} reads/s`,
    ],
  ])
}
