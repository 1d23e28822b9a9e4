import { Type } from 'typebox'
import { readRole } from '../http/active-client.ts'
import { isAnotherAdminActive, listClients, lockAdmins, revokeClient } from '../auth/client-queries.ts'
import { ROLES } from '../domain/enums.ts'
import { auditWrite } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { ApiError } from '../platform/errors.ts'
import { onePage } from '../http/page.ts'
import { type App, type Context } from '../http/context.ts'
import { errorResponses, Name, Named, OneOf, pageBounds, pageQuery, Text, Timestamp } from '../http/schemas.ts'
import { ClientId, ClientParams, createAccount, NewSecret, noAccount, rotateAccount } from './credentials.ts'
import { listBody, sendJson } from '../http/json-response.ts'

const NewOperator = Type.Object(
  { name: Name, role: OneOf(ROLES) },
  { additionalProperties: false, examples: [{ name: 'Movements desk', role: 'analyst' }] },
)

const OperatorItem = Named(
  'Operator',
  Type.Object({ 'client-id': ClientId, name: Text, role: OneOf(ROLES), 'created-at': Timestamp }),
)

const OperatorList = Type.Object(
  { result: Type.Array(OperatorItem), pagination: Type.Ref('Pagination') },
  {
    examples: [
      {
        result: [
          {
            'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
            name: 'Movements desk',
            role: 'analyst',
            'created-at': '2026-11-21T13:05:09.120Z',
          },
        ],
        pagination: onePage,
      },
    ],
  },
)

/** `/operator/v1/operator`: the operators and their roles. */
export async function operatorAccountRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  listRoute(app, context)
  removeRoute(app, context)
  rotateRoute(app, context)
}

function createRoute(app: App, { database, secrets }: Context): void {
  app.route({
    method: 'POST',
    url: '/operator/v1/operator',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'createOperator',
      tags: ['operator'],
      summary: 'Create an operator',
      description:
        '`admin` may do everything; `analyst` reads companies and works on movements, members, documents and imports; `finance` reads ' +
        'companies and works on invoices; `auditor` reads everything and writes nothing. The secret is shown only in this response.',
      body: NewOperator,
      response: { 200: NewSecret, ...errorResponses(400, 401, 403, 413, 415) },
    },
    handler: async (request) => {
      const { name, role } = request.body
      return database.transaction(async (sql) => {
        const account = await createAccount(sql, secrets, { kind: 'operator', name, role })
        await auditWrite(sql, request, { action: 'operator.created', target: account['client-id'], companyId: null })
        return account
      })
    },
  })
}

function listRoute(app: App, { database }: Context): void {
  app.route({
    method: 'GET',
    url: '/operator/v1/operator',
    config: { api: 'operator', roles: ['auditor'] },
    schema: {
      operationId: 'listOperators',
      tags: ['operator'],
      summary: 'List the operators',
      description: 'Without removed operators, oldest first. Secrets are never shown.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: OperatorList, ...errorResponses(400, 401, 403) },
    },
    handler: async (request, reply) => {
      const page = await listClients(database, 'operator', pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })
}

function removeRoute(app: App, { database }: Context): void {
  app.route({
    method: 'DELETE',
    url: '/operator/v1/operator/:clientId',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'removeOperator',
      tags: ['operator'],
      summary: 'Remove an operator',
      description: 'Takes effect at once: the next call with one of its tokens is refused. 409 for the last admin.',
      params: ClientParams,
      response: { 204: Type.Null({ description: 'Removed.' }), ...errorResponses(400, 401, 403, 404, 409) },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      await database.transaction(async (sql) => {
        await removeOperator(sql, clientId)
        await auditWrite(sql, request, { action: 'operator.removed', target: clientId, companyId: null })
      })
      return reply.status(204).send(null)
    },
  })
}

function rotateRoute(app: App, { database, secrets }: Context): void {
  app.route({
    method: 'POST',
    url: '/operator/v1/operator/:clientId/rotate-secret',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'rotateOperatorSecret',
      tags: ['operator'],
      summary: 'Rotate the secret of an operator',
      description:
        'The operator then has two valid secrets, the current and the new one; a secret from before the current one is no longer valid. ' +
        'The new secret is shown only in this response.',
      params: ClientParams,
      response: { 200: NewSecret, ...errorResponses(400, 401, 403, 404) },
    },
    handler: async (request) => {
      const { clientId } = request.params
      return database.transaction(async (sql) => {
        const rotated = await rotateAccount(sql, secrets, 'operator', clientId)
        await auditWrite(sql, request, { action: 'operator.secret-rotated', target: clientId, companyId: null })
        return rotated
      })
    },
  })
}

/** The lock serializes removals: two admins cannot remove each other at the same time. */
async function removeOperator(sql: Sql, clientId: string): Promise<void> {
  await lockAdmins(sql)
  const role = await readRole(sql, clientId)
  if (role === null) throw noAccount('operator')
  if (role === 'admin' && !(await isAnotherAdminActive(sql, clientId))) {
    throw new ApiError(409, 'The last admin cannot be removed')
  }
  await revokeClient(sql, 'operator', clientId)
}
