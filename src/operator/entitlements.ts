import { Type } from 'typebox'
import { findCompanies, grantCompanies, lockClient, readClient, revokeCompany } from '../auth/client-queries.ts'
import { auditWrite } from '../audit/audit-log.ts'
import type { Sql } from '../platform/database.ts'
import { ApiError, invalidParameter } from '../platform/errors.ts'
import { parseCnpj } from '../domain/tax-id.ts'
import { type App, type Context } from '../http/context.ts'
import { errorAnswers } from '../http/schemas.ts'
import { ClientId, noAccount } from './credentials.ts'
import { sendJson } from '../http/json-response.ts'
import { clientExample, ClientItem } from './clients.ts'

const url = '/operator/v1/client/:clientId/company/:companyTaxId'

const Params = Type.Object({
  clientId: ClientId,
  companyTaxId: Type.String({ description: 'CNPJ, formatted or not.', examples: ['12ABC34501DE35'] }),
})

const OneClient = Type.Object({ result: ClientItem }, { examples: [{ result: clientExample }] })

/** Which companies a client may access; it counts from the client's next call on. */
export async function entitlementRoutes(app: App, { database }: Context): Promise<void> {
  app.route({
    method: 'PUT',
    url,
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'grantCompany',
      tags: ['operator'],
      summary: 'Entitle a client to a company',
      description: 'From its next call on. Entitling twice changes nothing.',
      params: Params,
      response: { 200: OneClient, ...errorAnswers(400, 401, 403, 404) },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const taxId = readTaxId(request.params.companyTaxId)
      const item = await database.transaction(async (sql) => {
        const companyId = await findBoth(sql, clientId, taxId)
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
      description: 'From its next call on. Ending what is not there changes nothing.',
      params: Params,
      response: { 204: Type.Null({ description: 'Not entitled any more.' }), ...errorAnswers(400, 401, 403, 404) },
    },
    handler: async (request, reply) => {
      const { clientId } = request.params
      const taxId = readTaxId(request.params.companyTaxId)
      await database.transaction(async (sql) => {
        const companyId = await findBoth(sql, clientId, taxId)
        const revoked = await revokeCompany(sql, clientId, companyId)
        await auditWrite(sql, request, revoked ? [{ action: 'entitlement.revoked', target: clientId, companyId }] : [])
      })
      return reply.status(204).send(null)
    },
  })
}

function readTaxId(value: string): string {
  const taxId = parseCnpj(value)
  if (taxId === null) throw invalidParameter([], 'Invalid company-tax-id')
  return taxId
}

/** The company's id; the client is held until the transaction ends. 404 names whichever is not there. */
async function findBoth(sql: Sql, clientId: string, taxId: string): Promise<string> {
  if (!(await lockClient(sql, 'partner', clientId))) throw noAccount('partner')
  const [company] = await findCompanies(sql, [taxId])
  if (company === undefined) throw new ApiError(404, 'Company not found')
  return company.id
}
