import { route } from '#platform/http/route.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { Closed, errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { listCompanies, listProducts, readCompany } from './queries.ts'
import { CompanyResponse, CompanyList, ProductList } from './schema.ts'
import { CompanyPath, filters } from '#platform/http/filters.ts'

/** `/v1/company` and `/v1/product`: the companies that the caller may access, and their products. */
export async function companyRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId',
    api: 'partner',
    schema: {
      operationId: 'readCompany',
      'x-sdk': 'companies.get',
      'x-cli': {
        command: 'company show',
        examples: { 'company show 12ABC34501DE35': 'the names, types and start options of its products' },
      },
      tags: ['companies'],
      summary: 'Read a company and its products',
      description: 'The response for a company that the client may not access is that for an unknown CNPJ.',
      params: CompanyPath,
      response: { 200: CompanyResponse, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { body } = await readCompany(database, callerOf(request), request.params.companyTaxId)
      if (body === null) throw notEntitled('company')
      return sendJson(reply, body)
    },
  })

  route(app, {
    method: 'GET',
    url: '/v1/company',
    api: 'partner',
    schema: {
      operationId: 'listCompanies',
      'x-sdk': 'companies.list',
      'x-cli': { command: 'company list' },
      tags: ['companies'],
      summary: 'List the companies that the client may access',
      description: 'With their products, ordered by name.',
      querystring: Closed(pageQuery),
      response: { 200: CompanyList },
    },
    handler: async (request, reply) => {
      const page = await listCompanies(database, callerOf(request), pageBounds(request.query))
      return sendJson(reply, listBody(page, request.query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/v1/product',
    api: 'partner',
    schema: {
      operationId: 'listProducts',
      'x-sdk': 'products.list',
      'x-cli': {
        command: 'product list',
        examples: { 'product list --company-tax-id 12ABC34501DE35': 'those of one company' },
        columns: {
          'PRODUCT-ID': 'product-id',
          'COMPANY-TAX-ID': 'company-tax-id',
          PRODUCT: 'product-name',
          TYPE: 'product-type',
          CARRIER: 'carrier-name',
          'START-OPTIONS': 'allowed-start-options',
        },
      },
      tags: ['companies'],
      summary: 'List products with their companies',
      description:
        'The products of one company or, without the parameter, of all companies that the client may access, ordered by their name, ' +
        'without retired products. The response for a company that the client may not access is that for an unknown CNPJ.',
      querystring: Closed({
        'company-tax-id': filters.company,
      }),
      response: { 200: ProductList, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { body } = await listProducts(database, callerOf(request), request.query['company-tax-id'] ?? null)
      if (body === null) throw notEntitled('company')
      return sendJson(reply, body)
    },
  })
}
