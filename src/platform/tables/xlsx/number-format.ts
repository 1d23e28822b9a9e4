/* How cells show numbers: rules without I/O. */

/** What the number format of a cell says of its numbers. */
export interface NumberFormat {
  /** They are shown as days. */
  readonly isDate: boolean
  /** A format of zeros and separators, such as `00000-000`; null: another one. */
  readonly mask: string | null
  /** How many decimals are shown; null: as many as there are. */
  readonly decimals: number | null
}

export const GENERAL: NumberFormat = { isDate: false, mask: null, decimals: null }
const DATE: NumberFormat = { ...GENERAL, isDate: true }

/** Excel writes at most 255 characters. A longer code is no format. */
const maxCodeCharacters = 1_000

/** @param code null: a format without a code of its own. */
export function numberFormatOf(format: number, code: string | null): NumberFormat {
  if (code === null) return builtIn(format)
  if (code.length > maxCodeCharacters) return GENERAL
  // When there are several parts, the first is for positive numbers.
  const tokens = tokensOf(code)
  const isOther = (token: string) => token.length === 1
  if (tokens.some((token) => isOther(token) && /[dy]/i.test(token))) return DATE
  return { isDate: false, mask: maskOf(tokens), decimals: decimalsOf(tokens.filter(isOther).join('')) }
}

/** Formats of dates: 14 to 17, 22, and those of East Asia. */
function isBuiltInDate(format: number): boolean {
  return (
    (format >= 14 && format <= 17) || format === 22 || (format >= 27 && format <= 36) || (format >= 50 && format <= 58)
  )
}

const withoutDecimals = new Set([1, 3, 5, 6, 37, 38, 41, 42])
const withCents = new Set([2, 4, 7, 8, 39, 40, 43, 44])

function builtIn(format: number): NumberFormat {
  if (isBuiltInDate(format)) return DATE
  if (withoutDecimals.has(format)) return { ...GENERAL, decimals: 0 }
  return withCents.has(format) ? { ...GENERAL, decimals: 2 } : GENERAL
}

/** A text in quotes, an escaped character, a blank or filling, a color, condition or language in brackets, or one character. */
const TOKEN = /"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]|[^]/g

/** The parts of a code up to its first semicolon. */
function tokensOf(code: string): string[] {
  const tokens: string[] = code.match(TOKEN) ?? []
  const end = tokens.findIndex((token) => token === ';')
  return end < 0 ? tokens : tokens.slice(0, end)
}

const maxZeros = 30

/** Zeros, and what stands between them; null: the format has something else. */
function maskOf(tokens: readonly string[]): string | null {
  let mask = ''
  for (const token of tokens) {
    if (token === '0' || /^[ /():-]$/.test(token)) mask += token
    else if (/^(?:\\|"|_)/.test(token))
      mask += token[0] === '"' ? token.slice(1, -1) : token[0] === '_' ? '' : token.slice(1)
    else if (!/^\[\$[^\]]*\]$/.test(token)) return null
  }
  const literals = tokens.filter((token) => token.length > 1).join('')
  const zeros = mask.split('0').length - 1
  return zeros > 1 && zeros <= maxZeros && !/\d/.test(literals.replaceAll(/\[[^[\]]*\]/g, '')) ? mask : null
}

function decimalsOf(format: string): number | null {
  if (!/[0#?]/.test(format) || /[%e/]/i.test(format)) return null
  return format.split('.')[1]?.replaceAll(/[^0#?]/g, '').length ?? 0
}

/** The number as the mask shows it, such as `01310-100`; null for what has a sign, decimals, or more digits than are kept. */
export function masked(mask: string, value: number): string | null {
  if (!Number.isSafeInteger(value) || value < 0) return null
  const zeros = mask.split('0').length - 1
  const digits = String(value).padStart(zeros, '0')
  let at = 0
  return mask.replaceAll('0', () => {
    const end = at === 0 ? digits.length - zeros + 1 : at + 1
    const part = digits.slice(at, end)
    at = end
    return part
  })
}
