import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'
import { storedKey } from '#platform/core/crypto/stored-keys.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Context } from '#platform/http/context.ts'
import { insertCompletedSignIn } from '../sessions/queries.ts'

const validMs = 5 * 60_000
const [randomLength, timeLength, macLength] = [16, 6, 32]
const headLength = randomLength + timeLength

/** What a challenge is for: a sign-in, or a new passkey of one person. */
export type Purpose = 'sign-in' | `registration ${string}`

type Keys = Pick<Context, 'database' | 'cipher'>

/**
 * A challenge that says by itself until when it is valid: random bytes, the time, and an HMAC of both. Any client may ask for one, so none is stored
 * until it was used.
 */
export async function makeChallenge(keys: Keys, purpose: Purpose, now = Date.now()): Promise<Buffer<ArrayBuffer>> {
  const head = Buffer.concat([randomBytes(randomLength), Buffer.alloc(timeLength)])
  head.writeUIntBE(now + validMs, randomLength, timeLength)
  return Buffer.concat([head, await macOf(keys, purpose, head)])
}

/** Whether the service made the challenge for this, less than five minutes ago. @param challenge in base64url. */
export async function isValidChallenge(
  keys: Keys,
  purpose: Purpose,
  challenge: string,
  now = Date.now(),
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== headLength + macLength) return false
  const head = bytes.subarray(0, headLength)
  if (!timingSafeEqual(bytes.subarray(headLength), await macOf(keys, purpose, head))) return false
  return head.readUIntBE(randomLength, timeLength) > now
}

/** Notes that a valid challenge was used. @returns false when it was used before. */
export async function useChallenge(sql: Sql, challenge: string): Promise<boolean> {
  const hash = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest()
  return insertCompletedSignIn(sql, hash, new Date(Date.now() + validMs))
}

async function macOf({ database, cipher }: Keys, purpose: Purpose, head: Buffer): Promise<Buffer> {
  const key = await storedKey(database, cipher, 'passkey-challenge')
  return hmacSha256(key).update(`${purpose}\0`).update(head).digest()
}
