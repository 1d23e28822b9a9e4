import * as types from './field-types.ts'
import type { Field, FieldType } from './fields.ts'

/** Registration fields that inclusion and alteration take under the same keys, beside those of the profile. */
const ADDED_FIELDS = {
  'preferred-name': types.name,
  email: types.email,
  'address-postal-code': types.postalCode,
  'address-street': types.text,
  'address-number': types.text,
  'address-neighborhood': types.text,
  'address-complement': types.text,
  'address-city': types.text,
  'address-state': types.state,
  'city-ibge-code': types.cityIbgeCode,
  'monthly-salary': types.cents,
  'employee-company-tax-id': types.cnpj,
  'bank-number': types.text,
  'bank-branch-number': types.text,
  'bank-account-number': types.text,
  'bank-account-owners-name': types.name,
  'bank-account-owners-tax-id': types.cpf,
  'fathers-name': types.name,
  cns: types.cns,
  pis: types.pis,
  'birth-declaration-number': types.birthDeclarationNumber,
  'identity-document-number': types.text,
  'identity-document-issuer': types.text,
  'identity-document-state': types.state,
  'identity-document-issued-at': types.date,
  cbo: types.cbo,
  'student-until': types.date,
  disabled: types.trueOrFalse,
}

/** Keys that are another name of a key of the profile, under which their value is stored. */
export const REGISTRATION_ALIASES = { email: 'email-private', 'monthly-salary': 'salary' } as const

type ValueOf<Type> = Type extends FieldType<infer Value> ? Value : never

type AddedFields<P extends Field['presence']> = {
  readonly [Key in keyof typeof ADDED_FIELDS]: Field<ValueOf<(typeof ADDED_FIELDS)[Key]>, P>
}

/** The added registration fields, optional in an inclusion, `non-blank` in an alteration. */
export function addedFields<P extends Field['presence']>(
  withPresence: (type: FieldType<unknown>) => Field<unknown, P>,
): AddedFields<P> {
  const fields = Object.entries(ADDED_FIELDS).map(([key, type]) => [key, withPresence(type)])
  return Object.fromEntries(fields) as AddedFields<P>
}
