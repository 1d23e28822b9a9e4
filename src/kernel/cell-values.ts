/*
 * Values as people, spreadsheets and mainframes write them, for every reader of tables. What can mean one thing only is read; what can mean two follows
 * from the file as a whole.
 */
import { isLocalDate } from './calendar.ts'
import { saysNothing } from './person-text.ts'

/** What a file as a whole says of its values. */
export interface FileForms {
  /** The form of dates such as 01/02/2027. */
  readonly dates: 'day-first' | 'month-first'
  /** The form of amounts such as 1.234; `mixed`: the file has both, and says nothing. */
  readonly decimals: 'comma' | 'point' | 'mixed'
  /** Whether days stand first in some dates, and months in others: of the rest nobody knows. */
  readonly hasMixedDates?: boolean
}

/** As they are written in Brazil. */
export const BRAZILIAN: FileForms = { dates: 'day-first', decimals: 'comma' }

/** A time that spreadsheets and databases write after a day. */
const MIDNIGHT = /[T ] ?(?:0?0:00(?::00(?:[.,]0+)?)?|12:00(?::00)? AM)(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/
const WITH_WORD = /^(\d{1,2})(?:[-/. ]|\.? de )([a-zç]{3,9})\.?(?:[-/. ]| de )(\d{4})$/i
const EIGHT_DIGITS = /^\d{8}$/
const NO_DAY = /^0+(?:[-/.]0+)*$/

const months = new Map(
  ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']
    .map((word, index) => [word, index + 1] as const)
    .concat([
      ['feb', 2],
      ['apr', 4],
      ['may', 5],
      ['aug', 8],
      ['sep', 9],
      ['oct', 10],
      ['dec', 12],
    ]),
)

const dayOf = (year: number | string, month: number | string, day: number | string): string | null => {
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isLocalDate(date) ? date : null
}

/** Two digits of a year from 1940 on; those of a birth before are of two centuries. */
const firstShortYear = 40
/** Eight digits are a day of these years. */
const [firstYear, lastYear] = ['1900', '2199']

/**
 * A day as `YYYY-MM-DD`; `''`: it says that there is none, null: it is none, or may be two.
 * @param isBirth two digits of a year may be of a person who is a hundred years old.
 */
export function readDate(
  cell: string,
  { dates }: Pick<FileForms, 'dates'> = BRAZILIAN,
  isBirth = false,
): string | null {
  const text = cell.replace(MIDNIGHT, '').trim()
  if (NO_DAY.test(text) || saysNothing(text)) return ''
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return dayOf(year, month ?? '', day ?? '')
  const [, first = '', , second = '', last] = YEAR_LAST.exec(text) ?? []
  if (last !== undefined) {
    const whole = last.length === 4 ? last : centuryOf(Number(last), isBirth)
    if (whole === null) return null
    return dates === 'day-first' ? dayOf(whole, second, first) : dayOf(whole, first, second)
  }
  const [, ofMonth = '', word, wordYear = ''] = WITH_WORD.exec(text) ?? []
  const named = word === undefined ? undefined : months.get(word.slice(0, 3).toLowerCase())
  if (named !== undefined) return dayOf(wordYear, named, ofMonth)
  return EIGHT_DIGITS.test(text) ? dayOfDigits(text) : null
}

function centuryOf(year: number, isBirth: boolean): number | null {
  if (year >= firstShortYear) return 1900 + year
  return isBirth ? null : 2000 + year
}

/** `ddmmyyyy` or `yyyymmdd`: of these years no text is both. */
function dayOfDigits(text: string): string | null {
  const days = [
    dayOf(text.slice(4), text.slice(2, 4), text.slice(0, 2)),
    dayOf(text.slice(0, 4), text.slice(4, 6), text.slice(6)),
  ]
  return days.find((date) => date !== null && date.slice(0, 4) >= firstYear && date.slice(0, 4) <= lastYear) ?? null
}

const MINUS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g
const BLANKS = /[\s']+/g
const WHOLE = /^\d{1,16}$/
const WITH_COMMA = /^(\d{1,3}(?:\.\d{3})+|\d{1,16}),(\d{1,2})0*$/
const WITH_POINT = /^(\d{1,3}(?:,\d{3})+|\d{1,16})\.(\d{1,2})0*$/
/** More than one group of thousands: no decimals. */
const GROUPS = /^\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/
const ONE_POINT = /^\d{1,3}\.\d{3}$/
const ONE_COMMA = /^\d{1,3},\d{3}$/

interface MoneyOptions {
  readonly decimals: FileForms['decimals']
  /** Whether `D` and `C` after an amount are debit and credit; a credit is negative. */
  readonly hasDebitAndCredit?: boolean
  /** Whether a number without decimals is of cents. */
  readonly isCents?: boolean
}

/** An amount in cents, such as of `R$ 1.234,56`, `(123,45)`, `123,45-`; null: it is none, or may be two. */
export function readCents(
  cell: string,
  { decimals, hasDebitAndCredit = false, isCents = false }: MoneyOptions,
): bigint | null {
  const { text, isNegative } = withoutSign(cell.replaceAll(MINUS, '-').replaceAll(BLANKS, ''), hasDebitAndCredit)
  const cents = centsOf(text, decimals, isCents)
  return cents === null || !isNegative ? cents : -cents
}

function withoutSign(cell: string, hasDebitAndCredit: boolean): { text: string; isNegative: boolean } {
  const side = hasDebitAndCredit ? /^(.*\d\)?)(D|DB|C|CR)$/i.exec(cell) : null
  const rest = side?.[1] ?? cell
  const currency = /^([-+(]?)(?:R\$|BRL)([-+]?)(.*)$/i.exec(rest)
  const plain = currency === null ? rest : `${currency[1]}${currency[2]}${currency[3]}`
  const [, before = '', text = '', after = ''] = /^([-+(]?)([\d.,]+)([-)]?)$/.exec(plain) ?? []
  const isPaired = (before === '(') === (after === ')') && !(before !== '' && after === '-')
  if (text === '' || !isPaired) return { text: '', isNegative: false }
  const isMinus = before === '-' || before === '(' || after === '-'
  return { text, isNegative: isMinus !== /^c/i.test(side?.[2] ?? '') }
}

function centsOf(text: string, decimals: FileForms['decimals'], isCents: boolean): bigint | null {
  if (WHOLE.test(text)) return BigInt(text) * (isCents ? 1n : 100n)
  const isOneGroup = decimals === 'comma' ? ONE_POINT.test(text) : decimals === 'point' && ONE_COMMA.test(text)
  if (isOneGroup || GROUPS.test(text)) return BigInt(text.replaceAll(/[.,]/g, '')) * 100n
  if (ONE_POINT.test(text) || ONE_COMMA.test(text)) return null
  const [, whole, fraction = ''] = WITH_COMMA.exec(text) ?? WITH_POINT.exec(text) ?? []
  return whole === undefined ? null : BigInt(`${whole.replaceAll(/[.,]/g, '')}${fraction.padEnd(2, '0')}`)
}

/** Collects what the cells of a file say of its dates and amounts. */
export class FormEvidence {
  #isDayFirst = false
  #isMonthFirst = false
  #hasComma = false
  #hasPoint = false

  addDate(cell: string): void {
    const [, first, , second] = /^(\d{1,2})([-/.])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d)/.exec(cell) ?? []
    if (Number(first) > 12 && Number(second) <= 12) this.#isDayFirst = true
    if (Number(second) > 12 && Number(first) <= 12) this.#isMonthFirst = true
  }

  addMoney(cell: string): void {
    const text = cell.replaceAll(/[^\d.,]/g, '')
    if (ONE_POINT.test(text) || ONE_COMMA.test(text)) return
    if (WITH_COMMA.test(text)) this.#hasComma = true
    if (WITH_POINT.test(text)) this.#hasPoint = true
  }

  get forms(): FileForms {
    const decimals = this.#hasPoint ? (this.#hasComma ? 'mixed' : 'point') : 'comma'
    const hasMixedDates = this.#isMonthFirst && this.#isDayFirst
    const dates = this.#isMonthFirst && !this.#isDayFirst ? 'month-first' : 'day-first'
    return { dates, decimals, ...(hasMixedDates && { hasMixedDates }) }
  }
}

const PUNCTUATION = /[\s./\\\-\u2010-\u2015\u2212_]+/g

/** An identifier of digits, or of letters and digits, without its punctuation. */
export const withoutPunctuation = (cell: string): string => cell.replaceAll(PUNCTUATION, '')

/** Whether a text in the place of a card number says that there is none. */
export const saysNoCard = (text: string): boolean => saysNothing(text) || /^[0\s.-]+$/.test(text)

/** A card number; `''`: none. */
export const readCardNumber = (cell: string): string => (saysNoCard(cell) ? '' : cell)
