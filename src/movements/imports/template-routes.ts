import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readAnyCompany, readCompanyFor } from '#registry/companies/queries.ts'
import { ApiError } from '#platform/core/errors.ts'
import { noSuchCompany } from '#platform/core/may-request.ts'
import { type Offered, offeredOf, type TemplateLanguage, templateColumns, templateOf } from '../rules/import-columns.ts'
import { type TableKind, TABLES } from '../rules/table-columns.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { Closed, errorResponses } from '#platform/http/schemas.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import { template } from './schema.ts'
import type { CompanyProducts } from './table-routes.ts'
import { LanguageParameter, MovementParameter } from './table-schema.ts'

const answer = { description: 'One line.', content: { 'text/csv': template, [xlsxType]: workbook } }

/** The headers of tables, to fill in. */
export async function templateRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/member/import/template',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'readImportTemplate',
      'x-sdk': 'imports.template',
      summary: 'Download the header of an import as CSV or XLSX',
      description:
        'Every column, separated by `;`. The Portuguese one has a byte order mark, for spreadsheets. With `Accept` of XLSX a workbook with lists of the values of closed sets.',
      querystring: Closed({
        language: LanguageParameter,
        'company-tax-id': Type.Optional(
          Type.String({ format: 'cnpj', description: 'The workbook has a list of the products of this company.' }),
        ),
      }),
      response: { 200: answer, ...errorResponses('company-not-found') },
    },
    handler: async (request, reply) => {
      const { language, 'company-tax-id': taxId } = request.query
      const offered = taxId === undefined ? {} : offeredBy(await readAnyCompany(database, taxId))
      if (offered === null) throw new ApiError('company-not-found')
      return sendTemplate(request, reply, 'import', language, offered)
    },
  })

  const described = {
    'x-sdk': 'tables.template',
    summary: 'Download the header of a table of movements as CSV or XLSX',
    description:
      'Every column, separated by `;`. The Portuguese one has a byte order mark, for spreadsheets. With `Accept` of XLSX a workbook with lists of the products of the company, ' +
      'the kinships of its dependents, and the values of other closed sets.',
  } as const
  twinRoutes(app, {
    method: 'GET',
    path: '/table/template',
    schema: {
      querystring: Closed({
        movement: MovementParameter,
        'company-tax-id': Type.String({ format: 'cnpj', description: 'The company, whose products are offered.' }),
        language: LanguageParameter,
      }),
      response: { 200: answer },
    },
    partner: { ...described, operationId: 'readTableTemplate', tags: ['movements'], errors: ['not-entitled'] },
    operator: {
      ...described,
      operationId: 'readTableTemplateOfCompany',
      roles: ['analyst', 'auditor'],
      errors: ['company-not-found'],
    },
    handler: async (request, reply) => {
      const { language, 'company-tax-id': taxId, movement } = request.query
      const caller = callerOf(request)
      const offered = offeredBy(await readCompanyFor(database, caller, taxId))
      if (offered === null) throw noSuchCompany(caller)
      return sendTemplate(request, reply, movement, language, offered)
    },
  })
}

/** @param body of the company; null: there is none. */
function offeredBy(body: string | null): Offered | null {
  if (body === null) return null
  const { result } = JSON.parse(body) as { result: CompanyProducts }
  return offeredOf(result['tax-id'], result.products)
}

function sendTemplate(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  kind: TableKind,
  language: TemplateLanguage,
  offered: Offered,
): FastifyReply {
  const { columns } = TABLES[kind]
  if (acceptedType(headers.accept, ['text/csv', xlsxType]) === 'text/csv') {
    return reply.type('text/csv; charset=utf-8').send(templateOf(columns, language))
  }
  const bytes = workbookOf(kind, templateColumns(columns, language, offered), [])
  return reply.type(xlsxType).send(Readable.from(bytes, { objectMode: false }))
}
