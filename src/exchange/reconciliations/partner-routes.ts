import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { setDate } from '#platform/http/updated-since.ts'
import { listCompanyDiscrepancies, listCompanyReconciliations } from './partner-queries.ts'
import {
  CompanyDiscrepancyList,
  CompanyDiscrepancyQuery,
  CompanyReconciliationList,
  CompanyReconciliationQuery,
} from './partner-schema.ts'

const tags = ['discrepancies']
const shown =
  'Only of contracts that the broker set to show them; those of invoices only for clients that see money. Filters are combined with AND.'

/** `/v1/reconciliation` and `/v1/discrepancy`: what differs from the files of carriers, for companies and partners to read. */
export async function companyDiscrepancyRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/reconciliation',
    api: 'partner',
    schema: {
      operationId: 'listCompanyReconciliations',
      'x-sdk': 'reconciliations.list',
      'x-cli': {
        command: 'reconciliation list',
        columns: {
          'RECONCILIATION-ID': 'reconciliation-id',
          COMPANY: 'company-name',
          CARRIER: 'carrier-name',
          KIND: 'kind',
          MONTH: 'reference-month',
          STATUS: 'status',
          CLASS: 'counts[].class',
          OPEN: 'counts[].open',
        },
      },
      tags,
      summary: 'List the comparisons with the files of carriers',
      description: `The latest month first, each with its counts by class and status. ${shown}`,
      querystring: CompanyReconciliationQuery,
      response: { 200: CompanyReconciliationList, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      return sendJson(reply, listBody(await listCompanyReconciliations(database, callerOf(request), query), query))
    },
  })
  route(app, {
    method: 'GET',
    url: '/v1/discrepancy',
    api: 'partner',
    schema: {
      operationId: 'listCompanyDiscrepancies',
      'x-sdk': 'discrepancies.list',
      'x-cli': {
        command: 'discrepancy list',
        examples: { 'discrepancy list --kind roster --status open': 'what nobody has explained yet' },
        columns: {
          'DISCREPANCY-ID': 'discrepancy-id',
          CLASS: 'class',
          STATUS: 'status',
          MEMBER: 'member-name',
          PRODUCT: 'product-name',
          EXPECTED: 'expected',
          FOUND: 'found',
          DAYS: 'days',
          'COVER-MONTH': 'cover-month',
        },
      },
      tags,
      summary: 'List what differs from the files of carriers',
      description: `The latest month first, then by class. ${shown} One that a new comparison does not find is gone without a trace.`,
      querystring: CompanyDiscrepancyQuery,
      response: { 200: CompanyDiscrepancyList, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      setDate(reply, database.now())
      return sendJson(reply, listBody(await listCompanyDiscrepancies(database, callerOf(request), query), query))
    },
  })
}
