import { Type } from 'typebox'
import { json } from '#platform/http/bodies.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { companyIdOf, deleteProfile, mayWriteProfiles, readProfile, replaceProfile } from './column-profile.ts'
import { ColumnProfileBody, ColumnProfileResponse } from './column-profile-schema.ts'

const url = '/operator/v1/column-profile/:companyTaxId'

const describedPut =
  'Says which column of a table a heading of the company’s files stands for, and which value a word; an import with `company-tax-id` uses it. A refused import ' +
  'proposes columns for headings. A heading that imports have already is refused: it would never be used.'

/** What the headings of a company's files stand for that no import has. */
export async function columnProfileRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'readColumnProfile',
      'x-sdk': 'imports.columnProfile',
      'x-cli': { command: 'column-profile show' },
      summary: 'Read the column profile of a company',
      description: 'Without columns, and `last-updated-at` null, when the company has none.',
      params: CompanyPath,
      response: { 200: ColumnProfileResponse, ...errorResponses('company-not-found') },
    },
    handler: async (request) => {
      const result = await readProfile(database, request.params.companyTaxId)
      if (result === null) throw new ApiError('company-not-found')
      return { result }
    },
  })

  route(app, {
    method: 'PUT',
    url,
    api: 'operator',
    roles: mayWriteProfiles,
    schema: {
      operationId: 'putColumnProfile',
      'x-sdk': 'imports.putColumnProfile',
      'x-cli': {
        command: 'column-profile put',
        file: true,
        examples: {
          'column-profile put 12ABC34501DE35 profile.json': 'what the file leaves out is removed',
        },
      },
      summary: 'Replace the column profile of a company',
      description: describedPut,
      params: CompanyPath,
      response: { 200: ColumnProfileResponse, ...errorResponses('company-not-found') },
    },
    body: json(ColumnProfileBody),
    handler: async (request) => ({
      result: await replaceProfile(database, callerOf(request), request.params.companyTaxId, request.body),
    }),
  })

  route(app, {
    method: 'DELETE',
    url,
    api: 'operator',
    roles: mayWriteProfiles,
    schema: {
      operationId: 'deleteColumnProfile',
      'x-sdk': 'imports.deleteColumnProfile',
      'x-cli': { command: 'column-profile delete' },
      summary: 'Delete the column profile of a company',
      description: 'Does nothing when the company has none.',
      params: CompanyPath,
      response: {
        204: Type.Null({ description: 'Deleted; also when there was none.' }),
        ...errorResponses('company-not-found'),
      },
    },
    handler: async (request, reply) => {
      await deleteProfile(database, callerOf(request), request.params.companyTaxId)
      return reply.status(204).send(null)
    },
  })
}

/** The same, for the company. */
export async function partnerProfileRoutes(app: App, { database }: Context): Promise<void> {
  const own = '/v1/column-profile/:companyTaxId'
  route(app, {
    method: 'GET',
    url: own,
    api: 'partner',
    schema: {
      operationId: 'readOwnColumnProfile',
      'x-sdk': 'tables.columnProfile',
      'x-cli': { command: 'column-profile show' },
      tags: ['companies'],
      summary: 'Read the column profile of a company',
      description: 'Without columns, and `last-updated-at` null, when the company has none.',
      params: CompanyPath,
      response: { 200: ColumnProfileResponse, ...errorResponses('not-entitled') },
    },
    handler: async (request) => {
      const taxId = request.params.companyTaxId
      request.accessedCompanyIds = [await companyIdOf(database, callerOf(request), taxId)]
      return { result: required(await readProfile(database, taxId), 'company') }
    },
  })

  route(app, {
    method: 'PUT',
    url: own,
    api: 'partner',
    schema: {
      operationId: 'putOwnColumnProfile',
      'x-sdk': 'tables.putColumnProfile',
      'x-cli': { command: 'column-profile put', file: true },
      tags: ['companies'],
      summary: 'Replace the column profile of a company',
      description: describedPut,
      params: CompanyPath,
      response: { 200: ColumnProfileResponse, ...errorResponses('not-entitled') },
    },
    body: json(ColumnProfileBody),
    handler: async (request) => ({
      result: await replaceProfile(database, callerOf(request), request.params.companyTaxId, request.body),
    }),
  })
}
