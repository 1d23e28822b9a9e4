import { importColumnOf } from '../../../src/movements/rules/import-columns.ts'

const separators = [';', ',', '\t'] as const
export type Separator = (typeof separators)[number]

/** The separator with which a header has most columns of an import, as the service finds it. */
export function separatorOf(header: string): Separator {
  const known = (separator: Separator) =>
    (splitRecord(header, separator) ?? []).filter((name) => importColumnOf(name) !== undefined).length
  return separators.toSorted((one, other) => known(other) - known(one))[0] ?? ';'
}

/** The cells of one record (RFC 4180), each trimmed; null when its quotes do not close. */
export function splitRecord(record: string, separator: Separator): string[] | null {
  const cells: string[] = []
  const cell = /\s*"((?:[^"]|"")*)"[^\S\t]*/y
  for (let at = 0; at <= record.length;) {
    // A cell without quotes ends at the separator.
    const end = record.indexOf(separator, at)
    const plain = record.slice(at, end < 0 ? record.length : end)
    if (!plain.includes('"')) {
      cells.push(plain.trim())
      at += plain.length + 1
      continue
    }
    cell.lastIndex = at
    const match = cell.exec(record)
    const next = cell.lastIndex
    if (match?.[1] === undefined || (next < record.length && record[next] !== separator)) return null
    cells.push(match[1].replaceAll('""', '"').trim())
    at = next + 1
  }
  return cells
}

/** Records as CSV. Nothing is put before cells that a spreadsheet would execute: the service reads this file. */
export function joinRecords(records: readonly (readonly string[])[], separator: Separator): string {
  const cellOf = (text: string) =>
    text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return records.map((cells) => `${cells.map(cellOf).join(separator)}\n`).join('')
}
