// The command as a user starts it: a child process with a data folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterNameOf, readPostmasterFile } from '#platform/embedded-postgres/postmaster.ts'
import { identityOf, processesTitled } from '#platform/embedded-postgres/process-info.ts'
import { runInside } from '../cli/command.ts'
import { clusterOf } from '../platform/embedded-postgres/engine-fixture.ts'
import { inheritedEnvironment } from '../environment.ts'
import { isLong } from '../scale.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const vigencia = fileURLToPath(new URL('../../bin/vigencia', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** How a program ended, and all that it wrote. */
export interface EndedProgram extends Ended {
  readonly out: string
  readonly err: string
}

export interface Program {
  readonly pid: number
  /** What it wrote so far. */
  readonly out: string
  readonly err: string
  /** Where it listens, once it does; rejects with all that it wrote when it ends before. */
  readonly url: Promise<string>
  readonly ended: Promise<Ended>
  /** Resolves when it has written this, to either stream. */
  wrote(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** As a terminal does: to the process and all that it started in its group. */
  killGroup(signal: NodeJS.Signals): void
  /** SIGTERM, and the end. */
  stop(): Promise<Ended>
}

const programs: { child: ChildProcess; ended: Promise<Ended> }[] = []

/** Runs `bin/vigencia ...`, or `npm start`, with nothing of this run's own settings. */
export function run(words: readonly string[], settings: Record<string, string>): Program {
  const [file = '', ...given] = words[0] === 'npm' ? words : [vigencia, ...words]
  const prefixed = Object.entries(settings).map(([name, value]) => [`VIGENCIA_${name}`, value])
  const child = spawn(file, given, {
    cwd: root,
    env: { ...inheritedEnvironment(), VIGENCIA_PORT: '0', ...Object.fromEntries(prefixed) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  programs.push({ child, ended })
  return programOf(child, ended)
}

/**
 * The result of a command that ends by itself: in the process of the test, which costs no start of Node; as a process in the long
 * run.
 */
export async function runToEnd(words: readonly string[], settings: Record<string, string>): Promise<EndedProgram> {
  if (isLong) {
    const program = run(words, settings)
    return { ...(await program.ended), out: program.out, err: program.err }
  }
  const prefixed = Object.entries(settings).map(([name, value]) => [`VIGENCIA_${name}`, value])
  const environment = { ...inheritedEnvironment(), VIGENCIA_PORT: '0', ...Object.fromEntries(prefixed) }
  const { code, out, err } = await runInside(words, environment)
  return { code, signal: null, out, err }
}

/** Starts the service on a data folder. */
export function startOn(dataDir: string, settings: Record<string, string> = {}): Program {
  return run(['start'], { DATA_DIR: dataDir, ...settings })
}

function programOf(child: ChildProcess, ended: Promise<Ended>): Program {
  const written = { out: '', err: '' }
  const waiting = new Set<() => void>()
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      for (const look of waiting) look()
    })
  }
  const all = () => `${written.out}${written.err}`
  const seen = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(all())
        if (found === null) return
        waiting.delete(look)
        resolve(found[1] ?? '')
      }
      waiting.add(look)
      look()
      void ended.then(() => reject(new Error(`ended before it wrote ${pattern}:\n${all()}`)))
    })
  const url = seen(/is listening on (http:\/\/\S+)/)
  // A test that awaits only the end must not get an unhandled rejection.
  url.catch(() => undefined)
  const pid = child.pid ?? 0
  return {
    pid,
    get out() {
      return written.out
    },
    get err() {
      return written.err
    },
    url,
    ended,
    wrote: async (text) => {
      await seen(new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    },
    kill: (signal) => void child.kill(signal),
    killGroup: (signal) => void process.kill(-pid, signal),
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Ends what the test left running, each by its own number; the folders and engines are `closeEngineFixture`'s. */
export async function endPrograms(): Promise<void> {
  for (const { child, ended } of programs.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      try {
        // The whole group: npm's child too.
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // It ended meanwhile.
      }
    }
    await ended
  }
}

/** The number of the PostgreSQL that serves the folder now. */
export async function postgresOf(dataDir: string): Promise<number> {
  const file = await readPostmasterFile(await clusterOf(dataDir))
  if (file === undefined) throw new Error('no PostgreSQL runs there')
  return file.pid
}

/** The processes that still run of a folder's PostgreSQL and of its service. */
export async function leftOf(dataDir: string, ...pids: number[]): Promise<number[]> {
  const title = `postgres: ${await clusterNameOf(await clusterOf(dataDir))}: `
  const living = await Promise.all(pids.map(async (pid) => ((await identityOf(pid)) === undefined ? [] : [pid])))
  return [...(await processesTitled(title)), ...living.flat()]
}

/** The process that holds the folder: under npm a grandchild of the test. */
export async function holderOf(dataDir: string): Promise<number> {
  const { pid } = JSON.parse(await readFile(join(dataDir, 'service.lock'), 'utf8')) as { pid: number }
  return pid
}

/** The demo's client that a start has printed. */
export function demoClient(program: Program, kind: 'partner' | 'operator'): { id: string; secret: string } {
  const found = new RegExp(`^Demo ${kind}\\s+(\\S+)\\s+(\\S+)$`, 'm').exec(program.out)
  if (found === null) throw new Error(`no demo ${kind} in:\n${program.out}`)
  return { id: found[1] ?? '', secret: found[2] ?? '' }
}

/** A token for a client, as the service gives it. */
export async function tokenOf(url: string, client: { id: string; secret: string }): Promise<string> {
  const response = await fetch(`${url}/v1/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'client-id': client.id, 'client-secret': client.secret }),
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return ((await response.json()) as { 'access-token': string })['access-token']
}
