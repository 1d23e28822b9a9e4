import { numberFormat } from './number.ts'

const timeZone = 'America/Sao_Paulo'

/** `2026-11-22` as `22/11/2026`, in both languages: that is how the people of a broker write dates. */
export function formatDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${day}/${month}/${year}`
}

const timestampFormat = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })

/** A timestamp as day and minute in Sao Paulo. */
export function formatTimestamp(timestamp: string): string {
  return timestampFormat.format(new Date(timestamp)).replace(',', '')
}

/** The day of a timestamp in Sao Paulo, as the API writes days. */
export function saoPauloDay(instant: Date = new Date()): string {
  return dayFormat.format(instant)
}

/** `dd/mm/yyyy`, `ddmmyyyy`, `d.m.yyyy` or `yyyy-mm-dd` as the API writes it; null for no day of the calendar. */
export function parseDate(text: string): string | null {
  const trimmed = text.trim()
  const brazilian = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$|^(\d{2})(\d{2})(\d{4})$/.exec(trimmed)
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed)
  const [year, month, day] =
    iso === null
      ? [brazilian?.[3] ?? brazilian?.[6], brazilian?.[2] ?? brazilian?.[5], brazilian?.[1] ?? brazilian?.[4]]
      : iso.slice(1)
  if (year === undefined || month === undefined || day === undefined) return null
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const instant = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date) ? date : null
}

/** How long something took or has lasted: `3 d`, `4 h`, `12 min`. @param seconds */
export function formatDuration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[3]
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return numberFormat(options).format(seconds / size)
}
