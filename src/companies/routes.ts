import { Type } from 'typebox'
import { listBody, sendJson } from '../answer.ts'
import { invalidCredentials, invalidParameter, notEntitled } from '../errors.ts'
import { parseCnpj } from '../rules/tax-id.ts'
import { type App, callerOf, type Service } from '../service.ts'
import { errorAnswers, pageBounds, pageQuery } from '../wire.ts'
import { listCompanies, readCompany } from './queries.ts'
import { CompanyAnswer, CompanyList, CompanyPath } from './schema.ts'

/** The companies that the caller may access, one and all. */
export async function companyRoutes(app: App, { database }: Service): Promise<void> {
  app.route({
    method: 'GET',
    url: '/v1/company/:companyTaxId',
    config: { door: 'partner' },
    schema: {
      operationId: 'readCompany',
      tags: ['companies'],
      summary: 'Read a company and its products',
      description: 'An unknown CNPJ and one of a company that is not the caller’s answer alike.',
      params: CompanyPath,
      response: { 200: CompanyAnswer, ...errorAnswers(400, 401, 403, 503) },
    },
    handler: async (request, reply) => {
      const taxId = parseCnpj(request.params.companyTaxId)
      if (taxId === null) throw invalidParameter([], 'Invalid company-tax-id')
      const seen = await readCompany(database, callerOf(request), taxId)
      if (seen === undefined) throw invalidCredentials()
      request.callerSeen = true
      if (seen.body === null) throw notEntitled('company')
      return sendJson(reply, seen.body)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/company',
    config: { door: 'partner' },
    schema: {
      operationId: 'listCompanies',
      tags: ['companies'],
      summary: 'List the companies that the caller may access',
      description: 'With their products, by name.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: CompanyList, ...errorAnswers(400, 401, 503) },
    },
    handler: async (request, reply) => {
      const page = await listCompanies(database, callerOf(request), pageBounds(request.query))
      if (page === undefined) throw invalidCredentials()
      request.callerSeen = true
      return sendJson(reply, listBody(page, request.query))
    },
  })
}
