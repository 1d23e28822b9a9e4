/*
 * The load of a country on the whole service: `node bench/national-load.ts [OPTIONS]`, by default 5,000,000 members in 50,000 companies, 1,500 reads
 * and 100 movements a second for 30 minutes. docs/explanation/performance.md has the options and the method.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { businessDate } from '../src/domain/calendar.ts'
import { checkDatabase } from '../src/invariants/check.ts'
import { type Database, openDatabase } from '../src/core/database.ts'
import { openLog } from '../src/core/log.ts'
import { type Bench, operator, type Program, runBench, startProgram } from './bench.ts'
import type { GeneratorLine, GeneratorSettings } from './national-generator.ts'
import type { Rates } from './national-mix.ts'
import { plotOf } from './national-plot.ts'
import { companiesOf, makePopulation, membersOf } from './national-population.ts'
import { printReport } from './national-report.ts'
import { isIdle, type Measured, numberFrom, type Sample, takeSample } from './national-samples.ts'
import { call, signIn } from './partner.ts'
import { postmasterOf } from './postgres-usage.ts'
import { connected } from './rows.ts'

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '5000000' },
    companies: { type: 'string', default: '50000' },
    clients: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '30' },
    reads: { type: 'string', default: '1500' },
    movements: { type: 'string', default: '100' },
    payroll: { type: 'string', default: '1000' },
    import: { type: 'string', default: '1000' },
    api: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    database: { type: 'string' },
    postmaster: { type: 'string', multiple: true, default: [] },
    set: { type: 'string', multiple: true, default: [] },
    storage: { type: 'string', default: tmpdir() },
    data: { type: 'string' },
    'keep-data': { type: 'boolean', default: false },
    output: { type: 'string' },
    plot: { type: 'string' },
  },
})

type Count =
  | 'members'
  | 'companies'
  | 'clients'
  | 'minutes'
  | 'reads'
  | 'movements'
  | 'payroll'
  | 'import'
  | 'api'
  | 'workers'

function count(name: Count): number {
  const number = Number(values[name])
  if (!Number.isFinite(number) || number < 0) throw new RangeError(`--${name} must be a number`)
  return number
}

const generatorFile = fileURLToPath(new URL('./national-generator.ts', import.meta.url))
const receiverFile = fileURLToPath(new URL('./receiver.ts', import.meta.url))
const intervalSeconds = 10
const importEverySeconds = 120
const maxIdleWaitMs = 30 * 60_000
const makingMinutes = 90
const stuckAfterSeconds = 900
/** Each so many clients has a webhook endpoint. */
const endpointEvery = 10

/** What a kept folder has beside the database: what no one can read from that. */
interface KeptData {
  readonly members: number
  readonly companies: number
  readonly masterKey: string
  readonly clients: readonly { readonly id: string; readonly secret: string }[]
}

const folder =
  values.data === undefined ? mkdtempSync(join(values.storage, 'vigencia-national-')) : resolve(values.data)
mkdirSync(folder, { recursive: true })
const keptFile = join(folder, 'national-load.json')
// The folder is removed at the end: it must be of this bench.
if (!existsSync(keptFile) && readdirSync(folder).length > 0)
  throw new Error(`${folder} is not empty, and has no data of this bench`)
const kept = existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as KeptData) : null
const members = kept?.members ?? count('members')
const companies = companiesOf(members, kept?.companies ?? count('companies'))
const masterKey = kept?.masterKey ?? randomBytes(32).toString('base64')
const environment = {
  VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
  VIGENCIA_DEMO: 'false',
}

/** Makes the clients through the API, and the rest by SQL. */
async function makeData(url: string, client: Client): Promise<KeptData['clients']> {
  if ((await numberFrom(client, 'select count(*)::int as n from company')) > 0) {
    throw new Error(
      'The database has companies already: give an empty one, or with --data the folder that was kept with it.',
    )
  }
  const start = performance.now()
  const admin = await signIn(url, operator.id, operator.secret)
  const clients: { id: string; secret: string }[] = []
  for (let n = 0; n < count('clients'); n += 1) {
    const made = await call(url, 'POST', '/operator/v1/client', admin, { name: `Folha ${n}`, 'company-tax-ids': [] })
    clients.push({ id: String(made['client-id']), secret: String(made['client-secret']) })
  }
  const ids = clients.map(({ id }) => id)
  await makePopulation(client, companies, ids)
  const seconds = Math.round((performance.now() - start) / 1_000)
  console.log(
    `${membersOf(companies).toLocaleString('en')} members in ${companies.length.toLocaleString('en')} companies made in ${seconds} s`,
  )
  const data: KeptData = { members, companies: companies.length, masterKey, clients }
  writeFileSync(keptFile, JSON.stringify(data), { mode: 0o600 })
  return clients
}

/** Gives each tenth client one endpoint, that of this run. */
async function makeEndpoints(url: string, receiverUrl: string, clients: KeptData['clients']): Promise<void> {
  for (const [n, { id, secret }] of clients.entries()) {
    if (n % endpointEvery !== 0) continue
    const headers = await signIn(url, id, secret)
    const { result } = (await call(url, 'GET', '/v1/webhook-endpoint', headers)) as { result: { id: string }[] }
    for (const former of result) {
      await fetch(`${url}/v1/webhook-endpoint/${former.id}`, { method: 'DELETE', headers })
    }
    await call(url, 'POST', '/v1/webhook-endpoint', headers, { url: `${receiverUrl}/hook/${n}` })
  }
}

/** One after the other: the first migrates the database. */
async function startServices(bench: Bench): Promise<Record<string, Program>> {
  const programs: Record<string, Program> = {}
  const apiRole = count('workers') === 0 ? 'all' : 'api'
  for (let n = 1; n <= count('api'); n += 1) {
    programs[`api ${n}`] = await bench.service(bench.url, { ...environment, VIGENCIA_ROLE: apiRole })
  }
  for (let n = 1; n <= count('workers'); n += 1) {
    programs[`worker ${n}`] = await bench.service(bench.url, { ...environment, VIGENCIA_ROLE: 'worker' })
  }
  return programs
}

/** @returns the seconds until nothing waits; null when something still does after half an hour. */
async function waitUntilIdle(measured: Measured): Promise<number | null> {
  const start = performance.now()
  while (!(await isIdle(measured))) {
    if (performance.now() - start > maxIdleWaitMs) return null
    await pause(500)
  }
  return (performance.now() - start) / 1_000
}

/** Runs the generator to its end. @returns its last line with the samples of the intervals. */
async function generate(
  settings: GeneratorSettings,
  measured: Measured,
  output: string,
): Promise<{ samples: Sample[]; total: GeneratorLine }> {
  const settingsFile = join(folder, 'generator.json')
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 })
  const child = spawn(process.execPath, [generatorFile, settingsFile], { stdio: ['ignore', 'pipe', 'inherit'] })
  const samples: Sample[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const parsed = JSON.parse(line) as GeneratorLine
      if (parsed.isLast) {
        appendFileSync(output, `${line}\n`)
        return { samples, total: parsed }
      }
      const sample = { ...parsed, ...(await takeSample(measured)) }
      samples.push(sample)
      appendFileSync(output, `${JSON.stringify(sample)}\n`)
    }
    throw new Error('the generator ended early')
  } finally {
    child.kill()
    rmSync(settingsFile, { force: true })
  }
}

/** Whether it is neither a refusal of the request nor the refusal of an overloaded service. */
const isFailure = (status: string) => !status.startsWith('4') && status !== '503'

/** Prints the rules that are broken. @returns how many. */
async function checkInvariants(database: Database): Promise<number> {
  const day = businessDate(new Date(Date.now() - stuckAfterSeconds * 1_000))
  const checked = await checkDatabase(database, { stuckAfterSeconds, day })
  const broken = checked.filter(({ violations }) => violations > 0)
  for (const { rule, violations, ids } of broken) console.log(`broken rule ${rule}: ${violations}, ${ids.join(' ')}`)
  console.log(`Invariants: ${checked.length - broken.length} of ${checked.length} rules hold`)
  return broken.length
}

const rates: Rates = {
  readsPerSecond: count('reads'),
  movementsPerSecond: count('movements'),
  payrollSize: count('payroll'),
  importLines: count('import'),
  importEverySeconds,
}

async function measure(bench: Bench, client: Client, database: Database): Promise<void> {
  let clients = kept?.clients
  if (clients === undefined) {
    const maker = await bench.service(bench.url, { ...environment, VIGENCIA_ROLE: 'api' })
    clients = await makeData(maker.url, client)
    await maker.stop()
  }
  const seconds = count('minutes') * 60
  const programs = await startServices(bench)
  const urls = Object.entries(programs).flatMap(([name, { url }]) => (name.startsWith('api') ? [url] : []))
  const receiver = await startProgram([process.execPath, receiverFile], join(folder, 'receiver.log'), {})
  try {
    await makeEndpoints(urls[0] ?? '', receiver.url, clients)
    const own = bench.postmasterPid ?? (await postmasterOf(client))
    const postmasters = [...(own === null ? [] : [own]), ...values.postmaster.map(Number)]
    const measured: Measured = { database, client, programs, postmasters, receiverUrl: receiver.url }
    const chained = await waitUntilIdle(measured)
    if (chained === null) throw new Error('the audit of the past is not in its chain')
    console.log(`the audit of the past is in its chain after ${Math.round(chained)} s`)
    if (seconds === 0) return
    await client.query('checkpoint')
    const output = resolve(values.output ?? join(folder, 'national-load.jsonl'))
    rmSync(output, { force: true })
    const before = await takeSample(measured)
    const startedAt = await numberFrom(client, 'select extract(epoch from now())::float8 as n')
    const { samples, total } = await generate(
      {
        urls,
        members,
        companies: companies.length,
        clients,
        operator,
        seconds,
        intervalSeconds,
        rates,
        seed: Math.floor(startedAt),
      },
      measured,
      output,
    )
    const idleAfter = await waitUntilIdle(measured)
    const after = await takeSample(measured)
    const movements = await numberFrom(
      client,
      'select count(*)::int as n from enrollment where created_at >= to_timestamp($1::float8)',
      [startedAt],
    )
    printReport({ seconds, movements, before, samples, after, total, idleAfter })
    if (values.plot !== undefined) writeFileSync(values.plot, plotOf(samples))
    const broken = await checkInvariants(database)
    const failed = Object.values(total.kinds).some(({ errors }) => Object.keys(errors).some(isFailure))
    if (broken > 0 || failed) process.exitCode = 1
  } finally {
    await receiver.stop()
  }
}

await runBench(
  count('minutes') + makingMinutes,
  async (bench) => {
    console.log(new Date().toISOString(), process.argv.slice(2).join(' '))
    const client = await connected(bench.url)
    const options = { url: bench.url, connections: 2, namedStatements: true, applicationName: 'bench' }
    const database = openDatabase(options, openLog('error'))
    try {
      await measure(bench, client, database)
    } finally {
      await Promise.all([client.end(), database.close()])
    }
  },
  {
    folder,
    isKept: values['keep-data'],
    masterKey,
    databaseUrl: values.database,
    parameters: Object.fromEntries(values.set.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string])),
  },
)
