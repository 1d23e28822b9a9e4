import { writeSync } from 'node:fs'
import { serveSession } from '#platform/core/threads.ts'
import type { RefusedTable } from '#platform/http/table-types.ts'
import { csvLine } from '#platform/tables/write.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import { readTable, type ReadTable, type TableOptions, type WantedPrimaries } from './table-read.ts'

export interface TableTask extends TableOptions {
  readonly bytes: Uint8Array
  /** `csv` and `xlsx`: all rows; a CSV has them in their lines. `json` has the first `shownRows`. */
  readonly as: 'json' | 'csv' | 'xlsx'
  readonly shownRows: number
  /** An open file, to which the response is written. */
  readonly file: number
}

export type TableResult = 'written' | WantedPrimaries | RefusedTable

/** Reads a table, and writes the response into the file: neither the event loop nor the memory of the process has it. */
export default serveSession<TableTask, TableResult>(() => async ({ bytes, as, shownRows, file, ...options }) => {
  try {
    const table = await readTable(Buffer.from(bytes), options)
    if ('primaries' in table) return { response: table }
    const { content } = table
    if (as === 'xlsx') for await (const block of workbookOfTable(table)) writeSync(file, block)
    else if (as === 'csv') writeTexts(file, csvOf(table))
    else writeTexts(file, jsonOf({ ...content, rows: content.rows.slice(0, shownRows) }))
    return { response: 'written' }
  } catch (error) {
    // Its details would be lost on the way.
    if (!(error instanceof TableError)) throw error
    return { response: { refused: error.details, isUnsupported: error.isUnsupported } }
  }
})

const bufferedCharacters = 64 * 1024

function writeTexts(file: number, texts: Iterable<string>): void {
  let text = ''
  for (const cell of texts) {
    text += cell
    if (text.length < bufferedCharacters) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
}

/** The response in parts, none of which is the whole. */
function* jsonOf(content: ReadTable['content']): Generator<string> {
  let before = '{"result":{'
  for (const [name, value] of Object.entries(content)) {
    yield `${before}${JSON.stringify(name)}:`
    if (name === 'batch' && content.batch !== null) {
      yield `{"company-tax-id":${JSON.stringify(content.batch['company-tax-id'])},"members":`
      yield* listOf(content.batch.members)
      yield '}'
    } else if (Array.isArray(value)) yield* listOf(value)
    else yield JSON.stringify(value)
    before = ','
  }
  yield '}}'
}

function* listOf(items: readonly unknown[]): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`
  yield ']'
}

/** Each row in its line: blank lines stand for blank rows and titles. */
function* csvOf({ content }: ReadTable): Generator<string> {
  yield '\uFEFF'
  let line = 1
  const put = function* (at: number, cells: readonly string[]) {
    for (; line < at; line += 1) yield '\n'
    yield `${csvLine(cells.map((cell) => cell.replaceAll(/[\r\n]+/g, ' ')))}\n`
    line += 1
  }
  yield* put(
    content['header-row'],
    content.columns.map(({ heading }) => heading),
  )
  for (const row of content.rows) yield* put(row.line, row.cells)
}

/** The rows as a workbook. */
function workbookOfTable({ content, dates }: ReadTable): ReturnType<typeof workbookOf> {
  const columns = content.columns.map(({ heading }, index) => ({ header: heading, isDate: dates[index] === true }))
  return workbookOf('table', columns, [content.rows.map(({ cells }) => cells)])
}
