import { route } from '#platform/http/route.ts'
import { json } from '#platform/http/bodies.ts'
import { Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { companyIdsOf, readTaxIds } from './companies.ts'
import { grantCompanies, lockClient, readClient, revokeCompany } from './queries.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { PageOf } from '#platform/http/page.ts'
import { Closed, Cnpj, errorResponses, Name, Named, Text, Timestamp } from '#platform/http/schemas.ts'
import type { Sql } from '#platform/core/database.ts'
import { accountRoutes, ClientId, createAccount, NewSecret, noAccount, SecretTimes } from './accounts.ts'

const ClientItem = Named(
  'Client',
  Type.Object({
    'client-id': ClientId,
    name: Text,
    'company-tax-ids': Type.Array(Cnpj, { description: 'The companies that the client is entitled to.' }),
    'created-at': Timestamp,
    secrets: SecretTimes,
  }),
)

const NewClient = Closed(
  {
    name: Name,
    'company-tax-ids': Type.Optional(
      Type.Array(Type.String(), { maxItems: 1_000, description: 'CNPJs of existing companies, formatted or not.' }),
    ),
  },
  { examples: [{ name: 'Folha Aurora', 'company-tax-ids': ['12.ABC.345/01DE-35'] }] },
)

/** `/operator/v1/client`: the clients of the partner API, and the companies that they are entitled to. */
export async function clientRoutes(app: App, context: Context): Promise<void> {
  const { database, secrets } = context
  route(app, {
    method: 'POST',
    url: '/operator/v1/client',
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'createClient',
      'x-sdk': 'clients.create',
      'x-cli': {
        command: 'client create',
        arguments: ['name'],
        options: { 'company-tax-ids': 'company' },
        body: { 'company-tax-ids': [] },
        examples: { 'client create "Folha Aurora" --company 12ABC34501DE35': 'entitled to one company' },
        fields: ['client-id', 'client-secret'],
        message: 'The secret is shown this once.',
      },
      summary: 'Create a client of a partner',
      description:
        'It is entitled to the given companies, which must exist. The secret is shown only in this response.',
      response: { 200: NewSecret, ...errorResponses('company-not-found') },
    },
    body: json(NewClient),
    handler: async (request) => {
      const taxIds = readTaxIds(request.body['company-tax-ids'] ?? [])
      return write({ database }, callerOf(request), { may: [] }, async (sql) => {
        const account = await createAccount(sql, secrets, { kind: 'partner', name: request.body.name, role: null })
        const target = account['client-id']
        const granted = await grantCompanies(sql, target, await companyIdsOf(sql, taxIds))
        sql.audit([
          { target, action: 'client.created', companyId: null },
          ...granted.map((companyId) => ({ target, action: 'entitlement.granted' as const, companyId })),
        ])
        return account
      })
    },
  })
  accountRoutes(app, context, {
    api: 'partner',
    noun: 'client',
    list: {
      operationId: 'listClients',
      'x-sdk': 'clients.list',
      'x-cli': {
        command: 'client list',
        examples: {
          'client list': 'never their secrets',
          'client list --where name="folha aurora" --columns client-id': 'the ids of those with that name',
        },
        columns: { 'CLIENT-ID': 'client-id', NAME: 'name', COMPANIES: 'company-tax-ids', 'CREATED-AT': 'created-at' },
      },
      summary: 'List the clients of partners',
      description: 'Without revoked clients, oldest first. Secrets are never shown.',
      response: { 200: PageOf(ClientItem) },
    },
    revoke: {
      operationId: 'revokeClient',
      'x-sdk': 'clients.revoke',
      'x-cli': {
        command: 'client revoke',
        examples: {
          'client revoke 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --dry-run': 'shows whose access would end',
          'client revoke 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --yes':
            'cannot be undone; in a terminal it asks without --yes',
        },
        irreversible: {
          sentence: '{client-id} would be revoked: its tokens end immediately, which cannot be undone.',
          look: 'listClients',
        },
        result: { 'client-id': '{client-id}', revoked: true },
        message: 'Client {client-id} is revoked.',
      },
      summary: 'Revoke a client',
      description: 'Takes effect at once: the next call with one of its tokens is refused.',
      response: { 204: Type.Null({ description: 'Revoked.' }), ...errorResponses('client-not-found') },
    },
    revoked: 'client.revoked',
    mayList: ['auditor'],
    rotate: {
      operationId: 'rotateClientSecret',
      'x-sdk': 'clients.rotateSecret',
      summary: 'Rotate the secret of a client',
    },
    endFormer: {
      operationId: 'endFormerClientSecret',
      'x-sdk': 'clients.endFormerSecret',
      summary: 'End the former secret of a client',
    },
  })
  entitlementRoutes(app, context)
}

function entitlementRoutes(app: App, { database }: Context): void {
  const url = '/operator/v1/client/:clientId/company/:companyTaxId'
  const params = Type.Object({ clientId: ClientId, ...CompanyPath.properties })
  route(app, {
    method: 'PUT',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'grantCompany',
      'x-sdk': 'clients.grantCompany',
      'x-cli': {
        command: 'entitlement grant',
        examples: { 'entitlement grant demo-partner 7B4XK2M9000194': 'works at its next call' },
        message: '{client-id} may access {company-tax-id}.',
      },
      summary: 'Entitle a client to a company',
      description: 'Takes effect at the next call of the client. Does nothing when the client is entitled already.',
      params,
      response: {
        200: Type.Object({ result: ClientItem }),
        ...errorResponses('client-not-found', 'company-not-found'),
      },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const taxId = request.params.companyTaxId
      const lock = (sql: Sql) => lockAndFind(sql, clientId, taxId)
      const item = await write({ database }, callerOf(request), { may: [], lock }, async (sql, companyId) => {
        const granted = await grantCompanies(sql, clientId, [companyId])
        sql.audit(granted.map(() => ({ action: 'entitlement.granted', target: clientId, companyId })))
        return readClient(sql, clientId)
      })
      return sendJson(reply, `{"result":${item}}`)
    },
  })

  route(app, {
    method: 'DELETE',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'revokeCompany',
      'x-sdk': 'clients.revokeCompany',
      'x-cli': {
        command: 'entitlement revoke',
        examples: { 'entitlement revoke demo-partner 7B4XK2M9000194': 'its movements in progress continue' },
        result: { 'client-id': '{client-id}', 'company-tax-id': '{company-tax-id}', revoked: true },
        message: '{client-id} may no longer access {company-tax-id}.',
      },
      summary: 'End a client’s entitlement to a company',
      description: 'Takes effect at the next call of the client. Does nothing when the client is not entitled.',
      params,
      response: {
        204: Type.Null({ description: 'No longer entitled.' }),
        ...errorResponses('client-not-found', 'company-not-found'),
      },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const taxId = request.params.companyTaxId
      const lock = (sql: Sql) => lockAndFind(sql, clientId, taxId)
      await write({ database }, callerOf(request), { may: [], lock }, async (sql, companyId) => {
        const revoked = await revokeCompany(sql, clientId, companyId)
        if (revoked) sql.audit({ action: 'entitlement.revoked', target: clientId, companyId })
      })
      return reply.status(204).send(null)
    },
  })
}

/** Locks the client until the transaction ends. @returns the company's id. @throws ApiError 404 for an unknown client or company. */
async function lockAndFind(sql: Sql, clientId: string, taxId: string): Promise<string> {
  if (!(await lockClient(sql, 'partner', clientId))) throw noAccount('partner')
  const [companyId = ''] = await companyIdsOf(sql, [taxId])
  return companyId
}
