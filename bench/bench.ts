import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { startEmbedded } from '../src/embedded-postgres/embedded.ts'

const vigencia = fileURLToPath(new URL('../bin/vigencia', import.meta.url))
const floor = fileURLToPath(new URL('./floor.ts', import.meta.url))

export interface Program {
  readonly url: string
  readonly pid: number
  /** Milliseconds of CPU that the process has used; NaN where the system does not report it. */
  cpuMs(): number
  /** MiB that the process uses now; resets its peak. */
  settleMemory(): number
  /** MiB that the process uses now. */
  memory(): number
  /** The largest MiB since then. */
  peakMemory(): number
  stop(): Promise<void>
}

/** A durable engine in a folder of its own, and the programs that are measured on it, each a process. */
export interface Bench {
  readonly folder: string
  /** URL of the database of the engine, or of the one given. */
  readonly url: string
  /** Of the server of that engine; null for a database given by its URL. */
  readonly postmasterPid: number | null
  /** Makes a database, a copy of another where one is named. @returns its URL. */
  database(name: string, template?: string): Promise<string>
  /** The service as `npm start` runs it, on that database. */
  service(databaseUrl: string, environment?: Record<string, string>): Promise<Program>
  floor(databaseUrl: string, clientId: string): Promise<Program>
}

/** Where a bench runs, when not on an engine of its own in a temporary folder that is removed at the end. */
export interface Place {
  /** An existing folder. */
  readonly folder?: string
  readonly isKept?: boolean
  /** 32 bytes in base64; a kept folder needs the same again. */
  readonly masterKey?: string
  /** A database instead of an engine in the folder. */
  readonly databaseUrl?: string | undefined
  /** Parameters of the engine's server. */
  readonly parameters?: Record<string, string>
}

export const operator = { id: 'bench-operator', secret: 'a-secret-of-the-bench-operator-4711' }

/** Runs `work`, then stops the programs and the engine; fails when it takes longer than `minutes`. */
export async function runBench(
  minutes: number,
  work: (bench: Bench) => Promise<void>,
  place: Place = {},
): Promise<void> {
  const [busy = 0] = loadavg()
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before the first measurement`,
  )
  const folder = place.folder ?? mkdtempSync(join(tmpdir(), 'vigencia-bench-'))
  // For root: what PostgreSQL's own user cannot reach would lie elsewhere, and stay there.
  chmodSync(folder, 0o755)
  const engine =
    place.databaseUrl === undefined
      ? await startEmbedded({ dataDir: join(folder, 'data'), settings: place.parameters ?? {} })
      : { url: place.databaseUrl, pid: null, stop: () => Promise.resolve() }
  const programs: Program[] = []
  const stopAll = async () => {
    await Promise.allSettled(programs.map((program) => program.stop()))
    await engine.stop()
    if (place.isKept !== true) rmSync(folder, { recursive: true, force: true })
  }
  const broken = Promise.withResolvers<never>()
  const timer = setTimeout(() => broken.reject(new Error(`not done within ${minutes} minutes`)), minutes * 60_000)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => broken.reject(new Error(signal)))
  const masterKey = place.masterKey ?? randomBytes(32).toString('base64')
  const registered = (program: Program) => {
    programs.push(program)
    return program
  }
  const bench: Bench = {
    folder,
    url: engine.url,
    postmasterPid: engine.pid,
    async database(name, template = 'template1') {
      const client = new Client({ connectionString: engine.url })
      await client.connect()
      await client.query(`create database ${name} template ${template}`)
      await client.end()
      return engine.url.replace('/vigencia?', `/${name}?`)
    },
    service: async (databaseUrl, environment = {}) =>
      registered(
        await startProgram([vigencia, 'start'], join(folder, 'service.log'), {
          VIGENCIA_DATABASE_URL: databaseUrl,
          VIGENCIA_MASTER_KEY: masterKey,
          VIGENCIA_DATA_DIR: join(folder, 'service'),
          VIGENCIA_ENVIRONMENT: 'staging',
          VIGENCIA_OPERATOR_CLIENT_ID: operator.id,
          VIGENCIA_OPERATOR_CLIENT_SECRET: operator.secret,
          VIGENCIA_PORT: '0',
          VIGENCIA_LOG_LEVEL: 'error',
          VIGENCIA_RATE_LIMITS: 'off',
          ...environment,
        }),
      ),
    floor: async (databaseUrl, clientId) =>
      registered(await startProgram([process.execPath, floor, databaseUrl, clientId], join(folder, 'floor.log'), {})),
  }
  try {
    await Promise.race([work(bench), broken.promise])
  } finally {
    clearTimeout(timer)
    await stopAll()
  }
}

/** Starts a program and waits until it prints its URL. Its standard error goes to a file. */
export async function startProgram(
  command: readonly string[],
  logFile: string,
  environment: Record<string, string>,
): Promise<Program> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VIGENCIA_'))
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await listeningAt(child)
  return {
    url,
    pid: child.pid ?? 0,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    settleMemory: () => {
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
      return memoryOf(child.pid ?? 0, 'VmRSS')
    },
    memory: () => memoryOf(child.pid ?? 0, 'VmRSS'),
    peakMemory: () => memoryOf(child.pid ?? 0, 'VmHWM'),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
    },
  }
}

/** From Linux's /proc, whose ticks are 10 ms: enough over seconds. */
function cpuMsOf(pid: number): number {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = after.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function listeningAt(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the program has no standard output')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /(?:listening on|Health and metrics:) (http:\/\/\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return url
  }
  throw new Error('the program ended before it listened')
}
