import { serveSession } from '../core/threads.ts'
import type { RefusedTable } from '../http/table-types.ts'
import { csvLine } from '../tables/write.ts'
import { TableError } from '../tables/table-error.ts'
import { readTable, type ReadTable, type TableOptions } from './table-read.ts'

export interface TableTask extends TableOptions {
  readonly bytes: Uint8Array
  /** `csv`: all rows, in their lines. `json` has the first `shownRows`. */
  readonly as: 'json' | 'csv' | 'rows'
  readonly shownRows: number
}

export type TableResult = string | ReadTable | RefusedTable

/** Reads a table. Large texts are made here, so that the event loop is not blocked. */
export default serveSession<TableTask, TableResult>(() => async ({ bytes, as, shownRows, ...options }) => {
  try {
    const table = await readTable(Buffer.from(bytes), options)
    if (as === 'rows') return { response: table }
    const { content } = table
    if (as === 'csv') return { response: csvOf(table) }
    return { response: JSON.stringify({ result: { ...content, rows: content.rows.slice(0, shownRows) } }) }
  } catch (error) {
    // Its details would be lost on the way.
    if (!(error instanceof TableError)) throw error
    return { response: { refused: error.details, isUnsupported: error.isUnsupported } }
  }
})

/** Each row in its line: blank lines stand for blank rows and titles. */
function csvOf({ content }: ReadTable): string {
  const lines: string[] = []
  const put = (line: number, cells: readonly string[]) => {
    while (lines.length < line - 1) lines.push('')
    lines.push(csvLine(cells.map((cell) => cell.replaceAll(/[\r\n]+/g, ' '))))
  }
  put(
    content['header-row'],
    content.columns.map(({ heading }) => heading),
  )
  for (const { line, cells } of content.rows) put(line, cells)
  return `\uFEFF${lines.join('\n')}\n`
}
