/*
 * `npm run fuzz -- [--requests N] [--seed S] [--concurrency C]`: requests made from openapi.json against the service as a process of
 * its own, on an embedded PostgreSQL. Each 20,000 requests are a round: a new database, and the seed plus one. Ends with 1 when a
 * response is none of the document, of 5xx or slower than 2 s, when the service logs an error, or when a rule of the database is broken.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool as Connections } from 'pg'
import { type Bench, operator, runBench } from '../../bench/bench.ts'
import { type Query, readOpenWork, readViolations } from '../crash/invariants.ts'
import { seed as defaultSeed } from '../seed.ts'
import { operations } from './operations.ts'
import { Fuzzer, type FuzzReport } from './run.ts'
import { businessDay, openWorld, publicUrl } from './world.ts'

const requestsOfRound = 20_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(defaultSeed) },
    concurrency: { type: 'string', default: '4' },
  },
})
const [requests, firstSeed, concurrency] = [values.requests, values.seed, values.concurrency].map((text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`not a number: ${text}`)
  return value
}) as [number, number, number]

interface Round extends FuzzReport {
  readonly violations: Record<string, readonly string[]>
  readonly logged: readonly string[]
}

async function runRound(bench: Bench, seed: number, count: number): Promise<Round> {
  const databaseUrl = await bench.database(`fuzz_${seed}`)
  const service = await bench.service(databaseUrl, {
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_BUSINESS_DATE: businessDay,
    VIGENCIA_DEMO: 'false',
    VIGENCIA_ONBOARDING: 'on',
    VIGENCIA_PUBLIC_URL: publicUrl,
    VIGENCIA_UNDO_SECONDS: '5',
    VIGENCIA_DATA_DIR: join(bench.folder, `fuzz-${seed}`),
  })
  const { world, clientIds, close } = await openWorld(service.url, {
    clientId: operator.id,
    clientSecret: operator.secret,
  })
  const connections = new Connections({ connectionString: databaseUrl, max: 1 })
  const query: Query = async (text, given = []) => (await connections.query(text, given)).rows
  try {
    let printed = performance.now()
    let shown = 0
    const onProgress = ({ sent, failures }: FuzzReport) => {
      for (; shown < failures.length; shown += 1) console.log(`\n${failures[shown]?.text}`)
      if (performance.now() - printed < 10_000) return
      printed = performance.now()
      console.log(`seed ${seed}: ${sent} of ${count} requests, ${failures.length} different failures`)
    }
    const options = { url: service.url, world, clientIds, requests: count, seed, concurrency, onProgress }
    const report = await new Fuzzer(options).run()
    while ((await readOpenWork(query, businessDay)) > 0) await pause(200)
    return { ...report, violations: await readViolations(query), logged: readLog(bench) }
  } finally {
    await connections.end()
    await close()
    await service.stop()
  }
}

/** What the service has logged; it logs errors only. */
function readLog({ folder }: Bench): string[] {
  return readFileSync(join(folder, 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, 20)
}

function print(round: Round): void {
  for (const { signature, count } of round.failures) console.log(`${count} times: ${signature}`)
  for (const [rule, ids] of Object.entries(round.violations)) console.log(`broken rule ${rule}: ${ids.join(', ')}`)
  for (const line of [...round.logged, ...round.slow.slice(0, 20)]) console.log(line)
  const statuses = Object.entries(round.statuses).map(([status, count]) => `${status}: ${count}`)
  console.log(
    `seed ${round.seed}: ${round.sent} requests (${Object.entries(round.kinds)
      .map(([kind, count]) => `${kind}: ${count}`)
      .join(', ')}), ${statuses.join(', ')}; operations with 2xx: ${round.succeeded.size} of ${operations.length}; ` +
      `slowest ${Math.round(round.slowestMs)} ms`,
  )
}

await runBench(60 * 24, async (bench) => {
  const rounds: Round[] = []
  for (let sent = 0, seed = firstSeed; sent < requests; sent += requestsOfRound, seed += 1) {
    const round = await runRound(bench, seed, Math.min(requestsOfRound, requests - sent))
    print(round)
    rounds.push(round)
  }
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const failed = sum(({ failures }) => failures.reduce((total, { count }) => total + count, 0))
  const broken = sum(({ violations }) => Object.keys(violations).length)
  const never = operations.filter(({ id }) => !rounds.some(({ succeeded }) => succeeded.has(id)))
  console.log(`operations without 2xx: ${never.map(({ id }) => id).join(' ')}`)
  const [slow, logged] = [sum((round) => round.slow.length), rounds.at(-1)?.logged.length ?? 0]
  console.log(
    `${sum(({ sent }) => sent)} requests: ${failed} failures, ${slow} slower than 2 s, ${broken} broken rules, ${logged} errors logged`,
  )
  process.exitCode = failed + slow + broken + logged > 0 ? 1 : 0
})
