import { hash } from 'node:crypto'

/** A key's two blocks (RFC 2104, SHA-256), each with room for what is hashed behind it. */
interface Blocks {
  readonly inner: Buffer
  readonly outer: Buffer
}

const blockBytes = 64
const mostTextBytes = 64
const prepared = new WeakMap<Buffer, Blocks>()

/**
 * The id of a person: a UUIDv8 made from a keyed hash of the CPF, which tells neither the CPF nor when the person was
 * first seen (contract, identifiers). The bytes of `key`, at most 64, must not change afterwards. `n` is 0 for whoever bears the
 * CPF first in a company, then 1, 2, ...
 */
export function memberId(key: Buffer, taxId: string, n: number): string {
  // HMAC-SHA-256 in two hashes: Node's Hmac is a native object each, at twice the time, which ten thousand people wait for.
  const { inner, outer } = blocksOf(key)
  const end = blockBytes + inner.write(`${taxId}:${n}`, blockBytes, 'latin1')
  hash('sha256', inner.subarray(0, end), 'buffer').copy(outer, blockBytes)
  const digest = hash('sha256', outer, 'buffer')
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80
  const hex = digest.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function blocksOf(key: Buffer): Blocks {
  let blocks = prepared.get(key)
  if (blocks === undefined) {
    blocks = { inner: Buffer.alloc(blockBytes + mostTextBytes, 0x36), outer: Buffer.alloc(blockBytes + 32, 0x5c) }
    for (const [place, byte] of key.entries()) {
      blocks.inner[place] = byte ^ 0x36
      blocks.outer[place] = byte ^ 0x5c
    }
    prepared.set(key, blocks)
  }
  return blocks
}
