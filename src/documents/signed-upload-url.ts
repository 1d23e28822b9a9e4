import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signed path of an upload: whoever has it may send one file to the slot until it expires. */
export function uploadPath(key: Buffer, documentId: string, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1_000))
  return `/upload/${documentId}?expires=${expires}&signature=${sign(key, documentId, expires)}`
}

/** When the address expires; null when it was not signed by this service, or anything was added to it. */
export function verifyUploadPath(key: Buffer, documentId: string, query: Record<string, unknown>): Date | null {
  const { expires, signature, ...others } = query
  if (typeof expires !== 'string' || typeof signature !== 'string' || Object.keys(others).length > 0) return null
  const given = Buffer.from(signature)
  // The texts are compared, not the bytes they stand for: several texts of base64 stand for the same bytes.
  const right = Buffer.from(sign(key, documentId, expires))
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return new Date(Number(expires) * 1_000)
}

function sign(key: Buffer, documentId: string, expires: string): string {
  return createHmac('sha256', key).update(`${documentId}\n${expires}`).digest('base64url')
}
