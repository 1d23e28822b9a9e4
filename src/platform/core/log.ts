import { pino } from 'pino'
import { textLine } from './log-text.ts'

export type Log = pino.Logger

/** `json`: an object a line. `text`: short lines for people. */
export type LogFormat = 'json' | 'text'

/** Lines are written when there are this many bytes of them, or after this time: a system call costs more than the rest of a line. */
const minWriteBytes = 4096
const flushMs = 100
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * Lines on standard error. JSON is written outside of the event loop; what is left is written when the process exits. Lines are lost when
 * standard error is not read. Callers log route templates, ids and timings: never paths, bodies or people.
 * @param format null for `text` where standard error is a terminal, else `json`.
 */
export function openLog(level: string, format: LogFormat | null = null): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }
  if ((format ?? (process.stderr.isTTY ? 'text' : 'json')) === 'text') {
    return pino(options, { write: (line) => void process.stderr.write(textLine(line)) })
  }
  standardError ??= pino.destination({
    dest: 2,
    sync: false,
    minLength: minWriteBytes,
    periodicFlush: flushMs,
    maxLength: maxWaitingBytes,
  })
  return pino(options, standardError)
}

/** One for the process: the timer of each makes a system call every time, also with nothing to write. */
let standardError: ReturnType<typeof pino.destination> | undefined

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

/** What must be there, such as the row of what was written just now. @param what for the log. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new InvariantError(`${what} is missing`)
  return value
}
