import { Type } from 'typebox'
import { invalidBody } from '#platform/core/errors.ts'
import type { Body } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { LAYOUT_DIRECTIONS } from '../rules/layout.ts'
import { maxLayouts } from './definition.ts'
import { checkLayout, LayoutBody, type LayoutInput } from './layout.ts'
import { createLayout, mayWriteLayouts, replaceLayout } from './put.ts'
import { listLayouts, requireLayout } from './queries.ts'
import { bodyExample, LayoutList, LayoutPath, LayoutResponse, VersionQuery } from './schema.ts'

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
