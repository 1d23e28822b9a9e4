import { Readable } from 'node:stream'
import { route } from '../http/route.ts'
import { maskField } from '../domain/masking.ts'
import { exportCells, exportColumns, exportStatement } from './export-queries.ts'
import { selectQueue } from './queries.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { byteOrderMark, csvLine, lineEnd } from '../tables/write.ts'
import { xlsxType } from '../tables/media-type.ts'
import { SheetWriter } from '../tables/xlsx/write.ts'
import { zipWorkbook } from '../tables/xlsx/zip-writer.ts'
import { workbook } from '../http/table-types.ts'
import { acceptedType } from '../http/accepted-type.ts'
import { sendHeaders } from '../http/download.ts'
import { ConcurrencyLimit } from '../core/concurrency-limit.ts'
import { type ItemFormat, openItemStream } from '../http/row-stream.ts'
import { Closed, errorResponses } from '../http/schemas.ts'
import { queueFilterOf, queueQuery } from './filter.ts'

const timeoutMs = 15 * 60_000

type CellsOf = (item: string) => readonly (string | null)[]

/** What an auditor gets: CPFs, numbers of documents and bank data are masked. */
const maskedCells: CellsOf = (item) =>
  exportCells(item).map((cell, index) => (cell === null ? null : maskField(exportColumns[index] ?? '', cell)))

function csvFormat(cellsOf: CellsOf): ItemFormat {
  return {
    head: `${byteOrderMark}${csvLine(exportColumns)}${lineEnd}`,
    separator: '',
    tail: '',
    encode: (item) => `${csvLine(cellsOf(item))}${lineEnd}`,
  }
}

const sheetColumns = exportColumns.map((header) => ({
  header,
  isDate: /-date$|^date-|^requested-at$|-issued-at$/.test(header),
}))

/** The XML of a sheet. */
function sheetFormat(cellsOf: CellsOf): ItemFormat {
  const writer = new SheetWriter(sheetColumns)
  return { head: writer.head(), separator: '', tail: writer.tail(), encode: (item) => writer.row(cellsOf(item)) }
}

/** `GET /operator/v1/enrollment/export`: the queue as CSV. */
export async function enrollmentExportRoute(app: App, context: Context): Promise<void> {
  const { database, log, config } = context
  const exports = new ConcurrencyLimit({ max: config.limits.lists, maxWaitMs: config.limits.maxWaitMs })
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/export',
    api: 'operator',
    roles: ['analyst', 'auditor'],
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
        'the movement is completed, product, company, dates, `documents` as `document-type:document-id`. Separator `;`, UTF-8 with a byte ' +
        'order mark, lines end with CR LF. A cell that begins with `=`, `+`, `-`, `@`, tab or CR has an apostrophe before it. A response that ' +
        'breaks off is not the whole list. `Accept` with the media type of XLSX gives a workbook, whose cells are texts and days, never formulas. An auditor gets masked CPFs, numbers of documents and bank data.',
      querystring: Closed(queueQuery),
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
      const selection = selectQueue(queueFilterOf(request.query, context.today()), request.query.sort)
      const isWorkbook = acceptedType(request.headers.accept, ['text/csv', xlsxType]) === xlsxType
      const [name, type] = isWorkbook ? ['enrollments.xlsx', xlsxType] : ['enrollments.csv', 'text/csv; charset=utf-8']
      void reply.header('content-disposition', `attachment; filename="${name}"`).type(type)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const permit = await exports.acquire(callerOf(request).clientId)
      const statement = { ...exportStatement(selection), timeoutMs }
      const cellsOf = request.role === 'auditor' ? maskedCells : exportCells
      const format = isWorkbook ? sheetFormat(cellsOf) : csvFormat(cellsOf)
      const texts = await openItemStream({ database, log }, statement, format, () => permit.release())
      if (!isWorkbook) return reply.send(texts)
      return reply.send(Readable.from(zipWorkbook('enrollments', sheetColumns, texts), { objectMode: false }))
    },
  })
}
