/*
 * One client's fan-out beside another client's events, on a durable engine, receivers on loopback:
 *
 *   node bench/fan-out.ts [ENDPOINTS] [PEOPLE] [SECONDS]      20 endpoints, 2,000 people, at most 90 s by default
 *
 * Client A has that many endpoints and includes that many people, approved at once. Client B has one endpoint and an event each
 * half second until A's events are fanned out. Printed: the deliveries that A's inclusion made, the bytes that they take, how long the
 * fan-out took, and how late B's events came.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { openDatabase } from '../src/core/database.ts'
import { openLog } from '../src/core/log.ts'
import { ms, printTable } from './figures.ts'
import { call, makePartner, payroll, signIn } from './partner.ts'
import { runBench, operator, startProgram } from './bench.ts'

const [endpoints = 20, people = 2_000, seconds = 90] = process.argv.slice(2).map(Number)
const receiverFile = fileURLToPath(new URL('./receiver.ts', import.meta.url))

interface Figures {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

await runBench(10, async (bench) => {
  const receiver = (name: string) =>
    startProgram([process.execPath, receiverFile], join(bench.folder, `${name}.log`), {})
  const [receiverA, receiverB] = [await receiver('a'), await receiver('b')]
  const databaseUrl = await bench.database('fan_out')
  const { url } = await bench.service(databaseUrl, {
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_WEBHOOK_ENDPOINTS: String(Math.max(20, endpoints)),
    VIGENCIA_DEMO: 'false',
  })
  const admin = await signIn(url, operator.id, operator.secret)
  const [taxIdA = '', taxIdB = ''] = (await makePartner(url, 2)).companyTaxIds
  const partner = async (taxId: string) => {
    const made = await call(url, 'POST', '/operator/v1/client', admin, { name: 'Folha', 'company-tax-ids': [taxId] })
    return signIn(url, String(made['client-id']), String(made['client-secret']))
  }
  const [a, b] = [await partner(taxIdA), await partner(taxIdB)]
  for (let n = 0; n < endpoints; n += 1) {
    await call(url, 'POST', '/v1/webhook-endpoint', a, { url: `${receiverA.url}/hook/${n}` })
  }
  await call(url, 'POST', '/v1/webhook-endpoint', b, { url: `${receiverB.url}/hook` })
  const database = openDatabase(
    { url: databaseUrl, connections: 1, namedStatements: true, applicationName: 'bench', statementTimeoutMs: 120_000 },
    openLog('error'),
  )
  const count = async (sql: string) => Number((await database.query<{ n: number }>(sql))[0]?.n)
  const figuresOfB = async () => (await (await fetch(receiverB.url)).json()) as Figures
  try {
    const before = await count("select pg_total_relation_size('webhook_delivery') as n")
    const start = performance.now()
    const path = '/v1/enrollment/inclusion?resolution=approve'
    await call(url, 'POST', path, a, payroll(taxIdA, people))
    let events = 0
    let fannedOutMs = 0
    while (performance.now() - start < seconds * 1_000) {
      const id = uuidv7()
      await call(url, 'PUT', `/operator/v1/invoice/${id}`, admin, {
        'company-tax-id': taxIdB,
        'carrier-name': 'Operadora Aurora',
        amount: 1_845_090,
        'due-date': '2099-12-10',
        'reference-period-start': '2026-11-01',
        'reference-period-end': '2026-11-30',
      })
      events += 1
      await pause(500)
      const done = (await count('select count(*) as n from work')) === 0
      const left = await count(
        'select (select coalesce(sum(events), 0) from event_batch) + (select coalesce(sum(events), 0) from webhook_fan_out) as n',
      )
      if (done && left <= 2) {
        fannedOutMs = performance.now() - start
        break
      }
    }
    const late = performance.now()
    while ((await figuresOfB()).count < events && performance.now() - late < 120_000) await pause(100)
    const figures = await figuresOfB()
    const deliveries = await count('select count(*) as n from webhook_delivery')
    const bytes = (await count("select pg_total_relation_size('webhook_delivery') as n")) - before
    printTable(`${endpoints} endpoints, an inclusion of ${people} people`, [
      ['Events', 'Delivery rows', 'MB', 'Fanned out after', "B's events", 'received', 'median', 'p99'],
      [
        String(await count('select count(*) as n from event')),
        String(deliveries),
        (bytes / 1e6).toFixed(1),
        fannedOutMs === 0 ? `not in ${seconds} s` : ms(fannedOutMs),
        String(events),
        String(figures.count),
        ms(figures.p50),
        ms(figures.p99),
      ],
    ])
  } finally {
    await database.close()
    await receiverA.stop()
    await receiverB.stop()
  }
})
