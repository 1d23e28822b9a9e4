/* The characters of PDF's standard fonts, and their widths in Helvetica. */

/** Those of bytes 0x80 to 0x9f; a space where there is none. Every other byte is the character of Latin-1. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** In thousandths of the size, of the characters from the space to the tilde (Adobe's font metrics). */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
]
/** No character has more. */
const WIDEST = 1000

/** The text in WinAnsiEncoding, a byte as the character of Latin-1. @throws RangeError for a character that it does not have: see `unprintable`. */
export function winAnsi(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    const byte = encoded(character)
    if (byte === null) throw new RangeError('a character is not in WinAnsiEncoding')
    return byte
  }).join('')
}

/** The characters of a text that the encoding does not have, each once. */
export function unprintable(text: string): string[] {
  return [...new Set(text.normalize('NFC'))].filter((character) => encoded(character) === null)
}

function encoded(character: string): string | null {
  if (/^[\x20-\x7e\xa0-\xff]$/.test(character)) return character
  const place = HIGH.indexOf(character)
  return place === -1 ? null : String.fromCharCode(0x80 + place)
}

/** The width of a text in WinAnsiEncoding. An accented letter is as wide as without its accent, but for the narrow `i`. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += widths.get(character) ?? WIDEST
  return width
}

const widths = new Map(
  Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    const letter = byte < 0x80 || byte > 0x9f ? character.normalize('NFKD').charAt(0) : character
    const width = WIDTHS[letter.charCodeAt(0) - 0x20] ?? WIDEST
    return [character, letter === character ? width : Math.max(width, 278)] as const
  }),
)
