import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { until } from '../world/test-app.ts'

/** The service as users run it: `bin/vigencia start` in its own process. */
export interface Program {
  readonly pid: number
  /** Where it listens; empty for a worker. */
  readonly url: string
  /** The lines that it printed. */
  readonly outputLines: readonly string[]
  /** The lines that it logged at `error` or above. */
  readonly errorLines: readonly string[]
  readonly ended: boolean
  /** kill -9, and waits for the end. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<number | null>
}

const vigencia = fileURLToPath(new URL('../../bin/vigencia', import.meta.url))
const running = new Set<Program>()

interface StartOptions {
  /** The command of another release. */
  readonly command?: string
  /** The largest file that it may write, in the blocks of `ulimit -f` (512 or 1,024 bytes). */
  readonly maxFileBlocks?: number
}

/** Starts the service with these variables alone and waits until it listens, or works. */
export async function startProgram(
  variables: Record<string, string>,
  { command = vigencia, maxFileBlocks }: StartOptions = {},
): Promise<Program> {
  const environment = Object.entries(process.env).filter(([key]) => !key.startsWith('VIGENCIA_'))
  const limited = ['-c', `ulimit -f ${maxFileBlocks}; exec "$0" start`, command]
  const child = spawn(maxFileBlocks === undefined ? command : 'sh', maxFileBlocks === undefined ? ['start'] : limited, {
    env: {
      ...Object.fromEntries(environment),
      VIGENCIA_PORT: '0',
      VIGENCIA_LOG_LEVEL: 'error',
      VIGENCIA_RATE_LIMITS: 'off',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const outputLines: string[] = []
  const errorLines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => outputLines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => errorLines.push(line))
  const exited = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const endBy = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await exited
    running.delete(program)
    return child.exitCode
  }
  const program: Program = {
    pid: child.pid ?? 0,
    get url() {
      return /listening on (http:\/\/\S+)/.exec(outputLines.join('\n'))?.[1] ?? ''
    },
    outputLines,
    errorLines,
    get ended() {
      return hasEnded()
    },
    async kill() {
      await endBy('SIGKILL')
    },
    stop: () => endBy('SIGTERM'),
  }
  running.add(program)
  const isReady = () => program.url !== '' || outputLines.some((line) => line.includes('worker is running'))
  await until(async () => isReady() || hasEnded(), Boolean)
  if (hasEnded()) throw new Error(`the service did not start:\n${[...outputLines, ...errorLines].join('\n')}`)
  return program
}

/** Kills the programs that a failed test left running. */
export async function clearPrograms(): Promise<void> {
  for (const program of running) await program.kill()
}
