import { ERRORS_COLUMN, isErrorColumn } from '../../../../src/movements/rules/import-columns.ts'
import type { TableOfFile } from '../../tables/mapped-table.ts'
import { joinRecords } from '../../tables/csv-record.ts'
import type { Mended, WrongLine } from '../../tables/mend-cell.tsx'

const fileOf = (records: readonly (readonly string[])[]) =>
  new File([joinRecords(records, ';')], 'planilha.csv', { type: 'text/csv' })

/** Lines are records: a line break within a cell becomes a space. */
const oneLine = (cell: string) => cell.replaceAll(/[\r\n]+/g, ' ')

/** The table with its mended cells, each row in its line. */
export function sheetAsCsv({ columns, rows, 'header-row': headerRow }: TableOfFile, mended: Mended): File {
  const records: string[][] = []
  const put = (line: number, cells: readonly string[]) => {
    while (records.length < line - 1) records.push([''])
    records.push(cells.map(oneLine))
  }
  put(
    headerRow,
    columns.map(({ heading }) => heading),
  )
  for (const { line, cells } of rows) put(line, mended.get(line) ?? cells)
  return fileOf(records)
}

/** The rejected lines with a last column that says what is wrong. */
export function errorsAsCsv({ columns, rows }: TableOfFile, wrong: readonly WrongLine[], mended: Mended): File {
  const kept = columns.flatMap(({ heading }, index) => (isErrorColumn(heading) ? [] : [index]))
  const cellsOf = new Map(rows.map(({ line, cells }) => [line, cells]))
  return fileOf([
    [...kept.map((index) => columns[index]?.heading ?? ''), ERRORS_COLUMN],
    ...wrong.map(({ line, reasons }) => {
      const cells = mended.get(line) ?? cellsOf.get(line) ?? []
      return [...kept.map((index) => oneLine(cells[index] ?? '')), reasons.join(' ')]
    }),
  ])
}
