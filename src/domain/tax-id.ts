const CPF = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/
const CNPJ = /^(?:[A-Za-z0-9]{12}\d{2}|[A-Za-z0-9]{2}\.[A-Za-z0-9]{3}\.[A-Za-z0-9]{3}\/[A-Za-z0-9]{4}-\d{2})$/
const CODE_OF_ZERO = 48

/**
 * The unformatted CPF (11 digits) of a value that is one, digits only or as `000.000.000-00`; else null.
 * Both check digits are verified and the ten repeated sequences refused.
 */
export function parseCpf(value: unknown): string | null {
  if (typeof value !== 'string' || !CPF.test(value)) return null
  const digits = value.length === 11 ? value : value.replace(/[.-]/g, '')
  if (isOneCharacter(digits)) return null
  const first = checkDigit(digits, 9)
  if (digits.charCodeAt(9) - CODE_OF_ZERO !== first) return null
  return digits.charCodeAt(10) - CODE_OF_ZERO === checkDigit(digits, 10) ? digits : null
}

/**
 * The unformatted, upper-cased CNPJ (14 characters) of a value that is one, numeric or alphanumeric, plain or as
 * `00.000.000/0000-00`; else null (IN RFB 2.229/2024: ASCII - 48, two numeric check digits). Letters are never stripped.
 */
export function parseCnpj(value: unknown): string | null {
  if (typeof value !== 'string' || !CNPJ.test(value)) return null
  const characters = (value.length === 14 ? value : value.replace(/[./-]/g, '')).toUpperCase()
  if (isOneCharacter(characters)) return null
  if (characters.charCodeAt(12) - CODE_OF_ZERO !== cyclicCheckDigit(characters, 12)) return null
  return characters.charCodeAt(13) - CODE_OF_ZERO === cyclicCheckDigit(characters, 13) ? characters : null
}

/**
 * Nine digits with their two CPF check digits. A repeated digit gives a repeated sequence, which `parseCpf` refuses.
 * Throws RangeError for anything but nine digits.
 */
export function completeCpf(nineDigits: string): string {
  if (!/^\d{9}$/.test(nineDigits)) throw new RangeError('a CPF is completed from nine digits')
  const ten = nineDigits + checkDigit(nineDigits, 9)
  return ten + checkDigit(ten, 10)
}

/**
 * Twelve characters `[A-Z0-9]`, upper-cased, with their two CNPJ check digits (IN RFB 2.229/2024).
 * Throws RangeError for anything else.
 */
export function completeCnpj(twelve: string): string {
  if (!/^[A-Za-z0-9]{12}$/.test(twelve)) throw new RangeError('a CNPJ is completed from twelve letters or digits')
  const base = twelve.toUpperCase()
  const thirteen = base + cyclicCheckDigit(base, 12)
  return thirteen + cyclicCheckDigit(thirteen, 13)
}

function checkDigit(digits: string, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += (digits.charCodeAt(i) - CODE_OF_ZERO) * (length + 1 - i)
  return complement(sum)
}

function cyclicCheckDigit(characters: string, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += (characters.charCodeAt(i) - CODE_OF_ZERO) * (2 + ((length - 1 - i) % 8))
  return complement(sum)
}

function complement(sum: number): number {
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}

function isOneCharacter(text: string): boolean {
  for (let i = 1; i < text.length; i++) if (text.charCodeAt(i) !== text.charCodeAt(0)) return false
  return true
}
