import { Type } from 'typebox'
import { findCompanies, grantCompanies, lockClient, readClient, revokeCompany } from '../auth/client-queries.ts'
import { auditWrite } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { ApiError } from '../platform/errors.ts'
import { companyTaxIdOf } from '../companies/schema.ts'
import { type App, type Context } from '../http/context.ts'
import { errorResponses } from '../http/schemas.ts'
import { ClientId, noAccount } from './credentials.ts'
import { sendJson } from '../http/json-response.ts'
import { clientExample, ClientItem } from './clients.ts'

const url = '/operator/v1/client/:clientId/company/:companyTaxId'

const Params = Type.Object({
  clientId: ClientId,
  companyTaxId: Type.String({ description: 'CNPJ, formatted or not.', examples: ['12ABC34501DE35'] }),
})

const OneClient = Type.Object({ result: ClientItem }, { examples: [{ result: clientExample }] })

/** The entitlements of a client to companies. */
export async function entitlementRoutes(app: App, { database }: Context): Promise<void> {
  app.route({
    method: 'PUT',
    url,
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'grantCompany',
      tags: ['operator'],
      summary: 'Entitle a client to a company',
      description: 'Takes effect at the next call of the client. Does nothing when the client is entitled already.',
      params: Params,
      response: { 200: OneClient, ...errorResponses(400, 401, 403, 404) },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const taxId = companyTaxIdOf(request.params)
      const item = await database.transaction(async (sql) => {
        const companyId = await lockAndFind(sql, clientId, taxId)
        const granted = await grantCompanies(sql, clientId, [companyId])
        await auditWrite(
          sql,
          request,
          granted.map(() => ({ action: 'entitlement.granted', target: clientId, companyId })),
        )
        return readClient(sql, clientId)
      })
      return sendJson(reply, `{"result":${item}}`)
    },
  })
  app.route({
    method: 'DELETE',
    url,
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'revokeCompany',
      tags: ['operator'],
      summary: 'End a client’s entitlement to a company',
      description: 'Takes effect at the next call of the client. Does nothing when the client is not entitled.',
      params: Params,
      response: { 204: Type.Null({ description: 'Not entitled any more.' }), ...errorResponses(400, 401, 403, 404) },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const taxId = companyTaxIdOf(request.params)
      await database.transaction(async (sql) => {
        const companyId = await lockAndFind(sql, clientId, taxId)
        const revoked = await revokeCompany(sql, clientId, companyId)
        await auditWrite(sql, request, revoked ? [{ action: 'entitlement.revoked', target: clientId, companyId }] : [])
      })
      return reply.status(204).send(null)
    },
  })
}

/** Locks the client until the transaction ends. @returns the company's id. @throws ApiError 404 for an unknown client or company. */
async function lockAndFind(sql: Sql, clientId: string, taxId: string): Promise<string> {
  if (!(await lockClient(sql, 'partner', clientId))) throw noAccount('partner')
  const [company] = await findCompanies(sql, [taxId])
  if (company === undefined) throw new ApiError(404, 'Company not found')
  return company.id
}
