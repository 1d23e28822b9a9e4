/* Cells of a file as a layout reads them: the same for the service, and for the console while a layout is made. */
import { isLocalDate } from '#kernel/calendar.ts'
import { readCents, readDate, withoutPunctuation } from '#kernel/cell-values.ts'
import { foldHeading } from '#kernel/heading.ts'
import { MAX_LINE_CENTS } from '#kernel/money.ts'
import { saysNothing } from '#kernel/person-text.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import type { ColumnFormat, DatePattern } from './layout.ts'
import type { FieldOfLayout } from './layout-fields.ts'

/** Two digits of a year mean one of the first or the last of these hundred. */
export const [firstShortYear, lastShortYear] = [1940, 2039]

export const patternOf = (format: ColumnFormat | undefined): DatePattern | null =>
  format?.startsWith('date:') === true ? (format.slice(5) as DatePattern) : null

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

/** The cents of a text; null: it is no amount, or larger than a line may have. */
function readMoney(text: string, format: ColumnFormat | undefined): string | null {
  const isCents = format !== 'money:comma' && format !== 'money:point'
  const decimals = format === 'money:point' ? 'point' : 'comma'
  const cents = Number(readCents(text, { decimals, isCents, hasDebitAndCredit: true }) ?? Number.NaN)
  return Math.abs(cents) <= MAX_LINE_CENTS ? String(cents) : null
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

type CodeMap = Readonly<Record<string, string>>

/** The codes of a map without case, accents and punctuation; null: several of them differ in no more than these. */
const foldedCodes = new WeakMap<CodeMap, ReadonlyMap<string, string | null>>()

function folded(map: CodeMap): ReadonlyMap<string, string | null> {
  const known = foldedCodes.get(map)
  if (known !== undefined) return known
  const codes = new Map<string, string | null>()
  for (const [code, value] of Object.entries(map)) {
    const key = foldHeading(code)
    codes.set(key, (codes.get(key) ?? value) === value ? value : null)
  }
  foldedCodes.set(map, codes)
  return codes
}

/** The value of a code as it stands there, else without regard to case, accents and punctuation; null: it has none. */
export function mappedValue(map: CodeMap, text: string): string | null {
  if (Object.hasOwn(map, text)) return map[text] ?? ''
  const key = foldHeading(text)
  return key === '' ? null : (folded(map).get(key) ?? null)
}
