/*
 * Telling of events, on a durable engine, receivers on loopback:
 *
 *   node bench/webhooks.ts [ENDPOINTS] [EVENTS] [ROUNDS]      1,000 endpoints x 100 events, once, by default
 *
 * 1. deliveries a second, signed, noted and carried by leases, beside a bare loop of `fetch` to the same receiver;
 * 2. the delay of healthy endpoints while one endpoint is down, and while a tenth are;
 * 3. what an event costs its writer, and what it costs to discard 10,000 of them without an enabled endpoint.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { type Database, openDatabase } from '#platform/core/database.ts'
import type { DomainEvent } from '#platform/core/events.ts'
import { openLog } from '#platform/core/log.ts'
import { writeEvents } from '#platform/core/outbox.ts'
import { discardBatches } from '#events/webhooks/fan-out-queries.ts'
import {
  type Partner,
  call,
  makePartner,
  median,
  medianRatio,
  ms,
  payroll,
  perSecond,
  printTable,
  runBench,
  startProgram,
  times,
  verdict,
  programsFile,
} from './bench.ts'

const [endpoints = 1_000, events = 100, rounds = 1] = process.argv.slice(2).map(Number)
const atOnce = 256

interface Figures {
  readonly count: number
  readonly ms: number
  readonly p50: number
  readonly p95: number
  readonly maxOpen: number
}

const figuresOf = async (url: string): Promise<Figures> => (await (await fetch(`${url}/figures`)).json()) as Figures

/** Waits until that much was received; says so when nothing more comes for 30 seconds. */
async function received(url: string, count: number): Promise<Figures> {
  let seen = { figures: await figuresOf(url), at: performance.now() }
  while (seen.figures.count < count) {
    await pause(200)
    const figures = await figuresOf(url)
    if (figures.count > seen.figures.count) seen = { figures, at: performance.now() }
    if (performance.now() - seen.at > 30_000) throw new Error(`${seen.figures.count} of ${count} were delivered`)
  }
  return seen.figures
}

async function makeEndpoints(url: string, partner: Partner, targets: readonly string[]): Promise<void> {
  for (const target of targets) await call(url, 'POST', '/v1/webhook-endpoint', partner.headers, { url: target })
}

/** An inclusion of that many people is one event more than people. */
async function makeEvents(url: string, partner: Partner, count: number): Promise<void> {
  const body = payroll(partner.companyTaxIds[0] ?? '', Math.max(1, count - 1))
  await call(url, 'POST', '/v1/enrollment/inclusion', partner.headers, body)
}

async function deliver(url: string, receiver: string, partner: Partner): Promise<void> {
  await makeEndpoints(
    url,
    partner,
    Array.from({ length: endpoints }, (_, n) => `${receiver}/hook/${n}`),
  )
  const rows = [['Run', 'Deliveries', 'Ours', 'Bare `fetch`', 'Of it']]
  const shares: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const count = Math.min(20_000, endpoints * events)
    const bare = Number(
      execFileSync(process.execPath, [programsFile, 'receiver', `${receiver}/bare`, String(count), String(atOnce)], {
        encoding: 'utf8',
      }),
    )
    await fetch(receiver, { method: 'DELETE' })
    await makeEvents(url, partner, events)
    const figures = await received(receiver, endpoints * events)
    const ours = (figures.count * 1_000) / figures.ms
    shares.push(ours / bare)
    rows.push([String(round), String(figures.count), perSecond(ours), perSecond(bare), times(ours / bare)])
  }
  printTable(`${endpoints} endpoints x ${events} events, ${atOnce} calls at once`, rows)
  console.log(`\nOf the bare loop, median: ${times(median(shares))}`)
}

/** The healthy endpoints while others are down, at a steady rate of events. */
async function beside(url: string, receiver: string, partner: Partner, dead: number): Promise<string[]> {
  const healthy = Math.min(endpoints, 100)
  await makeEndpoints(
    url,
    partner,
    Array.from({ length: healthy }, (_, n) => `${receiver}/hook/${n}`),
  )
  await makeEndpoints(
    url,
    partner,
    Array.from({ length: dead }, (_, n) => `${receiver}/dead/${n}`),
  )
  await fetch(receiver, { method: 'DELETE' })
  const movements = 40
  for (let n = 0; n < movements; n += 1) {
    await makeEvents(url, partner, 2)
    await pause(250)
  }
  const figures = await received(receiver, healthy * movements * 2)
  return [
    `${healthy} healthy, ${dead} dead`,
    String(figures.count),
    ms(figures.p50),
    ms(figures.p95),
    verdict(figures.p95, 'at most', 5_000, ' ms'),
  ]
}

/** The statement that writes events as it was before anybody could listen. */
async function writeBare(database: Database, companyId: string, at: Date, some: readonly DomainEvent[]): Promise<void> {
  const rows = some.map(({ type, data }) => ({ id: uuidv7(), type, data: { 'company-id': companyId, ...data } }))
  await database.execute(
    `insert into event (company_id, id, type, at, data)
     select $1, e.id, e.type, $2, e.data from json_to_recordset($3::json) as e(id uuid, type text, data jsonb)`,
    [companyId, at, JSON.stringify(rows)],
  )
}

async function costs(databaseUrl: string): Promise<void> {
  const options = { url: databaseUrl, connections: 2, namedStatements: true, applicationName: 'bench' }
  const database = openDatabase(options, openLog('error'))
  const companyId = uuidv7()
  const rows = [['Events in a statement', 'With the batch row', 'Without', 'Ratio']]
  try {
    for (const [size, rounds] of [
      [1, 400],
      [500, 60],
    ] as const) {
      const some = Array.from({ length: size }, (): DomainEvent => ({
        type: 'enrollment.created',
        data: { 'request-id': uuidv7(), 'enrollment-id': uuidv7(), status: 'created' },
      }))
      const [ours, bare]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await timed(() => writeEvents(database, companyId, new Date(), some)))
        bare.push(await timed(() => writeBare(database, companyId, new Date(), some)))
      }
      rows.push([String(size), ms(median(ours)), ms(median(bare)), times(medianRatio(ours, bare))])
    }
    printTable('What an event costs its writer, each statement committed', rows)
    await database.execute('delete from event_batch')
    const one: DomainEvent[] = [{ type: 'invoice.paid', data: { 'invoice-id': 'x', status: 'all-paid' } }]
    for (let n = 0; n < 2_000; n += 1) await writeEvents(database, companyId, new Date(), one)
    const spent = await timed(() => discardBatches(database, 5_000))
    console.log(`\nDiscarding the events of 2,000 statements without an enabled endpoint: ${ms(spent)}`)
    const many = Array.from({ length: 500 }, () => one).flat()
    for (let n = 0; n < 20; n += 1) await writeEvents(database, companyId, new Date(), many)
    console.log(
      `Discarding the 10,000 events of one inclusion: ${ms(await timed(() => discardBatches(database, 5_000)))}`,
    )
  } finally {
    await database.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

await runBench(15, async (bench) => {
  const receiver = await startProgram(
    [process.execPath, programsFile, 'receiver'],
    join(bench.folder, 'receiver.log'),
    {},
  )
  const environment = {
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_WEBHOOK_ENDPOINTS: '1000',
    VIGENCIA_DEMO: 'false',
  }
  try {
    await costs(await prepared('costs'))
    const late = [['Endpoints', 'Deliveries', 'Median', 'p95', 'Wanted']]
    for (const dead of [1, 10]) {
      const service = await bench.service(await bench.database(`beside_${dead}`), environment)
      late.push(await beside(service.url, receiver.url, await makePartner(service.url, 1), dead))
      await service.stop()
    }
    printTable('From the event to the receiver, a movement every 250 ms', late)
    const service = await bench.service(await bench.database('deliver'), environment)
    await deliver(service.url, receiver.url, await makePartner(service.url, 1))
  } finally {
    await receiver.stop()
  }

  async function prepared(name: string): Promise<string> {
    const databaseUrl = await bench.database(name)
    await (await bench.service(databaseUrl, environment)).stop()
    return databaseUrl
  }
})
