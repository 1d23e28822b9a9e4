import { pino } from 'pino'

export type Log = pino.Logger

const mostWaitingBytes = 16 * 1024 * 1024

/** JSON lines on standard error. Callers log route templates, ids and timings: never paths, bodies or people. */
export function openLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    // Written beside the event loop, and at the end of the process in one go; who does not read them loses lines.
    pino.destination({ dest: 2, sync: false, maxLength: mostWaitingBytes }),
  )
}

/**
 * What of an error may be logged: its kind, code and stack frames. PostgreSQL's messages and details quote values of the
 * row, so a message is kept only when it is our own.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.name === 'InvariantError' ? { message: error.message } : {}),
    frames: frames.slice(0, 12).map((line) => line.trim()),
  }
}

/** A state that the program's own rules exclude. Its message names ids at most, so it may be logged. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
