/* A value that has the offense, for the table of the documentation. */
import { INCLUSION_FIELDS, type InclusionField } from '#kernel/inclusion-fields.ts'
import type { MessageKey } from '#kernel/messages.ts'
import { invalid, isOwed, missing, type Offense } from '#kernel/offenses.ts'

const long = 'a text of 201 characters'

/** By the rule of the field. A text stands for itself, anything else is JSON. */
const byRule: Readonly<Partial<Record<MessageKey, unknown>>> = {
  'rule-cpf': '123.456.789-00',
  'rule-cnpj': '11222333000100',
  'rule-date': '2026-02-30',
  'rule-cents': 5230.5,
  'rule-email': 'maria@empresa',
  'rule-phone': '3456-7890',
  'rule-postal-code': '1310-100',
  'rule-birth-declaration': '30-7284193',
  'rule-city-ibge-code': '9950308',
  'rule-cbo': '2124',
  'rule-cns': '705008734026158',
  'rule-pis': '12054789361',
  'rule-documents': [{ 'document-id': 'x' }],
  'rule-products': [],
  'rule-reference': 'folha 52998224725',
  'rule-choice': 'x',
  'rule-flag': 'yes',
  'rule-choice-with-alias': 'x',
}

/** A value of a field that has its `invalid-` offense; null for a text that is too long. */
export function invalidValue(field: InclusionField): unknown {
  return byRule[INCLUSION_FIELDS[field].rule.key] ?? null
}

const OTHERS: Readonly<Record<string, string>> = {
  'already-enrolled': 'the same inclusion again, after it was completed',
  'dependent-too-old': 'a `child` on the 21st birthday where `max-age` is 21',
  'dependent-type-not-allowed': '`"uncle-aunt"` where only `spouse` and `child` are allowed',
  'duplicated-member': 'two entries of one CPF with the same product',
  'invalid-start-option': '`"tomorrow"`',
  'missing-admission-date': '`"start-option": "on-admission-date"` without `admission-date`',
  'missing-documents': 'a `partner` without `stable-union-declaration`, where a rule refuses it',
  'missing-product-name': '`{ "start-option": "on-inclusion-date" }`',
  'missing-start-option': '`{ "name": "Saúde Essencial" }`',
  'ongoing-enrollment': 'the same inclusion again, before it was resolved',
  'primary-member-not-enrolled-in-product': 'a dependent in a dental product that the primary does not have',
  'primary-member-not-found': 'a dependent alone, whose primary was never included',
  'primary-member-rejected': 'a dependent whose primary has `missing-gender`',
  'product-type-mismatch': '`"dental-insurance"` with the name of a health product',
  'start-option-not-allowed': '`"on-admission-date"` where only `on-inclusion-date` is allowed',
  'unknown-product': '`"Saude Premium"` where the company has no such product',
}

const examples = new Map<Offense, string>()
for (const field of Object.keys(INCLUSION_FIELDS) as InclusionField[]) {
  const value = invalidValue(field)
  examples.set(invalid(field), value === null ? long : `\`${JSON.stringify(value)}\``)
  if (isOwed(field)) examples.set(missing(field), 'absent, `null` or `" "`')
}

/** The example of an offense of an inclusion. @throws when there is none. */
export function exampleOf(offense: Offense): string {
  const example = OTHERS[offense] ?? examples.get(offense)
  if (example === undefined) throw new Error(`${offense} has no example`)
  return example
}
