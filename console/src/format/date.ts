import { addDays, daysBetween } from '../../../src/kernel/calendar.ts'
import { numberFormat } from './number.ts'

const timeZone = 'America/Sao_Paulo'

/** `2026-11-22` as `22/11/2026`, in both languages: that is how the people of a broker write dates. */
export function formatDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${day}/${month}/${year}`
}

const timestampFormat = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
const secondFormat = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'short' })
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })

/** A timestamp as day and minute in Sao Paulo. */
export function formatTimestamp(timestamp: string): string {
  return timestampFormat.format(new Date(timestamp)).replace(',', '')
}

/** A timestamp as day and second in Sao Paulo. */
export function formatSecond(timestamp: string): string {
  return secondFormat.format(new Date(timestamp)).replace(',', '')
}

/** An instant as hour and minute in Sao Paulo. */
export function formatTime(instant: Date): string {
  return timeFormat.format(instant)
}

/** The day of a timestamp in Sao Paulo, as the API writes days. */
export function saoPauloDay(instant: Date): string {
  return dayFormat.format(instant)
}

/** By how many days the business date of the service differs from the day of this browser: its clock may be wrong, and staging has a clock that moves. */
let movedDays = 0

/** The business date of the service now. */
export function businessDate(): string {
  return addDays(saoPauloDay(new Date()), movedDays)
}

/** @param date the business date that the service says it is now. */
export function setBusinessDate(date: string): void {
  movedDays = daysBetween(saoPauloDay(new Date()), date)
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
