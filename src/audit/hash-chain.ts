import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '../platform/crypto/hmac.ts'

/*
 * The chain over the audit, without any I/O. Everything in it is keyed with a key that stands in the database only sealed under the
 * master key: who can write to the database alone can neither make a digest that fits a changed row nor a seal that fits changed digests.
 */

/** An audit row as its digest reads it: every column as text, `at` in UTC with microseconds. */
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

/** A block of rows, chained to the block before. */
export interface Block {
  readonly position: number
  /** UTC with microseconds. */
  readonly sealedAt: string | null
  readonly rowIds: readonly string[]
  readonly digests: readonly Buffer[]
  readonly previous: Buffer
  readonly hash: Buffer
}

/** Where the chain ends. */
export interface Head {
  readonly position: number
  readonly hash: Buffer
  readonly mac: Buffer
}

/** What the first seal is chained to. */
export const genesisHash: Buffer = Buffer.alloc(32)

/** The keyed digest of a row: HMAC-SHA256 over its columns as a JSON array. */
export function digestOf(key: Buffer, row: ChainedRow): Buffer {
  const { id, at, actor, action, target, companyId, address, traceId } = row
  const text = JSON.stringify([id, at, actor, action, target, companyId, address, traceId])
  return hmacSha256(key).update('vigencia audit row 1\n').update(text).digest()
}

/** The keyed hash of a seal, over everything in it. */
export function hashOf(key: Buffer, seal: Omit<Block, 'hash'>): Buffer {
  const hmac = hmacSha256(key).update('vigencia audit seal 1\n')
  hmac.update(`${seal.position}\n${seal.sealedAt}\n${seal.previous.toString('hex')}\n${seal.rowIds.length}\n`)
  for (const [n, id] of seal.rowIds.entries()) hmac.update(`${id}:${seal.digests[n]?.toString('hex') ?? ''}\n`)
  return hmac.update(String(seal.digests.length)).digest()
}

/** The keyed mark of the head: without the key the chain cannot be given another end. */
export function macOf(key: Buffer, head: Omit<Head, 'mac'>): Buffer {
  return hmacSha256(key)
    .update(`vigencia audit head 1\n${head.position}\n${head.hash.toString('hex')}`)
    .digest()
}

/** Whether the head was made with the key. */
export function isGenuine(key: Buffer, head: Head): boolean {
  return isEqual(macOf(key, head), head.mac)
}

/**
 * Seals rows after the head.
 * @param rows in the order of their ids.
 * @param position of the new seal; normally the head's plus one.
 */
export function appendRows(
  key: Buffer,
  end: { readonly position: number; readonly previous: Buffer; readonly sealedAt: string },
  rows: readonly ChainedRow[],
): Block {
  const unsigned = { ...end, rowIds: rows.map((row) => row.id), digests: rows.map((row) => digestOf(key, row)) }
  return { ...unsigned, hash: hashOf(key, unsigned) }
}

export type FindingKind =
  /** A row reads otherwise than when it was sealed. */
  | 'edited'
  /** A row was sealed, or was waiting to be, and is gone. */
  | 'removed'
  /** A row stands in no seal and was not left for one by the service. */
  | 'inserted'
  /** A row stands at another place of its seal than it was given. */
  | 'reordered'
  /** A seal reads otherwise than when it was made. */
  | 'seal-edited'
  /** Seals are missing. */
  | 'seal-removed'
  /** A seal is not chained to the one before it. */
  | 'seal-reordered'
  /** The end of the chain is not marked, or not as the service marks it. */
  | 'head-edited'
  /** The head that was noted elsewhere is not in the chain. */
  | 'head-unknown'

export interface Finding {
  readonly kind: FindingKind
  /** The id of the audit row. */
  readonly row?: string
  /** The position of the seal. */
  readonly seal?: number
  /** With `seal-removed`: the last one that is missing. */
  readonly until?: number
}

/** Checks a chain seal by seal, in the order of their positions. */
export interface ChainCheck {
  /** @param rows those of the seal that are there, by id. */
  see(seal: Block, rows: ReadonlyMap<string, ChainedRow>): Finding[]
  /** After the last seal. @param expected hash of a head noted earlier, in hex, or null. */
  end(head: Head | null, expected: string | null): Finding[]
}

/** Begins to check a chain. Each seal is judged by itself and by its link, so that one break does not hide where others are. */
export function checkChain(key: Buffer): ChainCheck {
  let last: Block | null = null
  const hashes = new Set<string>()
  return {
    see(seal, rows) {
      const findings = [...checkLink(last, seal), ...checkSeal(key, seal, rows)]
      last = seal
      hashes.add(seal.hash.toString('hex'))
      return findings
    },
    end: (head, expected) => [
      ...checkHead(key, last, head),
      ...(expected === null || hashes.has(expected) ? [] : [{ kind: 'head-unknown' as const }]),
    ],
  }
}

function checkLink(last: Block | null, seal: Block): Finding[] {
  const due = (last?.position ?? 0) + 1
  if (seal.position !== due) return [{ kind: 'seal-removed', seal: due, until: seal.position - 1 }]
  return isEqual(seal.previous, last?.hash ?? genesisHash) ? [] : [{ kind: 'seal-reordered', seal: seal.position }]
}

function checkSeal(key: Buffer, seal: Block, rows: ReadonlyMap<string, ChainedRow>): Finding[] {
  const { position } = seal
  const findings: Finding[] = isEqual(hashOf(key, seal), seal.hash) ? [] : [{ kind: 'seal-edited', seal: position }]
  let before = ''
  for (const [n, id] of seal.rowIds.entries()) {
    const row = rows.get(id)
    if (id <= before) findings.push({ kind: 'reordered', row: id, seal: position })
    before = id
    if (row === undefined) findings.push({ kind: 'removed', row: id, seal: position })
    else if (!isEqual(digestOf(key, row), seal.digests[n] ?? genesisHash)) {
      findings.push({ kind: 'edited', row: id, seal: position })
    }
  }
  return findings
}

function checkHead(key: Buffer, last: Block | null, head: Head | null): Finding[] {
  if (head === null) return last === null ? [] : [{ kind: 'head-edited' }]
  if (!isGenuine(key, head)) return [{ kind: 'head-edited' }]
  const position = last?.position ?? 0
  if (head.position > position) return [{ kind: 'seal-removed', seal: position + 1, until: head.position }]
  return head.position === position && last !== null && isEqual(head.hash, last.hash) ? [] : [{ kind: 'head-edited' }]
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
