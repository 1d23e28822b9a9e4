import { type FileForms, FormEvidence } from '#kernel/cell-values.ts'
import type { CsvColumn } from '#kernel/csv-column.ts'
import type { Message } from '#kernel/messages.ts'
import { isSuspicious, saysNothing, visible } from '#kernel/person-text.ts'
import { fromSpreadsheetCell } from '#kernel/spreadsheet-cell.ts'
import { storable } from '#kernel/stored-text.ts'
import { type CsvRecords, maxHeaderRow } from './records.ts'
import { type Cell, type NumberCell, type RowReader, textOf } from './rows.ts'
import { type Separator, SEPARATORS, splitCells } from './cells.ts'

/** What the columns of a table may be. */
export interface TableColumns {
  /** The column with that header; null when it is not known. */
  readonly columnOf: (name: string) => CsvColumn | null
  /** Names of columns without which a row is no header. */
  readonly required: readonly string[]
  /** Groups of columns of each of which a header has one. */
  readonly oneOf?: readonly (readonly string[])[]
}

/** The columns that a header lacks; of a group its first one. */
export function lackingColumns(
  found: ReadonlySet<string>,
  { required, oneOf = [] }: Omit<TableColumns, 'columnOf'>,
): string[] {
  const groups = oneOf.flatMap((group) => (group.some((name) => found.has(name)) ? [] : group.slice(0, 1)))
  return [...groups, ...required.filter((name) => !found.has(name))]
}

export interface TableHeader {
  /** The cells of the header. */
  readonly names: readonly string[]
  /** The column of each cell; null: ignored. */
  readonly columns: readonly (CsvColumn | null)[]
}

export interface CsvHeader extends TableHeader {
  readonly separator: Separator
}

export interface HeaderLimits {
  readonly maxColumns: number
  readonly maxCharacters: number
}

/**
 * `invalid`: not a line of CSV; `too-long`: over a limit, and not read; `unknown`: it names no known column; `repeated`: it names one twice.
 */
export interface HeaderError {
  readonly error: 'invalid' | 'too-long' | 'unknown' | 'repeated'
  readonly names: readonly string[]
}

/**
 * Parses the header. The separator is the one that gives most known columns, else a semicolon.
 * @param columnOf the column with that header; null when it is not known.
 */
export function readCsvHeader(
  text: string,
  columnOf: (name: string) => CsvColumn | null,
  { maxColumns, maxCharacters }: HeaderLimits,
): CsvHeader | HeaderError {
  if (text.length > maxCharacters) return { error: 'too-long', names: [] }
  const headers = SEPARATORS.flatMap((separator): CsvHeader[] => {
    const names = splitCells(storable(text), separator, maxColumns)
    return names === null ? [] : [{ separator, names, columns: names.map(columnOf) }]
  })
  if (headers.some(({ names }) => names.length > maxColumns)) return { error: 'too-long', names: [] }
  const [best] = headers.toSorted((a, b) => knownNames(b.columns).length - knownNames(a.columns).length)
  if (best === undefined) return { error: 'invalid', names: [] }
  return errorOf(best) ?? best
}

/** A row that may be the header. */
export interface HeaderCandidate<Header extends TableHeader = TableHeader> {
  readonly header: Header | HeaderError
  /** As a line of CSV. */
  readonly text: string
}

/** The header of a CSV, above which there may be titles: the first of ten rows with all required columns, else the one with most known columns. */
export function findCsvHeader(
  records: CsvRecords,
  columns: TableColumns,
  limits: HeaderLimits,
): HeaderCandidate<CsvHeader> {
  let best: HeaderCandidate<CsvHeader> | null = null
  for (let line = records.text(); line !== null && line.number <= maxHeaderRow; line = records.text()) {
    const { text } = line
    if (text?.trim() === '') continue
    const header: CsvHeader | HeaderError =
      text === null ? { error: 'too-long', names: [] } : readCsvHeader(text, columns.columnOf, limits)
    const candidate = { header, text: text ?? '' }
    if (isWhole(header, columns)) return candidate
    best = likelier(best, candidate, columns)
  }
  return best ?? { header: readCsvHeader('', columns.columnOf, limits), text: '' }
}

/** Whether a row has all required columns, be it with one of them twice. */
export function isWhole({ names }: TableHeader | HeaderError, columns: TableColumns): boolean {
  const found = new Set(knownNames(names.map(columns.columnOf)))
  return found.size > 0 && lackingColumns(found, columns).length === 0
}

/** The row that more likely is the header. */
export function likelier<Candidate extends HeaderCandidate>(
  best: Candidate | null,
  other: Candidate,
  { columnOf }: TableColumns,
): Candidate {
  const known = ({ header: { names } }: Candidate) => new Set(knownNames(names.map(columnOf))).size
  return best === null || known(other) > known(best) ? other : best
}

/** The header of these cells. */
export function headerOf(cells: readonly string[], columnOf: TableColumns['columnOf']): TableHeader | HeaderError {
  const names = cells.map(storable)
  const header = { names, columns: names.map(columnOf) }
  return errorOf(header) ?? header
}

function errorOf({ names, columns }: TableHeader): HeaderError | null {
  const known = knownNames(columns)
  if (known.length === 0) return { error: 'unknown', names }
  return new Set(known).size < known.length ? { error: 'repeated', names } : null
}

/** The error of a header that has a column twice. */
export function repeatedColumn(
  names: readonly string[],
  columnOf: TableColumns['columnOf'],
): { column: string; message: Message } {
  const seen = new Set<string>()
  const column = knownNames(names.map(columnOf)).find((name) => seen.size === seen.add(name).size) ?? ''
  return { column, message: { key: 'column-twice', column, found: columnsFound(names) } }
}

const maxShown = 500

/** The columns of a header, for a message. A line with numbers or `@` is taken for data, which an error does not repeat. */
export function columnsFound(names: readonly string[]): Message {
  if (names.every((name) => name === '')) return { key: 'columns-empty' }
  const isData = names.some((name) => name.includes('@') || name.replaceAll(/\D/g, '').length > 3)
  if (isData) return { key: 'columns-data' }
  return { key: 'columns-found', names: names.join(', ').replaceAll(/\s+/g, ' ').slice(0, maxShown).toWellFormed() }
}

/** The error of a header that is `too-long`. */
export function tooLongHeader({ maxColumns, maxCharacters }: HeaderLimits): Message {
  return { key: 'header-too-long', columns: maxColumns, characters: maxCharacters }
}

/** The names of columns that are known. */
export function knownNames(columns: TableHeader['columns']): readonly string[] {
  return columns.flatMap((column) => (column === null ? [] : [column.name]))
}

interface RowFields {
  /** By column, empty cells left out. */
  readonly fields: Record<string, unknown>
  /** The headers of the cells whose leading zeros were restored. */
  readonly restored: readonly string[]
  /** The headers of the amounts of which more than a fraction of a cent was lost. */
  readonly rounded: readonly string[]
  /** The headers of the texts that show signs of a wrong encoding. */
  readonly suspicious: readonly string[]
  /** The cells of columns that have an error instead of a value. */
  readonly errors: readonly CellError[]
}

export interface CellError {
  /** As the header names it. */
  readonly header: string
  /** The name of the column. */
  readonly column: string
  /** Such as `C17`. */
  readonly at: string
}

/** What no column takes for a value. */
const noValue = {}

/** The row by column; cells that it lacks at its end are empty. null when it has content beyond the header. */
export function rowFields(
  cells: readonly Cell[],
  { columns, names }: TableHeader,
  forms?: FileForms,
): RowFields | null {
  if (cells.slice(columns.length).some((cell) => cell !== '')) return null
  const fields: Record<string, unknown> = {}
  const restored: string[] = []
  const rounded: string[] = []
  const suspicious: string[] = []
  const errors: CellError[] = []
  for (const [index, column] of columns.entries()) {
    const found = cells[index] ?? ''
    const cell = visible(fromSpreadsheetCell(textOf(found)))
    if (column === null || cell === '') continue
    const isError = typeof found !== 'string' && 'error' in found
    if (!isError && column.keepsWords !== true && saysNothing(cell)) continue
    const header = names[index] ?? column.name
    if (typeof found !== 'string' && 'error' in found) {
      errors.push({ header, column: column.name, at: found.at })
      fields[column.name] = noValue
      continue
    }
    if (typeof found === 'string' && isSuspicious(found)) suspicious.push(header)
    const whole = column.restoreZeros?.(cell) ?? null
    if (whole !== null) restored.push(header)
    const amount = column.isMoney === true && typeof found !== 'string' ? roundedAmount(found) : null
    if (amount?.isRounded === true) rounded.push(header)
    const date = column.isDate && typeof found !== 'string' ? found.date : null
    fields[column.name] = whole ?? date ?? amount?.cents ?? column.parse(cell, forms)
  }
  return { fields, restored, rounded, suspicious, errors }
}

/** An amount of a workbook in cents, as its format shows it. */
function roundedAmount({ number, decimals = 2 }: NumberCell): { cents: number; isRounded: boolean } | null {
  const value = Number(number.replace(',', '.'))
  if (!Number.isFinite(value) || Math.abs(value) >= 1e13) return null
  const shown = Number(value.toFixed(Math.min(decimals, 2)))
  return { cents: Math.round(shown * 100), isRounded: Math.abs(value - shown) >= 0.01 }
}

/** What the rows of a table say of the forms of its dates and amounts. */
export function collectForms(evidence: FormEvidence, cells: readonly Cell[], { columns }: TableHeader): void {
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]
    if (typeof cell !== 'string' || column === null) continue
    if (column.isDate === true) evidence.addDate(cell)
    else if (column.isMoney === true) evidence.addMoney(cell)
  }
}

/** The same of all rows. */
export function formsOf(rows: RowReader, header: TableHeader): FileForms {
  const evidence = new FormEvidence()
  for (let row = rows.next(); row !== null; row = rows.next()) collectForms(evidence, row.cells ?? [], header)
  return evidence.forms
}
