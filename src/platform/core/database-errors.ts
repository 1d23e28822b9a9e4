import { createHash } from 'node:crypto'
import { NoServerError } from './database-servers.ts'
import { ApiError, unavailable } from './errors.ts'
import type { Log } from './log.ts'

/* Errors of statements and connections: which of them mean that the database is unavailable, and the response of each. */

const names = new Map<string, string>()

/** The name under which a statement is prepared, and found in the log. */
export function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}

/** The five characters of PostgreSQL's error code, or null. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null
}

const awayCodes = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
const internalError = 'XX000'
const diskFull = '53100'
const diskFullMessage = 'the disk of the database is full'
const awayMessages =
  /query read timeout|timeout expired|timeout exceeded when trying to connect|connection terminated|client has encountered a connection error|cannot use a pool after|connection ended|failure on connection marked as essential|terminating connection|server closed the connection/i

/** Errors of statements and connections: the sockets of clients and stores break with the same codes. */
const databaseErrors = new WeakSet<Error>()

/** Remembers an error of a connection as one of the database. */
export function markError(error: Error): void {
  databaseErrors.add(error)
}

/** The codes of refused rows: Citus reports a row that it copied to a worker with the text of that server, and `XX000`. */
const constraintStates = [
  [/^duplicate key value violates unique constraint /, '23505'],
  [/ violates foreign key constraint /, '23503'],
  [/ violates check constraint /, '23514'],
  [/ violates not-null constraint/, '23502'],
] as const

/** Marks the errors of work on the database, with the name of its statement for the log. */
export async function marked<T>(work: Promise<T>, text?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error) {
      databaseErrors.add(error)
      const state = constraintStates.find(([pattern]) => pattern.test(error.message))?.[1]
      if (state !== undefined && sqlState(error) === internalError) Object.assign(error, { code: state })
      if (text !== undefined) Object.assign(error, { statement: statementName(text) })
    }
    throw error
  }
}

/** 503: no connection became free in time, while the database answers. */
export class ConnectionsBusyError extends ApiError {
  constructor() {
    super('too-many-calls', {}, { headers: unavailable().headers })
  }
}

/** Whether the database was unavailable or the connection broke: the client gets 503 and may retry. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NoServerError) return true
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && awayCodes.test(code)) return databaseErrors.has(error)
  const state = sqlState(error)
  // 08 connection, 57P0x shutdown, 53 resources, 55P03 and 57014 lock and statement timeouts, 25006 a standby, 40 conflicts.
  // Citus gives the loss of a worker no code of its own.
  if (state !== null && state !== internalError) return /^(08|53|40)|^(57P0[1-5]|55P03|57014|25006|25P03)$/.test(state)
  return awayMessages.test(error.message)
}

/** Logs an error of a task that is tried again; none of a database that is away or busy, except that its disk is full. */
export function logUnlessAway(log: Log, error: unknown, message: string): void {
  if (error instanceof ConnectionsBusyError) return
  if (!isDatabaseAway(error)) log.error({ err: error }, message)
  else if (sqlState(error) === diskFull) log.error({ err: error }, diskFullMessage)
}

/** The error response for an error of a statement; logs it. */
export function toApiError(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error
  if (isDatabaseAway(error)) {
    if (sqlState(error) === diskFull) log.error({ err: error }, diskFullMessage)
    else log.warn({ err: error }, 'database away')
    return unavailable()
  }
  log.error({ err: error }, 'unexpected error')
  return new ApiError('internal-error')
}
