import { createHash, createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { replacePrivateFile } from '../demo/profile.ts'
import type { Credentials } from './profiles.ts'

/** A token of an earlier command. */
interface StoredToken {
  readonly token: string
  /** Milliseconds since 1970: a while before it expires, so that it is valid when it arrives. */
  readonly 'renew-at': number
  /** The HMAC of the token with the secret: another secret takes another token. The secret is not stored. */
  readonly proof: string
}

interface FetchedToken {
  readonly 'access-token': string
  readonly 'expires-in': number
}

/** Renewed this long before it expires. */
const margin = 60_000

/** The file of a client of a service. */
function pathOf({ url, 'client-id': clientId }: Credentials): string {
  const { XDG_STATE_HOME, HOME } = process.env
  const base = XDG_STATE_HOME?.startsWith('/') ? XDG_STATE_HOME : join(HOME || homedir(), '.local', 'state')
  const name = createHash('sha256')
    .update(JSON.stringify([url, clientId]))
    .digest('hex')
  return join(base, 'vigencia', 'tokens', `${name}.json`)
}

const proofOf = (token: string, { 'client-secret': secret }: Credentials) =>
  createHmac('sha256', secret).update(token).digest('hex')

/** @returns null for a file that is not there, is of another secret, or that others may read. */
function readToken(credentials: Credentials): StoredToken | null {
  try {
    const path = pathOf(credentials)
    if ((statSync(path).mode & 0o077) !== 0) return null
    const stored = JSON.parse(readFileSync(path, 'utf8')) as StoredToken
    return stored.proof === proofOf(stored.token, credentials) ? stored : null
  } catch {
    return null
  }
}

function writeToken(credentials: Credentials, { 'access-token': token, 'expires-in': seconds }: FetchedToken) {
  const validFor = seconds * 1_000
  const renewAt = Date.now() + validFor - Math.min(margin, validFor / 2)
  const stored: StoredToken = { token, 'renew-at': renewAt, proof: proofOf(token, credentials) }
  try {
    const path = pathOf(credentials)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    replacePrivateFile(path, stored)
  } catch {
    // Without a folder to write to, each command takes a token.
  }
  return stored
}

/** Deletes the token of a client that signs out. */
export function deleteToken(credentials: Credentials): void {
  rmSync(pathOf(credentials), { force: true })
}

/**
 * The token of a client: that of an earlier command until shortly before it expires, then another one. Calls of one process wait for each other;
 * of two processes that take one at once, the later is stored.
 * @param fetchToken asks the service for one. @returns the function of the SDK, which gets the token that was refused.
 */
export function cachedToken(credentials: Credentials, fetchToken: () => Promise<FetchedToken>) {
  let last: Promise<StoredToken | null> = Promise.resolve(null)
  return async (refused: string | null): Promise<string> => {
    const isUsable = (stored: StoredToken | null): stored is StoredToken =>
      stored !== null && stored.token !== refused && Date.now() < stored['renew-at']
    const next = last.then(async (held) => {
      const known = isUsable(held) ? held : readToken(credentials)
      return isUsable(known) ? known : writeToken(credentials, await fetchToken())
    })
    last = next.catch(() => null)
    return (await next).token
  }
}
