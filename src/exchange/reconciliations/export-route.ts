import { auditDownload } from '#access/audit/audit-download.ts'
import { maskCpf } from '#kernel/masking.ts'
import type { DiscrepancyClass, DiscrepancyStatus, Explanation } from '#kernel/reconciliation.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { languageOf } from '#platform/http/language.ts'
import { route } from '#platform/http/route.ts'
import { sendWorkbook } from '#platform/http/table-stream.ts'
import { Closed, errorResponses } from '#platform/http/schemas.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { portugueseCell } from '#platform/tables/portuguese.ts'
import { financeCell, financeColumns } from '#platform/tables/finance-sheet.ts'
import { exportStatement, filterOf } from './discrepancy-queries.ts'
import { requireReconciliation } from './queries.ts'
import { discrepancyFilters, ReconciliationPath } from './schema.ts'
import { mayReadFiles } from '../carrier-files/upload.ts'

/** A discrepancy as the statement gives it. */
interface Item extends Readonly<Record<string, string | number | null>> {
  readonly class: DiscrepancyClass
  readonly status: DiscrepancyStatus
  readonly explanation: Explanation | null
}

const columns = [
  'class',
  'status',
  'explanation',
  'member-name',
  'member-tax-id',
  'member-type',
  'employee-id',
  'product-name',
  'card-number',
  'expected',
  'found',
  'cover-month',
  'days',
  'amount',
  'note',
  'line-number',
] as const

function cellOf(item: Item, column: (typeof columns)[number], isMasked: boolean, language: Language): string | null {
  const value = item[column]
  const isCpf =
    column === 'member-tax-id' || (item.class === 'tax-id-differs' && ['expected', 'found'].includes(column))
  if (isCpf && value !== null && value !== undefined)
    return isMasked ? maskCpf(String(value)) : portugueseCell('cpf', String(value))
  return financeCell(column, value, language, item.class)
}

/** `GET /operator/v1/reconciliation/{id}/export`: the discrepancies as a workbook. */
export function exportRoute(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/reconciliation/:reconciliationId/export',
    api: 'operator',
    roles: mayReadFiles,
    schema: {
      operationId: 'exportDiscrepancies',
      'x-sdk': 'reconciliations.export',
      'x-cli': {
        command: 'reconciliation export',
        examples: {
          'reconciliation export 01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12 --output differences.xlsx': 'for the carrier',
        },
      },
      summary: 'Export the discrepancies of a reconciliation as XLSX',
      description:
        'Those that the filters select, from one snapshot, under headings in the language of the request. Amounts are numbers in reais, days are days, other cells texts, never formulas. Only admins ' +
        'and analysts get whole CPFs.',
      params: ReconciliationPath,
      querystring: Closed(discrepancyFilters),
      response: {
        200: { description: 'A line for each discrepancy, after the header.', content: { [xlsxType]: workbook } },
        ...errorResponses('reconciliation-not-found'),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.reconciliationId
      const { companyId, kind } = await requireReconciliation(database, id)
      if (request.method !== 'HEAD') {
        const row = { action: 'reconciliation.exported', target: id, companyId } as const
        await auditDownload(context, callerOf(request), mayReadFiles, row)
      }
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      const language = languageOf(request)
      return sendWorkbook(context, request, reply, {
        name: 'discrepancies',
        columns: financeColumns(columns, language, kind === 'roster'),
        statement: exportStatement({ companyId, id }, filterOf(request.query)),
        cellsOf: (text) => {
          const item = JSON.parse(text) as Item
          return columns.map((column) => cellOf(item, column, isMasked, language))
        },
      })
    },
  })
}
