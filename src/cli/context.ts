import type { Readable, Writable } from 'node:stream'
import { exitCodes, type Ending } from './errors.ts'

export interface Screen extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Keyboard extends Readable {
  readonly isTTY?: boolean
}

/** What a command sees of the machine. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv
  readonly stdin: Keyboard
  /** What was asked for goes here, and nothing else. */
  readonly stdout: Screen
  /** Messages. */
  readonly stderr: Screen
  /** How the command ended, when it ended without an error. */
  ending: Ending
  /** Aborted by Ctrl-C and SIGTERM. Whoever reads it has taken over stopping in good order. */
  readonly interruption: AbortSignal
}

/** The world of this process. Signals are listened for only once a command asks for them. */
export function openCommandContext(environment: NodeJS.ProcessEnv): CommandContext {
  let interruption: AbortSignal | null = null
  return {
    environment,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    ending: 'ok',
    get interruption() {
      return (interruption ??= listen())
    },
  }
}

function listen(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Asked twice, it does not wait for good order.
      if (interrupted.signal.aborted) process.exit(exitCodes.interrupted.code)
      interrupted.abort()
    })
  }
  return interrupted.signal
}
