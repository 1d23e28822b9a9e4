import type { Sql } from '#platform/core/database.ts'
import { checkChain, type Finding } from './hash-chain.ts'
import { countPendingRows, readBlocks, readChainedRows, readHead, readUnchained } from './hash-chain-queries.ts'

export interface Verification {
  readonly intact: boolean
  /** Rows in blocks. */
  readonly rows: number
  readonly blocks: number
  /** Pending rows: a change of them is not detected yet. */
  readonly pending: number
  /** The hash of the last block, to be stored elsewhere and given to a later check. null before the first block. */
  readonly head: string | null
  /** At most as many as were asked for. */
  readonly findings: readonly Finding[]
}

/** Findings that one check reports. */
const MAX_FINDINGS = 1_000
const blocksPerRead = 10

/**
 * Checks every audit row against the chain, while services continue to write.
 * @param sql a snapshot.
 * @param key null when the database has none: then it must not have a block either.
 * @param expected an earlier head in hex that must be in the chain, or null.
 */
export async function verifyAudit(
  sql: Sql,
  key: Buffer | null,
  expected: string | null,
  maxFindings = MAX_FINDINGS,
): Promise<Verification> {
  // Without the key every block is a finding.
  const check = checkChain(key ?? Buffer.alloc(32), expected)
  const findings: Finding[] = []
  let [rows, count, last] = [0, 0, 0]
  for (;;) {
    const blocks = await readBlocks(sql, last, blocksPerRead)
    if (blocks.length === 0) break
    const existing = await readChainedRows(
      sql,
      blocks.flatMap((block) => block.rowIds),
    )
    for (const block of blocks) {
      findings.push(...check.addBlock(block, existing))
      rows += block.rowIds.length
      count += 1
      last = block.position
    }
    findings.length = Math.min(findings.length, maxFindings)
  }
  const head = await readHead(sql)
  findings.push(...check.end(head), ...(await readUnchained(sql, maxFindings)))
  return {
    intact: findings.length === 0,
    rows,
    blocks: count,
    pending: await countPendingRows(sql),
    head: head?.hash.toString('hex') ?? null,
    findings: findings.slice(0, maxFindings),
  }
}
