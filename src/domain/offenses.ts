/*
 * Offenses: why a member of an inclusion, or a line of an import, is rejected. `npm run docs` writes the tables of the documentation
 * from here.
 */
import { DEPENDENT_FIELDS, INCLUSION_FIELDS, startOption } from './inclusion-fields.ts'
import type { InclusionField, OwedField } from './inclusion-fields.ts'

export interface Explanation {
  readonly meaning: string
  readonly fix: string
}

interface RuleOffense extends Explanation {
  /** The field of the member that it concerns. */
  readonly field: string
}

/** Offenses that do not follow from one field of a member alone. */
const RULE_OFFENSES = {
  'already-enrolled': {
    field: 'products',
    meaning: 'The person has an active benefit of this product in this role in the company.',
    fix: 'Leave the product out, or exclude the old benefit first.',
  },
  'dependent-type-not-allowed': {
    field: 'dependent-type',
    meaning: 'The product does not allow this `dependent-type`.',
    fix: 'See `allowed-dependent-types` in `GET /v1/company/{company-tax-id}`.',
  },
  'duplicated-member': {
    field: 'products',
    meaning: 'The batch contains the same CPF twice for one product, in one entry or in two.',
    fix: 'Keep one. A person may be primary in one product and dependent in another.',
  },
  'invalid-start-option': { field: 'products.start-option', meaning: startOption.rule, fix: 'Correct it.' },
  'missing-admission-date': {
    field: 'admission-date',
    meaning:
      'A product starts `on-admission-date`, and `admission-date` is absent: that of the member, or of the primary for a dependent.',
    fix: 'Send `admission-date` with the primary.',
  },
  'missing-product-name': { field: 'products.name', meaning: 'A product has no `name`.', fix: 'Send it.' },
  'missing-start-option': {
    field: 'products.start-option',
    meaning: 'A product has no `start-option`.',
    fix: 'Send it.',
  },
  'ongoing-enrollment': {
    field: 'products',
    meaning: 'The person has an open inclusion of this product in this role, or a plan change to it.',
    fix: 'Wait until it is resolved.',
  },
  'primary-member-not-enrolled-in-product': {
    field: 'products',
    meaning: 'The primary has this product neither in the batch nor in the company.',
    fix: 'Include the primary in the product, before or in the same batch.',
  },
  'primary-member-not-found': {
    field: 'primary-member-tax-id',
    meaning:
      'No primary with this CPF in the batch, or ever in the company. A person who is only a dependent is not a primary.',
    fix: 'Correct the CPF, or include the primary.',
  },
  'primary-member-rejected': {
    field: 'primary-member-tax-id',
    meaning: 'The primary is in the batch and has offenses.',
    fix: 'Correct the primary, then send both again.',
  },
  'product-type-mismatch': {
    field: 'products',
    meaning: 'The product exists with another product type than the key under which it was sent.',
    fix: 'Send it under its own `product-type`. Until then it is not checked further.',
  },
  'start-option-not-allowed': {
    field: 'products.start-option',
    meaning: 'The product does not allow this `start-option`.',
    fix: 'See `allowed-start-options` in `GET /v1/company/{company-tax-id}`.',
  },
  'unknown-product': {
    field: 'products.name',
    meaning: 'The company has no such product, or it is retired. Names are compared without case and accents.',
    fix: 'See the names in `GET /v1/company/{company-tax-id}`.',
  },
} as const satisfies Readonly<Record<string, RuleOffense>>

/** Further rules of a field, beside its format. */
const ALSO_INVALID: { readonly [Key in InclusionField]?: string } = {
  'date-of-birth': 'Not after today.',
  email: 'Not other than `email-private`.',
  'monthly-salary': 'Not other than `salary`.',
  documents: 'Each one uploaded by this client and not used by another movement.',
  'primary-member-tax-id': 'Not the CPF of the dependent.',
}

export type Offense = keyof typeof RULE_OFFENSES | `missing-${OwedField}` | `invalid-${InclusionField}`

export function invalid<Key extends InclusionField>(field: Key): `invalid-${Key}` {
  return `invalid-${field}` as const
}

export function missing<Key extends OwedField>(field: Key): `missing-${Key}` {
  return `missing-${field}` as const
}

/** Whether a field is required of members, in every role or of dependents. */
export function isOwed(field: InclusionField): field is OwedField {
  return INCLUSION_FIELDS[field].presence === 'required' || DEPENDENT_FIELDS.some((one) => one === field)
}

const FIELD_NAMES = Object.keys(INCLUSION_FIELDS) as InclusionField[]

function explainInvalid(field: InclusionField): Explanation {
  const { rule, presence } = INCLUSION_FIELDS[field]
  const also = ALSO_INVALID[field]
  return {
    meaning: also === undefined ? rule : `${rule} ${also}`,
    fix: presence === 'required' ? 'Correct it.' : 'Correct it, or leave it out.',
  }
}

/** Every offense of an inclusion, sorted. The meaning of an `invalid-` one is what the field must be. */
export const OFFENSE_EXPLANATIONS = Object.fromEntries(
  [
    ...Object.entries<Explanation>(RULE_OFFENSES),
    ...FIELD_NAMES.map((field) => [invalid(field), explainInvalid(field)] as const),
    ...FIELD_NAMES.filter(isOwed).map((field) => [missing(field), { meaning: 'Absent.', fix: 'Send it.' }] as const),
  ].toSorted(([one], [other]) => (one < other ? -1 : 1)),
) as Readonly<Record<Offense, Explanation>>

export const OFFENSES = Object.keys(OFFENSE_EXPLANATIONS) as readonly Offense[]

/** The field of a member that an offense concerns. */
export function fieldOfOffense(offense: Offense): string {
  const rules: Readonly<Record<string, RuleOffense>> = RULE_OFFENSES
  return rules[offense]?.field ?? offense.replace(/^(missing|invalid)-/, '')
}

/** Offenses of a line of an import, beside those of an inclusion. */
export const IMPORT_OFFENSE_MEANINGS = {
  'invalid-card-number':
    'Longer than 200 characters, or in the scientific notation of a spreadsheet, such as `4,5112E+13`.',
  'invalid-company-tax-id': 'Not a CNPJ.',
  'invalid-end-date': "Not a date, before the start, or after the end of the primary's benefit.",
  'invalid-start-date': 'Not a date, or before 1900.',
  'malformed-line': 'The line cannot be read.',
  'missing-company-tax-id': 'Absent.',
  'missing-start-date': 'Absent.',
  'replaced-benefit':
    'A plan or company change has replaced the benefit of this start. Its period cannot change: send the line of the benefit that replaced it.',
  'unknown-company': 'There is no company with this CNPJ. Create it first.',
} as const

export const IMPORT_OFFENSES = Object.keys(IMPORT_OFFENSE_MEANINGS) as readonly (keyof typeof IMPORT_OFFENSE_MEANINGS)[]
export type ImportOffense = Offense | (typeof IMPORT_OFFENSES)[number]
