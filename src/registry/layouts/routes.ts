import { ResultOf } from '#platform/http/page.ts'
import { Type } from 'typebox'
import { invalidBody } from '#platform/core/errors.ts'
import type { Body } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, OneOf, pageQuery } from '#platform/http/schemas.ts'
import { LAYOUT_DIRECTIONS } from '../rules/layout.ts'
import { maxLayouts } from './definition.ts'
import { checkLayout, LayoutBody, type LayoutInput } from './layout.ts'
import { createLayout, mayWriteLayouts, replaceLayout } from './put.ts'
import { findLayout, layoutPage, requireLayout } from './queries.ts'
import { bodyExample, LayoutList, LayoutPath, VersionQuery, Layout } from './schema.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const

const body: Body<LayoutInput> = {
  schema: Type.Object(LayoutBody.properties, { ...LayoutBody, examples: [bodyExample] }),
  validate: (data) => {
    const checked = checkLayout(data)
    return 'errors' in checked ? { error: invalidBody(checked.errors) } : { value: checked.layout }
  },
}

/** `/operator/v1/layout`: descriptions of the files of carriers. */
export async function layoutRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const layout = resource(app, context, {
    noun: 'layout',
    mayRead,
    mayWrite: mayWriteLayouts,
    item: Layout,
    read: findLayout,
    columns: {
      'LAYOUT-ID': 'layout-id',
      VERSION: 'version',
      NAME: 'name',
      DIRECTION: 'direction',
      FORMAT: 'format',
      'BUILT-IN': 'built-in',
    },
    id: LayoutPath.properties.layoutId,
  })

  layout.create({
    summary: 'Create a layout of a carrier’s file',
    description:
      'A layout of `direction` `movement` fills each column with a `literal`, a `source` or a `total`; the others read a column as a `target`, or ' +
      '`drop` it. It has no expressions and no code: what depends on a condition is a record of its own with `when`. All errors are listed at once. ' +
      `Columns of diagnoses are neither filled nor read. An installation has up to ${maxLayouts} layouts beside the built-in ones.`,
    cli: {
      file: true,
      examples: { 'layout create layout.json': 'the file is the body of POST /operator/v1/layout' },
    },
    errors: ['too-many-layouts'],
    body,
    takesShown: true,
    run: (actor, sent) => createLayout(context, actor, sent),
  })
  layout.put({
    summary: 'Replace a layout',
    description:
      'The latest version, unless a shipment used it: then this is the next version, and contracts use it from then on. The direction stays.',
    cli: {
      file: true,
      examples: { 'layout put 01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e layout.json': 'the whole layout' },
    },
    errors: ['layout-not-found', 'layout-built-in'],
    body,
    run: (actor, id, sent) => replaceLayout(context, actor, id, sent),
  })
  layout.list({
    summary: 'List the layouts of carriers’ files',
    description: 'Ordered by name, with the built-in ones, without definitions.',
    cli: { examples: { 'layout list --direction movement': 'those that movements are written by' } },
    query: Closed({
      direction: Type.Optional(OneOf(LAYOUT_DIRECTIONS, { description: 'Of this direction only.' })),
      ...pageQuery,
    }),
    response: LayoutList,
    page: layoutPage,
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/layout/:layoutId',
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
      response: { 200: ResultOf(Layout), ...errorResponses('layout-not-found') },
    },
    handler: async (request) => ({
      result: await requireLayout(database, request.params.layoutId, request.query.version),
    }),
  })
}
