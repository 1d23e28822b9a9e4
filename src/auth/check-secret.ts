import { createHash, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Api } from '../http/caller.ts'
import type { Context } from '../http/context.ts'
import { ApiError, invalidCredentials } from '../core/errors.ts'
import { countFailure, readCredentials } from '../clients/queries.ts'

export const Credentials = Type.Object(
  {
    'client-id': Type.String({ minLength: 1 }),
    'client-secret': Type.String({ minLength: 1 }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
        'client-secret': 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
      },
    ],
  },
)

/** Small, since no token is needed to send it. */
export const credentialsBodyLimit = 4 * 1024

/**
 * Resolves with the API of the active client that has the secret.
 * @throws ApiError 401 for a wrong secret or a revoked client, 429 for a client id and address that failed too often.
 */
export type CheckSecret = (clientId: string, secret: string, address: string) => Promise<Api>

/**
 * Opens the check of secrets, with the count of failures that its callers share. The secret is verified first: a right one passes however
 * many wrong ones were sent.
 */
export function openSecretCheck({ database, secrets }: Context): CheckSecret {
  const delayFailure = failureDelay()
  return async (clientId, secret, address) => {
    const bucket = failureBucket(clientId, address)
    const { api, isRevoked, hashes, blockedForSeconds } = await readCredentials(database, clientId, bucket)
    const isRight = await secrets.verify(clientId, hashes, secret)
    if (isRight && !isRevoked && api !== null) return api
    const waitSeconds = blockedForSeconds ?? (await countFailure(database, bucket))
    await delayFailure(address)
    if (waitSeconds === null) throw invalidCredentials(isRight ? 'client-revoked' : 'wrong-secret')
    throw new ApiError('too-many-attempts', {}, { headers: { 'retry-after': String(waitSeconds) } })
  }
}

const promptFailures = 50
const failureDelayMs = { min: 250, max: 1_000 }
const windowMs = 60_000
const maxAddresses = 10_000

/**
 * Delays the response to a wrong secret when its address had many of them in the last minute, so that a flood of guesses does not take
 * the processor from other clients. The delay is random: many connections do not return at the same moment. A right secret is never
 * delayed.
 */
function failureDelay(): (address: string) => Promise<void> {
  let failures = new Map<string, number>()
  let since = Date.now()
  return async (address) => {
    if (Date.now() - since > windowMs || failures.size > maxAddresses) {
      failures = new Map()
      since = Date.now()
    }
    const count = (failures.get(address) ?? 0) + 1
    failures.set(address, count)
    if (count > promptFailures) await pause(randomInt(failureDelayMs.min, failureDelayMs.max))
  }
}

/** One of 2^20 counters of failures, so that their number is bounded. */
function failureBucket(clientId: string, address: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([clientId, address]))
    .digest()
  return digest.readUInt32BE() >>> 12
}
