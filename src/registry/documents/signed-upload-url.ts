import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'

/** The signed path of an upload; it authorizes one file for the slot until it expires. */
export function uploadPath(key: Buffer, documentId: string, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1_000))
  return `/upload/${documentId}?expires=${expires}&signature=${sign(key, documentId, expires)}`
}

/** The time when the URL expires; null when the signature does not match or the URL was changed. */
export function verifyUploadPath(key: Buffer, documentId: string, query: Record<string, unknown>): Date | null {
  const { expires, signature, ...others } = query
  if (typeof expires !== 'string' || typeof signature !== 'string' || Object.keys(others).length > 0) return null
  // Compared as base64 text: different texts may decode to the same bytes.
  const actual = Buffer.from(signature)
  const expected = Buffer.from(sign(key, documentId, expires))
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null
  return new Date(Number(expires) * 1_000)
}

function sign(key: Buffer, documentId: string, expires: string): string {
  return hmacSha256(key).update(`${documentId}\n${expires}`).digest('base64url')
}
