import { visible } from './person-text.ts'

const MARKS = /\p{M}+/gu

/**
 * The form in which product names are compared, and unique within a company: trimmed, without case, accents, line breaks, numbers and kinds of blanks, and
 * invisible characters.
 */
export function productNameKey(name: string): string {
  const plain = visible(name).normalize('NFD').replace(MARKS, '').toLowerCase()
  return plain.replaceAll(/\s+/g, ' ').trim()
}
