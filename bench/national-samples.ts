/* What is measured during the load, one JSON line an interval: responses, queues, processes, database. */
import type { Client } from 'pg'
import type { Database } from '../src/core/database.ts'
import { type Backlog, readBacklog } from '../src/core/telemetry/backlog-queries.ts'
import type { Program } from './bench.ts'
import type { GeneratorLine } from './national-generator.ts'
import { isCitus } from './national-population.ts'
import { postgresUsage } from './postgres-usage.ts'

export interface MachineSample {
  /** Seconds since the start of each process; of `postgres` of all its processes. */
  readonly cpuSeconds: Record<string, number>
  /** Resident memory; of `postgres` the proportional set size of all its processes, null when it cannot be read. */
  readonly mebibytes: Record<string, number | null>
  readonly backlog: Backlog
  readonly pendingDeliveries: number
  readonly databaseBytes: number
  /** Written to the write-ahead log since the start of the server; of a cluster of the coordinator. */
  readonly walBytes: number
  /** Received in the interval, and their delay from the event in milliseconds. */
  readonly webhooks: { readonly count: number; readonly p50: number; readonly p99: number }
}

export type Sample = GeneratorLine & MachineSample

export interface Measured {
  readonly database: Database
  readonly client: Client
  readonly programs: Readonly<Record<string, Program>>
  readonly postmasters: readonly number[]
  readonly receiverUrl: string
}

/** Reads what is measured beside the responses. The figures of webhooks begin again. */
export async function takeSample(measured: Measured): Promise<MachineSample> {
  const { database, client, programs, postmasters, receiverUrl } = measured
  const postgres = postgresUsage(postmasters)
  const cpuSeconds: Record<string, number> = { postgres: postgres.cpuMs / 1_000 }
  const mebibytes: Record<string, number | null> = { postgres: postmasters.length === 0 ? null : postgres.mebibytes }
  for (const [name, program] of Object.entries(programs)) {
    cpuSeconds[name] = program.cpuMs() / 1_000
    mebibytes[name] = program.memory()
  }
  const webhooks = (await (await fetch(`${receiverUrl}/figures`)).json()) as Sample['webhooks']
  await fetch(receiverUrl, { method: 'DELETE' })
  return {
    cpuSeconds,
    mebibytes,
    backlog: await readBacklog(database),
    pendingDeliveries: await countPendingDeliveries(client),
    databaseBytes: await databaseBytes(client),
    walBytes: await numberFrom(client, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as n`),
    webhooks,
  }
}

/** Whether no accepted work, event, delivery or audit row waits. */
export async function isIdle({ database, client }: Pick<Measured, 'database' | 'client'>): Promise<boolean> {
  const { work, undispatched, auditPending } = await readBacklog(database)
  return work + undispatched + auditPending === 0 && (await countPendingDeliveries(client)) === 0
}

/** The number that a statement selects as `n`. */
export async function numberFrom(client: Client, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ n: number }>(text, values)
  return Number(rows[0]?.n)
}

const countPendingDeliveries = (client: Client): Promise<number> =>
  numberFrom(client, `select count(*)::int as n from webhook_delivery where status = 'pending'`)

/** Of a Citus cluster of all its nodes. */
async function databaseBytes(client: Client): Promise<number> {
  const size = 'select pg_database_size(current_database())::float8'
  if (!(await isCitus(client))) return numberFrom(client, `${size} as n`)
  return numberFrom(client, `select sum(result::float8) as n from run_command_on_all_nodes('${size}')`)
}
