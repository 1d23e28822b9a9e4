import type { Database, Sql } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { isGenuine, macOf, noSeal, sealRows } from './hash-chain.ts'
import { hasUnsealed, insertSeal, lastPosition, readHead, readUnsealed, takeSealing } from './hash-chain-queries.ts'

/** What sealing needs; the service is one. */
export interface Sealer {
  readonly database: Database
  readonly log: Log
  /** Key of the chain. */
  readonly auditKey: Buffer
  readonly tracing?: Tracing | null
}

/** Rows in one seal at most. */
export const rowsInSeal = 1_000

/**
 * Seals what waits, block by block. Several processes may do so at once: one seals, the others leave it at that.
 * @returns how many rows were sealed here.
 */
export async function sealAudit(sealer: Sealer, signal: AbortSignal): Promise<number> {
  let sealed = 0
  while (!signal.aborted && (await hasUnsealed(sealer.database))) {
    const step = () => sealer.database.transaction((sql) => sealBlock(sealer, sql))
    const rows = await (sealer.tracing?.run('worker seal', step) ?? step())
    sealed += rows
    // Another process seals, or what waits has no row any more.
    if (rows === 0) break
  }
  return sealed
}

async function sealBlock({ auditKey, log }: Sealer, sql: Sql): Promise<number> {
  if (!(await takeSealing(sql))) return 0
  const rows = await readUnsealed(sql, rowsInSeal)
  if (rows.length === 0) return 0
  const head = await readHead(sql)
  const last = await lastPosition(sql)
  const end = { position: head?.position ?? 0, previous: head?.hash ?? noSeal }
  if (head === null ? last > 0 : !isGenuine(auditKey, head) || last > head.position) {
    // Going on from an end that is not ours would hide the break: the gap stays, and every check reports it.
    end.position = Math.max(end.position, last) + 1
    log.error(
      { position: end.position },
      'the end of the audit chain is not as it was left; run: vigencia audit verify',
    )
  }
  const sealedAt = `${new Date().toISOString().slice(0, -1)}000Z`
  const seal = sealRows(auditKey, { position: end.position + 1, previous: end.previous, sealedAt }, rows)
  await insertSeal(sql, seal, macOf(auditKey, seal))
  return rows.length
}
