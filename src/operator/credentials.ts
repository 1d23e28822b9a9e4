import { Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { lockClient, insertClient, insertSecret } from '../auth/client-queries.ts'
import type { Role } from '../domain/enums.ts'
import type { Api } from '../http/caller.ts'
import { makeSecret } from '../auth/client-secrets.ts'
import type { Secrets } from '../http/credentials.ts'
import type { Sql } from '../platform/database.ts'
import { ApiError } from '../platform/errors.ts'
import { InvariantError } from '../platform/log.ts'
import { Named } from '../http/schemas.ts'

export const ClientId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'The `client-id` for authentication.',
  examples: ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'],
})

export const ClientParams = Type.Object({ clientId: ClientId })

export const NewSecret = Named(
  'NewSecret',
  Type.Object(
    {
      'client-id': ClientId,
      'client-secret': Type.String({ description: 'Shown only in this response; the service stores a hash.' }),
    },
    {
      examples: [
        {
          'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
          'client-secret': 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
        },
      ],
    },
  ),
)

export interface Credentials {
  'client-id': string
  'client-secret': string
}

/** Inserts a client or an operator with a new id and its first secret. */
export async function createAccount(
  sql: Sql,
  secrets: Secrets,
  account: { kind: Api; name: string; role: Role | null },
): Promise<Credentials> {
  const id = uuidv7()
  const secret = makeSecret()
  const secretHash = secrets.hash(id, secret)
  const isNew = await insertClient(sql, { ...account, id, name: account.name.trim(), secretHash })
  if (!isNew) throw new InvariantError(`client id ${id} exists already`)
  return { 'client-id': id, 'client-secret': secret }
}

/** Inserts a second secret; the older of two is deleted. */
export async function rotateAccount(sql: Sql, secrets: Secrets, api: Api, clientId: string): Promise<Credentials> {
  if (!(await lockClient(sql, api, clientId))) throw noAccount(api)
  const secret = makeSecret()
  await insertSecret(sql, clientId, secrets.hash(clientId, secret))
  return { 'client-id': clientId, 'client-secret': secret }
}

/** 404 for an id that is unknown, belongs to the other API, or is revoked. */
export function noAccount(api: Api): ApiError {
  return new ApiError(404, api === 'partner' ? 'Client not found' : 'Operator not found')
}
