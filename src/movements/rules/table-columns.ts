/* The tables that people fill in: their columns, and which a file needs. */
import type { CsvColumn } from '#kernel/csv-column.ts'
import { ALTERATION_COLUMNS, alterationColumnOf } from './alteration-columns.ts'
import { type CsvColumnForm, IMPORT_COLUMNS, importColumnOf } from './import-columns.ts'
import { INCLUSION_COLUMNS, inclusionColumnOf } from './inclusion-columns.ts'
import { LEAVER_COLUMNS, leaverColumnOf } from './leaver-columns.ts'

/** The kinds of movements that a table may request. */
export const TABLE_MOVEMENTS = ['inclusion', 'exclusion', 'alteration'] as const
export type TableMovement = (typeof TABLE_MOVEMENTS)[number]

/** A table of movements, or of what the carrier has. */
export type TableKind = TableMovement | 'import'

export interface TableForm {
  /** By name, in the order of the template. */
  readonly columns: ReadonlyMap<string, CsvColumnForm>
  /** The column with this header, in English or Portuguese; undefined when there is none. */
  readonly columnOf: (header: string) => CsvColumn | undefined
  /** Without one of these a row is no header. */
  readonly required: readonly string[]
  /** Groups of columns of each of which a header has one. */
  readonly oneOf: readonly (readonly string[])[]
}

/** Who is a primary follows from any of these. */
const ROLE_COLUMNS = ['beneficiary-type', 'dependent-type', 'primary-member-tax-id']

const requiredOf = (columns: ReadonlyMap<string, CsvColumnForm>) =>
  [...columns].flatMap(([name, { isRequired }]) => (isRequired && name !== 'beneficiary-type' ? [name] : []))

export const TABLES: Readonly<Record<TableKind, TableForm>> = {
  import: {
    columns: IMPORT_COLUMNS,
    columnOf: importColumnOf,
    required: requiredOf(IMPORT_COLUMNS),
    oneOf: [ROLE_COLUMNS],
  },
  // Their company is named beside the table.
  inclusion: {
    columns: INCLUSION_COLUMNS,
    columnOf: inclusionColumnOf,
    required: requiredOf(INCLUSION_COLUMNS).filter((name) => name !== 'company-tax-id'),
    oneOf: [ROLE_COLUMNS],
  },
  exclusion: {
    columns: LEAVER_COLUMNS,
    columnOf: leaverColumnOf,
    required: ['tax-id', 'end-date', 'exclusion-reason'],
    oneOf: [],
  },
  alteration: {
    columns: ALTERATION_COLUMNS,
    columnOf: alterationColumnOf,
    required: ['tax-id'],
    oneOf: [],
  },
}

/** An import whose company is named beside the table. */
export const IMPORT_OF_COMPANY: TableForm = {
  ...TABLES.import,
  required: TABLES.import.required.filter((name) => name !== 'company-tax-id'),
}

/** The fields that a heading of a company may stand for. */
export const MAPPED_FIELDS: readonly string[] = [
  ...new Set(Object.values(TABLES).flatMap(({ columns }) => [...columns.keys()])),
]

/** The values of the closed set of a field; undefined: it has none. */
export function valuesOfField(field: string): readonly string[] | undefined {
  for (const { columns } of Object.values(TABLES)) {
    const words = columns.get(field)?.words
    if (words !== undefined) return Object.keys(words)
  }
  return undefined
}

/** The columns with the name of a product of the company. */
export const PRODUCT_COLUMNS: readonly string[] = ['product-name', 'new-product-name']

/** The fields whose values a company may name in its own words. */
export const MAPPED_VALUE_FIELDS: readonly string[] = [
  ...PRODUCT_COLUMNS,
  ...MAPPED_FIELDS.filter((field) => valuesOfField(field) !== undefined),
]
