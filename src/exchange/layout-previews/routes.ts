import { ApiError, invalidBody, invalidParameter } from '#platform/core/errors.ts'
import { type Body, type Lines, lines } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { languageOf } from '#platform/http/language.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { parseJson } from '#platform/http/strict-json.ts'
import { workbook } from '#platform/http/table-types.ts'
import { validator } from '#platform/http/validation.ts'
import { maxFileBytes } from '#registry/layouts/definition.ts'
import { parseInThread } from '#registry/layouts/parse-in-thread.ts'
import { requireLayout } from '#registry/layouts/queries.ts'
import { LayoutPath, VersionQuery } from '#registry/layouts/schema.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { maxPreviewed, previewFile, previewMovements } from './preview.ts'
import { PreviewBody, PreviewResponse } from './schema.ts'

const validatePreview = validator(PreviewBody, 'body')
const text = (example: string) => ({ schema: { type: 'string', examples: [example] } })

/** Movements as JSON, or a file of the layout. */
const previewBody: Body<Lines<'json' | 'file'> | undefined> = lines(
  {
    'application/json': { schema: PreviewBody },
    'text/csv': text('enrollment-id;outcome\r\n01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21;accepted\r\n'),
    'text/plain': text('20002HELENA BRANDAO SOUZA                170519902           \r\n'),
    'application/x-ndjson': text('{"enrollment-id":"01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21","outcome":"accepted"}\n'),
    [xlsxType]: workbook,
  },
  {
    'application/json': 'json',
    'text/csv': 'file',
    'text/plain': 'file',
    'application/x-ndjson': 'file',
    [xlsxType]: 'file',
  },
  maxFileBytes,
)

/** `POST /operator/v1/layout/{id}/preview`. */
export async function layoutPreviewRoute(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'POST',
    url: '/operator/v1/layout/:layoutId/preview',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'previewLayout',
      'x-sdk': 'layouts.preview',
      'x-cli': {
        command: 'layout preview',
        options: { version: 'layout-version', 'enrollment-ids': 'enrollment' },
        examples: {
          'layout preview generic-csv --enrollment 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the lines of a movement',
        },
      },
      summary: 'Show what a layout writes or reads',
      description:
        `Of a layout of movements: the lines of up to ${maxPreviewed} movements, and what keeps each of them out of the file, in a shipment that does not exist: its ` +
        'number is 1, its dates are today. Of the others: the first 100 lines of a file and the first 100 that are refused. Nothing is stored.',
      params: LayoutPath,
      querystring: VersionQuery,
      response: { 200: PreviewResponse, ...errorResponses('layout-not-found') },
    },
    body: previewBody,
    handler: async (request) => {
      const { params, query, body } = request
      const { direction, definition } = await requireLayout(database, params.layoutId, query.version)
      const language = languageOf(request)
      if (body === undefined || body.bytes.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
      // Its lines are those of `GET /operator/v1/payroll`.
      if (direction === 'payroll') throw invalidParameter([{ field: 'layout-id', code: 'not-applicable' }])
      if ((direction === 'movement') !== (body.format === 'json')) throw new ApiError('unsupported-media-type')
      if (body.format === 'file') {
        return { result: previewFile(await parseInThread(definition, body.bytes), language) }
      }
      const validated = validatePreview(parseJson(body.bytes))
      if ('error' in validated) throw validated.error
      const ids = (validated.value as { 'enrollment-ids': string[] })['enrollment-ids']
      return { result: await previewMovements(database, definition, ids, { today: context.today(), language }) }
    },
  })
}
