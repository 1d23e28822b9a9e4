const MARKS = /\p{M}+/gu

/**
 * The form in which product names are compared, and unique within a company: trimmed, without case and accents.
 */
export function productNameKey(name: string): string {
  return name.trim().normalize('NFD').replace(MARKS, '').toLowerCase()
}
