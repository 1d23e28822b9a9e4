import { currentLanguage } from '../language/language.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Making one takes much longer than formatting, and lists format some numbers in each row. */
export function numberFormat(options: Intl.NumberFormatOptions = {}, language: string = currentLanguage()) {
  const key = `${language} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options)
  formats.set(key, format)
  return format
}

/** Cents as `R$ 1.234,56`, in both languages. */
export function formatMoney(cents: number): string {
  return numberFormat({ style: 'currency', currency: 'BRL' }, 'pt-BR').format(cents / 100)
}

/** Cents as `1.234,56`, for a field that has the currency beside it. */
export const formatAmount = (cents: number): string =>
  numberFormat({ minimumFractionDigits: 2 }, 'pt-BR').format(cents / 100)

export function formatNumber(value: number): string {
  return numberFormat().format(value)
}

/** A size as `182 kB` or `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const options = { style: 'unit', unit: units[power], unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return numberFormat(options).format(bytes / 1000 ** power)
}
