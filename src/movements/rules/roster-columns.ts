/* The columns of a list of who should be covered: those of an inclusion, of a leaver, and what only the carrier sets. */
import { type CsvColumnForm, headerLookup, IMPORT_COLUMNS } from './import-columns.ts'
import { INCLUSION_COLUMNS } from './inclusion-columns.ts'
import { LEAVER_COLUMNS, LEAVER_DETAILS } from './leaver-columns.ts'
import type { TableForm } from './table-columns.ts'

const leaver: ReadonlySet<string> = new Set(LEAVER_DETAILS)

/** By name. Nothing but the CPF has to be there, so that a cell like `-` is blank. */
const columns: ReadonlyMap<string, CsvColumnForm> = new Map(
  [
    ...INCLUSION_COLUMNS,
    ...[...IMPORT_COLUMNS].filter(([name]) => name === 'start-date' || name === 'card-number'),
    ...[...LEAVER_COLUMNS].filter(([name]) => leaver.has(name)),
  ].map(([name, { isRequired: _required, ...form }]) => [name, form]),
)

/** Only the CPF is required: what is not stated is not compared. */
export const ROSTER_FORM: TableForm = { columns, columnOf: headerLookup(columns), required: ['tax-id'], oneOf: [] }

/** Who is a primary follows from any of these. */
export const ROSTER_ROLE_COLUMNS = ['beneficiary-type', 'dependent-type', 'primary-member-tax-id'] as const
/** The product follows from any of these: a column, or a key of a member. */
export const ROSTER_PRODUCT_COLUMNS = ['product-name', 'products'] as const
