import { queryOptions } from '@tanstack/react-query'
import { columnsOf, type MappedHeading } from '../../../../src/movements/rules/column-profile.ts'
import { columnOfOffense } from '../../../../src/kernel/import-offenses.ts'
import { isErrorColumn } from '../../../../src/movements/rules/import-columns.ts'
import type { ImportOffense } from '../../../../src/kernel/offenses.ts'
import { api } from '../../api/client.ts'
import { type Separator, separatorOf, splitRecord } from '../../tables/csv-record.ts'
import type { FileColumn, WrongLine } from '../../tables/mend-cell.tsx'
import { offenseText } from './offense-text.ts'

interface RejectedLine extends WrongLine {
  /** As it came; null: too long. */
  readonly content: string | null
}

export interface RejectedLines {
  /** The header that the lines have under it. */
  readonly columns: readonly FileColumn[]
  readonly separator: Separator
  readonly lines: readonly RejectedLine[]
}

interface ErrorLine {
  readonly line: number
  readonly offenses: readonly ImportOffense[]
  readonly content: string | null
}

/**
 * The rejected lines of a finished import with their cells.
 * @param profile the headings of the file to which a column profile has given a column.
 * @param onProgress the number that is loaded.
 */
export function rejectedLinesQuery(
  importId: string,
  profile: readonly MappedHeading[],
  onProgress: (count: number) => void,
) {
  const columnOf = columnsOf({ columns: profile, values: [] })
  const fileColumn = (heading: string): FileColumn => ({ heading, field: columnOf(heading)?.name ?? null })
  return queryOptions({
    queryKey: ['listImportErrors', importId] as const,
    // A finished import does not change.
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<RejectedLines> => {
      const header = await readHeader(importId, signal)
      const errors: ErrorLine[] = []
      for await (const text of linesOf(await api.imports.errors(importId, { signal }))) {
        errors.push(JSON.parse(text) as ErrorLine)
        if (errors.length % 1_000 === 0) onProgress(errors.length)
      }
      const { columns, ...lines } = header === null ? linesOfJson(errors) : linesOfCsv(errors, header)
      return { ...lines, columns: columns.map(fileColumn) }
    },
  })
}

/** The first line of the CSV of the rejected lines, without the columns of the errors; null for an import of NDJSON. */
async function readHeader(importId: string, signal: AbortSignal): Promise<string | null> {
  const file = await api.imports.errors(importId, { type: 'text/csv', signal })
  const isCsv = file.type.startsWith('text/csv')
  // Leaving the loop cancels the rest.
  for await (const text of linesOf(file)) return isCsv ? text.replace(/^\uFEFF/, '') : null
  return null
}

/** The lines of a response as they arrive. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** With the columns as the file has them. */
type FileLines = Omit<RejectedLines, 'columns'> & { readonly columns: readonly string[] }

/** What is wrong, in words and by field. */
const wrongOf = ({ line, content, offenses }: ErrorLine) => ({
  line,
  content,
  reasons: offenses.map(offenseText),
  wrong: new Set<string>(offenses.map(columnOfOffense)),
})

function linesOfCsv(errors: readonly ErrorLine[], header: string): FileLines {
  const separator = separatorOf(header)
  const columns = (splitRecord(header, separator) ?? []).filter((name) => !isErrorColumn(name))
  return {
    columns,
    separator,
    lines: errors.map((error) => ({ ...wrongOf(error), cells: cellsOf(error, columns, separator) })),
  }
}

function cellsOf({ content }: ErrorLine, columns: readonly string[], separator: Separator): readonly string[] | null {
  const cells = content === null ? null : splitRecord(content, separator)
  if (cells === null) return null
  // The file had the errors of an import before it in its last columns: codes, and their sentences.
  const hasErrors = [1, 2].includes(cells.length - columns.length) && /^[a-z -]*$/.test(cells[columns.length] ?? '')
  const own = hasErrors ? cells.slice(0, columns.length) : cells
  // A line with too few cells is filled up; it is wrong which columns it has, but that can be mended.
  return own.length > columns.length ? null : columns.map((_column, index) => own[index] ?? '')
}

function linesOfJson(errors: readonly ErrorLine[]): FileLines {
  const objects = errors.map(({ content }) => objectOf(content))
  const columns = [...new Set(objects.flatMap((one) => Object.keys(one ?? {})))]
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  const cells = (one: Readonly<Record<string, unknown>> | null) =>
    one === null ? null : columns.map((column) => textOf(one[column]))
  return {
    columns,
    separator: ';',
    lines: errors.map((error, index) => ({ ...wrongOf(error), cells: cells(objects[index] ?? null) })),
  }
}

function objectOf(content: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(content ?? 'null')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null
  } catch {
    return null
  }
}
