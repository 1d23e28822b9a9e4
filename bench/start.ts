/*
 * From the start of the process to the first 200 of /readyz, on the embedded engine: the first time in a folder (initdb,
 * migrations, keys, demo) and on what is there already. `node bench/start.ts [ROUNDS]`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, ms, printTable } from './figures.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const rounds = Number(process.argv[2] ?? 5)
const limitMs = 60_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Run {
  readonly readyMs: number
  readonly stoppedMs: number
}

async function run(dataDir: string): Promise<Run> {
  const port = await freePort()
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VIGENCIA_'))
  const start = performance.now()
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      ...Object.fromEntries(inherited),
      VIGENCIA_DATA_DIR: dataDir,
      VIGENCIA_PORT: String(port),
      VIGENCIA_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await ready(`http://127.0.0.1:${port}/readyz`, child)
    const readyMs = performance.now() - start
    const stopping = performance.now()
    child.kill('SIGTERM')
    await ended
    return { readyMs, stoppedMs: performance.now() - stopping }
  } finally {
    if (child.exitCode === null) child.kill('SIGTERM')
    await ended
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (const start = performance.now(); performance.now() - start < limitMs; await pause(5)) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    const response = await fetch(url).catch(() => null)
    await response?.arrayBuffer()
    if (response?.status === 200) return
  }
  throw new Error('the service was not ready in time')
}

const cold: Run[] = []
const warm: Run[] = []
for (let round = 0; round < rounds; round += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-bench-'))
  // For root: what PostgreSQL's own user cannot reach would lie elsewhere, and stay there.
  chmodSync(folder, 0o755)
  try {
    cold.push(await run(join(folder, 'data')))
    warm.push(await run(join(folder, 'data')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const row = (name: string, runs: readonly Run[]) => [
  name,
  ms(median(runs.map((one) => one.readyMs))),
  ms(Math.max(...runs.map((one) => one.readyMs))),
  ms(median(runs.map((one) => one.stoppedMs))),
]
printTable(`Start to the first 200 of /readyz, ${rounds} rounds`, [
  ['Start', 'Median', 'Slowest', 'SIGTERM to the end, median'],
  row('first, in an empty folder', cold),
  row('again, on what is there', warm),
])
