import { currentLanguage } from '../../language/language.ts'

const kilobyte = 1_000

/** A size of a file as kB or MB. */
export function formatBytes(bytes: number): string {
  const [unit, size] = bytes < kilobyte ** 2 ? ['kilobyte', kilobyte] : ['megabyte', kilobyte ** 2]
  const options = { style: 'unit', unit: String(unit), maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(currentLanguage(), options).format(bytes / Number(size))
}
