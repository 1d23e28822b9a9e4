/* The columns of an inclusion as CSV: those of an import, so that one spreadsheet serves both, and what only an inclusion has. */
import type { PRODUCT_TYPES, StartOption } from '#kernel/enums.ts'
import portuguese from '../../../texts/pt-BR.json' with { type: 'json' }
import { type CsvColumnForm, headerLookup, IMPORT_COLUMNS } from './import-columns.ts'
import type { Words } from './import-words.ts'

/** What the carrier sets, and an inclusion asks for with `start-option`. */
const importOnly: ReadonlySet<string> = new Set(['start-date', 'end-date', 'card-number'])

const startOptions: Words<StartOption> = {
  'on-inclusion-date': ['na inclusão', 'na data da inclusão', 'na data de inclusão'],
  'on-admission-date': ['na admissão', 'na data da admissão', 'na data de admissão'],
  'on-next-billing-period': ['no próximo faturamento'],
}

const productTypes: Words<(typeof PRODUCT_TYPES)[number]> = {
  'health-insurance': ['saúde', 'plano de saúde'],
  'dental-insurance': ['odontológico', 'odonto', 'plano odontológico'],
  'life-insurance': ['vida', 'seguro de vida'],
  pharmacy: ['farmácia'],
  fitness: ['academia'],
  'mental-health': ['saúde mental'],
  'private-pension': ['previdência', 'previdência privada'],
  other: ['outro', 'outros'],
}

/** By name, in the order of the template. */
export const INCLUSION_COLUMNS: ReadonlyMap<string, CsvColumnForm> = new Map<string, CsvColumnForm>([
  ...[...IMPORT_COLUMNS].filter(([name]) => !importOnly.has(name)),
  ['product-type', { header: portuguese.fields['product-type'], words: productTypes }],
  ['start-option', { header: portuguese.fields['start-option'], words: startOptions }],
  ['reference', { header: portuguese.fields.reference }],
])

/** The column with this header, in English or Portuguese; undefined when there is none. */
export const inclusionColumnOf = headerLookup(INCLUSION_COLUMNS)
