import { route } from '#platform/http/route.ts'
import { maskField } from '#kernel/masking.ts'
import { exportCells, exportColumns, exportStatement } from './export-queries.ts'
import { selectQueue } from './queries.ts'
import { auditDownload } from '#access/audit/audit-download.ts'
import { companyIdsOf } from '#registry/companies/queries.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { flag, portugueseTable } from '#platform/tables/portuguese.ts'
import { PORTUGUESE } from '#kernel/texts/texts.ts'
import { workbook } from '#platform/http/table-types.ts'
import { sendTable } from '#platform/http/table-stream.ts'
import { Closed, errorResponses, OneOf } from '#platform/http/schemas.ts'
import { queueFilterOf, queueQuery } from './filter.ts'

/** The columns under the names of the API. */
const apiColumns = exportColumns.map((header) => ({
  header,
  isDate: /-date$|^date-|^requested-at$|-issued-at$|^window-until$/.test(header),
}))

const { terms } = PORTUGUESE
const portuguese = portugueseTable(exportColumns, {
  'requested-at': 'date',
  'per-month': 'money',
  'charged-beyond-end': 'money',
  'if-missed': 'money',
  lost: 'money',
  'lost-if-missed': 'money',
  'window-until': 'date',
  'extension-plan': flag,
  contributed: flag,
  'keeps-working-after-retirement': flag,
  disabled: flag,
  'enrollment-type': terms.type,
  'alteration-kind': terms.alterationKind,
  status: terms.status,
  'scheduled-reason': terms.scheduledReason,
  'product-type': terms.productType,
  'exclusion-reason': terms.exclusionReason,
  'member-type': terms.beneficiaryType,
  'dependent-type': terms.dependentType,
  gender: terms.gender,
  'marital-status': terms.maritalStatus,
  'work-contract-type': terms.workContractType,
})

const mayExport = ['analyst', 'auditor'] as const

/** What an auditor gets: CPFs, numbers of documents and bank data are masked. */
const maskedCells = (item: string) =>
  exportCells(item).map((cell, index) => (cell === null ? null : maskField(exportColumns[index] ?? '', cell)))

/** `GET /operator/v1/enrollment/export`: the queue as CSV. */
export async function enrollmentExportRoute(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/export',
    api: 'operator',
    roles: mayExport,
    schema: {
      operationId: 'exportEnrollmentQueue',
      'x-sdk': 'enrollments.export',
      'x-cli': {
        command: 'enrollment export',
        options: { 'carrier-name': 'carrier' },
        examples: {
          'enrollment export --status created --output queue.csv': 'for a spreadsheet; separated by semicolons',
        },
      },
      summary: 'Export enrollments as CSV or XLSX',
      description:
        'All enrollments that the filters of the queue select, from one snapshot, with what a carrier needs: registration data as they are once ' +
        'the movement is completed, product, company, dates, the money at risk in cents, `documents` as `document-type:document-id`. Separator `;`, UTF-8 with a byte ' +
        'order mark, lines end with CR LF. A cell that begins with `=`, `+`, `-`, `@`, tab or CR has an apostrophe before it. A response that ' +
        'breaks off is not the whole list. `Accept` with the media type of XLSX gives a workbook, whose cells are texts and days, never formulas. An auditor gets masked CPFs, numbers of documents and bank data. Leaves an audit row `enrollment.exported`.',
      querystring: Closed({
        ...queueQuery,
        language: OneOf(['en', 'pt-BR'], {
          default: 'en',
          description:
            '`en`: names, codes and forms of the API. `pt-BR`: Portuguese headings and words, days as `dd/mm/aaaa`, reais, CPFs with punctuation.',
        }),
      }),
      response: {
        200: {
          description: 'One line for each enrollment, after the header.',
          content: {
            'text/csv': {
              schema: { type: 'string', examples: ['enrollment-id;enrollment-type;status;...\r\n'] },
            },
            [xlsxType]: workbook,
          },
        },
        ...errorResponses('invalid-date-range'),
      },
    },
    handler: async (request, reply) => {
      const { language, ...query } = request.query
      const filter = queueFilterOf(query, context.today())
      const isPortuguese = language === 'pt-BR'
      if (request.method !== 'HEAD') {
        const { 'company-tax-id': companyTaxId } = filter
        const ids = companyTaxId === undefined ? null : await companyIdsOf(context.database, [companyTaxId])
        const companyId = ids?.get(companyTaxId ?? '') ?? null
        const row = { action: 'enrollment.exported', target: companyId ?? 'all', companyId } as const
        await auditDownload(context, callerOf(request), mayExport, row)
      }
      const cellsOf = request.role === 'auditor' ? maskedCells : exportCells
      return sendTable(context, request, reply, {
        name: isPortuguese ? 'movimentacoes' : 'enrollments',
        sheet: isPortuguese ? 'Movimentações' : 'enrollments',
        columns: isPortuguese ? portuguese.columns : apiColumns,
        statement: exportStatement(selectQueue(filter, query.sort)),
        cellsOf: isPortuguese ? (item, isWorkbook) => portuguese.row(cellsOf(item), isWorkbook) : cellsOf,
      })
    },
  })
}
