/*
 * PDF (1.4, A4) of paragraphs, on as many pages as they need. The text is in the file as text, in a font that every reader has, so that it can be
 * selected, searched and read aloud. No library: paragraphs are all that letters need.
 */

import { ApiError } from '../core/errors.ts'
import { unprintable, widthOf, winAnsi } from './win-ansi.ts'

/** A paragraph; an empty one is space. */
export type Paragraph = string | { readonly heading: string }

const page = { width: 595, height: 842, margin: 56 } as const
const title = { size: 18, lineHeight: 24 } as const
const heading = { size: 13, lineHeight: 19 } as const
const body = { size: 11, lineHeight: 15 } as const
const space = 7

interface Line {
  readonly text: string
  readonly size: number
  /** Of its baseline, from the bottom of the page. */
  readonly y: number
}

/** A PDF in Portuguese. @param name its title, above the first paragraph. @throws ApiError 409 for characters that it cannot show: none is replaced. */
export function writePdf(name: string, paragraphs: readonly Paragraph[]): Buffer {
  const texts = [name, ...paragraphs.map((one) => (typeof one === 'string' ? one : one.heading))]
  const characters = unprintable(texts.join(''))
  if (characters.length > 0) throw new ApiError('text-not-printable', { characters })
  const pages = pagesOf(name, paragraphs)
  const [catalog, tree, font, information, firstPage] = [1, 2, 3, 4, 5]
  const pageOf = (index: number): number => firstPage + 2 * index
  const objects = [
    `<< /Type /Catalog /Pages ${tree} 0 R /Lang (pt-BR) >>`,
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${pageOf(index)} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title <feff${Buffer.from(name, 'utf16le').swap16().toString('hex')}> >>`,
    ...pages.flatMap((lines, index) => {
      const content = contentOf(lines)
      return [
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents ${pageOf(index) + 1} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  // Latin-1 has one byte a character, so that positions in the text are positions in the file.
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const start = text.length
  text += `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${count} /Root ${catalog} 0 R /Info ${information} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** The lines of each page: paragraphs are wrapped, and go on on the next page. */
function pagesOf(name: string, paragraphs: readonly Paragraph[]): Line[][] {
  let lines: Line[] = []
  const pages = [lines]
  let y = page.height - page.margin
  const add = (paragraph: string, { size, lineHeight }: { readonly size: number; readonly lineHeight: number }) => {
    for (const text of wrapped(winAnsi(paragraph), page.width - 2 * page.margin, size)) {
      if (y - lineHeight < page.margin) {
        pages.push((lines = []))
        y = page.height - page.margin
      }
      y -= lineHeight
      lines.push({ text, size, y })
    }
    y -= space
  }
  add(name, title)
  for (const paragraph of paragraphs) {
    if (typeof paragraph === 'string') add(paragraph, body)
    else add(paragraph.heading, heading)
  }
  return pages
}

/** Lines no longer than the width, broken at spaces; a word that is longer is broken where it must be. */
function wrapped(text: string, width: number, size: number): string[] {
  const fits = (line: string): boolean => widthOf(line) * size <= width * 1000
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of word) {
      if (!fits(line + character)) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  return [...lines, line]
}

function contentOf(lines: readonly Line[]): string {
  const shown = lines.map(
    ({ text, size, y }) => `/F1 ${size} Tf\n1 0 0 1 ${page.margin} ${y} Tm\n(${escaped(text)}) Tj`,
  )
  return `BT\n${shown.join('\n')}\nET`
}

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, '\\$&')
