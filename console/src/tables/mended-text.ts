import { joinRecords, type Separator, splitRecord } from './csv-record.ts'

export interface MendedLine {
  /** The line of the file, from 1. */
  readonly line: number
  /** The record as it came; null: too long. */
  readonly content: string | null
  readonly cells: readonly string[]
}

/** The text of a CSV with records replaced. A record is as many lines as its content. */
export function withMendedLines(text: string, mended: readonly MendedLine[], separator: Separator): string {
  const lines = text.split('\n')
  // From the last one on: the numbers of the lines before stay right.
  for (const { line, content, cells } of mended.toSorted((a, b) => b.line - a.line)) {
    const former = content ?? ''
    const width = splitRecord(former, separator)?.length ?? 0
    // The file may have the offenses of an earlier import in a last column.
    const record = [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => '')]
    lines.splice(line - 1, former.split('\n').length, joinRecords([record], separator).slice(0, -1))
  }
  return lines.join('\n')
}
