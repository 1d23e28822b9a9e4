import { endsInQuotes, type Separator, splitCells } from './cells.ts'
import type { RowReader, TableRow } from './rows.ts'

export interface TextLine {
  /** In the file, from 1. */
  readonly number: number
  /** null: too long. */
  readonly text: string | null
}

export interface LineSource {
  /** The next line; null at the end. */
  next(): TextLine | null
}

/** How lines are cut into cells. */
interface CellForm {
  readonly separator: Separator
  readonly columns: readonly unknown[]
}

/** The header of a table is in one of the first rows: there may be titles above it. */
export const maxHeaderRow = 10

// If quotes do not close within this many lines, only the line that opens them is malformed.
const maxLinesOfRecord = 20
const NUL = '\0'

/**
 * The records of a CSV. No CSV library divides the text into records, so that one malformed line does not affect the others:
 * docs/decisions/0023.
 */
export class CsvRecords {
  readonly #lines: LineSource
  readonly #maxLength: number
  readonly #ahead: (TextLine & { readonly opensQuotes: boolean })[] = []

  /** @param maxLength characters of a record of several lines. */
  constructor(lines: LineSource, maxLength: number) {
    this.#lines = lines
    this.#maxLength = maxLength
  }

  /** The next record as text, before its separator is known; its first line alone where its quotes do not close. null at the end. */
  text(): TextLine | null {
    const first = this.#peek(0)
    if (first === null) return null
    const record = first.text === null ? null : this.#whole(first.text)
    this.#ahead.splice(0, record?.lines ?? 1)
    return { number: first.number, text: record?.text ?? first.text }
  }

  /** The next record, also a blank one; null at the end. */
  next({ separator, columns }: CellForm): TableRow | null {
    const first = this.#peek(0)
    if (first === null) return null
    const { number, text } = first
    const record = this.#whole(text ?? '')
    const isText = text !== null && record !== null && !record.text.includes(NUL)
    const cells = isText ? splitCells(record.text, separator, columns.length) : null
    const isRead = cells !== null && record !== null
    this.#ahead.splice(0, isRead ? record.lines : 1)
    return { number, cells, content: isRead ? record.text : text }
  }

  /** The records under a header. */
  under(header: CellForm): RowReader {
    return { next: () => this.next(header) }
  }

  /** The record that begins with this line; null when its quotes do not close. */
  #whole(text: string): { text: string; lines: number } | null {
    let record = text
    let isOpen = this.#peek(0)?.opensQuotes ?? false
    let lines = 1
    for (; isOpen && lines < maxLinesOfRecord && record.length <= this.#maxLength; lines += 1) {
      const next = this.#peek(lines)
      if (next === null || next.text === null) break
      record = `${record}\n${next.text}`
      isOpen = isOpen !== next.opensQuotes
    }
    return isOpen || record.length > this.#maxLength ? null : { text: record, lines }
  }

  #peek(index: number) {
    while (this.#ahead.length <= index) {
      const line = this.#lines.next()
      if (line === null) return null
      this.#ahead.push({ ...line, opensQuotes: line.text !== null && endsInQuotes(line.text) })
    }
    return this.#ahead[index] ?? null
  }
}
