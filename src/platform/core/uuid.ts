import { randomBytes, randomInt } from 'node:crypto'

const bytesOfId = 16
const counterRange = 2 ** 26

/**
 * Makes UUIDv7 in ascending order (RFC 9562, section 6.2, with a counter of 26 bits that begins at random) in one call, three times
 * as fast as one by one.
 * @param count at most 2^25.
 */
export function idsInOrder(count: number, milliseconds = Date.now()): string[] {
  const bytes = randomBytes(bytesOfId * count)
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
export function idTexts(bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  return Array.from({ length: bytes.length / bytesOfId }, (_, n) => {
    const id = hex.slice(2 * bytesOfId * n, 2 * bytesOfId * (n + 1))
    return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
  })
}

/** The smallest UUIDv7 of an instant; ids made before it are smaller. */
export function firstIdOf(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
