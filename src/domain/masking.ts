/*
 * Personal documents and bank data as an operator sees them until they are disclosed.
 */

const maskedText = '***'

/** The CPF with its first three and its check digits hidden, such as `***.982.247-**`; what has no 11 digits, such as a CNPJ, stays. */
export function maskCpf(taxId: string): string {
  return /^\d{11}$/.test(taxId) ? `***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**` : taxId
}

/** The fields that are masked. */
export const MASKED_FIELDS = {
  'tax-id': maskCpf,
  'member-tax-id': maskCpf,
  'primary-member-tax-id': maskCpf,
  'bank-number': () => maskedText,
  'bank-branch-number': () => maskedText,
  'bank-account-number': () => maskedText,
  'bank-account-owners-name': () => maskedText,
  'bank-account-owners-tax-id': maskCpf,
  cns: () => maskedText,
  pis: () => maskedText,
  'birth-declaration-number': () => maskedText,
  'identity-document-number': () => maskedText,
  disabled: () => maskedText,
} as const satisfies Readonly<Record<string, (value: string) => string>>

/** A copy of the JSON value with these fields masked, at any depth; a null or absent one stays so, one that is true or false is left out. */
export function maskFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
      if (typeof inner === 'boolean' && isMasked(key)) return []
      return [[key, typeof inner === 'string' ? maskField(key, inner) : maskFields(inner)]]
    }),
  )
}

/** The value of a field as it is shown until it is disclosed. */
export function maskField(field: string, value: string): string {
  return isMasked(field) ? MASKED_FIELDS[field](value) : value
}

const isMasked = (field: string): field is keyof typeof MASKED_FIELDS => Object.hasOwn(MASKED_FIELDS, field)

/** A value of a field, of any type, as it is shown until it is disclosed. */
export function maskValue<Value>(field: string, value: Value): Value | string {
  if (typeof value === 'boolean' && isMasked(field)) return maskedText
  return typeof value === 'string' ? maskField(field, value) : value
}
