import { extractTextItems } from 'unpdf'

interface PdfLine {
  readonly text: string
  /** In points, from the left and from the bottom of the page. */
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The lines of each page of a PDF, as a reader of PDF finds them. */
export async function linesOfPages(pdf: Buffer): Promise<PdfLine[][]> {
  const { items } = await extractTextItems(new Uint8Array(pdf))
  return items.map((page) => {
    const rows = [...Map.groupBy(page, ({ y }) => y).entries()]
    return rows.map(([y, row]) => {
      const x = Math.min(...row.map((piece) => piece.x))
      const end = Math.max(...row.map((piece) => piece.x + piece.width))
      const text = row.map(({ str }) => str).join('')
      return { text: text.trimEnd(), x, y, width: end - x }
    })
  })
}

/** The text of each page of a PDF, as a reader selects it. */
export async function textOfPages(pdf: Buffer): Promise<string[]> {
  return (await linesOfPages(pdf)).map((lines) => lines.map(({ text }) => text).join('\n'))
}
