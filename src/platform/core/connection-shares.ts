import { AsyncLocalStorage } from 'node:async_hooks'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { ConnectionsBusyError, sqlState } from './database-errors.ts'
import { NoServerError } from './database-servers.ts'
import type { Log } from './log.ts'

/** The client for which statements run. */
export interface DatabaseClient {
  /** Its id; before authentication its address. */
  readonly id: string
  /** Operators, sign-in and readiness: a part of the connections is reserved for them. */
  readonly privileged: boolean
  /** Shorter than that of the pool. */
  readonly maxWaitMs?: number
}

interface Call extends DatabaseClient {
  /** Whether it has a connection now, and needs another. */
  isHolding?: boolean
}

/** What runs outside of every request: workers and periodic tasks together have the share of one client. */
const ownWork: Call = { id: '', privileged: false }

const calls = new AsyncLocalStorage<Call>()

/** Runs work, and all that it begins, for the client. */
export function runForClient<T>(client: DatabaseClient, work: () => T): T {
  return calls.run(client, work)
}

/**
 * Who gets the connections of a pool. Of eight, one is for operators, sign-in and readiness; two are for clients that have fewer than half; a
 * client that is alone gets the other five.
 */
export class ConnectionShares {
  readonly #limit: ConcurrencyLimit

  constructor(connections: number, maxWaitMs: number | undefined, log: Log) {
    const privilegedReserve = Math.ceil(connections / 8)
    const reserve = connections < 3 ? 0 : Math.floor(connections / 4) || 1
    this.#limit = new ConcurrencyLimit({
      max: connections - privilegedReserve - reserve,
      share: Math.floor(connections / 2),
      reserve,
      privilegedReserve,
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
      busy: () => {
        log.warn({ waiting: this.#limit.waiting }, 'no database connection became free')
        return new ConnectionsBusyError()
      },
    })
  }

  /** How many statements and transactions wait for a connection. */
  get waiting(): number {
    return this.#limit.waiting
  }

  /**
   * Runs work that uses one connection. A call that has one already does not wait for the second: calls that hold all of them would wait for
   * each other.
   * @throws ConnectionsBusyError
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { id, privileged, maxWaitMs, isHolding = false } = calls.getStore() ?? ownWork
    if (isHolding) return work()
    const permit = await this.#limit.acquire(id, { privileged, ...(maxWaitMs === undefined ? {} : { maxWaitMs }) })
    try {
      return await work()
    } catch (error) {
      // Who waits would find the same: a server that cannot be reached.
      if (isUnreachable(error)) this.#limit.rejectWaiting(error)
      throw error
    } finally {
      permit.release()
    }
  }

  /** Runs work that has a connection until it ends. */
  async holding<T>(work: () => Promise<T>): Promise<T> {
    const call: Call = { ...(calls.getStore() ?? ownWork), isHolding: true }
    try {
      return await calls.run(call, work)
    } finally {
      // What the work has begun and goes on without it waits again.
      call.isHolding = false
    }
  }
}

const connectCodes = /^(ECONNREFUSED|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
const connectTimeouts = /timeout exceeded when trying to connect|connection timeout|timeout expired/i

function isUnreachable(error: unknown): error is Error {
  if (error instanceof NoServerError) return true
  if (!(error instanceof Error) || sqlState(error) !== null) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && connectCodes.test(code)) || connectTimeouts.test(error.message)
}
