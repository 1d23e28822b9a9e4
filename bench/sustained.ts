/*
 * Reads and movements at a fixed rate, whether responses come or not: `node bench/sustained.ts [SECONDS] [large]`, 60 by default.
 * 1,500 reads a second (request, enrollment and company by id) and 100 inclusions of one member a second. A latency counts from when the request was
 * due, so a request that waits for a connection counts whole. `large` adds a dry run of 16 MiB every 5 seconds and reports memory.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { ms, percentile, printTable, verdict } from './figures.ts'
import { getRequest, postRequest } from './load.ts'
import { call, makePartner, payroll, type Partner } from './partner.ts'
import { Sender } from './sender.ts'
import { runBench } from './bench.ts'

const seconds = Number(process.argv[2] ?? 60)
const withLargeBodies = process.argv[3] === 'large'
const readsPerSecond = 1_500
const movementsPerSecond = 100
const largeEveryMs = 5_000
const restMs = 60_000
const wantedMs = 20
const wantedBacklogMs = 1_000
const wantedPeakMiB = 400
const wantedRestMiB = 300

/** What came of the requests of a kind. */
interface Outcome {
  readonly latencies: number[]
  readonly errors: Record<string, number>
}

/** Sends a request, and notes its latency from when it was due. */
function send(sender: Sender, { latencies, errors }: Outcome, bytes: () => Buffer, dueAt: number): void {
  const onEnd = (status: string) => {
    latencies.push(performance.now() - dueAt)
    if (!status.startsWith('2')) errors[status] = (errors[status] ?? 0) + 1
  }
  sender.send({ bytes, dueAt, onEnd })
}

/** Calls `send` for each request that is due, until the time is over. */
async function atRate(perSecond: number, send: (dueAt: number) => void): Promise<void> {
  const start = performance.now()
  const total = perSecond * seconds
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1)
    for (; sent < due; sent += 1) send(start + (sent * 1_000) / perSecond)
    await pause(1)
  }
}

function inclusion(url: string, partner: Partner, n: number): Buffer {
  const body = payroll(partner.companyTaxIds[n % partner.companyTaxIds.length] ?? '', 1)
  return postRequest(url, '/v1/enrollment/inclusion', partner.headers, body)
}

await runBench(Math.ceil(seconds / 60) + 5, async (bench) => {
  const databaseUrl = await bench.database('sustained')
  const program = await bench.service(databaseUrl)
  const { url } = program
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  const processing = async () => {
    const { rows } = await database.query("select count(*)::int as n from request where status = 'processing'")
    return (rows[0] as { n: number }).n
  }
  const partner = await makePartner(url, 20)
  const { headers } = partner
  for (const companyTaxId of partner.companyTaxIds) {
    await call(url, 'POST', '/v1/enrollment/inclusion', headers, payroll(companyTaxId, 100))
  }
  while ((await processing()) > 0) await pause(50)
  const { rows } = await database.query<{ path: string }>(
    `select '/v1/request/' || id as path from request
     union all (select '/v1/enrollment/detail/' || id from enrollment order by id limit 500)
     union all select '/v1/company/' || tax_id from company`,
  )
  const reads = rows.map(({ path }) => getRequest(url, path, headers))
  const reader = await Sender.open([url], 64)
  const writer = await Sender.open([url], 32)
  const outcomes = { reads: { latencies: [], errors: {} }, movements: { latencies: [], errors: {} } }
  const before = program.settleMemory()

  const stopped = new AbortController()
  let large = 0
  const largeBodies = (async () => {
    const body = withLargeBodies
      ? payroll(partner.companyTaxIds[0] ?? '', 10_000).padEnd(16 * 1024 * 1024 - 100_000, ' ')
      : ''
    while (withLargeBodies && !stopped.signal.aborted) {
      await call(url, 'POST', '/v1/enrollment/inclusion?dry-run=true', headers, body)
      large += 1
      await pause(largeEveryMs)
    }
  })()
  let [read, wrote] = [0, 0]
  await Promise.all([
    atRate(readsPerSecond, (dueAt) =>
      send(reader, outcomes.reads, () => reads[read++ % reads.length] as Buffer, dueAt),
    ),
    atRate(movementsPerSecond, (dueAt) =>
      send(writer, outcomes.movements, () => inclusion(url, partner, wrote++), dueAt),
    ),
  ])
  await Promise.all([reader.done(), writer.done()])
  const endedAt = performance.now()
  while ((await processing()) > 0) await pause(10)
  const backlogMs = performance.now() - endedAt
  stopped.abort()
  await largeBodies

  const row = (name: string, { latencies, errors }: Outcome) => {
    const p99 = percentile(latencies, 99)
    const shown = Object.entries(errors)
      .map(([error, count]) => `${count} x ${error}`)
      .join(', ')
    const judged = shown === '' ? verdict(p99, 'at most', wantedMs, ' ms') : 'MISSED (no errors)'
    return [name, String(latencies.length), shown || 'none', ms(percentile(latencies, 50)), ms(p99), judged]
  }
  printTable(`${readsPerSecond} reads and ${movementsPerSecond} movements a second for ${seconds} s`, [
    ['Requests', 'Sent', 'Errors', 'p50', 'p99', 'Wanted'],
    row('reads', outcomes.reads),
    row('inclusions of one member', outcomes.movements),
  ])
  console.log(
    `\nthe last request was processed after ${ms(backlogMs)}: ${verdict(backlogMs, 'at most', wantedBacklogMs, ' ms')}`,
  )
  reader.close()
  writer.close()
  await database.end()
  if (!withLargeBodies) return
  const peak = program.peakMemory()
  await pause(restMs)
  const rested = program.settleMemory()
  console.log(
    `\n${large} bodies of 16 MiB. Memory (RSS): ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most, ` +
      `${verdict(peak, 'at most', wantedPeakMiB, ' MiB')}; ${rested.toFixed(0)} MiB ${restMs / 1_000} s after, ` +
      verdict(rested, 'at most', wantedRestMiB, ' MiB'),
  )
})
