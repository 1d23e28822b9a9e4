import type { Database, Sql } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { isGenuine, macOf, genesisHash, appendRows } from './hash-chain.ts'
import {
  hasPendingRows,
  insertBlock,
  lastPosition,
  readHead,
  readPendingRows,
  lockChain,
} from './hash-chain-queries.ts'

/** What sealing needs; the service is one. */
export interface BlockContext {
  readonly database: Database
  readonly log: Log
  /** Key of the chain. */
  readonly auditKey: Buffer
  readonly tracing?: Tracing | null
}

/** Rows in one seal at most. */
export const maxRowsPerBlock = 1_000

/**
 * Seals what waits, block by block. Several processes may do so at once: one seals, the others leave it at that.
 * @returns how many rows were sealed here.
 */
export async function appendBlocks(sealer: BlockContext, signal: AbortSignal): Promise<number> {
  let sealed = 0
  while (!signal.aborted && (await hasPendingRows(sealer.database))) {
    const step = () => sealer.database.transaction((sql) => appendBlock(sealer, sql))
    const rows = await (sealer.tracing?.run('worker seal', step) ?? step())
    sealed += rows
    // Another process seals, or what waits has no row any more.
    if (rows === 0) break
  }
  return sealed
}

async function appendBlock({ auditKey, log }: BlockContext, sql: Sql): Promise<number> {
  if (!(await lockChain(sql))) return 0
  const rows = await readPendingRows(sql, maxRowsPerBlock)
  if (rows.length === 0) return 0
  const head = await readHead(sql)
  const last = await lastPosition(sql)
  const end = { position: head?.position ?? 0, previous: head?.hash ?? genesisHash }
  if (head === null ? last > 0 : !isGenuine(auditKey, head) || last > head.position) {
    // Going on from an end that is not ours would hide the break: the gap stays, and every check reports it.
    end.position = Math.max(end.position, last) + 1
    log.error(
      { position: end.position },
      'the end of the audit chain is not as it was left; run: vigencia audit verify',
    )
  }
  const sealedAt = `${new Date().toISOString().slice(0, -1)}000Z`
  const seal = appendRows(auditKey, { position: end.position + 1, previous: end.previous, sealedAt }, rows)
  await insertBlock(sql, seal, macOf(auditKey, seal))
  return rows.length
}
