import { mayReadFiles, mayWriteFiles } from '../carrier-files/upload.ts'
import { invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { maskCpf, maskFields } from '#kernel/masking.ts'
import { CORRECTABLE_CLASSES } from '#kernel/reconciliation.ts'
import { json, optionalJson } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageQuery } from '#platform/http/schemas.ts'
import { correctDiscrepancy, mayCorrect } from './correct.ts'
import { filterOf, discrepancyPage, readDiscrepancy } from './discrepancy-queries.ts'
import { requireReconciliation } from './queries.ts'
import { changeMany } from './reconcile.ts'
import {
  ChangeBody,
  ChangeResponse,
  CorrectBody,
  discrepancyFilters,
  DiscrepancyList,
  DiscrepancyPath,
  DiscrepancyResponse,
  ReconciliationPath,
} from './schema.ts'

const url = '/operator/v1/reconciliation/:reconciliationId/discrepancy'
const example = '01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12'

/** The discrepancies of a reconciliation, and what is done with them. */
export function discrepancyRoutes(app: App, context: Context): void {
  listRoute(app, context)
  changeRoute(app, context)
  correctRoute(app, context)
}

const columns = {
  'DISCREPANCY-ID': 'discrepancy-id',
  CLASS: 'class',
  STATUS: 'status',
  EXPLANATION: 'explanation',
  MEMBER: 'member-name',
  PRODUCT: 'product-name',
  EXPECTED: 'expected',
  FOUND: 'found',
  DAYS: 'days',
  'COVER-MONTH': 'cover-month',
}

function listRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayReadFiles,
    schema: {
      operationId: 'listDiscrepancies',
      'x-sdk': 'reconciliations.discrepancies',
      'x-cli': {
        command: 'reconciliation discrepancies',
        options: { q: 'search' },
        ids: 'discrepancy-id',
        examples: { [`reconciliation discrepancies ${example} --status open`]: 'what is not explained yet' },
        columns,
      },
      summary: 'List the discrepancies of a reconciliation',
      description:
        'The open ones and the largest amounts first, then by class and in the order of the file. Only admins and analysts get whole CPFs.',
      params: ReconciliationPath,
      querystring: Closed({ ...discrepancyFilters, ...pageQuery }),
      response: { 200: DiscrepancyList, ...errorResponses('reconciliation-not-found') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const id = request.params.reconciliationId
      const { companyId } = await requireReconciliation(database, id)
      const of = { 'discrepancy.company_id': companyId, 'discrepancy.reconciliation_id': id }
      const page = await discrepancyPage(database, filterOf(query), of)
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      const items = isMasked ? JSON.stringify((JSON.parse(page.items) as Masked[]).map(masked)) : page.items
      return sendJson(reply, listBody({ ...page, items }, query))
    },
  })
}

interface Masked {
  readonly class: string
  readonly expected: string | null
  readonly found: string | null
}

function masked(item: Masked): unknown {
  const cpf = (value: string | null) => (value === null ? null : maskCpf(value))
  const own = item.class === 'tax-id-differs' ? { expected: cpf(item.expected), found: cpf(item.found) } : {}
  return maskFields({ ...item, ...own })
}

function changeRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'changeDiscrepancies',
      'x-sdk': 'reconciliations.change',
      'x-cli': {
        command: 'reconciliation change',
        options: { 'discrepancy-ids': 'discrepancy' },
        examples: {
          [`reconciliation change ${example} --discrepancy 01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23 --status accepted`]:
            'one of them; a filter is in the file of --json-body',
        },
      },
      summary: 'Explain, accept, note or assign discrepancies',
      description:
        'One, several, or all that a filter selects. What is claimed or corrected keeps its status. `explained` is by hand, unless it explains itself; ' +
        'it stays when the comparison is repeated.',
      params: ReconciliationPath,
      response: {
        200: ChangeResponse,
        ...errorResponses('reconciliation-not-found', 'reconciliation-status'),
      },
    },
    body: json(ChangeBody),
    handler: async (request) => {
      const { 'discrepancy-ids': ids, filter, status, note, assignee } = request.body
      if ((ids === undefined) === (filter === undefined)) {
        throw invalidBody([
          { field: 'discrepancy-ids', code: 'invalid', message: { key: 'one-of-two', other: 'filter' } },
        ])
      }
      if (status === 'explained' && typeof note !== 'string') throw invalidBody([{ field: 'note', code: 'missing' }])
      const which = ids ?? filterOf(filter ?? {})
      const change = { status, note: note?.trim() ?? note, assignee }
      const id = request.params.reconciliationId
      return { result: { changed: await changeMany(context, callerOf(request), id, which, change) } }
    },
  })
}

function correctRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: '/operator/v1/discrepancy/:discrepancyId/correct',
    api: 'operator',
    roles: mayCorrect,
    schema: {
      operationId: 'correctDiscrepancy',
      'x-sdk': 'discrepancies.correct',
      'x-cli': {
        command: 'discrepancy correct',
        examples: {
          'discrepancy correct 01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23': 'takes over what the carrier has',
        },
        columns,
      },
      summary: 'Correct a discrepancy here',
      description:
        'Takes over what the carrier has. `unknown-here` becomes an inclusion, `ended-at-carrier-active-here` and `missing-at-carrier` an exclusion, a plan, ' +
        'name, birth or CPF that differs an alteration: movements of the operator, decided as every other; card number and start are corrected at once. ' +
        `Of the classes ${CORRECTABLE_CLASSES.map((name) => `\`${name}\``).join(', ')}; the carrier corrects the others.`,
      params: DiscrepancyPath,
      response: {
        200: DiscrepancyResponse,
        ...errorResponses(
          'invalid-members',
          'invalid-alteration-data',
          'invalid-exclusion-details',
          'before-start-date',
          'discrepancy-not-found',
          'no-active-benefit',
          'no-active-primary-benefit',
          'discrepancy-not-correctable',
          'benefit-not-correctable',
          'duplicate-card',
          'ongoing-enrollments',
        ),
      },
    },
    body: optionalJson(CorrectBody),
    handler: async (request, reply) => {
      const id = request.params.discrepancyId
      const { 'end-date': endDate, 'exclusion-reason': exclusionReason = 'other', member = {} } = request.body
      await correctDiscrepancy(context, callerOf(request), id, { endDate: endDate ?? null, exclusionReason, member })
      return sendJson(reply, required(await readDiscrepancy(context.database, id), 'discrepancy'))
    },
  })
}
