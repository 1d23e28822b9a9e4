import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { openSemaphore } from '../core/semaphore.ts'

/** One of the costs that OWASP recommends, with 32 MiB: a hash takes some 0.1 s of a core. Tests lower it. */
export const cost = { N: 32_768, r: 8, p: 3 }
const maxmem = 64 * 1024 * 1024
const saltLength = 16
const hashLength = 32
const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

// One at a time, so that the other threads of libuv stay free for files and DNS. Who waits longer than 100 of them is told so.
const runs = openSemaphore(1, 100)

/** Of one form, whatever keyboard an accent was typed on. */
const derive = (password: string, salt: Buffer) =>
  runs.run(() => scryptAsync(password.normalize('NFKC'), salt, hashLength, { ...cost, maxmem }))

/** The stored form of a password: `scrypt$N$r$p$salt$hash`. @throws ApiError 503 when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength)
  const hash = await derive(password, salt)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Of an address without a password: it is verified all the same, so that the time of the response tells nothing. */
const nobody = { salt: randomBytes(saltLength), hash: randomBytes(hashLength) }

/** Whether the password is that of the stored form; for null it takes as long. @throws ApiError 503 when too many wait. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const expected = parse(stored) ?? nobody
  const hash = await derive(password, expected.salt)
  return timingSafeEqual(hash, expected.hash) && expected !== nobody
}

/** null for another format or other parameters: such a hash never matches. */
function parse(stored: string | null): { salt: Buffer; hash: Buffer } | null {
  const [kind, n, r, p, salt = '', hash = ''] = stored?.split('$') ?? []
  if (kind !== 'scrypt' || n !== String(cost.N) || r !== String(cost.r) || p !== String(cost.p)) return null
  return { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}
