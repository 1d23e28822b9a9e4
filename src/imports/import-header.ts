import type { DetailCode } from '../domain/enums.ts'
import { IMPORT_COLUMNS, importColumnOf, OFFENSES_COLUMN } from '../domain/import-columns.ts'
import type { Message } from '../domain/messages.ts'
import type { Detail } from '../core/errors.ts'
import { type CsvHeader, readCsvHeader, tooLongHeader } from '../tables/header.ts'

/** A CSV whose header cannot be used: no line of the file is read. */
export class HeaderError extends Error {
  override readonly name = 'HeaderError'
  readonly details: readonly Detail[]

  constructor(details: readonly Detail[]) {
    super('the header of the file cannot be used')
    this.details = details
  }
}

/** Several times the columns of an import: a spreadsheet has others beside them. */
export const importHeaderLimits = { maxColumns: 256, maxCharacters: 16_384 }

/**
 * Reads the first line of an import in CSV.
 * @param text null: longer than a line may be.
 * @returns the header, and the names of columns that are neither known nor blank.
 * @throws HeaderError with a detail for each missing column.
 */
export function readImportHeader(text: string | null): { header: CsvHeader; unknown: readonly string[] } {
  if (text === null) throw headerError('too-many-columns', tooLongHeader(importHeaderLimits))
  if (/^\s*[{[]/.test(text)) throw headerError('invalid', { key: 'header-json' })
  const header = readCsvHeader(text, (name) => importColumnOf(name) ?? null, importHeaderLimits)
  const { names } = header
  if ('error' in header && header.error === 'too-long') {
    throw headerError('too-many-columns', tooLongHeader(importHeaderLimits))
  }
  if ('error' in header && header.error === 'invalid') {
    throw headerError('invalid', { key: 'header-not-csv' })
  }
  if ('error' in header && header.error === 'repeated') {
    throw headerError('repeated', {
      key: 'column-twice',
      column: repeatedColumn(names) ?? '',
      found: columnsFound(names),
    })
  }
  const columns = new Set('error' in header ? [] : header.columns.map((column) => column?.name))
  const missing = [...IMPORT_COLUMNS].filter(([name, { isRequired }]) => isRequired && !columns.has(name))
  if ('error' in header || missing.length > 0) {
    const found = columnsFound(names)
    throw new HeaderError(
      missing.map(([name, { header: term }]) => ({
        field: name,
        code: 'missing',
        message: { key: 'column-missing', column: name, header: term, found },
      })),
    )
  }
  const isKnown = (name: string) => importColumnOf(name) !== undefined || name === OFFENSES_COLUMN || name === ''
  return { header, unknown: names.filter((name) => !isKnown(name)) }
}

function headerError(code: DetailCode, message: Message): HeaderError {
  return new HeaderError([{ field: 'header', code, message }])
}

function repeatedColumn(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  const columns = names.flatMap((name) => importColumnOf(name)?.name ?? [])
  return columns.find((name) => seen.size === seen.add(name).size)
}

const maxShown = 500

/** A line with numbers or `@` is taken for data, which an error does not repeat. */
function columnsFound(names: readonly string[]): Message {
  if (names.every((name) => name === '')) return { key: 'columns-empty' }
  const isData = names.some((name) => name.includes('@') || name.replaceAll(/\D/g, '').length > 3)
  if (isData) return { key: 'columns-data' }
  return { key: 'columns-found', names: names.join(', ').slice(0, maxShown).toWellFormed() }
}
