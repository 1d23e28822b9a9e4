import { MAX_VIEWS } from '../rules/view.ts'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { deleteView, mayWriteViews, putView } from './put.ts'
import { listViews, readView } from './queries.ts'
import { ViewBody, ViewList, ViewQuery, View } from './schema.ts'

const url = '/operator/v1/view'
const columns = { 'VIEW-ID': 'view-id', AREA: 'area', NAME: 'name', 'LAST-UPDATED-AT': 'last-updated-at' }
const example = '01995e0c-7d22-7e52-8d0e-3b1f6a7c9d21'

/** `/operator/v1/view`: filters of the lists of the console that the team shares. */
export async function viewRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
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

  const view = resource(app, context, {
    noun: 'view',
    mayRead: ['analyst', 'auditor'],
    mayWrite: mayWriteViews,
    item: View,
    read: readView,
    columns,
  })
  view.put({
    summary: 'Create or replace a view of the team',
    description: `Every operator sees it. An area has at most ${MAX_VIEWS} views. A search text and a person cannot be stored.`,
    cli: { file: true, examples: { [`view put ${example} view.json`]: 'the file is the body of the PUT' } },
    body: json(ViewBody),
    run: (actor, id, body) => putView(database, actor, id, body),
  })
  view.remove({
    summary: 'Delete a view of the team',
    description: 'For every operator.',
    run: (actor, id) => deleteView(database, actor, id),
  })
}
