import { Readable } from 'node:stream'
import { auditDownload } from '../audit/audit-download.ts'
import { ConcurrencyLimit } from '../core/concurrency-limit.ts'
import { ApiError } from '../core/errors.ts'
import { maskCpf } from '../domain/masking.ts'
import type { DiscrepancyClass, DiscrepancyStatus, Explanation } from '../domain/reconciliation.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { sendHeaders } from '../http/download.ts'
import { languageOf } from '../http/language.ts'
import { route } from '../http/route.ts'
import { type ItemFormat, openItemStream } from '../http/row-stream.ts'
import { Closed, errorResponses } from '../http/schemas.ts'
import { workbook } from '../http/table-types.ts'
import { xlsxType } from '../tables/media-type.ts'
import { SheetWriter } from '../tables/xlsx/write.ts'
import { zipWorkbook } from '../tables/xlsx/zip-writer.ts'
import { PORTUGUESE, type Terms, TEXTS } from '../texts/texts.ts'
import { exportStatement } from './discrepancy-queries.ts'
import { filterOf } from './filter.ts'
import { findReconciliation } from './queries.ts'
import { discrepancyFilters, ReconciliationPath } from './schema.ts'
import { mayReadFiles } from '../carrier-files/upload.ts'

const timeoutMs = 15 * 60_000

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
  'days',
  'amount',
  'note',
  'line-number',
] as const

/** Amounts with a decimal comma, as Brazilian spreadsheets write them. */
const amountOf = (cents: number): string => (cents / 100).toFixed(2).replace('.', ',')

function cellOf(item: Item, column: (typeof columns)[number], isMasked: boolean, terms: Terms): string | null {
  if (column === 'class') return terms.discrepancyClass[item.class]
  if (column === 'status') return terms.discrepancyStatus[item.status]
  if (column === 'explanation') return item.explanation === null ? null : terms.explanation[item.explanation]
  const value = item[column]
  if (value === null || value === undefined) return null
  if (column === 'amount') return amountOf(Number(value))
  const isCpf =
    column === 'member-tax-id' || (item.class === 'tax-id-differs' && ['expected', 'found'].includes(column))
  return isMasked && isCpf ? maskCpf(String(value)) : String(value)
}

/** `GET /operator/v1/reconciliation/{id}/export`: the discrepancies as a workbook. */
export function exportRoute(app: App, context: Context): void {
  const { database, log, config } = context
  const exports = new ConcurrencyLimit({ max: config.limits.lists, maxWaitMs: config.limits.maxWaitMs })
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
        'Those that the filters select, from one snapshot, under headings in the language of the request. Cells are texts, never formulas. Only admins ' +
        'and analysts get whole CPFs.',
      params: ReconciliationPath,
      querystring: Closed(discrepancyFilters),
      response: {
        200: { description: 'A line for each discrepancy, after the header.', content: { [xlsxType]: workbook } },
        ...errorResponses('reconciliation-not-found'),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.reconciliationId.toLowerCase()
      const found = await findReconciliation(database, id)
      if (found === null) throw new ApiError('reconciliation-not-found')
      void reply.header('content-disposition', 'attachment; filename="discrepancies.xlsx"').type(xlsxType)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const row = { action: 'reconciliation.exported', target: id, companyId: found.companyId } as const
      await auditDownload(context, callerOf(request), mayReadFiles, row)
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      const language = languageOf(request)
      const { terms } = TEXTS[language]
      const sheet = columns.map((name) => ({ header: language === 'pt-BR' ? PORTUGUESE.fields[name] : name }))
      const writer = new SheetWriter(sheet)
      const encode = (text: string) => {
        const item = JSON.parse(text) as Item
        return writer.row(columns.map((column) => cellOf(item, column, isMasked, terms)))
      }
      const format: ItemFormat = { head: writer.head(), separator: '', tail: writer.tail(), encode }
      const statement = { ...exportStatement({ companyId: found.companyId, id }, filterOf(request.query)), timeoutMs }
      const permit = await exports.acquire(callerOf(request).clientId)
      const texts = await openItemStream({ database, log }, statement, format, () => permit.release())
      return reply.send(Readable.from(zipWorkbook('discrepancies', sheet, texts), { objectMode: false }))
    },
  })
}
