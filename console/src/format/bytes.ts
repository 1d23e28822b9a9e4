import { currentLanguage } from '../language/language.ts'

const kilobyte = 1_000

/** A size of a file as kB or MB. */
export function formatBytes(bytes: number): string {
  const isSmall = bytes < kilobyte ** 2
  const unit = isSmall ? 'kilobyte' : 'megabyte'
  const format = new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, maximumFractionDigits: 1 })
  return format.format(bytes / (isSmall ? kilobyte : kilobyte ** 2))
}
