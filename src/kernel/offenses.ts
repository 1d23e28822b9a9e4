/* Offenses: why a member of an inclusion, or a line of an import, is rejected. Their words are in texts/. */
import { ALTERATION_OFFENSES, type AlterationOffense } from './alteration-offenses.ts'
import { EXCLUSION_OFFENSES, type ExclusionOffense } from './exclusion-offenses.ts'
import { DEPENDENT_FIELDS, INCLUSION_FIELDS } from './inclusion-fields.ts'
import type { InclusionField, OwedField } from './inclusion-fields.ts'

/** Offenses that do not follow from one field of a member alone, each with the field that it concerns. */
const RULE_OFFENSES = {
  'already-enrolled': 'products',
  'dependent-too-old': 'date-of-birth',
  'dependent-type-not-allowed': 'dependent-type',
  'duplicated-member': 'products',
  'invalid-start-option': 'products.start-option',
  'missing-admission-date': 'admission-date',
  'missing-documents': 'documents',
  'missing-product-name': 'products.name',
  'missing-start-option': 'products.start-option',
  'ongoing-enrollment': 'products',
  'primary-member-not-enrolled-in-product': 'products',
  'primary-member-not-found': 'primary-member-tax-id',
  'primary-member-rejected': 'primary-member-tax-id',
  'product-type-mismatch': 'products',
  'start-option-not-allowed': 'products.start-option',
  'unknown-product': 'products.name',
} as const

export type RuleOffense = keyof typeof RULE_OFFENSES
export type Offense = RuleOffense | `missing-${OwedField}` | `invalid-${InclusionField}`

export function invalid<Key extends InclusionField>(field: Key): `invalid-${Key}` {
  return `invalid-${field}` as const
}

export function missing<Key extends OwedField>(field: Key): `missing-${Key}` {
  return `missing-${field}` as const
}

/** Whether a field is required of members, in every role or of dependents. */
export function isOwed(field: InclusionField): field is OwedField {
  return (
    INCLUSION_FIELDS[field].presence === 'required' ||
    DEPENDENT_FIELDS.some((dependentField) => dependentField === field)
  )
}

const FIELD_NAMES = Object.keys(INCLUSION_FIELDS) as InclusionField[]

/** Every offense of an inclusion, sorted. */
export const OFFENSES: readonly Offense[] = [
  ...(Object.keys(RULE_OFFENSES) as RuleOffense[]),
  ...FIELD_NAMES.map(invalid),
  ...FIELD_NAMES.filter(isOwed).map(missing),
].toSorted()

/** The field of a member that an offense concerns. */
export function fieldOfOffense(offense: Offense): string {
  const rules: Readonly<Record<string, string>> = RULE_OFFENSES
  return rules[offense] ?? offense.replace(/^(missing|invalid)-/, '')
}

/** Offenses of a line of an import, beside those of an inclusion. */
export const IMPORT_OFFENSES = [
  'invalid-card-number',
  'invalid-company-tax-id',
  'invalid-end-date',
  'invalid-start-date',
  'malformed-line',
  'missing-company-tax-id',
  'missing-start-date',
  'replaced-benefit',
  'unknown-company',
] as const
export type LineOffense = (typeof IMPORT_OFFENSES)[number]
export type ImportOffense = Offense | LineOffense

/** An offense of any movement or import. */
export type AnyOffense = ImportOffense | ExclusionOffense | AlterationOffense

const all: ReadonlySet<string> = new Set([
  ...OFFENSES,
  ...IMPORT_OFFENSES,
  ...EXCLUSION_OFFENSES,
  ...ALTERATION_OFFENSES,
])

/** Whether a text is the code of an offense. */
export function isOffense(code: string): code is AnyOffense {
  return all.has(code)
}
