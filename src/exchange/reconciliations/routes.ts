import { fileFilterOf, fileQuery } from '../carrier-files/filter.ts'
import { mayReadFiles, mayWriteFiles } from '../carrier-files/upload.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { RECONCILIATION_KINDS, RECONCILIATION_STATUSES } from '#kernel/reconciliation.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, OneOf, pageBounds } from '#platform/http/schemas.ts'
import { discrepancyRoutes } from './discrepancy-routes.ts'
import { exportRoute } from './export-route.ts'
import { listReconciliations, readReconciliation } from './queries.ts'
import { createReconciliation, repeatReconciliation } from './reconcile.ts'
import { ReconciliationBody, ReconciliationList, ReconciliationPath, ReconciliationResponse } from './schema.ts'

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
  writeRoutes(app, context)
  readRoutes(app, context)
  discrepancyRoutes(app, context)
  exportRoute(app, context)
}

function writeRoutes(app: App, context: Context): void {
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
        200: ReconciliationResponse,
        202: ReconciliationResponse,
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

  route(app, {
    method: 'POST',
    url: `${url}/:reconciliationId/repeat`,
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'repeatReconciliation',
      'x-sdk': 'reconciliations.repeat',
      'x-cli': { command: 'reconciliation repeat', columns },
      summary: 'Compare again',
      description:
        'After links, corrections and movements: it is `computing` until the workers have done it. What operators did with discrepancies stays; those that are none any more are gone. Without a change ' +
        'everything is as it was.',
      params: ReconciliationPath,
      response: {
        200: ReconciliationResponse,
        ...errorResponses('reconciliation-not-found', 'reconciliation-status', 'price-setting-missing'),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.reconciliationId
      await repeatReconciliation(context, callerOf(request), id)
      return sendJson(reply, required(await readReconciliation(context.database, id), 'reconciliation'))
    },
  })
}

function readRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayReadFiles,
    schema: {
      operationId: 'listReconciliations',
      'x-sdk': 'reconciliations.list',
      'x-cli': {
        command: 'reconciliation list',
        ids: 'reconciliation-id',
        examples: { 'reconciliation list --reference-month 2026-11': 'those of a month' },
        columns,
      },
      summary: 'List the reconciliations',
      description: 'The latest month first, each with its counts by class and status.',
      querystring: fileQuery(
        OneOf(RECONCILIATION_KINDS, { description: 'Default: both kinds.' }),
        OneOf(RECONCILIATION_STATUSES, { description: 'Default: every status.' }),
      ),
      response: { 200: ReconciliationList },
    },
    handler: async ({ query }, reply) => {
      const page = await listReconciliations(database, fileFilterOf(query), pageBounds(query))
      return sendJson(reply, listBody(page, query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:reconciliationId`,
    api: 'operator',
    roles: mayReadFiles,
    schema: {
      operationId: 'readReconciliation',
      'x-sdk': 'reconciliations.get',
      'x-cli': { command: 'reconciliation show', examples: { [`reconciliation show ${example}`]: 'with its counts' } },
      summary: 'Read a reconciliation',
      description: 'With its counts by class and status.',
      params: ReconciliationPath,
      response: { 200: ReconciliationResponse, ...errorResponses('reconciliation-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readReconciliation(database, request.params.reconciliationId)
      if (body === null) throw new ApiError('reconciliation-not-found')
      return sendJson(reply, body)
    },
  })
}
