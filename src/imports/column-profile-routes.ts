import { Type } from 'typebox'
import { json } from '../http/bodies.ts'
import { CompanyPath, companyTaxIdOf } from '../companies/schema.ts'
import { ApiError } from '../core/errors.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { route } from '../http/route.ts'
import { errorResponses } from '../http/schemas.ts'
import { deleteProfile, mayWriteProfiles, readProfile, replaceProfile } from './column-profile.ts'
import { ColumnProfileBody, ColumnProfileResponse } from './column-profile-schema.ts'

const url = '/operator/v1/column-profile/:companyTaxId'

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
      const result = await readProfile(database, companyTaxIdOf(request.params))
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
      description:
        'Says which column of an import a heading of the company’s files stands for; an import with `company-tax-id` uses it. A refused import ' +
        'proposes columns for headings. A heading that imports have already is refused: it would never be used.',
      params: CompanyPath,
      response: { 200: ColumnProfileResponse, ...errorResponses('company-not-found') },
    },
    body: json(ColumnProfileBody),
    handler: async (request) => ({
      result: await replaceProfile(database, callerOf(request), companyTaxIdOf(request.params), request.body),
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
      await deleteProfile(database, callerOf(request), companyTaxIdOf(request.params))
      return reply.status(204).send(null)
    },
  })
}
