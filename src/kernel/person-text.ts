/* Texts of people, as files and JSON have them: one normal form, and signs that a text is not what was meant. */

/** Invisible characters: soft hyphens, joiners, marks of writing direction, byte order marks, selectors, tags. */
const INVISIBLE =
  // oxlint-disable-next-line no-misleading-character-class
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
const IS_PLAIN = /^[ -~]*$/
// Line breaks and tabs are blanks.
const CONTROLS = /(?!\s)\p{Cc}/gu

const HAS_VISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[^\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]/
const HAS_NAME_CHARACTER =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[^\u0000-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u206f\u2212\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffd]/

/** A JSON Schema `pattern` of a character that is seen, for engines without the `u` flag. */
export const visibleCharacter = HAS_VISIBLE.source

/** The same of a character that a name needs one of: no digit, punctuation or symbol of ASCII and Latin-1, and no lost character. */
export const nameCharacter = HAS_NAME_CHARACTER.source

/** Whether there is anything to see in a text. */
export const hasVisible = (text: string): boolean => HAS_VISIBLE.test(text)

/** The text without invisible marks. */
export function visible(text: string): string {
  return IS_PLAIN.test(text) ? text : text.replaceAll(INVISIBLE, '')
}

/** A name, or another text of one line: NFC, its blanks and line breaks as spaces, without controls and invisible marks. Typographic forms are kept. */
export function normalLine(text: string): string {
  if (IS_PLAIN.test(text)) return text.trim()
  return visible(text).replaceAll(/\s/g, ' ').replaceAll(CONTROLS, '').normalize('NFC').trim()
}

/** A text that may have tabs and line breaks. */
export function normalText(text: string): string {
  if (IS_PLAIN.test(text)) return text.trim()
  const lines = visible(text)
    .replaceAll(/[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\S\t\n\r]/g, ' ')
  return lines.replaceAll(CONTROLS, '').normalize('NFC').trim()
}

/** Words for "nothing" in cells, folded. */
const NOTHING = new Set([
  'null',
  '(null)',
  'nulo',
  'n/a',
  'n.a.',
  'n/d',
  'n.d.',
  'nan',
  'none',
  'undefined',
  'nihil',
  'vazio',
  'vazia',
  '(vazio)',
  '(vazia)',
  '(empty)',
  'empty',
  'nao informado',
  'nao informada',
  'nao consta',
  'nao possui',
  'nao tem',
  'nao se aplica',
  'sem informacao',
  '#n/a',
  '#n/d',
  '#ref!',
  '#value!',
  '#valor!',
  '#name?',
  '#nome?',
  '#null!',
  '#nulo!',
  '#num!',
  '#div/0!',
])
const longestNothing = 20

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Whether a cell says that there is nothing: dashes, or a word such as `N/A`. */
export function saysNothing(text: string): boolean {
  if (text.length > longestNothing) return false
  return /^[-\u2010-\u2015\u2212_.]+$/.test(text) || NOTHING.has(folded(text))
}

const REPLACEMENT = '\uFFFD'

/** Whether a text cannot be a name: a word for "nothing", nothing but digits and punctuation, or with a character that was lost. */
export function isNoName(text: string): boolean {
  return text.includes(REPLACEMENT) || !HAS_NAME_CHARACTER.test(text) || saysNothing(text)
}

/** The bytes of the characters of Windows-1252, as characters. */
const bytesOf1252 = new Map(
  Array.from({ length: 128 }, (_, index) => 0x80 + index).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    String.fromCharCode(byte),
  ]),
)
/** A letter of Latin or a mark of punctuation, as the bytes of UTF-8. */
const UTF_8_OF_LATIN = /[\xc2-\xc5][\x80-\xbf]|\xe2\x80[\x80-\xbf]/
const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]+\d*);/i

/**
 * Whether a text shows signs of a wrong encoding: UTF-8 that was read as Windows-1252 or ISO 8859-1 (`ConceiÃ§Ã£o`), lost characters, entities of
 * HTML, or signs and `?` in the middle of words. @param text as it came: some of the signs are invisible marks.
 */
export function isSuspicious(text: string): boolean {
  if (/\p{L}\?+\p{L}/u.test(text) || ENTITY.test(text)) return true
  if (IS_PLAIN.test(text)) return false
  if (text.includes(REPLACEMENT)) return true
  const bytes = text.replaceAll(/[^\0-\xff]/gu, (character) => bytesOf1252.get(character) ?? '\0')
  if (UTF_8_OF_LATIN.test(bytes)) return true
  return /\p{L}[\u0080-\u009f\u00a1-\u00a9\u00ac\u00ae-\u00b1\u00b6\u00b8\u00bb-\u00bf\u00d7\u00f7‚ƒ„†‡‰‹›€™]\p{L}/u.test(
    text,
  )
}
