import { errors, jwtVerify, SignJWT } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '#platform/core/config.ts'
import type { Api } from '#platform/http/caller.ts'
import type { TokenError, Tokens } from '#platform/http/credentials.ts'
import { type KeyRingOptions, openKeyRing } from './signing-keys.ts'

export interface TokensOptions extends Omit<KeyRingOptions, 'clock'> {
  readonly environment: Config['environment']
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
/** A signature of ES256 has 64 bytes; other texts of the same bytes (padding, unused bits of the last character) are refused. */
const compactToken = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/
const maxCached = 10_000
const cachedForMs = 5 * 60_000
const invalidToken: TokenError = { code: 'token-invalid' }
const apis: readonly Api[] = ['partner', 'operator']

/** Issues and verifies access tokens: ES256 only, for one environment and API, with keys in the database. */
export function openTokens(options: TokensOptions): Tokens {
  const clock = options.clock ?? Date.now
  const keys = openKeyRing({ ...options, clock })
  /** Verified tokens, the oldest first. */
  const cache = new Map<string, Verified>()
  const verifying = new Map<string, Promise<Verified | TokenError>>()
  const audience = (api: Api) => `vigencia:${options.environment}:${api}`

  const findKey = async ({ kid }: { kid?: string }) => {
    const key = kid === undefined ? null : await keys.find(kid)
    if (key === null) throw new errors.JWKSNoMatchingKey()
    return key
  }
  const check = async (token: string): Promise<Verified | TokenError> => {
    if (!compactToken.test(token)) return invalidToken
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: ['ES256'],
        issuer,
        audience: apis.map(audience),
        clockTolerance: leewaySeconds,
        currentDate: new Date(clock()),
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
      })
      const { sub: clientId, aud, exp = 0 } = payload
      const api = apis.find((api) => aud === audience(api))
      if (typeof clientId !== 'string' || api === undefined) return invalidToken
      const expires = (exp + leewaySeconds) * 1_000
      return { clientId, api, cachedUntil: Math.min(expires, clock() + cachedForMs) }
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { code: 'token-expired' }
      if (error instanceof errors.JOSEError) return invalidToken
      throw error
    }
  }
  const checkAndCache = async (token: string): Promise<Verified | TokenError> => {
    const verified = await check(token)
    if ('code' in verified) return verified
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? '')
    cache.set(token, verified)
    return verified
  }
  /** Concurrent calls with one token share its verification. */
  const verifyOnce = (token: string): Promise<Verified | TokenError> => {
    const promise = verifying.get(token) ?? checkAndCache(token).finally(() => verifying.delete(token))
    verifying.set(token, promise)
    return promise
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
      if (token.length > maxTokenLength) return invalidToken
      const cached = cache.get(token)
      const known = cached !== undefined && cached.cachedUntil > clock() ? cached : await verifyOnce(token)
      if ('code' in known) return known
      return known.api === api ? known.clientId : { code: 'wrong-api' }
    },
    jwks: async () => ({ keys: await keys.published() }),
    rotate: () => keys.rotate(),
  }
}
