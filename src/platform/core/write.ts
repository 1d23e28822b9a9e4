import type { Database, Sql, Transaction } from './database.ts'
import { InvariantError } from './log.ts'
import { transact } from './transaction.ts'
import { checkActor, type May } from './access.ts'
import type { Actor, ClientActor } from './actor.ts'
import { type AuditRow, insertAudit } from './audit.ts'
import { notEntitled } from './errors.ts'
import type { DomainEvent } from './events.ts'
import { writeEvents } from './outbox.ts'

/** Stores the response of a call with an `Idempotency-Key`, in the transaction of what it did. @param headers that a replay repeats. */
export type SaveResponse = (
  sql: Sql,
  response: object | string,
  companyIds?: readonly string[],
  headers?: Readonly<Record<string, string>>,
  status?: 200 | 202,
) => Promise<void>

/** The transaction of a verb. */
export interface Tx extends Transaction {
  readonly actor: Actor
  /** The time of the write: of its rows, its events and its audit. It is read at the first call: make it after the locks. */
  at(): Date
  /** The companies of the write that a partner is entitled to. */
  readonly entitledCompanyIds: readonly string[]
  /** Reports domain events of a company to its clients, when the write commits. */
  emit(companyId: string, events: DomainEvent | readonly DomainEvent[]): void
  /** Audits what the actor did, when the write commits. */
  audit(rows: AuditRow | readonly AuditRow[]): void
  /** The response that the same call with its `Idempotency-Key` gets again. @param companyIds that it is about, where the route does not say. */
  respond(response: object | string, companyIds?: readonly string[]): void
  /** Runs the callback after the commit, never after a rollback. */
  afterCommit(callback: () => void): void
  /** The same transaction for another actor, as the clock or `resolution`. No check of what it may do follows. */
  as(actor: Actor): Tx
  /**
   * The same transaction for a client: what it may is checked now, under a lock.
   * @param companyIds all of which a partner must be entitled to.
   * @throws ApiError 401, 403.
   */
  asClient(actor: ClientActor, may: May, companyIds?: readonly string[]): Promise<Tx>
  /** Runs a part that is undone alone, with its events and audit: when `work` throws, and when its result is not to be kept. */
  savepoint<T>(work: () => Promise<T>, isKept?: (result: T) => boolean): Promise<T>
}

export interface WriteOptions<Locked> {
  /** Who may: checked first, and again after `lock`. */
  readonly may: May
  /** A partner must be entitled to `all` or `some` of these companies; `error` when it is not. */
  readonly companies?: {
    readonly ids: readonly string[]
    readonly entitled: 'all' | 'some'
    readonly error: () => Error
  }
  /** Takes locks that others may hold for long: a revocation does not wait for it. */
  readonly lock?: (tx: Tx) => Promise<Locked>
  readonly saveResponse?: SaveResponse
  /** Repeats the write after a unique violation: it finds the other's row then. */
  readonly retriesUniqueViolation?: boolean
  /** Undoes the work, its events and its audit: the result says what would be. */
  readonly isDryRun?: boolean
}

interface Pending {
  readonly events: { readonly companyId: string; readonly event: DomainEvent }[]
  readonly audit: (AuditRow & { readonly actor: Actor })[]
  readonly callbacks: (() => void)[]
  at: Date | null
  response: { readonly body: object | string; readonly companyIds: readonly string[] | undefined } | null
}

/**
 * The one shape of a write. In one transaction: checks what the actor may, runs the work, writes its audit rows and events, and stores the
 * response of a call with an `Idempotency-Key`. Retries after a serialization failure and a deadlock: the work must keep its effects inside the
 * transaction.
 * @throws ApiError 401 when the client is revoked, 403 when the actor may not; then nothing is stored.
 */
export async function write<T, Locked = undefined>(
  { database }: { readonly database: Database },
  actor: Actor,
  { may, companies, lock, saveResponse, retriesUniqueViolation = false, isDryRun = false }: WriteOptions<Locked>,
  work: (tx: Tx, locked: Locked) => Promise<T>,
): Promise<T> {
  const check = async (sql: Sql, locks: boolean) => {
    const ids = [...new Set(companies?.ids)]
    const entitled = await checkActor(sql, actor, may, ids, locks)
    const isEntitled = entitled.length >= (companies?.entitled === 'some' ? 1 : ids.length)
    if (actor.kind === 'partner' && companies !== undefined && !isEntitled) throw companies.error()
    return entitled
  }
  let pending: Pending
  const result = await database[transact](
    async (sql) => {
      pending = { events: [], audit: [], callbacks: [], at: null, response: null }
      const tx = txOf(sql, actor, pending)
      let locked = undefined as Locked
      if (lock !== undefined) {
        await check(sql, false)
        locked = await lock(tx)
      }
      const checked = { ...tx, entitledCompanyIds: await check(sql, true) }
      const run = () => work(checked, locked)
      const done = await (isDryRun ? tx.savepoint(run, () => false) : run())
      await flush(sql, tx.at(), pending, saveResponse)
      return done
    },
    { retriesUniqueViolation },
  )
  for (const callback of pending!.callbacks) callback()
  return result
}

function txOf(sql: Transaction, actor: Actor, pending: Pending): Tx {
  return {
    ...sql,
    actor,
    at: () => (pending.at ??= sql.now()),
    entitledCompanyIds: [],
    emit: (companyId, events) => pending.events.push(...[events].flat().map((event) => ({ companyId, event }))),
    audit: (rows) => pending.audit.push(...[rows].flat().map((row) => ({ ...row, actor }))),
    respond: (body, companyIds) => (pending.response = { body, companyIds }),
    afterCommit: (callback) => pending.callbacks.push(callback),
    as: (other) => txOf(sql, other, pending),
    async asClient(client, may, companyIds = []) {
      const entitled = await checkActor(sql, client, may, companyIds, true)
      if (client.kind === 'partner' && entitled.length < companyIds.length) throw notEntitled('company')
      return txOf(sql, client, pending)
    },
    async savepoint(work, isKept = () => true) {
      const { events, audit, callbacks } = pending
      const lengths = [events, audit, callbacks].map((list) => list.length)
      let isDone = false
      try {
        return await inSavepoint(sql, work, (result) => (isDone = isKept(result)))
      } finally {
        if (!isDone) for (const [index, list] of [events, audit, callbacks].entries()) list.length = lengths[index] ?? 0
      }
    },
  }
}

/** Writes what the work reported. The response is the last statement: a call that lost its key rolls back. */
async function flush(sql: Sql, at: Date, pending: Pending, saveResponse: SaveResponse | undefined): Promise<void> {
  for (const [companyId, rows] of Map.groupBy(pending.events, (row) => row.companyId)) {
    await writeEvents(
      sql,
      companyId,
      at,
      rows.map(({ event }) => event),
    )
  }
  await insertAudit(sql, at, pending.audit)
  if (saveResponse === undefined) return
  if (pending.response === null) throw new InvariantError('a call with an Idempotency-Key has no response')
  await saveResponse(sql, pending.response.body, pending.response.companyIds)
}

/** Undoes what `work` did when it throws, and when its result is not to be kept. */
async function inSavepoint<T>(sql: Sql, work: () => Promise<T>, isKept: (result: T) => boolean): Promise<T> {
  const undo = async () => {
    await sql.execute('rollback to savepoint part')
    await sql.execute('release savepoint part')
  }
  await sql.execute('savepoint part')
  let result: T
  try {
    result = await work()
  } catch (error) {
    // Where the connection is lost, the first error says so.
    await undo().catch(() => {})
    throw error
  }
  if (isKept(result)) await sql.execute('release savepoint part')
  else await undo()
  return result
}
