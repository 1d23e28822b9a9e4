import type { Readable } from 'node:stream'
import { isActiveClient } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import { ConcurrencyLimit } from '../core/concurrency-limit.ts'
import { openItemStream } from '../http/row-stream.ts'
import type { Database } from '../core/database.ts'
import { invalidCredentials } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { readSharedTaxIds, type SharedTaxIds } from './corrected.ts'
import { type MemberSelection, wholeList } from './queries.ts'

interface ListLimits {
  /** Lists read at once in this process: each has a connection outside of the pool. */
  readonly atOnce: number
  /** How long a list waits for its turn. */
  readonly maxWaitMs: number
  /** Timeout of a whole list. */
  readonly statementMs: number
}

/** Opens `{"result":[...]}` of members as a stream. Rejects with the ApiError 401 when the caller's client is revoked, 503 when too many lists are read. */
type OpenList = (caller: Client, selection: MemberSelection) => Promise<Readable>

const format = { head: '{"result":[', separator: ',', tail: ']}' }

/** Streams lists of any length in constant memory, each from one snapshot. */
export function listStreams(database: Database, log: Log, limits: ListLimits): OpenList {
  const lists = new ConcurrencyLimit({ max: limits.atOnce, maxWaitMs: limits.maxWaitMs })
  return async (caller, selection) => {
    const permit = await lists.acquire(caller.clientId)
    let shared: SharedTaxIds | null = null
    try {
      if (await isActiveClient(database, { ...caller, kind: 'partner' })) {
        shared = await readSharedTaxIds(database, caller)
      }
    } finally {
      if (shared === null) permit.release()
    }
    if (shared === null) throw invalidCredentials('client-revoked')
    const statement = {
      ...wholeList(caller, selection, shared),
      timeoutMs: limits.statementMs,
    }
    return openItemStream({ database, log }, statement, format, () => permit.release())
  }
}
