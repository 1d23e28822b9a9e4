/** Bytes from the first to the last, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

// Two numbers of 15 digits need a third of it.
const MAX_HEADER_CHARACTERS = 100
const DIGITS = /^\d{0,15}$/

/**
 * The part that a `Range` header asks for (RFC 9110, section 14). Null: the whole, because nothing was asked, or nothing that is
 * understood here (several parts, another unit, a header over 100 characters); the standard lets a server ignore those.
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
