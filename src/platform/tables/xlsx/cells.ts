/* What the values of cells mean: rules without I/O. */
import type { Cell } from '../rows.ts'
import { masked, type NumberFormat } from './number-format.ts'

export const maxCellCharacters = 32_767

/** `C17` of row 17 and the third column. @param column from 0. */
export function addressOf(row: number, column: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return `${letters}${row}`
}

/** The column of an address such as `C17`, from 0; null when it is none. */
export function columnOfAddress(address: string): number | null {
  const letters = /^[A-Z]{1,3}(?=[1-9]\d{0,6}$)/.exec(address.toUpperCase())?.[0]
  if (letters === undefined) return null
  return Buffer.from(letters).reduce((sum, letter) => sum * 26 + letter - 64, 0) - 1
}

const dayMs = 86_400_000
/** 9999-12-31 in the system of 1900. */
const maxSerial = 2_958_465

/**
 * The day of a serial number as `YYYY-MM-DD`; null when it is none. Its part after the point is the time of the day. The system of 1900 counts from
 * 1900-01-01 and has a 29th of February 1900, which no calendar has; that of 1904 from 1904-01-01, which is 0.
 */
export function dateOfSerial(serial: number, is1904: boolean): string | null {
  const day = Math.floor(serial)
  if (!Number.isFinite(day) || day < (is1904 ? 0 : 1) || day > maxSerial) return null
  if (!is1904 && day === 60) return '1900-02-29'
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  return new Date(first + day * dayMs).toISOString().slice(0, 10)
}

/** The serial number of a day in the system of 1900; null for what is no day after February 1900. */
export function serialOfDate(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const at = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date) return null
  const serial = (at - Date.UTC(1899, 11, 30)) / dayMs
  return serial > 60 ? serial : null
}

/** More digits than a spreadsheet keeps. */
const firstRounded = 1e15

/**
 * A number as a Brazilian spreadsheet writes it: decimals after a comma, at most 15 digits. A whole one of more has lost digits, and stays in scientific
 * notation, which the rules of identifiers refuse. null: no number.
 */
export function numberText(text: string): string | null {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) return null
  const rounded = Number(value.toPrecision(15))
  const written = Math.abs(rounded) >= firstRounded ? rounded.toExponential() : String(rounded)
  return written.replace('.', ',')
}

/** A cell as the XML of a sheet has it. */
interface RawCell {
  /** Such as `C17`. */
  readonly at: string
  /** The attribute `t`. */
  readonly type: string
  readonly text: string
  readonly format: NumberFormat
  readonly hasFormula: boolean
}

/** The value of a cell. @param shared the texts that the workbook keeps once; null: there is none of that number. */
export function cellOf(raw: RawCell, is1904: boolean, shared: (index: number) => string | null): Cell | null {
  const { at, type, text, format, hasFormula } = raw
  switch (type) {
    case 's':
      return text === '' ? '' : (shared(Number(text))?.trim() ?? null)
    case 'b':
      return text.trim() === '1' || text.trim() === 'true' ? 'sim' : 'não'
    case 'e':
      return { error: text.trim(), at }
    case 'd':
      return text.trim().slice(0, 10)
    case 'str':
    case 'inlineStr':
      return unescaped(text).trim()
    case '':
    case 'n':
      // A program that writes formulas without computing them.
      if (text.trim() === '') return hasFormula ? { error: '#VALUE!', at } : ''
      return numberCell(text, format, is1904)
    default:
      return null
  }
}

function numberCell(text: string, { isDate, mask, decimals }: NumberFormat, is1904: boolean): Cell | null {
  const number = numberText(text)
  if (number === null) return null
  const date = dateOfSerial(Number(text), is1904)
  if (isDate && date !== null) return date
  const shown = mask === null ? null : masked(mask, Number(text))
  return { number, date, ...(shown !== null && { shown }), ...(decimals !== null && { decimals }) }
}

/** Characters that XML does not have are written as `_x0001_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
