/* Values as files have them, without I/O; how they are read is in rules/read-value.ts. */
import { isLocalDate } from '#kernel/calendar.ts'
import type { ColumnFormat } from '../rules/layout.ts'
import type { FieldOfLayout } from '../rules/layout-fields.ts'
import { firstShortYear, lastShortYear, patternOf } from '../rules/read-value.ts'
import type { LayoutEncoding } from './definition.ts'

/** Years that a carrier's file may have. */
const [firstYear, lastYear] = [1900, 2199]

/** A day as the pattern writes it; null for a year that it cannot say. @param date as `YYYY-MM-DD`. */
function writeDate(date: string, format: ColumnFormat | undefined): string | null {
  const [year = '', month = '', day = ''] = date.split('-')
  const pattern = patternOf(format) ?? 'yyyy-MM-dd'
  const [first, last] = pattern === 'yyMMdd' ? [firstShortYear, lastShortYear] : [firstYear, lastYear]
  if (!isLocalDate(date) || Number(year) < first || Number(year) > last) return null
  switch (pattern) {
    case 'ddMMyyyy':
      return `${day}${month}${year}`
    case 'yyyyMMdd':
      return `${year}${month}${day}`
    case 'dd/MM/yyyy':
      return `${day}/${month}/${year}`
    case 'yyMMdd':
      return `${year.slice(2)}${month}${day}`
    case 'MMyyyy':
      return `${month}${year}`
    case 'MM/yyyy':
      return `${month}/${year}`
    case 'yyyyMM':
      return `${year}${month}`
    case 'yyyy-MM':
      return `${year}-${month}`
    case 'yyyy-MM-dd':
      return date
    default:
      return pattern satisfies never
  }
}

/** Cents as text. */
function writeMoney(cents: string, format: ColumnFormat | undefined): string {
  if (format !== 'money:comma' && format !== 'money:point') return cents
  const sign = cents.startsWith('-') ? '-' : ''
  const digits = cents.slice(sign.length).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}${format === 'money:comma' ? ',' : '.'}${digits.slice(-2)}`
}

/** Letters that have no form without an accent, and punctuation that word processors write. */
const asciiForms: Readonly<Record<string, string>> = {
  ß: 'SS',
  ẞ: 'SS',
  æ: 'AE',
  Æ: 'AE',
  œ: 'OE',
  Œ: 'OE',
  ø: 'O',
  Ø: 'O',
  ł: 'L',
  Ł: 'L',
  đ: 'D',
  Đ: 'D',
  ð: 'D',
  Ð: 'D',
  þ: 'TH',
  Þ: 'TH',
  ı: 'I',
  ª: 'A',
  º: 'O',
  '°': 'O',
  '‘': "'",
  '’': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
}

function upperAscii(text: string): string {
  const plain = text.replaceAll(/[^\0-\x7f]/gu, (character) => asciiForms[character] ?? character)
  return plain.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase()
}

/** A text as a format writes it. */
function writeText(text: string, format: ColumnFormat | undefined): string {
  // A file of lines has no line breaks in values.
  const line = text.replaceAll(/[\t\n\r]+/g, ' ')
  switch (format) {
    case 'digits':
      return line.replaceAll(/\D/g, '')
    case 'upper':
      return line.toUpperCase()
    case 'upper-ascii':
      return upperAscii(line)
    default:
      return line
  }
}

/** A value as a column writes it; null for a day that its format cannot say. */
export function writeValue(value: string, { type }: FieldOfLayout, format: ColumnFormat | undefined): string | null {
  if (type === 'date') return writeDate(value, format)
  return type === 'money' ? writeMoney(value, format) : writeText(value, format)
}

/** The characters of Windows-1252 that ISO 8859-1 lacks, with their bytes. */
const windowsBytes = new Map(
  Array.from({ length: 32 }, (_, index) => 0x80 + index).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
)

/** Whether every character of a value can be written in the encoding. Controls cannot. */
export function isRepresentable(text: string, encoding: LayoutEncoding): boolean {
  if (/[\p{Cc}\p{Cs}\p{Cn}]/u.test(text)) return false
  if (encoding === 'utf-8') return true
  const rest = text.replaceAll(/[ -~\u00a0-\u00ff]+/g, '')
  return (
    rest === '' || (encoding === 'windows-1252' && Array.from(rest).every((character) => windowsBytes.has(character)))
  )
}

/** The bytes of a text all of whose characters the encoding has. */
export function encode(text: string, encoding: LayoutEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  if (encoding === 'iso-8859-1') return Buffer.from(text, 'latin1')
  const asBytes = text.replaceAll(/[^\0-\xff]/gu, (character) =>
    String.fromCharCode(windowsBytes.get(character) ?? 0x3f),
  )
  return Buffer.from(asBytes, 'latin1')
}
