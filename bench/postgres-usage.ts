/* What the processes of a PostgreSQL on this machine use, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from 'pg'

export interface PostgresUsage {
  /** Of all processes since their start, with those that have ended. */
  readonly cpuMs: number
  /** Proportional set size of all: shared buffers count once. null without the right to read it. */
  readonly mebibytes: number | null
}

const millisecondsOfTick = 10

/** The pid of the server of this connection; null when it runs elsewhere. */
export async function postmasterOf(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const stat = statOf(pid)
  return stat?.name === 'postgres' ? stat.parent : null
}

/** @param postmasters their pids: of a Citus cluster on this machine there are several. */
export function postgresUsage(postmasters: readonly number[]): PostgresUsage {
  let ticks = 0
  let kibibytes: number | null = 0
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    const stat = Number.isInteger(pid) ? statOf(pid) : null
    if (stat === null || !(postmasters.includes(pid) || postmasters.includes(stat.parent))) continue
    ticks += stat.ticks + (postmasters.includes(pid) ? stat.ticksOfEnded : 0)
    const size = proportionalSize(pid)
    kibibytes = size === null || kibibytes === null ? null : kibibytes + size
  }
  return { cpuMs: ticks * millisecondsOfTick, mebibytes: kibibytes === null ? null : kibibytes / 1024 }
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const sum = (first: number) => (fields[first] ?? 0) + (fields[first + 1] ?? 0)
    // utime and stime; cutime and cstime of children that were waited for.
    return {
      name: text.slice(text.indexOf('(') + 1, end),
      parent: fields[1] ?? 0,
      ticks: sum(11),
      ticksOfEnded: sum(13),
    }
  } catch {
    // It has ended.
    return null
  }
}

function proportionalSize(pid: number): number | null {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return statOf(pid) === null ? 0 : null
  }
}
