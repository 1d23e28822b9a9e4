import type { ImportOffense } from './offenses.ts'

/** What an import tells of lines and columns that it has read. */
export const IMPORT_WARNINGS = [
  'unknown-column',
  'leading-zeros-restored',
  'amount-rounded',
  'suspicious-text',
  'cell-error',
  'hidden-row',
  'starts-with-primary',
] as const
export type ImportWarning = (typeof IMPORT_WARNINGS)[number]

/** Offenses whose code does not name the column. */
const columns: { readonly [Code in ImportOffense]?: string } = {
  'already-enrolled': 'product-name',
  'dependent-too-old': 'date-of-birth',
  'dependent-type-not-allowed': 'dependent-type',
  'malformed-line': 'line',
  'ongoing-enrollment': 'product-name',
  'primary-member-not-enrolled-in-product': 'product-name',
  'primary-member-not-found': 'primary-member-tax-id',
  'replaced-benefit': 'product-name',
  'unknown-company': 'company-tax-id',
  'unknown-product': 'product-name',
}

/** The column of an import that an offense concerns; `line`: the whole line. */
export function columnOfOffense(offense: ImportOffense): string {
  return columns[offense] ?? offense.replace(/^(missing|invalid)-/, '')
}
