import { Type } from 'typebox'
import { MAX_VIEWS } from '../rules/view.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { deleteView, mayWriteViews, putView } from './put.ts'
import { listViews } from './queries.ts'
import { ViewBody, ViewList, ViewPath, ViewQuery, ViewResponse } from './schema.ts'

const url = '/operator/v1/view'
const columns = { 'VIEW-ID': 'view-id', AREA: 'area', NAME: 'name', 'LAST-UPDATED-AT': 'last-updated-at' }
const example = '01995e0c-7d22-7e52-8d0e-3b1f6a7c9d21'

/** `/operator/v1/view`: filters of the lists of the console that the team shares. */
export async function viewRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listViews',
      'x-sdk': 'views.list',
      'x-cli': { command: 'view list', columns },
      summary: 'List the views of the team',
      description: 'Filters of the lists of the console under a name, the oldest first.',
      querystring: ViewQuery,
      response: { 200: ViewList },
    },
    handler: async ({ query }, reply) => sendJson(reply, `{"result":${await listViews(database, query.area ?? null)}}`),
  })

  route(app, {
    method: 'PUT',
    url: `${url}/:viewId`,
    api: 'operator',
    roles: mayWriteViews,
    schema: {
      operationId: 'putView',
      'x-sdk': 'views.put',
      'x-cli': {
        command: 'view put',
        file: true,
        examples: { [`view put ${example} view.json`]: 'the file is the body of the PUT' },
        columns,
      },
      summary: 'Create or replace a view of the team',
      description: `Every operator sees it. An area has at most ${MAX_VIEWS} views. A search text and a person cannot be stored.`,
      params: ViewPath,
      response: { 200: ViewResponse },
    },
    body: json(ViewBody),
    handler: async (request, reply) => {
      const { params, body } = request
      const view = await putView(database, callerOf(request), params.viewId, body)
      return sendJson(reply, `{"result":${view}}`)
    },
  })

  route(app, {
    method: 'DELETE',
    url: `${url}/:viewId`,
    api: 'operator',
    roles: mayWriteViews,
    schema: {
      operationId: 'deleteView',
      'x-sdk': 'views.delete',
      'x-cli': {
        command: 'view delete',
        result: { 'view-id': '{view-id}', deleted: true },
        message: 'View {view-id} is deleted.',
      },
      summary: 'Delete a view of the team',
      description: 'For every operator.',
      params: ViewPath,
      response: { 204: Type.Null({ description: 'Deleted.' }), ...errorResponses('view-not-found') },
    },
    handler: async (request, reply) => {
      await deleteView(database, callerOf(request), request.params.viewId)
      return reply.status(204).send()
    },
  })
}
