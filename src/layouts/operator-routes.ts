import { Type } from 'typebox'
import { ApiError, invalidBody, invalidParameter } from '../core/errors.ts'
import type { Sql } from '../core/database.ts'
import { type Body, type Lines, lines } from '../http/bodies.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import { languageOf } from '../http/language.ts'
import { route } from '../http/route.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '../http/schemas.ts'
import { parseJson } from '../http/strict-json.ts'
import { workbook } from '../http/table-types.ts'
import { validator } from '../http/validation.ts'
import { xlsxType } from '../tables/media-type.ts'
import { LAYOUT_DIRECTIONS } from '../domain/layout.ts'
import { maxFileBytes, maxLayouts } from './definition.ts'
import { checkLayout, LayoutBody, type LayoutInput } from './layout.ts'
import { parseInThread } from './parse-in-thread.ts'
import { maxPreviewed, previewFile, previewMovements } from './preview.ts'
import { createLayout, mayWriteLayouts, replaceLayout } from './put.ts'
import { findLayout, type Layout, listLayouts } from './queries.ts'
import {
  bodyExample,
  LayoutList,
  LayoutPath,
  LayoutResponse,
  PreviewBody,
  PreviewResponse,
  VersionQuery,
} from './schema.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/layout'

const columns = {
  'LAYOUT-ID': 'layout-id',
  VERSION: 'version',
  NAME: 'name',
  DIRECTION: 'direction',
  FORMAT: 'format',
  'BUILT-IN': 'built-in',
}

/** `/operator/v1/layout`: descriptions of the files of carriers. */
export async function layoutRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  writeRoutes(app, context)
  previewRoute(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listLayouts',
      'x-sdk': 'layouts.list',
      'x-cli': {
        command: 'layout list',
        examples: { 'layout list --direction movement': 'those that movements are written by' },
        columns,
      },
      summary: 'List the layouts of carriers’ files',
      description: 'Ordered by name, with the built-in ones, without definitions.',
      querystring: Closed({
        direction: Type.Optional(OneOf(LAYOUT_DIRECTIONS, { description: 'Of this direction only.' })),
        ...pageQuery,
      }),
      response: { 200: LayoutList },
    },
    handler: async (request, reply) => {
      const layouts = await listLayouts(database, request.query.direction ?? null)
      const { limit, offset } = pageBounds(request.query)
      const items = JSON.stringify(layouts.slice(offset, offset + limit))
      return sendJson(reply, listBody({ total: layouts.length, items }, request.query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:layoutId`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readLayout',
      'x-sdk': 'layouts.get',
      'x-cli': {
        command: 'layout show',
        options: { version: 'layout-version' },
        examples: { 'layout show mecsas': 'to copy it' },
      },
      summary: 'Read a layout',
      description: 'The latest version, or another one.',
      params: LayoutPath,
      querystring: VersionQuery,
      response: { 200: LayoutResponse, ...errorResponses('layout-not-found') },
    },
    handler: async (request) => ({
      result: await requireLayout(database, request.params.layoutId, request.query.version),
    }),
  })
}

/** @throws ApiError 404 */
async function requireLayout(sql: Sql, id: string, version: number | undefined): Promise<Layout> {
  const layout = await findLayout(sql, id, version ?? null)
  if (layout === null) throw new ApiError('layout-not-found')
  return layout
}

function writeRoutes(app: App, context: Context): void {
  const body: Body<LayoutInput> = {
    schema: Type.Object(LayoutBody.properties, { ...LayoutBody, examples: [bodyExample] }),
    validate: (data) => {
      const checked = checkLayout(data)
      return 'errors' in checked ? { error: invalidBody(checked.errors) } : { value: checked.layout }
    },
  }

  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayWriteLayouts,
    schema: {
      operationId: 'createLayout',
      'x-sdk': 'layouts.create',
      'x-cli': {
        command: 'layout create',
        file: true,
        examples: { 'layout create layout.json': 'the file is the body of POST /operator/v1/layout' },
        columns,
      },
      summary: 'Create a layout of a carrier’s file',
      description:
        'A layout of `direction` `movement` fills each column with a `literal`, a `source` or a `total`; the others read a column as a `target`, or ' +
        '`drop` it. It has no expressions and no code: what depends on a condition is a record of its own with `when`. All errors are listed at once. ' +
        `Columns of diagnoses are neither filled nor read. An installation has up to ${maxLayouts} layouts beside the built-in ones.`,
      response: { 200: LayoutResponse, ...errorResponses('too-many-layouts') },
    },
    body,
    takesShown: true,
    handler: async (request) => ({ result: await createLayout(context, callerOf(request), request.body) }),
  })

  route(app, {
    method: 'PUT',
    url: `${url}/:layoutId`,
    api: 'operator',
    roles: mayWriteLayouts,
    schema: {
      operationId: 'putLayout',
      'x-sdk': 'layouts.put',
      'x-cli': {
        command: 'layout put',
        file: true,
        examples: { 'layout put 01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e layout.json': 'the whole layout' },
        columns,
      },
      summary: 'Replace a layout',
      description:
        'The latest version, unless a shipment used it: then this is the next version, and contracts use it from then on. The direction stays.',
      params: LayoutPath,
      response: { 200: LayoutResponse, ...errorResponses('layout-not-found', 'layout-built-in') },
    },
    body,
    handler: async (request) => ({
      result: await replaceLayout(context, callerOf(request), request.params.layoutId, request.body),
    }),
  })
}

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

function previewRoute(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'POST',
    url: `${url}/:layoutId/preview`,
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
      const ids = (validated.value as { 'enrollment-ids': string[] })['enrollment-ids'].map((id) => id.toLowerCase())
      return { result: await previewMovements(database, definition, ids, { today: context.today(), language }) }
    },
  })
}
