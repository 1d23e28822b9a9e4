/*
 * PDF (A4) of paragraphs, on as many pages as they need. The text is in the file as text, so that it can be selected, searched and read aloud. The
 * font is Arimo, as wide as Helvetica, with every Latin letter, of which the file has the characters that it shows.
 */

import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import PDFDocument from 'pdfkit'
import { ApiError } from '../core/errors.ts'

/** A paragraph; an empty one is space. */
export type Paragraph = string | { readonly heading: string }

const margin = 56
const space = 7
const title = { size: 18, lineGap: 3 } as const
const heading = { size: 13, lineGap: 4 } as const
const body = { size: 11, lineGap: 2 } as const

const fontBytes = readFileSync(
  fileURLToPath(import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
)

/** A PDF in Portuguese. @param name its title, above the first paragraph. @throws ApiError 409 for characters that it cannot show: none is replaced. */
export async function writePdf(name: string, paragraphs: readonly Paragraph[]): Promise<Buffer> {
  // Parsed for each file, it has one font: fontkit keeps the glyphs that it made, and one made as a part of another has no character.
  const font = create(fontBytes) as Font
  const lines = [
    { text: name, ...title },
    ...paragraphs.map((paragraph) =>
      typeof paragraph === 'string' ? { text: paragraph, ...body } : { text: paragraph.heading, ...heading },
    ),
  ].map((line) => ({ ...line, text: line.text.normalize('NFC') }))
  refuseUnprintable(font, lines.map(({ text }) => text).join(''))
  const options = { size: 'A4', margin, lang: 'pt-BR', info: { Title: name } }
  // pdfkit takes a parsed font too, and its types do not know that.
  const document = new PDFDocument({ ...options, font: font as unknown as string })
  for (const { text, size, lineGap } of lines) {
    document.fontSize(size)
    // Without ligatures each character is selected as it was written.
    if (text === '') document.moveDown()
    else document.text(text, { lineGap, paragraphGap: space, features: [] })
  }
  document.end()
  return buffer(document)
}

function refuseUnprintable(shown: Font, text: string): void {
  const characters = [...new Set(text)].filter(
    (character) => !shown.hasGlyphForCodePoint(character.codePointAt(0) as number),
  )
  if (characters.length > 0) throw new ApiError('text-not-printable', { characters })
}
