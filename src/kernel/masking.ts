/*
 * Personal documents and bank data as an operator sees them until they are disclosed.
 */
import { parseCpf } from './tax-id.ts'

const maskedText = '***'

/**
 * The CPF with its first three and its check digits hidden, such as `***.982.247-**`, formatted or not; a CNPJ stays, and whatever else has that
 * many digits, a CPF with a digit too few, is hidden whole.
 */
export function maskCpf(taxId: string): string {
  const digits = taxId.replaceAll(/[^0-9A-Za-z]/g, '')
  if (/^\d{11}$/.test(digits)) return `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`
  return /^\d{8,13}$/.test(digits) || /\d{15}/.test(digits) ? maskedText : taxId
}

const cpfInText = /(?<![0-9A-Za-z])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![0-9A-Za-z])/g

/** A text of an operator or a partner with its CPFs masked. */
const maskText = (text: string) =>
  text.replaceAll(cpfInText, (found) => (parseCpf(found) === null ? found : maskCpf(found)))

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

/**
 * What an auditor gets of a response, whatever it is: `maskFields`, with numbers in those fields, and the CPFs in keys and other texts masked. Keys
 * that become the same are numbered.
 */
export function maskForAuditor(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(maskForAuditor)
  if (typeof value !== 'object' || value === null) return value
  const shown: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const masked = maskText(key)
    let name = masked
    for (let count = 2; Object.hasOwn(shown, name); count += 1) name = `${masked} (${count})`
    // A number is masked only when it may be a CPF: others are counts of such a name.
    if (typeof inner === 'string' || (typeof inner === 'number' && inner >= 1e7)) {
      shown[name] = isMasked(key) ? maskField(key, String(inner)) : maskForAuditor(inner)
    } else if (typeof inner !== 'boolean' || !isMasked(key)) shown[name] = maskForAuditor(inner)
  }
  return shown
}

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
