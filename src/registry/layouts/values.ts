/* Values as files have them: written and read, without I/O. */
import { isLocalDate } from '#kernel/calendar.ts'
import { readCents, readDate, withoutPunctuation } from '#kernel/cell-values.ts'
import { saysNothing } from '#kernel/person-text.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import type { ColumnFormat, DatePattern, LayoutEncoding } from './definition.ts'
import type { FieldOfLayout } from '../rules/layout-fields.ts'

/** Years that a carrier's file may have; two digits mean one of the first or the last of these hundred. */
const [firstYear, lastYear] = [1900, 2199]
const [firstShortYear, lastShortYear] = [1940, 2039]

const patternOf = (format: ColumnFormat | undefined): DatePattern | null =>
  format?.startsWith('date:') === true ? (format.slice(5) as DatePattern) : null

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

/** Where a pattern has year, month and day. */
const datePlaces: Readonly<
  Record<DatePattern, { readonly form: RegExp; readonly at: readonly [number, number, number | null] }>
> = {
  ddMMyyyy: { form: /^\d{8}$/, at: [4, 2, 0] },
  yyyyMMdd: { form: /^\d{8}$/, at: [0, 4, 6] },
  'dd/MM/yyyy': { form: /^\d{2}\/\d{2}\/\d{4}$/, at: [6, 3, 0] },
  yyMMdd: { form: /^\d{6}$/, at: [0, 2, 4] },
  MMyyyy: { form: /^\d{6}$/, at: [2, 0, null] },
  'MM/yyyy': { form: /^\d{2}\/\d{4}$/, at: [3, 0, null] },
  'yyyy-MM': { form: /^\d{4}-\d{2}$/, at: [0, 5, null] },
  yyyyMM: { form: /^\d{6}$/, at: [0, 4, null] },
  'yyyy-MM-dd': { form: /^\d{4}-\d{2}-\d{2}$/, at: [0, 5, 8] },
}

/** The day of a text as the pattern has it, of a month its first; null: none. */
function readPattern(text: string, format: ColumnFormat | undefined): string | null {
  const pattern = patternOf(format) ?? 'yyyy-MM-dd'
  const { form, at } = datePlaces[pattern]
  if (!form.test(text)) return null
  const [yearAt, monthAt, dayAt] = at
  const short = Number(text.slice(yearAt, yearAt + 2))
  const year =
    pattern === 'yyMMdd' ? (short < firstShortYear % 100 ? 2000 : 1900) + short : text.slice(yearAt, yearAt + 4)
  const date = `${year}-${text.slice(monthAt, monthAt + 2)}-${dayAt === null ? '01' : text.slice(dayAt, dayAt + 2)}`
  return isLocalDate(date) ? date : null
}

const MONTHS = /^(?:(\d{1,2})[-/.](\d{4})|(\d{4})[-/.](\d{1,2}))$/

/** A day, or a month, in another form than that of the pattern; a pattern of digits alone is kept to. */
function readAnyDate(text: string, format: ColumnFormat | undefined): string | null {
  const pattern = patternOf(format) ?? 'yyyy-MM-dd'
  if (/^\d+$/.test(text)) return null
  if (datePlaces[pattern].at[2] !== null) return readDate(text)
  const [, first = '', year, otherYear = '', second = ''] = MONTHS.exec(text) ?? []
  const date = `${year ?? otherYear}-${(year === undefined ? second : first).padStart(2, '0')}-01`
  return isLocalDate(date) ? date : null
}

/** Cents as text. */
function writeMoney(cents: string, format: ColumnFormat | undefined): string {
  if (format !== 'money:comma' && format !== 'money:point') return cents
  const sign = cents.startsWith('-') ? '-' : ''
  const digits = cents.slice(sign.length).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}${format === 'money:comma' ? ',' : '.'}${digits.slice(-2)}`
}

/** The cents of a text; null: it is no amount. */
function readMoney(text: string, format: ColumnFormat | undefined): string | null {
  const isCents = format !== 'money:comma' && format !== 'money:point'
  const decimals = format === 'money:point' ? 'point' : 'comma'
  return readCents(text, { decimals, isCents, hasDebitAndCredit: true })?.toString() ?? null
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

/** A value of a file; `''`: none, null: it is not of the type. @param text without spaces at its ends. */
export function readValue(
  text: string,
  { type, values }: FieldOfLayout,
  format: ColumnFormat | undefined,
): string | null {
  if (type !== 'text' && saysNothing(text)) return ''
  switch (type) {
    case 'date':
      return isZeros(text) ? '' : (readPattern(text, format) ?? readAnyDate(text, format))
    case 'money':
      return readMoney(text, format)
    case 'cpf':
      return isZeros(text) ? '' : readCpf(withoutPunctuation(text))
    case 'code':
      return values?.includes(text) === true ? text : null
    case 'text':
      return format === 'digits' ? text.replaceAll(/\D/g, '') : text
    default:
      return type satisfies never
  }
}

const isZeros = (text: string): boolean => /^[0/-]+$/.test(text)

/** Spreadsheets drop the zeros at the beginning. */
function readCpf(text: string): string | null {
  return parseCpf(/^\d{8,10}$/.test(text) ? text.padStart(11, '0') : text)
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
