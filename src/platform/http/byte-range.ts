/** Bytes from the first to the last, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

// Three times the length of two numbers of 15 digits.
const MAX_HEADER_CHARACTERS = 100
const DIGITS = /^\d{0,15}$/

/**
 * The range of a `Range` header (RFC 9110, section 14). Null: the whole, because there is no header, or one that is not supported (several
 * ranges, another unit, over 100 characters), which the standard lets a server ignore.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  if (header === undefined || header.length > MAX_HEADER_CHARACTERS) return null
  const [unit = '', bounds = '', ...others] = header.split('=').map((part) => part.trim())
  const [from = '', to = '', ...more] = bounds.split('-').map((part) => part.trim())
  if (unit.toLowerCase() !== 'bytes' || others.length > 0 || more.length > 0 || !bounds.includes('-')) return null
  if (!DIGITS.test(from) || !DIGITS.test(to) || (from === '' && to === '')) return null
  if (from === '') {
    const count = Math.min(Number(to), size)
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return null
  if (first >= size) return 'unsatisfiable'
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
