const MARKS = /\p{M}+/gu

/**
 * The reading under which product names are compared and unique within a company: trimmed, without case and accents.
 * Names that differ only in those give the same key.
 */
export function productNameKey(name: string): string {
  return name.trim().normalize('NFD').replace(MARKS, '').toLowerCase()
}
