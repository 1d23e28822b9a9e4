import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from './database.ts'
import { isDatabaseAway, sqlState } from './database-errors.ts'
import { NoServerError } from './database-servers.ts'
import { StartError } from './errors.ts'
import type { Log } from './log.ts'

const defaultTimeoutMs = 30_000
const pauseMs = 500

/**
 * Waits until the database accepts a statement: it may be starting at the same time.
 * @param stopping aborts the wait with its reason.
 * @throws StartError when it does not in time (30 seconds by default), or for an error that waiting does not resolve.
 */
export async function waitForDatabase(
  sql: Sql,
  log: Log,
  stopping: AbortSignal,
  timeoutMs = defaultTimeoutMs,
): Promise<void> {
  const end = performance.now() + timeoutMs
  for (let tries = 1; ; tries += 1) {
    try {
      await sql.query('select 1 as one')
      return
    } catch (error) {
      stopping.throwIfAborted()
      if (!isDatabaseAway(error)) throw connectionErrorOf(error)
      if (performance.now() >= end) {
        throw new StartError(
          `The database did not answer within ${timeoutMs / 1_000} seconds: see that it runs, that this machine reaches it, and that ` +
            `VIGENCIA_DATABASE_URL is its address.${error instanceof NoServerError ? ` Last: ${error.message}.` : ''}`,
          { cause: error },
        )
      }
      if (tries === 1) log.warn({ err: error }, 'the database does not answer yet; waiting for it')
    }
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => stopping.throwIfAborted())
  }
}

const messages: Record<string, string> = {
  '28P01': 'The database refuses the user or the password of VIGENCIA_DATABASE_URL: set the right ones.',
  '28000':
    'The database does not accept the user of VIGENCIA_DATABASE_URL from this address: change its pg_hba.conf, or ask for TLS with ?sslmode=require.',
  '3D000': 'The database that VIGENCIA_DATABASE_URL names does not exist on that server: create it, empty.',
  '42501':
    'The user of VIGENCIA_DATABASE_URL may not make tables: let it own the database, or grant it CREATE on the schema public.',
  '25006': 'VIGENCIA_DATABASE_URL leads to a read-only standby: set the address of the primary.',
}

/** A connection error as a StartError that says what to do; other errors unchanged. */
export function connectionErrorOf(error: unknown): unknown {
  const state = sqlState(error)
  if (state !== null) {
    const message = messages[state]
    if (message === undefined) return error
    const { server } = error as { server?: string }
    return new StartError(server === undefined ? message : `${message} (${server})`, { cause: error })
  }
  if (!(error instanceof Error)) return error
  if (error.message.startsWith('SASL')) {
    return new StartError('The database asks for a password: put it into VIGENCIA_DATABASE_URL.', { cause: error })
  }
  if (/does not support SSL/.test(error.message)) {
    return new StartError('The database does not speak TLS: take sslmode out of VIGENCIA_DATABASE_URL.', {
      cause: error,
    })
  }
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /CERT|SIGNATURE/.test(code)) {
    return new StartError(
      `The certificate of the database cannot be verified (${code}): name its authority with sslrootcert in VIGENCIA_DATABASE_URL.`,
      { cause: error },
    )
  }
  return error
}
