import { hash } from 'node:crypto'
import { idTexts } from '../platform/uuid.ts'

/** A key's two blocks (RFC 2104, SHA-256), each with room for what is hashed behind it. */
interface Blocks {
  readonly inner: Buffer
  readonly outer: Buffer
}

const blockBytes = 64
const maxTextBytes = 64
const idBytes = 16
const prepared = new WeakMap<Buffer, Blocks>()

/**
 * The ids of persons, in the order of their CPFs: UUIDv8 made from a keyed hash of the CPF, which discloses neither the CPF nor when the
 * person was first seen. The bytes of `key`, at most 64, must not change afterwards. `n` is 0 for the first person with the CPF in a
 * company, then 1, 2, ...
 */
export function memberIds(key: Buffer, taxIds: readonly string[], n: number): string[] {
  // HMAC-SHA-256 as two hashes: Node's Hmac, a native object each, takes three times as long.
  const { inner, outer } = blocksOf(key)
  const bytes = Buffer.allocUnsafe(idBytes * taxIds.length)
  for (const [place, taxId] of taxIds.entries()) {
    const end = blockBytes + inner.write(`${taxId}:${n}`, blockBytes, 'latin1')
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'latin1')
    const at = idBytes * place
    bytes.write(hash('sha256', outer, 'binary'), at, idBytes, 'latin1')
    bytes[at + 6] = ((bytes[at + 6] as number) & 0x0f) | 0x80
    bytes[at + 8] = ((bytes[at + 8] as number) & 0x3f) | 0x80
  }
  return idTexts(bytes)
}

function blocksOf(key: Buffer): Blocks {
  let blocks = prepared.get(key)
  if (blocks === undefined) {
    blocks = { inner: Buffer.alloc(blockBytes + maxTextBytes, 0x36), outer: Buffer.alloc(blockBytes + 32, 0x5c) }
    for (const [place, byte] of key.entries()) {
      blocks.inner[place] = byte ^ 0x36
      blocks.outer[place] = byte ^ 0x5c
    }
    prepared.set(key, blocks)
  }
  return blocks
}
