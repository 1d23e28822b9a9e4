import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { xlsxType } from '../tables/media-type.ts'
import { byteOrderMark, csvCell, csvLine, lineEnd } from '../tables/write.ts'
import { type SheetColumn, SheetWriter } from '../tables/xlsx/write.ts'
import { zipWorkbook } from '../tables/xlsx/zip-writer.ts'
import { acceptedType } from './accepted-type.ts'
import { callerOf, type Context } from './context.ts'
import { sendHeaders } from './download.ts'
import { endUnread } from './limits/end-transfer.ts'
import { type ItemFormat, type ItemStatement, openItemStream } from './row-stream.ts'

const timeoutMs = 15 * 60_000

/** A table that is streamed as CSV, or as XLSX where `Accept` names that. */
interface StreamedTable {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly sheet: string
  readonly columns: readonly SheetColumn[]
  readonly statement: Omit<ItemStatement, 'timeoutMs'>
  readonly cellsOf: (item: string, isWorkbook: boolean) => Cells
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

type Cells = readonly (string | null)[]

/** A table that is calculated, rather than read row by row. */
interface CalculatedTable extends Pick<StreamedTable, 'name' | 'sheet' | 'columns'> {
  /** Gives all rows, in one snapshot. */
  readonly read: (add: (rows: readonly Cells[]) => void, isWorkbook: boolean) => Promise<void>
}

/**
 * Sends a table as CSV, or as XLSX where `Accept` names that. What is calculated in a transaction does not wait for the client: the rows are kept as
 * they are written until the last is there.
 */
export async function sendCalculated(
  { streams }: Pick<Context, 'streams'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, sheet, columns, read }: CalculatedTable,
): Promise<FastifyReply> {
  const isWorkbook = acceptedType(request.headers.accept, ['text/csv', xlsxType]) === xlsxType
  void reply
    .header('content-disposition', `attachment; filename="${name}.${isWorkbook ? 'xlsx' : 'csv'}"`)
    .type(isWorkbook ? xlsxType : 'text/csv; charset=utf-8')
  if (request.method === 'HEAD') return sendHeaders(reply)
  const permit = await streams.acquire(callerOf(request).clientId, { end: () => endUnread(reply.raw) })
  try {
    const writer = new SheetWriter(columns)
    const header = `${byteOrderMark}${csvLine(columns.map((column) => column.header))}${lineEnd}`
    const parts = [Buffer.from(isWorkbook ? writer.head() : header)]
    const textOf = (cells: Cells) => (isWorkbook ? writer.row(cells) : `${csvRow(columns, cells)}${lineEnd}`)
    await read((rows) => parts.push(Buffer.from(rows.map(textOf).join(''))), isWorkbook)
    if (isWorkbook) parts.push(Buffer.from(writer.tail()))
    const body = isWorkbook ? zipWorkbook(sheet, columns, textsOf(parts)) : parts
    return await reply.send(Readable.from(body, { objectMode: false }).once('close', () => permit.release()))
  } catch (error) {
    permit.release()
    throw error
  }
}

function* textsOf(parts: readonly Buffer[]): Generator<string> {
  for (const part of parts) yield part.toString()
}

/** A line of CSV; amounts are numbers, also negative ones. */
const csvRow = (columns: readonly SheetColumn[], cells: Cells): string =>
  cells
    .map((cell, index) =>
      columns[index]?.isMoney === true && /^-?\d+(,\d\d)?$/.test(cell ?? '') ? csvCell(cell ?? '') : csvLine([cell]),
    )
    .join(';')

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

type CellsOf = (item: string) => Cells

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
