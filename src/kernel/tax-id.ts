const CPF = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/
const CNPJ = /^(?:[A-Za-z0-9]{12}\d{2}|[A-Za-z0-9]{2}\.[A-Za-z0-9]{3}\.[A-Za-z0-9]{3}\/[A-Za-z0-9]{4}-\d{2})$/
const PUNCTUATION = /[./-]/g
const CODE_OF_ZERO = 48

/** From right to left the weights are 2, 3, 4, ...; those of a CNPJ start again after 9. */
const CPF_WEIGHTS = 10
const CNPJ_WEIGHTS = 8

/**
 * The unformatted CPF (11 digits) of a value that is one, digits only or as `000.000.000-00`; else null.
 * Both check digits are verified and the ten repeated sequences refused.
 */
export function parseCpf(value: unknown): string | null {
  return typeof value === 'string' && CPF.test(value) ? verified(value.replace(PUNCTUATION, ''), CPF_WEIGHTS) : null
}

/**
 * The unformatted, upper-cased CNPJ (14 characters) of a value that is one, numeric or alphanumeric, plain or as
 * `00.000.000/0000-00`; else null (IN RFB 2.229/2024: ASCII - 48, two numeric check digits). Letters are never stripped.
 */
export function parseCnpj(value: unknown): string | null {
  if (typeof value !== 'string' || !CNPJ.test(value)) return null
  return verified(value.replace(PUNCTUATION, '').toUpperCase(), CNPJ_WEIGHTS)
}

/**
 * The CPF of a number of 8 to 10 digits, whose leading zeros a spreadsheet has removed; null when the check digits do not prove it.
 */
export function restoreCpf(cell: string): string | null {
  return /^\d{8,10}$/.test(cell) ? parseCpf(cell.padStart(11, '0')) : null
}

/** The CNPJ of a number of up to 13 digits, whose leading zeros a spreadsheet has removed; null when the check digits do not prove it. */
export function restoreCnpj(cell: string): string | null {
  return /^\d{1,13}$/.test(cell) ? parseCnpj(cell.padStart(14, '0')) : null
}

/**
 * Nine digits with their two CPF check digits. A repeated digit gives a repeated sequence, which `parseCpf` refuses.
 * Throws RangeError for anything but nine digits.
 */
export function completeCpf(nineDigits: string): string {
  if (!/^\d{9}$/.test(nineDigits)) throw new RangeError('a CPF is completed from nine digits')
  return withCheckDigits(nineDigits, CPF_WEIGHTS)
}

/**
 * Twelve characters `[A-Z0-9]`, upper-cased, with their two CNPJ check digits (IN RFB 2.229/2024).
 * Throws RangeError for anything else.
 */
export function completeCnpj(twelve: string): string {
  if (!/^[A-Za-z0-9]{12}$/.test(twelve)) throw new RangeError('a CNPJ is completed from twelve letters or digits')
  return withCheckDigits(twelve.toUpperCase(), CNPJ_WEIGHTS)
}

function verified(characters: string, weights: number): string | null {
  const isOneCharacter = characters === characters.charAt(0).repeat(characters.length)
  return !isOneCharacter && characters === withCheckDigits(characters.slice(0, -2), weights) ? characters : null
}

function withCheckDigits(base: string, weights: number): string {
  const first = base + checkDigit(base, weights)
  return first + checkDigit(first, weights)
}

function checkDigit(characters: string, weights: number): number {
  let sum = 0
  for (let i = 0; i < characters.length; i++) {
    sum += (characters.charCodeAt(i) - CODE_OF_ZERO) * (2 + ((characters.length - 1 - i) % weights))
  }
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}

/** A CNPJ as people write it: `12.ABC.345/01DE-35`; another text as it is. */
export function formatCnpj(cnpj: string): string {
  return /^[\dA-Z]{14}$/.test(cnpj) ? cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5') : cnpj
}
