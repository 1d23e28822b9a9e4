import { timingSafeEqual } from 'node:crypto'
import { DIGESTS, type Digest } from '#kernel/mail.ts'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'

/* The link in a mail that ends its kind for its person: it needs no sign-in, and does nothing else. */

export interface Stop {
  readonly personId: string
  readonly kind: Digest
}

const signatureOf = (key: Buffer, text: string): Buffer => hmacSha256(key).update(`stop ${text}`).digest()

/** `PERSON.KIND.SIGNATURE`. It has no end: also the link of an old mail must work. */
export function stopToken(key: Buffer, { personId, kind }: Stop): string {
  const text = `${personId}.${kind}`
  return `${text}.${signatureOf(key, text).toString('base64url')}`
}

/** What a token ends; null for one that the service did not sign. */
export function readStopToken(key: Buffer, token: string): Stop | null {
  const [, text, personId = '', kind, signature = ''] =
    /^(([0-9a-f-]{36})\.([a-z-]{1,40}))\.([\w-]{43})$/.exec(token) ?? []
  const found = DIGESTS.find((digest) => digest === kind)
  if (text === undefined || found === undefined) return null
  const isRight = timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(key, text))
  return isRight ? { personId, kind: found } : null
}
