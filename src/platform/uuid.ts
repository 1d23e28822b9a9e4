import { randomBytes, randomInt } from 'node:crypto'

const digits = Buffer.from('0123456789abcdef', 'latin1')
const bytesOfId = 16
const lettersOfId = 36
/** The bytes that have a hyphen before them. */
const hyphens: ReadonlySet<number> = new Set([4, 6, 8, 10])
const counterRange = 2 ** 26

/**
 * Makes UUIDv7 in ascending order (RFC 9562, section 6.2, with a counter of 26 bits that begins at random) in one call, three times
 * as fast as one by one.
 * @param count at most 2^25.
 */
export function idsInOrder(count: number): string[] {
  const bytes = randomBytes(bytesOfId * count)
  const milliseconds = Date.now()
  const begin = randomInt(counterRange / 2)
  for (let n = 0; n < count; n += 1) {
    const at = bytesOfId * n
    const counter = begin + n
    bytes.writeUIntBE(milliseconds, at, 6)
    bytes.writeUInt16BE(0x7000 | (counter >>> 14), at + 6)
    bytes.writeUInt16BE(0x8000 | (counter & 0x3fff), at + 8)
  }
  return idTexts(bytes)
}

/** The texts of UUIDs from their concatenated bytes. */
export function idTexts(bytes: Uint8Array): string[] {
  const count = bytes.length / bytesOfId
  const letters = Buffer.allocUnsafe(lettersOfId * count)
  let to = 0
  for (let from = 0; from < bytes.length; from += 1) {
    if (hyphens.has(from % bytesOfId)) letters[to++] = 0x2d
    const byte = bytes[from] as number
    letters[to++] = digits[byte >>> 4] as number
    letters[to++] = digits[byte & 15] as number
  }
  const text = letters.toString('latin1')
  return Array.from({ length: count }, (_, n) => text.slice(lettersOfId * n, lettersOfId * (n + 1)))
}
