import { pino } from 'pino'

export interface Log extends pino.Logger {
  /**
   * The line of one response, formatted without pino at a fifth of its cost: there is one for each request.
   * @param id of the request, of characters that JSON does not escape. @param ms duration in milliseconds.
   */
  answered(id: string, method: string, route: string, status: number, ms: number): void
}

/** Lines of responses are buffered this long: a system call costs more than the rest of a line. */
const gatherMs = 20
const maxWaitingBytes = 16 * 1024 * 1024

/** JSON lines on standard error. Callers log route templates, ids and timings: never paths, bodies or people. */
export function openLog(level: string): Log {
  // Written asynchronously, and flushed at the end of the process. A reader that is too slow loses lines.
  const destination = pino.destination({ dest: 2, sync: false, maxLength: maxWaitingBytes })
  const settings = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }
  const log = pino(settings, destination)
  let gathered = ''
  const write = () => {
    destination.write(gathered)
    gathered = ''
  }
  const isTold = log.isLevelEnabled('info')
  return Object.assign(log, {
    answered(id: string, method: string, route: string, status: number, ms: number) {
      if (!isTold) return
      if (gathered === '') setTimeout(write, gatherMs)
      gathered +=
        `{"level":30,"time":"${timeNow()}","request-trace-id":"${id}","method":"${method}","route":"${route}",` +
        `"status":${status},"ms":${Math.round(ms * 10) / 10},"msg":"answered"}\n`
    },
  })
}

let lastMs = 0
let lastTime = ''

/** Formatted once a millisecond: many lines have the same time. */
function timeNow(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastTime = new Date(now).toISOString()
  }
  return lastTime
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
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof statement === 'string' ? { statement } : {}),
    ...(isDataFree || error.name === 'InvariantError' ? { message: error.message } : {}),
    frames: frames.slice(0, 12).map((line) => line.trim()),
  }
}

/** A violated invariant of the program. The message holds at most ids, so it may be logged. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
