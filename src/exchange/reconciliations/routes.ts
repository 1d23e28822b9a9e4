import { ResultOf } from '#platform/http/page.ts'
import { mayReadFiles, mayWriteFiles } from '../carrier-files/upload.ts'
import { required } from '#platform/core/log.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { discrepancyRoutes } from './discrepancy-routes.ts'
import { exportRoute } from './export-route.ts'
import { readReconciliation, reconciliationPage } from './queries.ts'
import { createReconciliation, repeatReconciliation } from './reconcile.ts'
import { ReconciliationBody, ReconciliationQuery, Reconciliation } from './schema.ts'

const url = '/operator/v1/reconciliation'
const example = '01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12'

const columns = {
  'RECONCILIATION-ID': 'reconciliation-id',
  COMPANY: 'company-name',
  CARRIER: 'carrier-name',
  CONTRACT: 'contract-number',
  KIND: 'kind',
  MONTH: 'reference-month',
  STATUS: 'status',
  CLASS: 'counts[].class',
  OPEN: 'counts[].open',
  EXPLAINED: 'counts[].explained',
}

/** `/operator/v1/reconciliation`: what carriers have, compared with what is here. */
export async function reconciliationRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  const reconciliation = resource(app, context, {
    noun: 'reconciliation',
    mayRead: mayReadFiles,
    mayWrite: mayWriteFiles,
    item: Reconciliation,
    read: readReconciliation,
    columns,
  })
  reconciliation.act('repeat', {
    summary: 'Compare again',
    description:
      'After links, corrections and movements: it is `computing` until the workers have done it. What operators did with discrepancies stays; those that are none any more are gone. Without a change ' +
      'everything is as it was.',
    errors: ['reconciliation-status', 'price-setting-missing'],
    run: (actor, id) => repeatReconciliation(context, actor, id),
  })
  reconciliation.list({
    summary: 'List the reconciliations',
    description: 'The latest month first, each with its counts by class and status.',
    cli: {
      ids: 'reconciliation-id',
      examples: { 'reconciliation list --reference-month 2026-11': 'those of a month' },
    },
    query: ReconciliationQuery,
    page: reconciliationPage,
  })
  reconciliation.get({
    summary: 'Read a reconciliation',
    description: 'With its counts by class and status.',
    cli: { examples: { [`reconciliation show ${example}`]: 'with its counts' } },
  })
  discrepancyRoutes(app, context)
  exportRoute(app, context)
}

function createRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'createReconciliation',
      'x-sdk': 'reconciliations.create',
      'x-cli': {
        command: 'reconciliation create',
        arguments: ['carrier-file-id'],
        examples: {
          'reconciliation create 01995e0d-1a20-7c31-8d4e-5f6a7b8c9d01':
            'compares the roster with the benefits of its contract',
        },
        columns,
      },
      summary: 'Compare a carrier’s roster or invoice with the benefits of its contract',
      description:
        'An invoice is compared with the expected one, which needs the prices and settings of the contract. ' +
        'The workers compare them on the day `as-of`: read the reconciliation until its `status` is no longer `computing`. A file is compared once: 200 ' +
        'with the comparison that there is. What an open movement or one that was completed after the cut-off explains is `explained`.',
      response: {
        200: ResultOf(Reconciliation),
        202: ResultOf(Reconciliation),
        ...errorResponses('carrier-file-not-found', 'carrier-file-status', 'price-setting-missing', 'month-closed'),
      },
    },
    body: json(ReconciliationBody),
    handler: async (request, reply) => {
      const { 'carrier-file-id': fileId, 'as-of': asOf } = request.body
      const made = await createReconciliation(context, callerOf(request), fileId, asOf ?? null)
      void reply.status(made.isNew ? 202 : 200).header('location', `${url}/${made.id}`)
      return sendJson(reply, required(await readReconciliation(context.database, made.id), 'reconciliation'))
    },
  })
}
