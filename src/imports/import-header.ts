import { columnsOf, NO_PROFILE, proposedColumns, type TableProfile } from '../domain/column-profile.ts'
import type { DetailCode } from '../domain/enums.ts'
import type { FieldError } from '../domain/fields.ts'
import { IMPORT_COLUMNS, isErrorColumn } from '../domain/import-columns.ts'
import type { Message } from '../domain/messages.ts'
import { TABLES } from '../domain/table-columns.ts'
import {
  type CsvHeader,
  type HeaderError,
  readCsvHeader,
  type TableColumns,
  type TableHeader,
  tooLongHeader,
} from '../tables/header.ts'
import { TableError } from '../tables/table-error.ts'

/** The columns of an import, for a reader of tables. @param profile what headings of the file stand for. */
export function importColumnsWith(profile: TableProfile): TableColumns {
  const columnOf = columnsOf(profile)
  return { columnOf: (name) => columnOf(name) ?? null, required: TABLES.import.required }
}

export const importColumns: TableColumns = importColumnsWith(NO_PROFILE)

/** Several times the columns of an import: a spreadsheet has others beside them. */
export const importHeaderLimits = { maxColumns: 256, maxCharacters: 16_384 }

/**
 * Reads the first line of an import in CSV.
 * @param text null: longer than a line may be.
 * @throws TableError, as `checkImportHeader`.
 */
export function readImportHeader(text: string | null, columns: TableColumns): ImportHeader<CsvHeader> {
  if (text === null) throw headerError('too-many-columns', tooLongHeader(importHeaderLimits))
  if (/^\s*[{[]/.test(text)) throw headerError('invalid', { key: 'header-json' })
  return checkImportHeader(readCsvHeader(text, columns.columnOf, importHeaderLimits), columns)
}

interface ImportHeader<Header> {
  readonly header: Header
  /** Names of columns that are neither known nor blank. */
  readonly unknown: readonly string[]
}

/** @throws TableError with a detail for each missing column. */
export function checkImportHeader<Header extends TableHeader>(
  header: Header | HeaderError,
  { columnOf }: TableColumns,
): ImportHeader<Header> {
  const { names } = header
  const isUnknown = (name: string) => name !== '' && columnOf(name) === null && !isErrorColumn(name)
  if ('error' in header && header.error === 'too-long') {
    throw headerError('too-many-columns', tooLongHeader(importHeaderLimits))
  }
  if ('error' in header && header.error === 'invalid') {
    throw headerError('invalid', { key: 'header-not-csv' })
  }
  if ('error' in header && header.error === 'repeated') {
    throw headerError('repeated', {
      key: 'column-twice',
      column: repeatedColumn(names.flatMap((name) => columnOf(name)?.name ?? [])) ?? '',
      found: columnsFound(names),
    })
  }
  const columns = new Set('error' in header ? [] : header.columns.map((column) => column?.name))
  const missing = [...IMPORT_COLUMNS].filter(([name, { isRequired }]) => isRequired && !columns.has(name))
  if ('error' in header || missing.length > 0) {
    const found = columnsFound(names)
    const absent = [...IMPORT_COLUMNS.keys()].filter((name) => !columns.has(name))
    const proposed = found.key === 'columns-found' ? proposedColumns(names.filter(isUnknown), absent) : []
    throw new TableError([
      ...missing.map(([name, { header: term }]): FieldError => ({
        field: name,
        code: 'missing',
        message: { key: 'column-missing', column: name, header: term, found },
      })),
      ...proposed.map(({ heading, field }): FieldError => ({
        field: heading.slice(0, maxHeadingShown),
        code: 'unknown',
        message: { key: 'did-you-mean', name: field },
        allowed: [field],
      })),
    ])
  }
  return { header, unknown: names.filter(isUnknown) }
}

function headerError(code: DetailCode, message: Message): TableError {
  return new TableError([{ field: 'header', code, message }])
}

function repeatedColumn(columns: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return columns.find((name) => seen.size === seen.add(name).size)
}

const maxShown = 500
const maxHeadingShown = 64

/** A line with numbers or `@` is taken for data, which an error does not repeat. */
function columnsFound(names: readonly string[]): Message {
  if (names.every((name) => name === '')) return { key: 'columns-empty' }
  const isData = names.some((name) => name.includes('@') || name.replaceAll(/\D/g, '').length > 3)
  if (isData) return { key: 'columns-data' }
  return { key: 'columns-found', names: names.join(', ').slice(0, maxShown).toWellFormed() }
}
