import type { CodeOf } from '#kernel/error-codes.ts'
import type { Api } from './caller.ts'

export interface TokenError {
  readonly code: CodeOf<401>
}

/** Issues and verifies access tokens. */
export interface Tokens {
  issue(clientId: string, api: Api): Promise<{ token: string; expiresInSeconds: number }>
  /** The client id, or why this API does not accept the token. Whether the client is active is read with the data. */
  verify(token: string, api: Api): Promise<string | TokenError>
  jwks(): Promise<{ keys: object[] }>
  /** Publishes a new signing key at once and uses it five minutes later; tokens of the old one stay valid until they expire. */
  rotate(): Promise<void>
}

/** Hashes and verifies the secrets of clients and operators. */
export interface Secrets {
  /** The stored form of a secret that the service made: an HMAC, because 32 random bytes cannot be guessed. */
  hash(clientId: string, secret: string): string
  /** The stored form of a secret that a person chose: salted scrypt, `scrypt$N$r$p$salt$hash`. */
  hashChosen(clientId: string, secret: string): Promise<string>
  /** Whether the secret is one of those stored for the client. Takes microseconds, except at the first use of a chosen secret. */
  verify(clientId: string, hashes: readonly string[], secret: string): Promise<boolean>
}
