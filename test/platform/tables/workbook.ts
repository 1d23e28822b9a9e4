import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { inflate, readZip } from '#platform/tables/xlsx/zip.ts'

/* Workbooks of tests, made without the service's writer: also what no spreadsheet program writes. */

export interface Part {
  readonly name: string
  readonly data: string | Buffer
  /** In place of the true size. */
  readonly declared?: number
  readonly method?: number
  readonly flags?: number
  /** In place of the true checksum. */
  readonly crc?: number
  /** Its record in the directory names the place of the part before it. */
  readonly overlaps?: boolean
}

/** A ZIP of deflated files. */
export function zipOf(parts: readonly Part[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let before = 0
  for (const { name, data, declared, method = 8, flags = 0, crc, overlaps = false } of parts) {
    const bytes = Buffer.from(data)
    const stored = method === 8 ? deflateRawSync(bytes, { level: 1 }) : bytes
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc ?? crc32(bytes), 10)
    common.writeUInt32LE(stored.length, 14)
    common.writeUInt32LE(declared ?? bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name)])
    const rest = Buffer.alloc(16)
    rest.writeUInt32LE(overlaps ? before : offset, 12)
    directory.push(
      Buffer.from('PK\x01\x02\x14\x00'),
      common.subarray(0, 24),
      Buffer.alloc(2),
      rest.subarray(2),
      Buffer.from(name),
    )
    if (!overlaps) before = offset
    files.push(local, stored)
    offset += local.length + stored.length
  }
  const records = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 10)
  end.writeUInt32LE(records.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, records, end])
}

export const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface SheetOfTest {
  readonly name?: string
  readonly state?: 'hidden'
  /** What stands in `sheetData`, or the whole part. */
  readonly xml: string | Buffer
}

export interface BookOfTest {
  readonly sheets: readonly SheetOfTest[]
  /** What stands in `sst`. */
  readonly shared?: string
  /** Number formats of the styles, from 0. A text is a format with a code. */
  readonly styles?: readonly (number | string)[]
  /** In place of those of `styles`. */
  readonly stylesXml?: string
  readonly is1904?: boolean
  readonly more?: readonly Part[]
  /** Further relationships of the workbook. */
  readonly relationships?: string
}

/** The parts of a workbook. */
export function partsOf({
  sheets,
  shared,
  styles = [],
  stylesXml,
  is1904 = false,
  more = [],
  relationships: others = '',
}: BookOfTest): Part[] {
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const relationships = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`
  const codes = styles.map((style, index) =>
    typeof style === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(style)}"/>` : '',
  )
  const formats = styles.map((style, index) => `<xf numFmtId="${typeof style === 'string' ? 200 + index : style}"/>`)
  return [
    { name: '_rels/.rels', data: relationships(relationship('r', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook ${main} xmlns:r="${office}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheets
        .map(({ name, state }, index) => {
          const shown = state === undefined ? '' : ` state="${state}"`
          return `<sheet name="${escapeXml(name ?? `S${index}`)}" sheetId="${index + 1}"${shown} r:id="s${index}"/>`
        })
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relationships(
        [
          ...sheets.map((_, index) => relationship(`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`)),
          relationship('t', 'sharedStrings', 'sharedStrings.xml'),
          relationship('y', 'styles', 'styles.xml'),
          others,
        ].join(''),
      ),
    },
    { name: 'xl/sharedStrings.xml', data: `<sst ${main}>${shared ?? ''}</sst>` },
    {
      name: 'xl/styles.xml',
      data:
        stylesXml ??
        `<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.join('')}</cellXfs></styleSheet>`,
    },
    ...sheets.map(({ xml }, index) => ({
      name: `xl/worksheets/sheet${index}.xml`,
      data: Buffer.isBuffer(xml) ? xml : `<worksheet ${main}><sheetData>${xml}</sheetData></worksheet>`,
    })),
    ...more,
  ]
}

export const bookOf = (book: BookOfTest): Buffer => zipOf(partsOf(book))

/** A workbook of texts. */
export function bookOfRows(rows: readonly (readonly string[])[], name = 'Planilha1'): Buffer {
  return bookOf({ sheets: [{ name, xml: rows.map((cells) => rowOf(cells.map(textCell))).join('') }] })
}

export const rowOf = (cells: readonly string[], attributes = ''): string => `<row${attributes}>${cells.join('')}</row>`

export const textCell = (text: string): string =>
  text === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

export const numberCell = (number: number | string, style = 0): string => `<c s="${style}"><v>${number}</v></c>`

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** A part of a workbook. */
export async function partOf(bytes: Buffer, path: string): Promise<string> {
  const entry = (await readZip(bytes)).get(path)
  if (entry === undefined) throw new Error(`no ${path}`)
  return (await buffer(inflate(entry))).toString()
}
