import { route } from '#platform/http/route.ts'
import { Type, type TSchema } from 'typebox'
import type { FastifySchema } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { write } from '#platform/core/write.ts'
import { deleteFormerSecret, insertClient, insertSecret, listClients, lockClient, revokeClient } from './queries.ts'
import { makeSecret } from './secrets.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { Role } from '#kernel/enums.ts'
import type { Api } from '#platform/http/caller.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import type { Secrets } from '#platform/http/credentials.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, errorResponses, Named, Nullable, pageBounds, pageQuery, Timestamp } from '#platform/http/schemas.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { InvariantError } from '#platform/core/log.ts'

const exampleId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

export const ClientId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'The `client-id` for authentication.',
  examples: [exampleId],
})

export const ClientParams = Type.Object({ clientId: ClientId })

/** The valid secrets of a client or an operator. */
export const SecretTimes = Type.Array(
  Type.Object({
    'created-at': Timestamp,
    'ends-at': Nullable(
      Type.String({
        ...Timestamp,
        description: 'Of the former secret, once the client has rotated it; null: it ends at the next rotation.',
      }),
    ),
  }),
  {
    maxItems: 2,
    description: 'The valid secrets, the oldest first: two after a rotation, until the former one is ended.',
  },
)

export const NewSecret = Named(
  'NewSecret',
  Type.Object({
    'client-id': ClientId,
    'client-secret': Type.String({ description: 'Shown only in this response; the service stores a hash.' }),
  }),
)

/** Inserts a client or an operator with a new id and its first secret. */
export async function createAccount(
  sql: Sql,
  secrets: Secrets,
  account: { kind: Api; name: string; role: Role | null },
): Promise<{ 'client-id': string; 'client-secret': string }> {
  const id = uuidv7()
  const secret = makeSecret()
  const secretHash = secrets.hash(id, secret)
  const isNew = await insertClient(sql, { ...account, id, name: account.name.trim(), secretHash })
  if (!isNew) throw new InvariantError(`client id ${id} exists already`)
  return { 'client-id': id, 'client-secret': secret }
}

/** 404 for an id that is unknown, belongs to the other API, or is revoked. */
export function noAccount(api: Api): ApiError {
  return new ApiError(api === 'partner' ? 'client-not-found' : 'operator-not-found')
}

type Described = Pick<FastifySchema, 'operationId' | 'summary' | 'description' | 'x-sdk' | 'x-cli'>

/** What differs between the clients of partners and the operators. */
interface Accounts {
  readonly api: Api
  /** In paths, texts and audit actions. */
  readonly noun: 'client' | 'operator'
  readonly list: Described & { response: { 200: TSchema } }
  /** The roles that may list them, beside `admin`. */
  readonly mayList: readonly Role[]
  readonly revoke: Described & { response: Record<number, TSchema> }
  /** The audit action of a revocation. */
  readonly revoked: AuditAction
  /** Before the revocation, in its transaction. @throws ApiError when the account cannot be revoked. */
  readonly checkRevocation?: (sql: Sql, clientId: string) => Promise<unknown>
  readonly rotate: Described
  readonly endFormer: Described
}

/** The routes that list and revoke the accounts of an API, and rotate their secrets. */
export function accountRoutes(app: App, { database, secrets }: Context, accounts: Accounts): void {
  const { api, noun } = accounts
  const lockAccount = (clientId: string) => async (sql: Sql) => {
    if (!(await lockClient(sql, api, clientId))) throw noAccount(api)
  }
  route(app, {
    method: 'GET',
    url: `/operator/v1/${noun}`,
    api: 'operator',
    roles: accounts.mayList,
    schema: { ...accounts.list, querystring: Closed(pageQuery) },
    handler: async (request, reply) => {
      const page = await listClients(database, api, pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })

  route(app, {
    method: 'DELETE',
    url: `/operator/v1/${noun}/:clientId`,
    api: 'operator',
    roles: [],
    schema: { ...accounts.revoke, params: ClientParams },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const lock = async (sql: Sql) => {
        await accounts.checkRevocation?.(sql, clientId)
        // Waits for writes of the account, so that the time of the audit row is after theirs.
        await lockAccount(clientId)(sql)
      }
      await write({ database }, callerOf(request), { may: [], lock }, async (tx) => {
        tx.audit({ action: accounts.revoked, target: clientId, companyId: null })
        await revokeClient(tx, clientId)
      })
      return reply.status(204).send(null)
    },
  })

  route(app, {
    method: 'POST',
    url: `/operator/v1/${noun}/:clientId/rotate-secret`,
    api: 'operator',
    roles: [],
    schema: {
      ...accounts.rotate,
      'x-cli': {
        command: `${noun} rotate`,
        examples: { [`${noun} rotate ${exampleId}`]: 'the present one stays valid until the next rotation' },
        fields: ['client-id', 'client-secret'],
        message: `The secret is shown this once. The secret before it works until the next rotation, or until: vigencia ${noun} end-former {client-id}`,
      },
      description:
        `The ${noun} then has two valid secrets, the current and the new one; a secret from before the current one is no longer valid. ` +
        'The new secret is shown only in this response.',
      params: ClientParams,
      response: { 200: NewSecret, ...errorResponses(`${noun}-not-found`) },
    },
    handler: async (request) => {
      const { clientId } = request.params
      const secret = makeSecret()
      await write({ database }, callerOf(request), { may: [], lock: lockAccount(clientId) }, async (tx) => {
        await insertSecret(tx, clientId, secrets.hash(clientId, secret))
        tx.audit({ action: `${noun}.secret-rotated`, target: clientId, companyId: null })
      })
      return { 'client-id': clientId, 'client-secret': secret }
    },
  })

  route(app, {
    method: 'DELETE',
    url: `/operator/v1/${noun}/:clientId/former-secret`,
    api: 'operator',
    roles: [],
    schema: {
      ...accounts.endFormer,
      'x-cli': {
        command: `${noun} end-former`,
        examples: { [`${noun} end-former ${exampleId}`]: 'after a rotation, once the new secret is in use' },
        result: { 'client-id': '{client-id}', 'former-secret-ended': true },
        message: 'Only the newest secret of {client-id} is valid.',
      },
      description:
        `The older of two secrets is not valid from now on: do it once the ${noun} authenticates with the new one. Tokens that were issued for ` +
        'it are valid until they expire.',
      params: ClientParams,
      response: {
        204: Type.Null({ description: 'Only the newest secret is valid.' }),
        ...errorResponses(`${noun}-not-found`, 'no-former-secret'),
      },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      await write({ database }, callerOf(request), { may: [], lock: lockAccount(clientId) }, async (tx) => {
        if (!(await deleteFormerSecret(tx, clientId))) throw new ApiError('no-former-secret')
        tx.audit({ action: `${noun}.former-secret-ended`, target: clientId, companyId: null })
      })
      return reply.status(204).send(null)
    },
  })
}
