/*
 * The fields of an inclusion member: the one table behind its JSON Schema, its parser, its `missing-` and `invalid-` offenses, and the
 * columns of an import.
 */
import { BENEFICIARY_TYPES, DEPENDENT_TYPES, START_OPTIONS } from './enums.ts'
import * as types from './field-types.ts'
import { fieldType, isAbsent, isObject, optional, required } from './fields.ts'
import { reference } from './reference.ts'
import { addedFields } from './registration-fields.ts'
import { sandbox } from './sandbox.ts'

export const startOption = types.choice(START_OPTIONS)

/** Products in groups, keyed by product type. `parseProducts` parses the items. */
const products = fieldType<Readonly<Record<string, readonly { name?: unknown; 'start-option'?: unknown }[]>>>(
  {
    type: 'object',
    minProperties: 1,
    additionalProperties: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'start-option'],
        properties: { name: { type: 'string', minLength: 1, pattern: '\\S' }, 'start-option': startOption.schema },
      },
      minItems: 1,
    },
  },
  { key: 'rule-products' },
  (value) => {
    const isItem = (item: unknown) => isObject(item) && (typeof item['name'] === 'string' || isAbsent(item['name']))
    const isGroup = (group: unknown) => Array.isArray(group) && group.length > 0 && group.every(isItem)
    return isObject(value) && Object.values(value).every(isGroup)
      ? (value as Record<string, { name?: unknown }[]>)
      : null
  },
)

/** Registration data in any role, beside the CPF and the admission date. */
export const PROFILE_FIELDS = {
  name: required(types.name),
  'mothers-name': required(types.name),
  'date-of-birth': required(types.date),
  gender: required(types.gender),
  'marital-status': optional(types.maritalStatus),
  'work-contract-type': optional(types.workContractType),
  'job-title': optional(types.text),
  'employee-id': optional(types.text),
  'cost-center': optional(types.text),
  'cost-center-name': optional(types.text),
  salary: optional(types.cents),
  'email-corporate': optional(types.email),
  'email-private': optional(types.email),
  phone: optional(types.phone),
  'dependency-date': optional(types.date),
  ...addedFields(optional),
}

export const INCLUSION_FIELDS = {
  'beneficiary-type': required(types.choice(BENEFICIARY_TYPES)),
  'tax-id': required(types.cpf),
  ...PROFILE_FIELDS,
  products: required(products),
  'primary-member-tax-id': optional(types.cpf),
  'dependent-type': optional(types.choice(DEPENDENT_TYPES)),
  'admission-date': optional(types.date),
  reference: optional(reference),
  documents: optional(types.documents),
  sandbox: optional(sandbox),
}

/** Fields that are required of dependents alone. */
/** The closed sets of the API by the offense of a value outside of them. */
export const VALUES_OF_OFFENSES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(INCLUSION_FIELDS).flatMap(([name, { schema }]) =>
      Array.isArray(schema['enum']) ? [[`invalid-${name}`, schema['enum'] as string[]]] : [],
    ),
  ),
  'invalid-start-option': START_OPTIONS,
}

export const DEPENDENT_FIELDS = ['primary-member-tax-id', 'dependent-type'] as const

type RequiredField = {
  [Key in keyof typeof INCLUSION_FIELDS]: (typeof INCLUSION_FIELDS)[Key] extends { presence: 'required' } ? Key : never
}[keyof typeof INCLUSION_FIELDS]

export type InclusionField = keyof typeof INCLUSION_FIELDS
export type OwedField = RequiredField | (typeof DEPENDENT_FIELDS)[number]
