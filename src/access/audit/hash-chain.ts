import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'

/*
 * The hash chain of the audit, without I/O. All hashes are HMACs; the database has their key only encrypted under the master key. With
 * access to the database alone no one can compute the digest of a changed row or the hash of a changed block.
 */

/** An audit row as the input of its digest: every column as text, `at` in UTC with microseconds. */
export interface ChainedRow {
  readonly id: string
  readonly at: string | null
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly companyId: string | null
  readonly address: string | null
  readonly traceId: string | null
}

/** A block of rows with the hash of the previous block. */
export interface Block {
  readonly position: number
  /** UTC with microseconds. */
  readonly createdAt: string | null
  readonly rowIds: readonly string[]
  readonly digests: readonly Buffer[]
  readonly previous: Buffer
  readonly hash: Buffer
}

/** The authenticated end of the chain. */
export interface Head {
  readonly position: number
  readonly hash: Buffer
  readonly mac: Buffer
}

/** The `previous` of the first block. */
export const genesisHash: Buffer = Buffer.alloc(32)

/** The digest of a row: HMAC-SHA256 of its columns as a JSON array. */
function digestOf(key: Buffer, row: ChainedRow): Buffer {
  const { id, at, actor, action, target, companyId, address, traceId } = row
  const text = JSON.stringify([id, at, actor, action, target, companyId, address, traceId])
  return hmacSha256(key).update('vigencia audit row 1\n').update(text).digest()
}

/** The hash of a block: HMAC-SHA256 of all its fields. */
function hashOf(key: Buffer, block: Omit<Block, 'hash'>): Buffer {
  const hmac = hmacSha256(key).update('vigencia audit block 1\n')
  hmac.update(`${block.position}\n${block.createdAt}\n${block.previous.toString('hex')}\n${block.rowIds.length}\n`)
  for (const [n, id] of block.rowIds.entries()) hmac.update(`${id}:${block.digests[n]?.toString('hex') ?? ''}\n`)
  return hmac.update(String(block.digests.length)).digest()
}

/** The MAC of the head: HMAC-SHA256 of its position and hash. */
export function macOf(key: Buffer, head: Omit<Head, 'mac'>): Buffer {
  return hmacSha256(key)
    .update(`vigencia audit head 1\n${head.position}\n${head.hash.toString('hex')}`)
    .digest()
}

/** Whether the MAC of the head is valid. */
export function isGenuine(key: Buffer, head: Head): boolean {
  return isEqual(macOf(key, head), head.mac)
}

/**
 * Makes the block of these rows.
 * @param end `position` of the new block and the hash of the block before it.
 * @param rows in the order of their ids.
 */
export function makeBlock(
  key: Buffer,
  end: { readonly position: number; readonly previous: Buffer; readonly createdAt: string },
  rows: readonly ChainedRow[],
): Block {
  const content = { ...end, rowIds: rows.map((row) => row.id), digests: rows.map((row) => digestOf(key, row)) }
  return { ...content, hash: hashOf(key, content) }
}

export const FINDING_KINDS = [
  /** A row was changed after it was added to the chain. */
  'edited',
  /** A row in a block or a pending row is missing. */
  'removed',
  /** A row is neither in a block nor pending. */
  'inserted',
  /** A row was moved within its block. */
  'reordered',
  /** A block was changed. */
  'block-edited',
  /** Blocks are missing. */
  'block-removed',
  /** A block does not have the hash of the block before it. */
  'block-reordered',
  /** The head is missing or its MAC is invalid. */
  'head-edited',
  /** The expected head is not in the chain. */
  'head-unknown',
] as const

type FindingKind = (typeof FINDING_KINDS)[number]

export interface Finding {
  readonly kind: FindingKind
  /** The id of the audit row. */
  readonly row?: string
  /** The position of the block. */
  readonly block?: number
  /** With `block-removed`: the position of the last missing block. */
  readonly until?: number
}

/**
 * Starts the check of a chain: `addBlock` for each block in the order of their positions, then `end`. Each block and each link is
 * checked by itself, so that one finding does not hide others.
 * @param expected the hash of an earlier head in hex, or null.
 */
export function checkChain(key: Buffer, expected: string | null) {
  let last: Block | null = null
  let isExpectedKnown = expected === null
  return {
    /** @param rows the existing rows of the block, by id. */
    addBlock(block: Block, rows: ReadonlyMap<string, ChainedRow>): Finding[] {
      const findings = [...checkLink(last, block), ...checkBlock(key, block, rows)]
      last = block
      isExpectedKnown ||= block.hash.toString('hex') === expected
      return findings
    },
    end: (head: Head | null): Finding[] => [
      ...checkHead(key, last, head),
      ...(isExpectedKnown ? [] : [{ kind: 'head-unknown' as const }]),
    ],
  }
}

function checkLink(last: Block | null, { position, previous }: Block): Finding[] {
  const expected = (last?.position ?? 0) + 1
  if (position !== expected) return [{ kind: 'block-removed', block: expected, until: position - 1 }]
  return isEqual(previous, last?.hash ?? genesisHash) ? [] : [{ kind: 'block-reordered', block: position }]
}

function checkBlock(key: Buffer, block: Block, rows: ReadonlyMap<string, ChainedRow>): Finding[] {
  const { position } = block
  const findings: Finding[] = isEqual(hashOf(key, block), block.hash) ? [] : [{ kind: 'block-edited', block: position }]
  let before = ''
  for (const [n, id] of block.rowIds.entries()) {
    const row = rows.get(id)
    if (id <= before) findings.push({ kind: 'reordered', row: id, block: position })
    before = id
    if (row === undefined) findings.push({ kind: 'removed', row: id, block: position })
    else if (!isEqual(digestOf(key, row), block.digests[n] ?? genesisHash)) {
      findings.push({ kind: 'edited', row: id, block: position })
    }
  }
  return findings
}

function checkHead(key: Buffer, last: Block | null, head: Head | null): Finding[] {
  if (head === null) return last === null ? [] : [{ kind: 'head-edited' }]
  if (!isGenuine(key, head)) return [{ kind: 'head-edited' }]
  const position = last?.position ?? 0
  if (head.position > position) return [{ kind: 'block-removed', block: position + 1, until: head.position }]
  return head.position === position && last !== null && isEqual(head.hash, last.hash) ? [] : [{ kind: 'head-edited' }]
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
