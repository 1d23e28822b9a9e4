import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { xlsxType } from '../tables/media-type.ts'
import { byteOrderMark, csvLine, lineEnd } from '../tables/write.ts'
import { type SheetColumn, SheetWriter } from '../tables/xlsx/write.ts'
import { zipWorkbook } from '../tables/xlsx/zip-writer.ts'
import { acceptedType } from './accepted-type.ts'
import type { Context } from './context.ts'
import { sendHeaders } from './download.ts'
import { type ItemFormat, type ItemStatement, openItemStream } from './row-stream.ts'

const timeoutMs = 15 * 60_000

/** A table that is streamed as CSV, or as XLSX where `Accept` names that. */
interface StreamedTable {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly sheet: string
  readonly columns: readonly SheetColumn[]
  readonly statement: Omit<ItemStatement, 'timeoutMs'>
  readonly cellsOf: (item: string, isWorkbook: boolean) => readonly (string | null)[]
}

interface Workbook extends Omit<StreamedTable, 'sheet' | 'cellsOf'> {
  /** Absent: the name of the file. */
  readonly sheet?: string
  readonly cellsOf: CellsOf
}

/** Sends the rows of the statement, from one snapshot. */
export async function sendTable(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, sheet, columns, statement, cellsOf }: StreamedTable,
): Promise<FastifyReply> {
  if (acceptedType(request.headers.accept, ['text/csv', xlsxType]) === xlsxType) {
    return sendWorkbook(context, request, reply, {
      name,
      sheet,
      columns,
      statement,
      cellsOf: (item) => cellsOf(item, true),
    })
  }
  void reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv; charset=utf-8')
  if (request.method === 'HEAD') return sendHeaders(reply)
  const format = csvFormat(columns, (item) => cellsOf(item, false))
  return reply.send(await openItemStream(context, reply, { ...statement, timeoutMs }, format))
}

/** The same, of a table that is only sent as XLSX. */
export async function sendWorkbook(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, sheet = name, columns, statement, cellsOf }: Workbook,
): Promise<FastifyReply> {
  void reply.header('content-disposition', `attachment; filename="${name}.xlsx"`).type(xlsxType)
  if (request.method === 'HEAD') return sendHeaders(reply)
  const texts = await openItemStream(context, reply, { ...statement, timeoutMs }, sheetFormat(columns, cellsOf))
  return reply.send(Readable.from(zipWorkbook(sheet, columns, texts), { objectMode: false }))
}

type CellsOf = (item: string) => readonly (string | null)[]

function csvFormat(columns: readonly SheetColumn[], cellsOf: CellsOf): ItemFormat {
  return {
    head: `${byteOrderMark}${csvLine(columns.map(({ header }) => header))}${lineEnd}`,
    separator: '',
    tail: '',
    encode: (item) => `${csvLine(cellsOf(item))}${lineEnd}`,
  }
}

/** The XML of a sheet. */
function sheetFormat(columns: readonly SheetColumn[], cellsOf: CellsOf): ItemFormat {
  const writer = new SheetWriter(columns)
  return { head: writer.head(), separator: '', tail: writer.tail(), encode: (item) => writer.row(cellsOf(item)) }
}
