import type { Secrets } from '#platform/http/credentials.ts'
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { deriveKey } from '#platform/core/crypto/derive-key.ts'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'
import { openSemaphore } from '#platform/core/semaphore.ts'

const cost = { N: 16_384, r: 8, p: 1 }
const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const derive = (secret: string, salt: Buffer) => scryptAsync(secret, salt, hashLength, cost)
const saltLength = 16
const hashLength = 32
const maxSecretLength = 1_000
const hmacPrefix = 'hmac-sha256$'

/** A new secret: 32 random bytes, 43 characters. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** @param masterKey the key of the HMACs is derived from it: under another master key no stored HMAC matches. */
export function openSecrets(masterKey: Buffer): Secrets {
  const key = deriveKey(masterKey, 'client-secret')
  // With the client id, so that a hash copied to another client's row does not match there.
  const hmacOf = (clientId: string, secret: string) => hmacSha256(key).update(`${clientId}\0${secret}`).digest()
  /** HMACs of secrets by their scrypt hash, once verified: wrong secrets are then rejected without scrypt, which an attacker could keep busy. */
  const knownHmacs = new Map<string, Buffer>()
  // One at a time, so that the other threads of libuv stay free for files and DNS.
  const scryptRuns = openSemaphore(1, Number.POSITIVE_INFINITY)

  const matchesHmac = (stored: string, hmac: Buffer): boolean => {
    const expected = stored.startsWith(hmacPrefix)
      ? Buffer.from(stored.slice(hmacPrefix.length), 'base64url')
      : knownHmacs.get(stored)
    return expected?.length === hmac.length && timingSafeEqual(expected, hmac)
  }
  const matchesScrypt = async (stored: string, secret: string, hmac: Buffer): Promise<boolean> => {
    const expected = parseScrypt(stored)
    if (expected === null) return false
    if (!knownHmacs.has(stored)) {
      if (!timingSafeEqual(await derive(secret, expected.salt), expected.hash)) return false
      knownHmacs.set(stored, hmac)
    }
    return matchesHmac(stored, hmac)
  }
  return {
    hash: (clientId, secret) => `${hmacPrefix}${hmacOf(clientId, secret).toString('base64url')}`,
    async hashChosen(clientId, secret) {
      const salt = randomBytes(saltLength)
      const hash = await derive(secret, salt)
      const stored = `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
      knownHmacs.set(stored, hmacOf(clientId, secret))
      return stored
    },
    async verify(clientId, hashes, secret) {
      if (secret.length > maxSecretLength) return false
      const hmac = hmacOf(clientId, secret)
      if (hashes.some((stored) => matchesHmac(stored, hmac))) return true
      const unknown = hashes.filter((stored) => parseScrypt(stored) !== null && !knownHmacs.has(stored))
      if (unknown.length === 0) return false
      return scryptRuns.run(async () => {
        for (const stored of unknown) if (await matchesScrypt(stored, secret, hmac)) return true
        return false
      })
    },
  }
}

/** null for another format or other parameters: such a hash never matches. */
function parseScrypt(stored: string): { salt: Buffer; hash: Buffer } | null {
  const parts = stored.split('$')
  const [kind, n, r, p, saltText = '', hashText = ''] = parts
  if (parts.length !== 6 || kind !== 'scrypt') return null
  if (n !== String(cost.N) || r !== String(cost.r) || p !== String(cost.p)) return null
  const salt = Buffer.from(saltText, 'base64url')
  const hash = Buffer.from(hashText, 'base64url')
  return salt.length === saltLength && hash.length === hashLength ? { salt, hash } : null
}
