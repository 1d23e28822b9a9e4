import { createHmac, createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

// Preparing a key costs several times what the hash does.
const prepared = new WeakMap<Buffer, KeyObject>()

/**
 * The id of a person: a UUIDv8 made from a keyed hash of the CPF, which tells neither the CPF nor when the person was
 * first seen (contract, identifiers). The bytes of `key` must not change afterwards. `n` is 0 for whoever bears the CPF first in a company, then 1, 2, ...
 */
export function memberId(key: Buffer, taxId: string, n: number): string {
  let secret = prepared.get(key)
  if (secret === undefined) prepared.set(key, (secret = createSecretKey(key)))
  const hash = createHmac('sha256', secret).update(`${taxId}:${n}`).digest()
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
