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
} as const satisfies Readonly<Record<string, (value: string) => string>>

/** A copy of the JSON value with these fields masked, at any depth; a null or absent one stays so. */
export function maskFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' ? maskField(key, inner) : maskFields(inner),
    ]),
  )
}

/** The value of a field as it is shown until it is disclosed. */
export function maskField(field: string, value: string): string {
  return Object.hasOwn(MASKED_FIELDS, field) ? MASKED_FIELDS[field as keyof typeof MASKED_FIELDS](value) : value
}
