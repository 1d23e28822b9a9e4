import { isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252'
type SingleByte = 'windows-1252' | 'iso-8859-1'

const windows1252 = new TextDecoder('windows-1252')

/**
 * What decodes the lines of a text that is in this encoding as a whole. A file that is not UTF-8 as a whole may have rows that are, pasted from another
 * one: a row in Windows-1252 with letters beyond ASCII is practically never valid UTF-8.
 */
export function decoderOf(encoding: Encoding): (bytes: Buffer) => string {
  return encoding === 'utf-8' ? (bytes) => bytes.toString('utf8') : (bytes) => decodeLine(bytes, encoding)
}

function decodeLine(bytes: Buffer, encoding: SingleByte): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  // The platform's `iso-8859-1` is Windows-1252.
  return encoding === 'iso-8859-1' ? bytes.toString('latin1') : windows1252.decode(bytes)
}

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = '\uFEFF'

/** A whole text: UTF-8, with a byte order mark or without, or else Windows-1252, as older spreadsheets save it, but for the rows that are UTF-8. */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? withoutMark(bytes.toString('utf8')) : decodeLines(bytes, 'windows-1252')
}

const withoutMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)

/** A text in this encoding, but for the rows that are UTF-8. */
export function decodeLines(bytes: Buffer, encoding: SingleByte): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline < 0 ? bytes.length : newline + 1
    lines.push(decodeLine(bytes.subarray(at, end), encoding))
    at = end
  }
  return withoutMark(lines.join(''))
}
