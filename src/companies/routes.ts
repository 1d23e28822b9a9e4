import { Type } from 'typebox'
import { listBody, sendJson } from '../http/json-response.ts'
import { invalidParameter, notEntitled } from '../platform/errors.ts'
import { parseCnpj } from '../domain/tax-id.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { errorAnswers, pageBounds, pageQuery } from '../http/schemas.ts'
import { listCompanies, listProducts, readCompany } from './queries.ts'
import { CompanyAnswer, CompanyList, CompanyPath, ProductList } from './schema.ts'

/** The companies that the caller may access, one and all, and their products. */
export async function companyRoutes(app: App, { database }: Context): Promise<void> {
  app.route({
    method: 'GET',
    url: '/v1/company/:companyTaxId',
    config: { api: 'partner' },
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
      if (seen.body === null) throw notEntitled('company')
      return sendJson(reply, seen.body)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/company',
    config: { api: 'partner' },
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
      return sendJson(reply, listBody(page, request.query))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/product',
    config: { api: 'partner' },
    schema: {
      operationId: 'listProducts',
      tags: ['companies'],
      summary: 'List products with their companies',
      description:
        'Of one company or, without the parameter, of all that the caller may access, by name; retired products are left out. ' +
        'An unknown CNPJ and one of a company that is not the caller’s answer alike.',
      querystring: Type.Object(
        { 'company-tax-id': Type.Optional(Type.String({ format: 'cnpj', description: 'CNPJ, formatted or not.' })) },
        { additionalProperties: false },
      ),
      response: { 200: ProductList, ...errorAnswers(400, 401, 403, 503) },
    },
    handler: async (request, reply) => {
      const seen = await listProducts(database, callerOf(request), parseCnpj(request.query['company-tax-id']))
      if (seen.body === null) throw notEntitled('company')
      return sendJson(reply, seen.body)
    },
  })
}
