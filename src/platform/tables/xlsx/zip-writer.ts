import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { otherParts, sheetPath, type SheetColumn, SheetWriter } from './write.ts'

/** Sizes follow the data; names are UTF-8. */
const flags = 0x0808
const version = 20
const deflated = 8
/** 1980-01-01, the first day of ZIP: the same table is the same bytes. */
const day = 0x0021
const max32 = 0xffff_ffff

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
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, xml] of files) {
    const entry = { crc: 0, size: 0 }
    const header = recordOf('PK\x03\x04', path, Buffer.alloc(12))
    yield header
    let compressed = 0
    const output = createDeflateRaw()
    // An error of the source ends the output with it.
    pipeline(Readable.from(counted(xml, entry)), output, () => {})
    for await (const block of output as AsyncIterable<Buffer>) {
      compressed += block.length
      yield block
    }
    if (entry.size > max32) throw new Error('a sheet of a workbook is smaller than 4 GiB')
    const sizes = uint32s(entry.crc, compressed, entry.size)
    yield Buffer.concat([Buffer.from('PK\x07\x08'), sizes])
    const place = Buffer.concat([Buffer.alloc(10), uint32s(offset)])
    const record = recordOf('PK\x01\x02', path, sizes, place)
    directory.push(record)
    offset += header.length + compressed + 16
  }
  const records = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(records.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([records, end])
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

async function* counted(
  xml: AsyncIterable<string> | Iterable<string>,
  entry: { crc: number; size: number },
): AsyncGenerator<Buffer> {
  for await (const text of xml) {
    const bytes = Buffer.from(text)
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

/** A header before a file, or its record in the directory. @param sizes checksum, compressed and uncompressed size. */
function recordOf(signature: string, path: string, sizes: Buffer, place = Buffer.alloc(0)): Buffer {
  const name = Buffer.from(path)
  const isInDirectory = place.length > 0
  const fields = Buffer.alloc(10)
  for (const [index, value] of [version, flags, deflated, 0, day].entries()) fields.writeUInt16LE(value, index * 2)
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(name.length)
  const madeBy = isInDirectory ? Buffer.from([version, 0]) : Buffer.alloc(0)
  return Buffer.concat([Buffer.from(signature, 'latin1'), madeBy, fields, sizes, lengths, place, name])
}

function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
