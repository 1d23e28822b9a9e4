import { Type } from 'typebox'
import { findCompanies, grantCompanies, listClients, revokeClient } from '../auth/client-queries.ts'
import { type AuditedWrite, auditWrite } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { parseCnpj } from '../domain/tax-id.ts'
import { onePage } from '../http/page.ts'
import { type App, type Context } from '../http/context.ts'
import { Cnpj, errorResponses, Name, Named, pageBounds, pageQuery, Text, Timestamp } from '../http/schemas.ts'
import { ClientId, ClientParams, createAccount, NewSecret, noAccount, rotateAccount } from './credentials.ts'
import { listBody, sendJson } from '../http/json-response.ts'

export const ClientItem = Named(
  'Client',
  Type.Object({
    'client-id': ClientId,
    name: Text,
    'company-tax-ids': Type.Array(Cnpj, { description: 'The companies that the client is entitled to.' }),
    'created-at': Timestamp,
  }),
)

export const clientExample = {
  'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  name: 'Folha Aurora',
  'company-tax-ids': ['12ABC34501DE35'],
  'created-at': '2026-11-21T13:05:09.120Z',
}

const NewClient = Type.Object(
  {
    name: Name,
    'company-tax-ids': Type.Optional(
      Type.Array(Type.String(), { maxItems: 1_000, description: 'CNPJs of existing companies, formatted or not.' }),
    ),
  },
  { additionalProperties: false, examples: [{ name: 'Folha Aurora', 'company-tax-ids': ['12.ABC.345/01DE-35'] }] },
)

const ClientList = Type.Object(
  { result: Type.Array(ClientItem), pagination: Type.Ref('Pagination') },
  {
    examples: [
      {
        result: [clientExample],
        pagination: onePage,
      },
    ],
  },
)

/** `/operator/v1/client`: the clients of the partner API. */
export async function clientRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  listRoute(app, context)
  revokeRoute(app, context)
  rotateRoute(app, context)
}

function createRoute(app: App, { database, secrets }: Context): void {
  app.route({
    method: 'POST',
    url: '/operator/v1/client',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'createClient',
      tags: ['operator'],
      summary: 'Create a client of a partner',
      description:
        'It is entitled to the given companies, which must exist. The secret is shown only in this response.',
      body: NewClient,
      response: { 200: NewSecret, ...errorResponses(400, 401, 403, 404, 413, 415) },
    },
    handler: async (request) => {
      const taxIds = readTaxIds(request.body['company-tax-ids'] ?? [])
      return database.transaction(async (sql) => {
        const account = await createAccount(sql, secrets, { kind: 'partner', name: request.body.name, role: null })
        const target = account['client-id']
        const granted = await grantAll(sql, target, taxIds)
        const created: AuditedWrite = { target, action: 'client.created', companyId: null }
        const grants = granted.map((companyId) => ({ target, action: 'entitlement.granted', companyId }))
        await auditWrite(sql, request, [created, ...grants])
        return account
      })
    },
  })
}

function listRoute(app: App, { database }: Context): void {
  app.route({
    method: 'GET',
    url: '/operator/v1/client',
    config: { api: 'operator', roles: ['auditor'] },
    schema: {
      operationId: 'listClients',
      tags: ['operator'],
      summary: 'List the clients of partners',
      description: 'Without revoked clients, oldest first. Secrets are never shown.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: ClientList, ...errorResponses(400, 401, 403) },
    },
    handler: async (request, reply) => {
      const page = await listClients(database, 'partner', pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })
}

function revokeRoute(app: App, { database }: Context): void {
  app.route({
    method: 'DELETE',
    url: '/operator/v1/client/:clientId',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'revokeClient',
      tags: ['operator'],
      summary: 'Revoke a client',
      description: 'Takes effect at once: the next call with one of its tokens is refused.',
      params: ClientParams,
      response: { 204: Type.Null({ description: 'Revoked.' }), ...errorResponses(400, 401, 403, 404) },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      await database.transaction(async (sql) => {
        if (!(await revokeClient(sql, 'partner', clientId))) throw noAccount('partner')
        await auditWrite(sql, request, { action: 'client.revoked', target: clientId, companyId: null })
      })
      return reply.status(204).send(null)
    },
  })
}

function rotateRoute(app: App, { database, secrets }: Context): void {
  app.route({
    method: 'POST',
    url: '/operator/v1/client/:clientId/rotate-secret',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'rotateClientSecret',
      tags: ['operator'],
      summary: 'Rotate the secret of a client',
      description:
        'The client then has two valid secrets, the current and the new one; a secret from before the current one is no longer valid. ' +
        'The new secret is shown only in this response.',
      params: ClientParams,
      response: { 200: NewSecret, ...errorResponses(400, 401, 403, 404) },
    },
    handler: async (request) => {
      const { clientId } = request.params
      return database.transaction(async (sql) => {
        const rotated = await rotateAccount(sql, secrets, 'partner', clientId)
        await auditWrite(sql, request, { action: 'client.secret-rotated', target: clientId, companyId: null })
        return rotated
      })
    },
  })
}

function readTaxIds(values: readonly string[]): string[] {
  const taxIds = values.map(parseCnpj)
  const details = taxIds.flatMap((taxId, index) =>
    taxId === null ? [{ field: `company-tax-ids[${index}]`, code: 'invalid' as const }] : [],
  )
  if (details.length > 0) throw invalidBody(details)
  return [...new Set(taxIds.filter((taxId) => taxId !== null))]
}

async function grantAll(sql: Sql, clientId: string, taxIds: readonly string[]): Promise<string[]> {
  if (taxIds.length === 0) return []
  const companies = await findCompanies(sql, taxIds)
  if (companies.length < taxIds.length) throw new ApiError(404, 'Company not found')
  return grantCompanies(
    sql,
    clientId,
    companies.map((company) => company.id),
  )
}
