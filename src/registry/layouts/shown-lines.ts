import { csvLine } from '#platform/tables/write.ts'
import { textOf } from '#platform/tables/rows.ts'
import { SheetParser } from '#platform/tables/xlsx/sheet-parser.ts'
import { maxSpooledCharacters, readWorkbook } from '#platform/tables/xlsx/workbook.ts'
import { readXml } from '#platform/tables/xlsx/xml.ts'
import { encodingOf, type LayoutDefinition } from './definition.ts'

/** A line of a written file, as people see it. */
interface ShownLine {
  readonly sheet: string | null
  /** From 1; of a workbook the row of its sheet. */
  readonly line: number
  /** The line; for a workbook, the cells of the row as a line of CSV. */
  readonly text: string
}

/** The lines of a file that the definition has written. */
export async function shownLines(definition: LayoutDefinition, content: Uint8Array): Promise<ShownLine[]> {
  if (definition.format === 'xlsx') return sheetLines(Buffer.from(content))
  const lines = new TextDecoder(encodingOf(definition)).decode(content).split(/\r?\n/)
  return lines.slice(0, -1).map((text, index) => ({ sheet: null, line: index + 1, text }))
}

async function sheetLines(bytes: Buffer): Promise<ShownLine[]> {
  const workbook = await readWorkbook(bytes, maxSpooledCharacters)
  const lines: ShownLine[] = []
  for (const { name, entry } of workbook.sheets) {
    const parser = new SheetParser(workbook, ({ number, cells }) =>
      lines.push({ sheet: name, line: number, text: csvLine(cells.map(textOf)) }),
    )
    await readXml(entry, parser)
  }
  return lines
}

/** A ruler over a line of fixed width: `....:....1....:....2`, where `1` stands over character 10; null: the format has no positions. */
export function rulerOf({ format, 'record-length': length = 0 }: LayoutDefinition): string | null {
  if (format !== 'fixed-width') return null
  const tens = Array.from({ length: Math.ceil(length / 10) }, (_, index) => `....:....${(index + 1) % 10}`)
  return tens.join('').slice(0, length)
}
