import { route } from '#platform/http/route.ts'
import { json } from '#platform/http/bodies.ts'
import { Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { isAnotherAdminActive, lockAdmins, lockClient, readOperator, updateRole } from '../clients/queries.ts'
import { deleteSessionsOfOperator } from '../sessions/queries.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import { type Role, ROLES } from '#kernel/enums.ts'
import { readRole } from '#platform/core/access.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, errorResponses, Name, Named, OneOf, Text, Timestamp } from '#platform/http/schemas.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import {
  accountRoutes,
  ClientId,
  ClientParams,
  createAccount,
  NewSecret,
  noAccount,
  SecretTimes,
} from '../clients/accounts.ts'

const OperatorItem = Named(
  'Operator',
  Type.Object({
    'client-id': ClientId,
    name: Text,
    role: OneOf(ROLES),
    'created-at': Timestamp,
    'is-person': Type.Boolean({
      description:
        'Whether it is a person, who signs in with an e-mail address: it is changed at `/operator/v1/person`.',
    }),
    secrets: SecretTimes,
  }),
)

/** `/operator/v1/operator`: the operators and their roles. */
export async function operatorAccountRoutes(app: App, context: Context): Promise<void> {
  const { database, secrets } = context
  route(app, {
    method: 'POST',
    url: '/operator/v1/operator',
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'createOperator',
      'x-sdk': 'operators.create',
      'x-cli': {
        command: 'operator create',
        arguments: ['name'],
        examples: { 'operator create "Ana Prado" --role analyst': 'reads and resolves movements' },
        fields: ['client-id', 'client-secret'],
        message: 'The secret is shown this once.',
      },
      summary: 'Create an operator',
      description:
        '`admin` may do everything; `analyst` reads companies and works on movements, members, documents and imports; `finance` reads ' +
        'companies and works on invoices; `auditor` reads everything and writes nothing. The secret is shown only in this response.',
      response: { 200: NewSecret },
    },
    body: json(Closed({ name: Name, role: OneOf(ROLES) }, { examples: [{ name: 'Movements desk', role: 'analyst' }] })),
    handler: async (request) => {
      const { name, role } = request.body
      return write({ database }, callerOf(request), { may: [] }, async (sql) => {
        const account = await createAccount(sql, secrets, { kind: 'operator', name, role })
        sql.audit({ action: 'operator.created', target: account['client-id'], companyId: null })
        return account
      })
    },
  })
  accountRoutes(app, context, {
    api: 'operator',
    noun: 'operator',
    list: {
      operationId: 'listOperators',
      'x-sdk': 'operators.list',
      'x-cli': {
        command: 'operator list',
        examples: { 'operator list --where role=admin': 'those who may do everything' },
        columns: { 'CLIENT-ID': 'client-id', NAME: 'name', ROLE: 'role', 'CREATED-AT': 'created-at' },
      },
      summary: 'List the operators',
      description: 'Without removed operators, oldest first. Secrets are never shown.',
      response: { 200: PageOf(OperatorItem) },
    },
    revoke: {
      operationId: 'removeOperator',
      'x-sdk': 'operators.remove',
      'x-cli': {
        command: 'operator remove',
        examples: {
          'operator remove 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --dry-run': 'shows whose access would end',
          'operator remove 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --yes':
            'cannot be undone; in a terminal it asks without --yes',
        },
        irreversible: {
          sentence: '{client-id} would be removed: its tokens end immediately, which cannot be undone.',
          look: 'listOperators',
        },
        result: { 'client-id': '{client-id}', removed: true },
        message: 'Operator {client-id} is removed.',
      },
      summary: 'Remove an operator',
      description: 'Takes effect at once: the next call with one of its tokens is refused. 409 for the last admin.',
      response: { 204: Type.Null({ description: 'Removed.' }), ...errorResponses('operator-not-found', 'last-admin') },
    },
    revoked: 'operator.removed',
    checkRevocation: (sql, clientId) => lockRole(sql, clientId, false),
    mayList: ['analyst', 'auditor'],
    rotate: {
      operationId: 'rotateOperatorSecret',
      'x-sdk': 'operators.rotateSecret',
      summary: 'Rotate the secret of an operator',
    },
    endFormer: {
      operationId: 'endFormerOperatorSecret',
      'x-sdk': 'operators.endFormerSecret',
      summary: 'End the former secret of an operator',
    },
  })
  roleRoute(app, context)
  endSessionsRoute(app, context)
}

function roleRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'PUT',
    url: '/operator/v1/operator/:clientId/role',
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'changeOperatorRole',
      'x-sdk': 'operators.changeRole',
      'x-cli': {
        command: 'operator role',
        examples: {
          'operator role 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --role finance': 'works on invoices from now on',
        },
      },
      summary: 'Change the role of an operator',
      description: 'Takes effect at once: at the next call with one of its tokens. 409 for the last admin.',
      params: ClientParams,
      response: {
        200: Type.Object({ result: OperatorItem }),
        ...errorResponses('operator-not-found', 'last-admin'),
      },
    },
    body: json(Closed({ role: OneOf(ROLES) }, { examples: [{ role: 'finance' }] })),
    handler: async (request, reply) => {
      const { clientId } = request.params
      const { role } = request.body
      const lock = async (sql: Sql) => {
        const current = await lockRole(sql, clientId, role === 'admin')
        // Waits for writes of the operator, so that the time of the audit rows is after theirs.
        if (!(await lockClient(sql, 'operator', clientId))) throw noAccount('operator')
        return current
      }
      const item = await write({ database }, callerOf(request), { may: [], lock }, async (sql, current) => {
        const row = (action: AuditAction) => ({ action, target: clientId, companyId: null })
        if (current !== role) sql.audit([row('operator.role-changed'), row(`operator.became-${role}`)])
        await updateRole(sql, clientId, role)
        return readOperator(sql, clientId)
      })
      return sendJson(reply, `{"result":${item}}`)
    },
  })
}

function endSessionsRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'DELETE',
    url: '/operator/v1/operator/:clientId/session',
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'endOperatorSessions',
      'x-sdk': 'operators.endSessions',
      'x-cli': {
        command: 'operator end-sessions',
        examples: {
          'operator end-sessions 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'after a rotation, or when a device is lost',
        },
        result: { 'client-id': '{client-id}', ended: true },
        message: 'The sessions of operator {client-id} have ended.',
      },
      summary: 'End the sessions of an operator',
      description:
        'Signs an operator out of all browsers at once, for example when a device is lost or after its secret was rotated. An `admin` may ' +
        'do it for every operator, the others for themselves. Tokens stay valid until they expire.',
      params: Type.Object({ clientId: ClientId }),
      response: {
        204: Type.Null({ description: 'Ended; also when there were none.' }),
        ...errorResponses('role-not-allowed', 'operator-not-found'),
      },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const caller = callerOf(request)
      await write({ database }, caller, { may: clientId === caller.clientId ? ROLES : [] }, async (sql) => {
        if ((await readRole(sql, clientId)) === null) throw noAccount('operator')
        await deleteSessionsOfOperator(sql, clientId)
        sql.audit({ action: 'operator.sessions-ended', target: clientId, companyId: null })
      })
      return reply.status(204).send(null)
    },
  })
}

/**
 * Locks the roles until the transaction ends: two admins cannot remove or demote each other at the same time.
 * @param staysAdmin whether the operator is an admin afterwards.
 * @returns the role of the operator. @throws ApiError 404 when there is none, 409 when no admin would be left.
 */
async function lockRole(sql: Sql, clientId: string, staysAdmin: boolean): Promise<Role> {
  await lockAdmins(sql)
  const role = await readRole(sql, clientId)
  if (role === null) throw noAccount('operator')
  if (role === 'admin' && !staysAdmin && !(await isAnotherAdminActive(sql, clientId))) throw new ApiError('last-admin')
  return role
}
