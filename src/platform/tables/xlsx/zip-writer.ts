import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { otherParts, sheetPath, type SheetColumn, SheetWriter } from './write.ts'

/** The first of ZIP: the same table is the same bytes. */
const firstDay = new Date(1980, 0, 1)

/** A file of a ZIP: its path and the parts of its text. */
export type ZippedText = readonly [path: string, text: AsyncIterable<string> | Iterable<string>]

/** A workbook with one sheet of rows, as it is written. @param sheet the parts of its XML. */
export function zipWorkbook(
  name: string,
  columns: readonly SheetColumn[],
  sheet: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Buffer> {
  return zipOf([...otherParts(name, columns).map(([path, text]) => [path, [text]] as const), [sheetPath, sheet]])
}

/** A ZIP of texts, as it is written. */
export async function* zipOf(files: readonly ZippedText[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  let source: Readable | undefined
  for (const [path, text] of files) {
    zip.addReadStreamLazy(path, { mtime: firstDay, forceDosTimestamp: true }, (open) => {
      source = Readable.from(text).on('error', (error) => output.destroy(error))
      open(null, source)
    })
  }
  zip.end()
  try {
    yield* output
  } finally {
    source?.destroy()
  }
}

/** A workbook of rows that are there. */
export function workbookOf(
  name: string,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly (readonly (string | null)[])[]> | Iterable<readonly (readonly (string | null)[])[]>,
): AsyncGenerator<Buffer> {
  return zipWorkbook(name, columns, sheetXml(new SheetWriter(columns), rows))
}

async function* sheetXml(
  writer: SheetWriter,
  rows: AsyncIterable<readonly (readonly (string | null)[])[]> | Iterable<readonly (readonly (string | null)[])[]>,
): AsyncGenerator<string> {
  yield writer.head()
  for await (const some of rows) yield some.map((cells) => writer.row(cells)).join('')
  yield writer.tail()
}
