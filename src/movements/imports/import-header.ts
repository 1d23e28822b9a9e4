import { columnsOf, NO_PROFILE, proposedColumns, type TableProfile } from '../rules/column-profile.ts'
import type { DetailCode } from '#kernel/enums.ts'
import type { FieldError } from '#kernel/fields.ts'
import { isErrorColumn } from '../rules/import-columns.ts'
import type { Message } from '#kernel/messages.ts'
import { type TableForm, TABLES } from '../rules/table-columns.ts'
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

/** The columns of a form, for a reader of tables. @param profile what headings of the file stand for. */
export function columnsWith(profile: TableProfile, form: TableForm): TableColumns {
  const columnOf = columnsOf(profile, form)
  return { columnOf: (name) => columnOf(name) ?? null, required: form.required, oneOf: form.oneOf }
}

/** Those of an import. */
export const importColumnsWith = (profile: TableProfile): TableColumns => columnsWith(profile, TABLES.import)

export const importColumns: TableColumns = importColumnsWith(NO_PROFILE)

/** Several times the columns of an import: a spreadsheet has others beside them. */
export const importHeaderLimits = { maxColumns: 256, maxCharacters: 16_384 }

/**
 * Finds the header of a form in CSV.
 * @throws TableError, as `checkHeader`.
 */
export function readHeader(
  records: CsvRecords,
  columns: TableColumns,
  form: TableForm,
): ReadHeader<CsvHeader> & { text: string } {
  const { header, text } = findCsvHeader(records, columns, importHeaderLimits)
  if (/^\s*[{[]/.test(text)) throw headerError('invalid', { key: 'header-json' })
  return { text, ...checkHeader(header, columns, form) }
}

interface ReadHeader<Header> {
  readonly header: Header
  /** Names of columns that are neither known nor blank. */
  readonly unknown: readonly string[]
}

/** @throws TableError with a detail for each missing column. */
export function checkHeader<Header extends TableHeader>(
  header: Header | HeaderError,
  { columnOf }: TableColumns,
  form: TableForm,
): ReadHeader<Header> {
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
  const lacking = new Set(lackingColumns(columns, form))
  const missing = [...form.columns.keys()].filter((name) => lacking.has(name))
  if ('error' in header || missing.length > 0) {
    const found = columnsFound(names)
    const absent = [...form.columns.keys()].filter((name) => !columns.has(name))
    const proposed = found.key === 'columns-found' ? proposedColumns(names.filter(isUnknown), absent, form.columns) : []
    throw new TableError([
      ...missing.map((name): FieldError => {
        const term = form.columns.get(name)?.header ?? name
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
