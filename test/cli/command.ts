// The command as a user types it, with profiles of its own, in a pipe or in a terminal.
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runProgram } from '#apps/cli/program.ts'
import { serviceCommands } from '#apps/cli/service-commands.ts'
import { type Client, type Json, until } from '../world/test-app.ts'
import { inheritedEnvironment } from '../environment.ts'
import { isLong } from '../scale.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'src/main.ts')

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** Standard output as JSON; throws when it holds anything else. */
  readonly json: Json
}

export interface Cli {
  /** A folder of the test's own, removed by `clear`. */
  readonly folder: string
  readonly environment: Record<string, string>
  /** Saves these as the profile `default`. */
  signIn(url: string, clients: { partner?: Client; operator?: Client }): Promise<void>
  /** Writes a file and returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>
  /** Runs it to its end: in the process of the test, which costs no start of Node; as a process in the long run. */
  run(words: readonly string[], how?: { stdin?: string; environment?: Record<string, string> }): Promise<Outcome>
  /** The same, always as a process. */
  spawn(words: readonly string[], how?: { stdin?: string; environment?: Record<string, string> }): Promise<Outcome>
  /** Starts it without waiting; `kill` sends a signal. */
  start(words: readonly string[], environment?: Record<string, string>): Running
  /** Runs it in a terminal; `out` is what the screen got, messages included. */
  inTerminal(
    words: readonly string[],
    how?: { answers?: readonly (readonly [prompt: string, typed: string])[]; environment?: Record<string, string> },
  ): Promise<Outcome>
  /** Starts it in a terminal without waiting; typing `\x03` is Ctrl-C. */
  startInTerminal(words: readonly string[], environment?: Record<string, string>): Running
  clear(): Promise<void>
}

export interface Running {
  readonly outcome: Promise<Outcome>
  /** What it wrote so far. */
  readonly soFar: { out: string; err: string }
  type(keys: string): void
  kill(signal: NodeJS.Signals): void
}

export async function openCli(): Promise<Cli> {
  const folder = await mkdtemp(join(tmpdir(), 'vigencia-desk-'))
  const environment = {
    ...inheritedEnvironment(),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    VIGENCIA_DATA_DIR: join(folder, 'no-data'),
  }
  const start: Cli['start'] = (words, more = {}) =>
    begin(process.execPath, [main, ...words], { ...environment, ...more })
  const asProcess: Cli['spawn'] = (words, how = {}) =>
    begin(process.execPath, [main, ...words], { ...environment, ...how.environment }, how.stdin ?? '').outcome
  const startInTerminal: Cli['startInTerminal'] = (words, more = {}) => {
    const line = [process.execPath, main, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    // The shell gives way to the command: Ctrl-C would end it with a code of its own.
    return begin('script', terminalWords(`exec ${line}`), { ...environment, TERM: 'xterm', ...more })
  }
  return {
    folder,
    environment,
    async signIn(url, clients) {
      const profile = Object.entries(clients).map(([kind, client]) => [
        kind,
        { url, 'client-id': client.clientId, 'client-secret': client.clientSecret },
      ])
      await mkdir(join(folder, 'config', 'vigencia'), { recursive: true })
      const path = join(folder, 'config', 'vigencia', 'profiles.json')
      await writeFile(path, JSON.stringify({ profiles: { default: Object.fromEntries(profile) } }), { mode: 0o600 })
    },
    async file(name, content) {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    },
    run: (words, how = {}) =>
      isLong ? asProcess(words, how) : runInside(words, { ...environment, ...how.environment }, how.stdin ?? ''),
    spawn: asProcess,
    start,
    inTerminal: (words, how = {}) => typeAnswers(startInTerminal(words, how.environment), how.answers ?? []),
    startInTerminal,
    clear: () => rm(folder, { recursive: true, force: true }),
  }
}

let lastRun: Promise<unknown> = Promise.resolve()

/** The command line in this process, one at a time: it uses the environment and the streams of `process`. */
export function runInside(words: readonly string[], environment: Record<string, string>, stdin = ''): Promise<Outcome> {
  const run = lastRun.then(async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const written = Promise.all([text(stdout), text(stderr)])
    const streams = { stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]), stdout, stderr }
    const before = process.listeners('uncaughtException')
    const restore = replaceInProcess({ ...streams, env: environment })
    const code = await runProgram(words, serviceCommands).finally(restore)
    for (const listener of process.listeners('uncaughtException')) {
      if (!before.includes(listener)) process.removeListener('uncaughtException', listener)
    }
    stdout.end()
    stderr.end()
    const [out, err] = await written
    return outcomeOf(code, out, err)
  })
  lastRun = run.catch(() => {})
  return run
}

/** @returns a function that undoes it. */
function replaceInProcess(values: Record<string, unknown>): () => void {
  const undo = Object.entries(values).map(([name, value]) => {
    const descriptor = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true })
    return () => Object.defineProperty(process, name, descriptor)
  })
  return () => undo.forEach((one) => one())
}

function outcomeOf(code: number | null, out: string, err: string): Outcome {
  return {
    code,
    out,
    err,
    get json() {
      return JSON.parse(out)
    },
  }
}

/** Types each answer once its prompt is on the screen, as a person does. */
async function typeAnswers(running: Running, answers: readonly (readonly [string, string])[]): Promise<Outcome> {
  for (const [prompt, typed] of answers) {
    await until(
      async () => running.soFar.out,
      (out) => out.includes(prompt),
    )
    running.type(`${typed}\r`)
  }
  return running.outcome
}

/** `script` of util-linux, or of macOS. */
function terminalWords(line: string): string[] {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' })
    return ['-qec', line, '/dev/null']
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('this test needs script: apt-get install --yes bsdutils', { cause: error })
    return ['-q', '/dev/null', 'sh', '-c', line]
  }
}

function begin(file: string, words: readonly string[], environment: Record<string, string>, stdin?: string): Running {
  const child = spawn(file, words, { cwd: root, env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
  const soFar = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (soFar.out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (soFar.err += chunk))
  child.stdin.on('error', () => {})
  if (stdin !== undefined) {
    child.stdin.end(stdin)
  }
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      child.stdin.end()
      resolve(outcomeOf(code, soFar.out, soFar.err))
    })
  })
  return { outcome, soFar, type: (keys) => void child.stdin.write(keys), kill: (signal) => void child.kill(signal) }
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Reply = (call: Call, response: ServerResponse) => void | Promise<void>

/** A stub of the service for rare responses: it issues tokens, and `reply` handles the other calls. */
export async function openStandIn(reply: Reply): Promise<{ url: string; calls: Call[]; close(): Promise<void> }> {
  const calls: Call[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    const call = { method: request.method ?? '', path: pathname, query: searchParams, headers: request.headers, body }
    if (pathname === '/v1/authenticate') {
      respondJson(response, 200, { 'access-token': 'a.b.c', 'token-type': 'Bearer', 'expires-in': 3600 })
      return
    }
    calls.push(call)
    await reply(call, response)
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function respondJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** A client that a stub accepts. */
export const anyClient = { clientId: 'someone', clientSecret: 'secret' } as Client
