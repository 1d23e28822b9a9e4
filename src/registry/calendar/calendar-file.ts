import type { LocalDate } from '#kernel/calendar.ts'
import { sentenceOf } from '#kernel/texts/messages.ts'
import type { Language } from '#kernel/texts/texts.ts'

/** A cut-off of a contract, as an event of a calendar. */
interface CutOffEvent {
  readonly 'contract-id': string
  readonly month: string
  readonly 'cut-off-date': LocalDate
  readonly 'coverage-start': LocalDate
  readonly 'carrier-name': string
  readonly 'company-name': string
  readonly 'contract-number': string
  readonly 'sub-contract': string
  readonly updatedAt: Date
}

const maxOctets = 75

/** iCalendar (RFC 5545): a whole-day event for each cut-off. Its UID stays when the day moves. */
export function calendarFile(cutOffs: readonly CutOffEvent[], language: Language): string {
  const events = cutOffs.flatMap((cutOff) => [
    'BEGIN:VEVENT',
    `UID:${cutOff['contract-id']}-${cutOff.month}@vigencia`,
    `DTSTAMP:${cutOff.updatedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${cutOff['cut-off-date'].replaceAll('-', '')}`,
    `SUMMARY:${escaped(titleOf(cutOff, language))}`,
    `DESCRIPTION:${escaped(sentenceOf({ key: 'cut-off-cover', date: cutOff['coverage-start'] }, language) ?? '')}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Vigencia//Cut-off days//EN', 'CALSCALE:GREGORIAN']
  return [...head, ...events, 'END:VCALENDAR'].map((line) => `${folded(line)}\r\n`).join('')
}

function titleOf(cutOff: CutOffEvent, language: Language): string {
  const number = [cutOff['contract-number'], cutOff['sub-contract']].filter((part) => part !== '').join('/')
  const names = { carrier: cutOff['carrier-name'], company: cutOff['company-name'] }
  return sentenceOf({ key: 'cut-off-title', ...names, number }, language) ?? ''
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll(/\r\n|[\r\n]/g, '\\n')

/** Continued on further lines, which begin with a space, at 75 octets; no character is cut. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > maxOctets) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += length
  }
  return text
}
