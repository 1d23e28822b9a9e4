import { write } from '#platform/core/write.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { applyRetention, reportRetention, type RetainedClass } from './run.ts'
import { maxIds, RetentionResponse, RetentionRunResponse } from './schema.ts'

const url = '/operator/v1/retention'
const columns = { CLASS: 'class', DAYS: 'days', BEFORE: 'before', COUNT: 'count' }

const shown = (report: readonly RetainedClass[]) =>
  report.map((deletion) => ({ ...deletion, count: deletion.ids.length, ids: deletion.ids.slice(0, maxIds) }))

/** `/operator/v1/retention`: what is deleted because its period is over. */
export async function retentionRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['auditor'],
    schema: {
      operationId: 'readRetention',
      'x-sdk': 'retention.dryRun',
      'x-cli': { command: 'retention dry-run', columns },
      summary: 'Read what the next run of retention deletes',
      description:
        'Nothing is deleted. A run follows each night; what a legal hold is on is left out. Documents that nothing used, drafts, events and jobs go within an hour, by the clock of the service, which a moved business day does not change.',
      response: { 200: RetentionResponse },
    },
    handler: async () => ({ result: shown(await reportRetention(context)) }),
  })

  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'runRetention',
      'x-sdk': 'retention.run',
      'x-cli': { command: 'retention run' },
      summary: 'Delete now what the next run of retention would delete',
      description: 'It cannot be undone. The response has what was deleted.',
      response: { 200: RetentionRunResponse },
    },
    handler: async (request) => {
      await write(context, callerOf(request), { may: [] }, async (tx) => {
        tx.audit({ action: 'retention.started', target: context.today(), companyId: null })
      })
      return { result: { classes: shown(await applyRetention(context, request.server.stopping)) } }
    },
  })
}
