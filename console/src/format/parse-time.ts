/** `hh:mm`, `hhmm`, `h:mm`, `hhhmm` with the letter h, or `hh` of a time of the day, as `hh:mm`; null for none. */
export function parseTime(text: string): string | null {
  const found = /^(\d{1,2})(?:[:h.]?(\d{2})|h?)$/i.exec(text.trim())
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2] ?? 0)]
  if (found === null || hour > 23 || minute > 59) return null
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
