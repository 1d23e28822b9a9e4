import { api } from '../../api/client.ts'
import { tableTypeOf, xlsxType } from '../../api/table-type.ts'
import { readText } from '../../format/read-text.ts'
import { joinRecords } from '../../tables/csv-record.ts'
import { type MendedLine, withMendedLines } from '../../tables/mended-text.ts'
import type { RejectedLines } from './rejected-lines.ts'
import type { SentFile } from './use-import-upload.ts'

/** Larger files are not read into memory: their mended lines are sent alone. */
const maxBytes = 64 * 1024 * 1024

/** The mended lines alone, under their header. */
export function mendedLines({ columns, separator }: RejectedLines, lines: readonly MendedLine[]): string {
  return joinRecords([columns.map(({ heading }) => heading), ...lines.map(({ cells }) => cells)], separator)
}

/** Whether the file can be sent again as a whole, with its mended lines: a table, of a size that fits into memory. */
export function isMendable(sent: SentFile | undefined): sent is SentFile {
  return sent !== undefined && sent.file.size <= maxBytes && tableTypeOf(sent.file) !== 'application/x-ndjson'
}

/** The file with the mended lines in the places of the rejected ones; that of a workbook is CSV. */
export async function mendedFile(
  { file, companyTaxId }: SentFile,
  { separator }: RejectedLines,
  mended: readonly MendedLine[],
): Promise<File> {
  if (tableTypeOf(file) !== xlsxType) {
    return new File([withMendedLines(await readText(file), mended, separator)], file.name, { type: 'text/csv' })
  }
  const query = companyTaxId === null ? {} : { 'company-tax-id': companyTaxId }
  const { body } = await api.imports.tableAsCsv(file, query, { type: xlsxType })
  // A row is one line there, also where its cells have line breaks.
  const lines = mended.map((one) => ({ ...one, content: null }))
  const text = withMendedLines(await new Response(body).text(), lines, ';')
  return new File([text], file.name.replace(/\.xls[xm]$/i, '.csv'), { type: 'text/csv' })
}
