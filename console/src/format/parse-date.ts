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
