import type { Configuration } from 'openid-client'
import { ROLES, type Role } from '#kernel/enums.ts'
import type { Config } from '#platform/core/config.ts'

/** Why a sign-in at the identity provider failed, for the sign-in page; beside these the codes of API errors. */
type SignInErrorCode = 'identity-provider-unavailable' | 'sign-in-expired' | 'sign-in-refused' | 'sign-in-without-role'

export class SignInError extends Error {
  readonly code: SignInErrorCode

  /** @param cause may hold data of people: log its class and code only. */
  constructor(code: SignInErrorCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

/** What the browser keeps, encrypted, from the begin of a sign-in to its end. */
export interface SignInTransaction {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** A person who has signed in at the provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** null without the claim. */
  readonly name: string | null
  /** null without a claim that names one. */
  readonly role: Role | null
}

export interface IdentityProvider {
  /** The address that the browser is sent to. @throws SignInError when the provider cannot be reached. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly transaction: SignInTransaction }>
  /** Who has signed in. @param callback the address that the browser came back to. @throws SignInError. */
  complete(callback: URL, transaction: SignInTransaction): Promise<Identity>
}

type Settings = Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcRoleClaim' | 'oidcRolePrefix'>

const timeoutSeconds = 10

/**
 * The OpenID Connect provider of the configuration; null when there is none. Authorization code with PKCE, state and nonce. Its metadata are
 * read at the first sign-in, and again after an error; the library is loaded then.
 */
export function openIdentityProvider(settings: Settings): IdentityProvider | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings
  if (issuer === null || clientId === null || clientSecret === null) return null
  const library = () => import('openid-client')

  const discover = async (): Promise<Configuration> => {
    const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks } = await library()
    const isPlain = new URL(issuer).protocol === 'http:'
    const execute = [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])]
    return discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret), {
      execute,
      timeout: timeoutSeconds,
    })
  }
  let discovered: Promise<Configuration> | null = null
  const configuration = async (): Promise<Configuration> => {
    const reading = (discovered ??= discover())
    try {
      return await reading
    } catch (error) {
      if (discovered === reading) discovered = null
      throw new SignInError('identity-provider-unavailable', error)
    }
  }
  return {
    async begin(redirectUri) {
      const metadata = await configuration()
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await library()
      const transaction = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(metadata, {
        redirect_uri: redirectUri,
        scope: 'openid profile',
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await calculatePKCECodeChallenge(transaction.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, transaction }
    },
    async complete(callback, { state, nonce, codeVerifier }) {
      const metadata = await configuration()
      const { authorizationCodeGrant } = await library()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
      try {
        const claims = (await authorizationCodeGrant(metadata, callback, checks)).claims()
        if (claims === undefined) throw new SignInError('sign-in-refused')
        const { iss, sub, name } = claims
        // All accounts of such a provider would be one operator.
        if (sub.trim() === '') throw new SignInError('sign-in-refused')
        return {
          issuer: iss,
          subject: sub,
          name: typeof name === 'string' ? name : null,
          role: roleOf(claims[settings.oidcRoleClaim], settings.oidcRolePrefix ?? ''),
        }
      } catch (error) {
        throw error instanceof SignInError ? error : new SignInError(await codeOf(error), error)
      }
    },
  }
}

/** The first of the roles, the most powerful first, that the claim names. */
function roleOf(claim: unknown, prefix: string): Role | null {
  const named = [claim].flat()
  return ROLES.find((role) => named.includes(prefix + role)) ?? null
}

/** Errors of an ID token, not of the connection to the provider. */
const refusals = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])

async function codeOf(error: unknown): Promise<SignInErrorCode> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await import('openid-client')
  if (error instanceof AuthorizationResponseError) {
    const isAway = ['temporarily_unavailable', 'server_error'].includes(error.error)
    return isAway ? 'identity-provider-unavailable' : 'sign-in-refused'
  }
  // The code was used before, or is too old.
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return 'sign-in-expired'
  const isRefusal = error instanceof ClientError && refusals.has(error.code ?? '')
  return isRefusal ? 'sign-in-refused' : 'identity-provider-unavailable'
}
