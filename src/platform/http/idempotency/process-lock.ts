import { randomInt } from 'node:crypto'
import type { Client } from 'pg'
import type { Database } from '../../core/database.ts'

/** First key of the advisory locks; the second is the id of a process. */
export const processLockClass = 744_610

/**
 * An advisory lock that this process holds until it ends: PostgreSQL releases it with the connection, so other processes see at
 * once that the process has ended.
 */
export interface ProcessLock {
  /** The id that is locked; locks one at the first call, and another one after the connection was lost. */
  id(): Promise<number>
  /** Releases the id: its claims are free, and the next call of `id` locks another one. */
  release(): Promise<void>
}

interface Held {
  readonly id: number
  readonly client: Client
}

/** Takes a connection outside the pool, but only once a call brings an Idempotency-Key. */
export function openProcessLock(database: Database): ProcessLock {
  let held: Promise<Held> | null = null
  const hold = (): Promise<Held> => {
    const locking = lockNewId(database)
    const forget = () => {
      if (held === locking) held = null
    }
    locking.then(({ client }) => client.once('end', forget), forget)
    return locking
  }
  return {
    async id() {
      held ??= hold()
      return (await held).id
    },
    async release() {
      const released = held
      held = null
      await released?.then(({ client }) => client.end()).catch(() => {})
    },
  }
}

/**
 * In a transaction that stays open, so that the lock also ends with the process behind PgBouncer in transaction mode. The transaction
 * has no snapshot and no transaction id between its statements, so it holds back no vacuum.
 */
async function lockNewId(database: Database): Promise<Held> {
  const client = await database.connect()
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    for (;;) {
      const id = randomInt(2 ** 31)
      // Without parameters: a portal of the extended protocol would keep its snapshot while the transaction is open.
      const { rows } = await client.query<{ locked: boolean }>(
        `select pg_try_advisory_xact_lock(${processLockClass}, ${id}) as locked`,
      )
      if (rows[0]?.locked === true) return { id, client }
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
