import { hmacSha256 } from '#platform/core/crypto/hmac.ts'
import { idTexts } from '#platform/core/uuid.ts'

const idBytes = 16

/**
 * The id of a person: a UUIDv8 made from an HMAC of the CPF, which discloses neither the CPF nor when the person was first seen.
 * `n` is 0 for the first person of a CPF in a company, then 1, 2, ... The bytes of `key` must not change afterwards.
 */
export function memberIds(key: Buffer, taxIds: readonly string[], n: number): string[] {
  const bytes = Buffer.allocUnsafe(idBytes * taxIds.length)
  for (const [index, taxId] of taxIds.entries()) {
    const id = bytes.subarray(idBytes * index, idBytes * (index + 1))
    hmacSha256(key).update(`${taxId}:${n}`).digest().copy(id)
    id[6] = ((id[6] as number) & 0x0f) | 0x80
    id[8] = ((id[8] as number) & 0x3f) | 0x80
  }
  return idTexts(bytes)
}
