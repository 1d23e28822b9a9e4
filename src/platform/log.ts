import { pino } from 'pino'

export type Log = pino.Logger

/** Lines are written when there are this many bytes of them, or after this time: a system call costs more than the rest of a line. */
const minWriteBytes = 4096
const flushMs = 100
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * JSON lines on standard error, written outside of the event loop; what is left is written when the process exits. Lines are lost when
 * standard error is not read. Callers log route templates, ids and timings: never paths, bodies or people.
 */
export function openLog(level: string): Log {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: minWriteBytes,
    periodicFlush: flushMs,
    maxLength: maxWaitingBytes,
  })
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }
  return pino(options, destination)
}

/**
 * Classes of SQLSTATE whose messages quote no value of a row or a parameter: connections, features, transactions, names in a statement,
 * resources, limits, states of objects, operator intervention, system errors, internal errors.
 */
const dataFreeStates = /^(08|0A|25|40|42|53|54|55|57|58|XX)[0-9A-Z]{3}$/

/**
 * The parts of an error that may be logged: type, code, statement and stack frames; the message only of an InvariantError, or of a
 * PostgreSQL error whose class quotes no values.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint, statement, severity } = error as Error & Record<string, unknown>
  const isDataFree = typeof severity === 'string' && typeof code === 'string' && dataFreeStates.test(code)
  const texts = Object.entries({ code, table, constraint, statement }).filter(([, value]) => typeof value === 'string')
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...Object.fromEntries(texts),
    ...(isDataFree || error.name === 'InvariantError' ? { message: error.message } : {}),
    frames: frames.slice(0, 12).map((line) => line.trim()),
  }
}

/** A violated invariant of the program. The message holds at most ids, so it may be logged. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
