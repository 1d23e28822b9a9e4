/* The columns of a file of leavers. Others are sent as they are, for the service to judge. */
import portuguese from '../../../texts/pt-BR.json' with { type: 'json' }
import { EXCLUSION_REASONS } from '#kernel/enums.ts'
import { FIELDS_OF_REASONS } from '#coverage/rules/exclusion-details.ts'
import { type CsvColumnForm, headerLookup, IMPORT_COLUMNS, type ImportColumnName } from './import-columns.ts'

/** Columns of `exclusion-details`. */
export const LEAVER_DETAILS = [
  'end-date',
  'exclusion-reason',
  'exclusion-reason-details',
  'extension-plan',
  ...FIELDS_OF_REASONS,
] as const

const names = [
  'company-tax-id',
  'tax-id',
  'primary-member-tax-id',
  'product-id',
  'benefit-id',
  ...LEAVER_DETAILS,
  'reference',
] as const

const reasons = Object.fromEntries(
  EXCLUSION_REASONS.map((reason) => [reason, [portuguese.terms.exclusionReason[reason]]]),
)

/** By name, in the order of the template. */
export const LEAVER_COLUMNS: ReadonlyMap<string, CsvColumnForm> = new Map(
  names.map((name): [string, CsvColumnForm] => {
    const words = name === 'exclusion-reason' ? { words: reasons } : {}
    const date = name === 'requested-at' || name.endsWith('-date') ? { isDate: true as const } : {}
    const known = IMPORT_COLUMNS.get(name as ImportColumnName)
    return [name, { ...known, ...date, ...words, header: portuguese.fields[name] }]
  }),
)

/** The column with this header, in English or Portuguese; undefined when there is none. */
export const leaverColumnOf = headerLookup(LEAVER_COLUMNS)
