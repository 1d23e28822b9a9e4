import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const cost = { N: 16_384, r: 8, p: 1 }
const saltLength = 16
const hashLength = 32
const longestSecret = 1_000
const liveSecrets = 2

/** A new secret: 32 random bytes, 43 characters. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a secret: `scrypt$N$r$p$salt$hash`. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(saltLength)
  const hash = await derive(secret, salt)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether the secret is one of those hashed. A refusal always costs as much as two live secrets do, so that its time does not
 * tell whether the client exists.
 */
export async function verifyAgainst(hashes: readonly string[], secret: string): Promise<boolean> {
  if (secret.length > longestSecret) return false
  let derived = 0
  for (const stored of hashes) {
    const expected = readHash(stored)
    if (expected === null) continue
    derived += 1
    if (timingSafeEqual(await derive(secret, expected.salt), expected.hash)) return true
  }
  for (; derived < liveSecrets; derived += 1) await derive(secret, noSalt)
  return false
}

const noSalt = Buffer.alloc(saltLength)

/** null for what this program did not write: a hash with other parameters is a wrong one, however cheap or dear. */
function readHash(stored: string): { salt: Buffer; hash: Buffer } | null {
  const parts = stored.split('$')
  const [kind, n, r, p, saltText = '', hashText = ''] = parts
  if (parts.length !== 6 || kind !== 'scrypt') return null
  if (n !== String(cost.N) || r !== String(cost.r) || p !== String(cost.p)) return null
  const salt = Buffer.from(saltText, 'base64url')
  const hash = Buffer.from(hashText, 'base64url')
  return salt.length === saltLength && hash.length === hashLength ? { salt, hash } : null
}

function derive(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, hashLength, cost, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
