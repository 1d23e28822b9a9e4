import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { unavailable } from '#platform/core/errors.ts'

/** One of the costs that OWASP recommends, with 32 MiB: a hash takes some 0.1 s of a core. Tests lower it. */
export const cost = { N: 32_768, r: 8, p: 3 }
const maxmem = 64 * 1024 * 1024
const saltLength = 16
const hashLength = 32
const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

// One at a time for people who signed in from the network before or chose their password, and one for all others: two of the four threads of libuv
// stay free for files and DNS. In turn by person, and by network.
const turns = () => new ConcurrencyLimit({ max: 1, reserve: 0, maxWaiting: 100, busy: unavailable })
const [knownTurns, strangerTurns] = [turns(), turns()]

/** Whose turn it is to have a password hashed: that of a person, or of the network of an unknown caller. */
export type Turn = { readonly known: string } | { readonly network: string }

/** Hashes the password in one normal form, whatever keyboard an accent was typed on. */
const derive = (password: string, salt: Buffer, turn: Turn) => {
  const hash = () => scryptAsync(password.normalize('NFKC'), salt, hashLength, { ...cost, maxmem })
  return 'known' in turn ? knownTurns.run(turn.known, hash) : strangerTurns.run(turn.network, hash)
}

/** The stored form of a password: `scrypt$N$r$p$salt$hash`. @throws ApiError 503 when too many wait. */
export async function hashPassword(password: string, personId: string): Promise<string> {
  const salt = randomBytes(saltLength)
  const hash = await derive(password, salt, { known: personId })
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** The hash for an address without a password: it is verified all the same, so that the time of the response discloses nothing. */
const dummyHash = { salt: randomBytes(saltLength), hash: randomBytes(hashLength) }

/** Whether the password is that of the stored form; for null it takes as long. @throws ApiError 503 when too many wait. */
export async function verifyPassword(stored: string | null, password: string, turn: Turn): Promise<boolean> {
  const expected = parse(stored) ?? dummyHash
  const hash = await derive(password, expected.salt, turn)
  return timingSafeEqual(hash, expected.hash) && expected !== dummyHash
}

/** null for another format or other parameters: such a hash never matches. */
function parse(stored: string | null): { salt: Buffer; hash: Buffer } | null {
  const [kind, n, r, p, salt = '', hash = ''] = stored?.split('$') ?? []
  if (kind !== 'scrypt' || n !== String(cost.N) || r !== String(cost.r) || p !== String(cost.p)) return null
  return { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}
