import type { Sql } from '../platform/database.ts'
import { checkChain, type Finding } from './hash-chain.ts'
import {
  countPendingRows,
  beginSnapshot,
  readMissingPendingRows,
  readHead,
  readInserted,
  readChainedRows,
  readBlocks,
} from './hash-chain-queries.ts'

export interface Verdict {
  readonly intact: boolean
  /** Rows that stand in seals. */
  readonly rows: number
  readonly seals: number
  /** Rows that wait to be sealed: they can still be changed unseen. */
  readonly unsealed: number
  /** The end of the chain: to be noted elsewhere, and compared with later. null before the first seal. */
  readonly head: string | null
  /** At most `mostFindings`. */
  readonly findings: readonly Finding[]
}

export const maxFindings = 1_000
const sealsAtOnce = 10

/**
 * Checks every audit row against the chain.
 * @param sql a transaction that has just begun: it gets one view of the database, so that a service may go on writing meanwhile.
 * @param key null when the database keeps none: then there must be no seal either.
 * @param expected a head noted earlier, in hex, that the chain must hold.
 */
export async function verifyAudit(sql: Sql, key: Buffer | null, expected: string | null): Promise<Verdict> {
  await beginSnapshot(sql)
  // Without its key no seal can fit, which is what the check then says of each.
  const check = checkChain(key ?? Buffer.alloc(32))
  const findings: Finding[] = []
  let [rows, count, last] = [0, 0, 0]
  for (;;) {
    const seals = await readBlocks(sql, last, sealsAtOnce)
    if (seals.length === 0) break
    const there = await readChainedRows(
      sql,
      seals.flatMap((seal) => seal.rowIds),
    )
    for (const seal of seals) {
      findings.push(...check.see(seal, there))
      rows += seal.rowIds.length
      count += 1
      last = seal.position
    }
    findings.length = Math.min(findings.length, maxFindings)
  }
  const head = await readHead(sql)
  findings.push(...check.end(head, expected))
  findings.push(...(await readMissingPendingRows(sql, maxFindings)).map((row) => ({ kind: 'removed' as const, row })))
  findings.push(...(await readInserted(sql, maxFindings)).map((row) => ({ kind: 'inserted' as const, row })))
  return {
    intact: findings.length === 0,
    rows,
    seals: count,
    unsealed: await countPendingRows(sql),
    head: head?.hash.toString('hex') ?? null,
    findings: findings.slice(0, maxFindings),
  }
}
