import { queryOptions } from '@tanstack/react-query'
import { columnOfOffense } from '../../../../src/domain/import-offenses.ts'
import { importColumnOf, OFFENSES_COLUMN } from '../../../../src/domain/import-columns.ts'
import type { ImportOffense } from '../../../../src/domain/offenses.ts'
import { api } from '../../api/client.ts'
import { type Separator, separatorOf, splitRecord } from './csv-record.ts'

export interface RejectedLine {
  readonly line: number
  readonly offenses: readonly ImportOffense[]
  /** In the order of the columns; null for a line that cannot be split into them. */
  readonly cells: readonly string[] | null
  /** As it came; null: too long. */
  readonly content: string | null
}

export interface RejectedLines {
  /** The header that the lines have under it. */
  readonly columns: readonly string[]
  readonly separator: Separator
  readonly lines: readonly RejectedLine[]
}

interface ErrorLine {
  readonly line: number
  readonly offenses: readonly ImportOffense[]
  readonly content: string | null
}

/** The rejected lines of a finished import with their cells. @param onProgress the number that is loaded. */
export function rejectedLinesQuery(importId: string, onProgress: (count: number) => void) {
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
      return header === null ? linesOfJson(errors) : linesOfCsv(errors, header)
    },
  })
}

/** The first line of the CSV of the rejected lines, without the column of the offenses; null for an import of NDJSON. */
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

function linesOfCsv(errors: readonly ErrorLine[], header: string): RejectedLines {
  const separator = separatorOf(header)
  const columns = (splitRecord(header, separator) ?? []).filter((name) => name !== OFFENSES_COLUMN)
  return { columns, separator, lines: errors.map((error) => ({ ...error, cells: cellsOf(error, columns, separator) })) }
}

function cellsOf({ content }: ErrorLine, columns: readonly string[], separator: Separator): readonly string[] | null {
  const cells = content === null ? null : splitRecord(content, separator)
  if (cells === null) return null
  // The file had the offenses of an import before it in its last column.
  const hasOffenses = cells.length === columns.length + 1 && /^[a-z -]*$/.test(cells.at(-1) ?? '')
  const own = hasOffenses ? cells.slice(0, -1) : cells
  // A line with too few cells is filled up; it is wrong which columns it has, but that can be mended.
  return own.length > columns.length ? null : columns.map((_column, index) => own[index] ?? '')
}

function linesOfJson(errors: readonly ErrorLine[]): RejectedLines {
  const objects = errors.map(({ content }) => objectOf(content))
  const columns = [...new Set(objects.flatMap((one) => Object.keys(one ?? {})))]
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  const cells = (one: Readonly<Record<string, unknown>> | null) =>
    one === null ? null : columns.map((column) => textOf(one[column]))
  return {
    columns,
    separator: ';',
    lines: errors.map((error, index) => ({ ...error, cells: cells(objects[index] ?? null) })),
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

/** The offense that concerns a column of the file, if one does. */
export function offenseOf({ offenses }: RejectedLine, column: string): ImportOffense | undefined {
  const name = importColumnOf(column)?.name
  return name === undefined ? undefined : offenses.find((offense) => columnOfOffense(offense) === name)
}
