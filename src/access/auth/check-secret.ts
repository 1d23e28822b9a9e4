import { Type } from 'typebox'
import type { Api } from '#platform/http/caller.ts'
import type { Context } from '#platform/http/context.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import { readCredentials } from '../clients/queries.ts'
import type { Failures } from './failures.ts'

export const secretExample = {
  'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  'client-secret': 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
}

export const Credentials = Type.Object(
  {
    'client-id': Type.String({ minLength: 1 }),
    'client-secret': Type.String({ minLength: 1 }),
  },
  {
    additionalProperties: false,
    examples: [secretExample],
  },
)

/** Small, since no token is needed to send it. */
export const credentialsBodyLimit = 4 * 1024

/**
 * Resolves with the API of the active client that has the secret.
 * @throws ApiError 401 for a wrong secret or a revoked client, 429 for a client id and address that failed too often.
 */
export type CheckSecret = (clientId: string, secret: string, address: string) => Promise<Api>

/** Opens the check of secrets. The secret is verified first: a right one passes however many wrong ones were sent. */
export function openSecretCheck({ database, secrets }: Context, failures: Failures): CheckSecret {
  return async (clientId, secret, address) => {
    const bucket = failures.bucketOf(clientId, address)
    const { api, isRevoked, hashes, blockedForSeconds } = await readCredentials(database, clientId, bucket)
    const isRight = await secrets.verify(clientId, hashes, secret)
    if (isRight && !isRevoked && api !== null) return api
    const error = invalidCredentials(isRight ? 'client-revoked' : 'wrong-secret')
    throw await failures.count({ bucket, address, blockedForSeconds, error })
  }
}
