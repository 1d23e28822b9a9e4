/* The columns of a table of alterations: the CPF of the person, and what `alteration-data` takes, products by their names. */
import portuguese from '../../../texts/pt-BR.json' with { type: 'json' }
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'
import { REGISTRATION_FIELDS } from './alteration-data.ts'
import { type CsvColumnForm, headerLookup, IMPORT_COLUMNS, type ImportColumnName } from './import-columns.ts'

/** The columns that stand for other keys of `alteration-data`: a CPF is that of the person, a product is named. */
export const ALTERATION_KEYS: ReadonlyMap<string, string> = new Map([
  ['new-tax-id', 'tax-id'],
  ['new-product-name', 'new-product-id'],
  ...Object.entries(REGISTRATION_ALIASES).map(([alias, name]): [string, string] => [name, alias]),
])

const registration = Object.keys(REGISTRATION_FIELDS).filter((name) => name !== 'tax-id')
/** The registration data, and, as in the other tables, those that have two names by both. */
const registrationColumns = new Set([...registration, ...Object.values(REGISTRATION_ALIASES)]) as ReadonlySet<string>

/** By name, in the order of the template. */
export const ALTERATION_COLUMNS: ReadonlyMap<string, CsvColumnForm> = new Map<string, CsvColumnForm>([
  ...(['company-tax-id', 'tax-id'] as const).map(known),
  ['new-product-name', { header: portuguese.fields['new-product-id'] }],
  ['new-company-tax-id', { header: portuguese.fields['new-company-tax-id'], isCnpj: true }],
  ['requested-start-date', { header: portuguese.fields['requested-start-date'], isDate: true }],
  ['reason', { header: portuguese.fields.reason }],
  ['new-tax-id', { header: 'CPF correto', isCpf: true }],
  ...[...IMPORT_COLUMNS.keys()].filter((name) => registrationColumns.has(name)).map(known),
  ['reference', { header: portuguese.fields.reference }],
])

/** A column of an import. Nothing but the CPF has to be there, so that a cell like `-` is blank. */
function known(name: ImportColumnName): [string, CsvColumnForm] {
  const { isRequired: _, ...form } = IMPORT_COLUMNS.get(name) as CsvColumnForm
  return [name, form]
}

/** The column with this header, in English or Portuguese; undefined when there is none. */
export const alterationColumnOf = headerLookup(ALTERATION_COLUMNS)
