import { columnsOf, NO_PROFILE, proposedColumns, type TableProfile } from '../rules/column-profile.ts'
import type { DetailCode } from '#kernel/enums.ts'
import type { FieldError } from '#kernel/fields.ts'
import { IMPORT_COLUMNS, isErrorColumn } from '../rules/import-columns.ts'
import type { Message } from '#kernel/messages.ts'
import { TABLES } from '../rules/table-columns.ts'
import {
  columnsFound,
  type CsvHeader,
  findCsvHeader,
  type HeaderError,
  knownNames,
  lackingColumns,
  repeatedColumn,
  type TableColumns,
  type TableHeader,
  tooLongHeader,
} from '#platform/tables/header.ts'
import type { CsvRecords } from '#platform/tables/records.ts'
import { TableError } from '#platform/tables/table-error.ts'

/** The columns of an import, for a reader of tables. @param profile what headings of the file stand for. */
export function importColumnsWith(profile: TableProfile): TableColumns {
  const columnOf = columnsOf(profile)
  return { columnOf: (name) => columnOf(name) ?? null, required: TABLES.import.required, oneOf: TABLES.import.oneOf }
}

export const importColumns: TableColumns = importColumnsWith(NO_PROFILE)

/** Several times the columns of an import: a spreadsheet has others beside them. */
export const importHeaderLimits = { maxColumns: 256, maxCharacters: 16_384 }

/**
 * Finds the header of an import in CSV.
 * @throws TableError, as `checkImportHeader`.
 */
export function readImportHeader(
  records: CsvRecords,
  columns: TableColumns,
): ImportHeader<CsvHeader> & { text: string } {
  const { header, text } = findCsvHeader(records, columns, importHeaderLimits)
  if (/^\s*[{[]/.test(text)) throw headerError('invalid', { key: 'header-json' })
  return { text, ...checkImportHeader(header, columns) }
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
    throw headerError('repeated', repeatedColumn(names, columnOf).message)
  }
  const columns = new Set(knownNames(names.map(columnOf)))
  const lacking = new Set(lackingColumns(columns, TABLES.import))
  const missing = [...IMPORT_COLUMNS.keys()].filter((name) => lacking.has(name))
  if ('error' in header || missing.length > 0) {
    const found = columnsFound(names)
    const absent = [...IMPORT_COLUMNS.keys()].filter((name) => !columns.has(name))
    const proposed = found.key === 'columns-found' ? proposedColumns(names.filter(isUnknown), absent) : []
    throw new TableError([
      ...missing.map((name): FieldError => {
        const term = IMPORT_COLUMNS.get(name)?.header ?? name
        return { field: name, code: 'missing', message: { key: 'column-missing', column: name, header: term, found } }
      }),
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

const maxHeadingShown = 64
