import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type CryptoKey } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Cipher } from '../platform/crypto/cipher.ts'
import type { Api } from '../http/caller.ts'
import type { Tokens } from '../http/credentials.ts'
import { openKeyRing } from './signing-keys.ts'

export interface TokensOptions {
  readonly database: Database
  readonly cipher: Cipher
  readonly environment: Config['environment']
  readonly log: Log
  /** Milliseconds since 1970; the machine's clock by default. */
  readonly clock?: () => number
}

interface Verified {
  readonly clientId: string
  readonly api: Api
  /** Milliseconds since 1970. */
  readonly cachedUntil: number
}

const issuer = 'vigencia'
const lifetimeSeconds = 3_600
const leewaySeconds = 60
const maxTokenLength = 4_096
const maxCached = 10_000
const cachedForMs = 5 * 60_000
const apis: readonly Api[] = ['partner', 'operator']

/** Issues and verifies access tokens: ES256 only, for one environment and API, with keys in the database. */
export function openTokens(options: TokensOptions): Tokens {
  const clock = options.clock ?? Date.now
  const keys = openKeyRing({ ...options, clock })
  const cache = openCache()
  const verifying = new Map<string, Promise<Verified | null>>()
  const audience = (api: Api) => `vigencia:${options.environment}:${api}`

  const verifyOnce = (token: string): Promise<Verified | null> => {
    let promise = verifying.get(token)
    if (promise === undefined) {
      promise = check(token).finally(() => verifying.delete(token))
      verifying.set(token, promise)
    }
    return promise
  }
  const check = async (token: string): Promise<Verified | null> => {
    const id = keyIdOf(token)
    const key = id === null ? null : await keys.find(id)
    if (key === null) return null
    const claims = await claimsOf(token, key, apis.map(audience), clock())
    const api = apis.find((one) => claims?.audience === audience(one))
    if (claims === null || api === undefined) return null
    const expires = (claims.expires + leewaySeconds) * 1_000
    const verified = { clientId: claims.subject, api, cachedUntil: Math.min(expires, clock() + cachedForMs) }
    cache.set(token, verified)
    return verified
  }
  return {
    async issue(clientId, api) {
      const { id, key } = await keys.signing()
      const now = Math.floor(clock() / 1_000)
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: id })
        .setIssuer(issuer)
        .setAudience(audience(api))
        .setSubject(clientId)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .setJti(uuidv7())
        .sign(key)
      return { token, expiresInSeconds: lifetimeSeconds }
    },
    async verify(token, api) {
      if (token.length > maxTokenLength) return null
      const known = cache.get(token, clock()) ?? (await verifyOnce(token))
      return known?.api === api ? known.clientId : null
    },
    jwks: async () => ({ keys: await keys.published() }),
    rotate: () => keys.rotate(),
  }
}

/** The `kid` of the token; null when it has none or another algorithm, before any key is read. */
function keyIdOf(token: string): string | null {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    return alg === 'ES256' && typeof kid === 'string' && kid.length <= 100 ? kid : null
  } catch {
    return null
  }
}

async function claimsOf(
  token: string,
  key: CryptoKey,
  audience: string[],
  now: number,
): Promise<{ subject: string; audience: unknown; expires: number } | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      issuer,
      audience,
      clockTolerance: leewaySeconds,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    })
    if (typeof payload.sub !== 'string' || payload.exp === undefined) return null
    return { subject: payload.sub, audience: payload.aud, expires: payload.exp }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** A least-recently-used cache in two generations: a token that was not used while one filled up is dropped. Only verified tokens are cached. */
function openCache() {
  let young = new Map<string, Verified>()
  let old = new Map<string, Verified>()
  const set = (token: string, verified: Verified): void => {
    if (young.size >= maxCached / 2) {
      old = young
      young = new Map()
    }
    young.set(token, verified)
  }
  return {
    set,
    get(token: string, now: number): Verified | null {
      const recent = young.get(token)
      const found = recent ?? old.get(token)
      if (found === undefined) return null
      if (found.cachedUntil <= now) {
        young.delete(token)
        old.delete(token)
        return null
      }
      if (recent === undefined) set(token, found)
      return found
    },
  }
}
