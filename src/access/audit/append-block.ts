import { write } from '#platform/core/write.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import type { Log } from '#platform/core/log.ts'
import type { Tracing } from '#platform/core/telemetry/tracing.ts'
import { isGenuine, macOf, genesisHash, makeBlock } from './hash-chain.ts'
import {
  hasPendingRows,
  insertBlock,
  lastPosition,
  readHead,
  readPendingRows,
  lockChain,
} from './hash-chain-queries.ts'

/** The part of the context that `appendBlocks` needs. */
interface BlockContext {
  readonly database: Database
  readonly log: Log
  /** Key of the chain. */
  readonly auditKey: Buffer
  readonly tracing?: Tracing | null
}

/** The largest number of rows in a block. */
export const maxRowsPerBlock = 1_000

/**
 * Appends the pending audit rows to the chain, block by block. Several processes may run it at once: one appends, the others return.
 * @returns the number of rows appended here.
 */
export async function appendBlocks(context: BlockContext, signal: AbortSignal): Promise<number> {
  let appended = 0
  while (!signal.aborted && (await hasPendingRows(context.database))) {
    const step = () => write(context, { kind: 'service' }, { may: 'service' }, (tx) => appendBlock(context, tx))
    const rows = await (context.tracing?.run('worker audit', step) ?? step())
    appended += rows
    // Another process appends, or the pending rows were removed from the audit.
    if (rows === 0) break
  }
  return appended
}

async function appendBlock({ auditKey, log }: BlockContext, sql: Sql): Promise<number> {
  if (!(await lockChain(sql))) return 0
  const rows = await readPendingRows(sql, maxRowsPerBlock)
  if (rows.length === 0) return 0
  const head = await readHead(sql)
  const last = await lastPosition(sql)
  const end = { position: head?.position ?? 0, previous: head?.hash ?? genesisHash }
  if (head === null ? last > 0 : !isGenuine(auditKey, head) || last > head.position) {
    // To continue from a changed head would hide the change. A gap of one position stays, and every check reports it.
    end.position = Math.max(end.position, last) + 1
    log.error({ position: end.position }, 'the head of the audit chain was changed; run: vigencia audit verify')
  }
  const createdAt = `${sql.now().toISOString().slice(0, -1)}000Z`
  const block = makeBlock(auditKey, { position: end.position + 1, previous: end.previous, createdAt }, rows)
  await insertBlock(sql, block, macOf(auditKey, block))
  return rows.length
}
