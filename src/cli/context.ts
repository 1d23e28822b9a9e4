import type { Readable, Writable } from 'node:stream'
import { exitCodes, type ExitStatus } from './errors.ts'

export interface OutputStream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface InputStream extends Readable {
  readonly isTTY?: boolean
}

/** The environment, the streams and the exit status of a command. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly stdin: InputStream
  /** Results only. */
  readonly stdout: OutputStream
  /** Messages and progress. */
  readonly stderr: OutputStream
  /** Of a command that ends without an error. */
  exitStatus: ExitStatus
  /** Aborted by SIGINT and SIGTERM. A command that reads it must end by itself. */
  readonly interruption: AbortSignal
}

/** The context of this process. Signal handlers are installed when a command first reads `interruption`. */
export function openCommandContext(environment: NodeJS.ProcessEnv): CommandContext {
  let interruption: AbortSignal | null = null
  return {
    environment,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    exitStatus: 'ok',
    get interruption() {
      return (interruption ??= listen())
    },
  }
}

function listen(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The second signal ends the process immediately.
      if (interrupted.signal.aborted) process.exit(exitCodes.interrupted.code)
      interrupted.abort()
    })
  }
  return interrupted.signal
}
