import type { MessageKey } from '#kernel/messages.ts'
import { importColumns } from '#movements/imports/import-header.ts'
import {
  bookOf,
  type BookOfTest,
  escapeXml,
  main,
  numberCell,
  type Part,
  partsOf,
  rowOf,
  textCell,
  zipOf,
} from './workbook.ts'

/* Workbooks that no spreadsheet program writes, or that are made to take memory or time, with what becomes of each. */

export interface HostileWorkbook {
  readonly name: string
  readonly make: () => Buffer
  /** The sentence with which it is refused as a whole, or how many rows under the header an import reads. */
  readonly outcome: { readonly key: MessageKey } | { readonly lines: number }
}

const MiB = 1024 * 1024

/** The header of an import. */
const header = rowOf(['beneficiary-type', ...importColumns.required].map(textCell))
const row = rowOf([textCell('x')])
const book = (rows: string, more: Partial<BookOfTest> = {}) => bookOf({ sheets: [{ xml: header + rows }], ...more })
const end = '</sheetData></worksheet>'
/** A sheet as a whole. */
const sheetOf = (xml: string) =>
  bookOf({ sheets: [{ xml: Buffer.from(`<worksheet ${main}><sheetData>${header}${xml}`) }] })
/** The same in UTF-16, without some bytes at its end. */
const sheetOf16 = (xml: string, cut = 0) => {
  const bytes = Buffer.from(`\uFEFF<worksheet ${main}><sheetData>${header}${xml}`, 'utf16le')
  return bookOf({ sheets: [{ xml: bytes.subarray(0, bytes.length - cut) }] })
}
const parts = (more: readonly Part[] = []) => partsOf({ sheets: [{ xml: header + row }], more })
/** The parts with one changed. */
const changed = (name: string, change: Partial<Part>) =>
  zipOf(parts().map((part) => (part.name.endsWith(name) ? { ...part, ...change } : part)))
const times = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n)).join('')
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = (xml: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${xml}</Relationships>`
const workbookRels = 'xl/_rels/workbook.xml.rels'

const refused: Readonly<Partial<Record<MessageKey, Readonly<Record<string, () => Buffer>>>>> = {
  'workbook-unreadable': {
    'no ZIP': () => Buffer.from('id;name\n1;Ana\n'),
    'a ZIP without files': () => zipOf([]),
    'the first bytes of a ZIP alone': () => Buffer.from('PK\x03\x04'),
    'cut off': () => book('').subarray(0, 900),
    'without its directory': () => {
      const zip = book(row)
      return zip.subarray(0, zip.indexOf('PK\x01\x02'))
    },
    'a ZIP of other files': () => zipOf([{ name: 'a.txt', data: 'a' }]),
    'a directory outside of the file': () => {
      const zip = book('')
      zip.writeUInt32LE(0xffff_fff0, zip.length - 6)
      return zip
    },
    'a ZIP behind a PDF': () => Buffer.concat([Buffer.from('%PDF-1.7\n'), book(row)]),
    'a part twice': () => zipOf([...parts(), { name: 'xl/workbook.xml', data: '' }]),
    'an encrypted part': () => zipOf(parts().map((part) => ({ ...part, flags: 1 }))),
    'another compression': () => zipOf(parts().map((part) => ({ ...part, method: 12 }))),
    'a wrong checksum': () => changed('sheet0.xml', { crc: 1 }),
    'a wrong checksum of a stored part': () => changed('sheet0.xml', { crc: 1, method: 0 }),
    'a stored part that declares less': () => changed('sheet0.xml', { method: 0, declared: 10 }),
    'two parts in one place': () =>
      zipOf(parts().map((part) => (part.name.endsWith('styles.xml') ? { ...part, overlaps: true } : part))),
    'damaged data': () => {
      const zip = book(rowOf(Array.from({ length: 99 }, (_, n) => textCell(`${n}`))))
      const at = zip.indexOf('sheet0.xml') + 40
      zip.fill(0xff, at, at + 60)
      return zip
    },
    'a sheet that is not there': () => zipOf(parts().filter(({ name }) => !name.includes('sheet0'))),
    'a sheet outside of the file': () =>
      changed(workbookRels, {
        data: relationships(`<Relationship Id="s0" Type="${office}/worksheet" Target="../../../../etc/passwd"/>`),
      }),
    '256 sheets that are one part': () => {
      const sheets = Array.from({ length: 256 }, () => ({ xml: '<a/>' }))
      const rels = times(
        256,
        (n) => `<Relationship Id="s${n}" Type="${office}/worksheet" Target="worksheets/sheet0.xml"/>`,
      )
      return zipOf(
        partsOf({ sheets }).map((part) => (part.name === workbookRels ? { ...part, data: relationships(rels) } : part)),
      )
    },
    '300 sheets': () => bookOf({ sheets: Array.from({ length: 300 }, () => ({ xml: '' })) }),
    '2,001 relationships': () =>
      changed(workbookRels, {
        data: relationships(times(2_001, (n) => `<Relationship Id="i${n}" Type="x" Target="y${n}"/>`)),
      }),
    '70,000 styles': () =>
      bookOf({ sheets: [{ xml: header }], styles: Array.from({ length: 70_000 }, (_, n) => n % 9_973) }),
    'XML that ends early': () => sheetOf('<row><c><v>1</v></c></row>'),
    'XML that is not well-formed': () => sheetOf(`<row><c><<<& ${end}`),
    'half of a character in UTF-16': () => sheetOf16(`${row}${end}`, 1),
    'bytes that are no UTF-8': () => bookOf({ sheets: [{ xml: Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe]) }] }),
    'entities that grow (billion laughs)': () => {
      const entities = times(10, (n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`)
      const xml = `<!DOCTYPE x [<!ENTITY e0 "ha">${entities}]><worksheet ${main}><sheetData><row><c t="inlineStr"><is><t>&e10;</t></is></c></row>${end}`
      return bookOf({ sheets: [{ xml: Buffer.from(xml) }] })
    },
    'an entity of a file': () =>
      bookOf({ sheets: [{ xml: Buffer.from(`<!DOCTYPE x SYSTEM "file:///etc/passwd"><worksheet ${main}/>`) }] }),
    'an entity of a file in the shared texts': () =>
      changed('sharedStrings.xml', {
        data: `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><sst ${main}><si><t>&f;</t></si></sst>`,
      }),
    'an unknown entity': () => sheetOf(rowOf([`<c t="inlineStr"><is><t>&file;</t></is></c>`]) + end),
    '10,000 nested elements': () => sheetOf('<a>'.repeat(10_000)),
    'an element with a megabyte of attributes': () =>
      sheetOf(`<row ${times(200_000, (n) => `a${n}="${(n * 7919) % 9973}" `)}/>`),
    'a comment of two megabytes': () => sheetOf(`<!--${noise(MiB).toString('hex')}-->${end}`),
    'a text longer than any cell': () => sheetOf(`<row><c t="inlineStr"><is><t>${noise(1_500_000).toString('hex')}`),
    'a shared text that is not there': () => book('<row><c t="s"><v>0</v></c></row>'),
    'a shared text before the first': () => book('<row><c t="s"><v>-1</v></c></row>', { shared: '<si><t>a</t></si>' }),
    'a shared text of 2^32': () => book('<row><c t="s"><v>4294967296</v></c></row>', { shared: '<si><t>a</t></si>' }),
    'a number that is none': () => book('<row><c><v>one</v></c></row>'),
    'a number that is NaN': () => book('<row><c><v>NaN</v></c></row>'),
    'a number that is infinite': () => book('<row><c><v>1e999</v></c></row>'),
    'a cell of an unknown type': () => book('<row><c t="zip"><v>1</v></c></row>'),
    'rows out of order': () => book('<row r="9"><c><v>1</v></c></row><row r="3"><c><v>1</v></c></row>'),
    'a row outside of any sheet': () => book('<row r="1048577"><c><v>1</v></c></row>'),
    'a row before the first': () => book('<row r="-1"><c><v>1</v></c></row>'),
    'a cell twice': () => book('<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>'),
    'an address that is none': () => book('<row r="2"><c r="??"><v>1</v></c></row>'),
  },
  'workbook-too-large': {
    '2,001 parts': () =>
      zipOf([...parts(), ...Array.from({ length: 2_001 }, (_, n) => ({ name: `m/${n}`, data: '' }))]),
    'a part that declares 201 MiB': () => changed('sheet0.xml', { declared: 201 * MiB }),
    'a part that declares 4 GiB, as ZIP64 does': () => changed('sheet0.xml', { declared: 0xffff_ffff }),
    'a part that declares more than 100 times its size': () => changed('sheet0.xml', { declared: 2 * MiB }),
    'a part larger than it declares': () => changed('sheet0.xml', { declared: 10 }),
    'a ZIP bomb of rows': () => bookOf({ sheets: [{ xml: Buffer.alloc(64 * MiB, `<row><c><v>1</v></c></row>`) }] }),
    'a cell of 300 MB': () => bookOf({ sheets: [{ xml: Buffer.alloc(300_000_000, 'a') }] }),
    'a ZIP bomb of overlapping parts': () =>
      zipOf([
        ...parts(),
        { name: 'bomb', data: noise(2_000_000) },
        ...Array.from({ length: 300 }, (_, n) => ({ name: `bomb/${n}`, data: '', declared: MiB, overlaps: true })),
      ]),
    'parts that declare 256 MiB together': () =>
      zipOf([...parts(), ...[1, 2].map((n) => ({ name: `m/${n}`, data: noise(2_000_000), declared: 150 * MiB }))]),
    'shared texts of 70 MiB': () =>
      book(row, {
        shared: times(
          2_500,
          (n) =>
            `<si><t>${noise(1_000 + n)
              .toString('hex')
              .repeat(8)}</t></si>`,
        ),
      }),
    // 132 kB; its texts together have 243 MB.
    'one shared text in 7,600 cells': () =>
      book(
        times(7_600, () => '<row><c t="s"><v>0</v></c></row>'),
        { shared: `<si><t>${'a'.repeat(32_000)}</t></si>` },
      ),
    'two shared texts in 45,000 cells': () =>
      book(
        times(45_000, (n) => `<row><c t="s"><v>${n % 2}</v></c></row>`),
        {
          shared: [1, 2].map((n) => `<si><t>${`${n}`.repeat(32_000)}</t></si>`).join(''),
        },
      ),
  },
  'workbook-cell': {
    'a cell of 32,768 characters': () => sheetOf(rowOf([textCell('a'.repeat(32_768))]) + end),
    'a shared text of 32,768 characters': () =>
      book('<row><c t="s"><v>0</v></c></row>', { shared: `<si><t>${'a'.repeat(32_768)}</t></si>` }),
    'a cell of 40,000 runs': () =>
      sheetOf(`<row><c t="inlineStr"><is>${'<r><t>a</t></r>'.repeat(40_000)}</is></c></row>${end}`),
  },
  'workbook-columns': {
    'a value in column 201': () => sheetOf(rowOf(Array.from({ length: 201 }, () => numberCell(1))) + end),
    'a value in the last column, XFD': () => sheetOf(`<row r="2"><c r="XFD2"><v>1</v></c></row>${end}`),
    '16,384 columns': () => sheetOf(rowOf(Array.from({ length: 16_384 }, (_, n) => numberCell(n * 7_919))) + end),
    '100,000 columns': () => sheetOf(rowOf(Array.from({ length: 100_000 }, (_, n) => numberCell(n * 7_919))) + end),
  },
  'workbook-rows': {
    '100,001 rows': () => book(times(100_001, (n) => rowOf([numberCell(n * 7_919)]))),
    '1,048,575 rows': () => book(times(1_048_575, (n) => `<row><c><v>${n * 7_919}</v></c></row>`)),
  },
  'save-as-xlsx': {
    'a binary workbook (.xlsb)': () =>
      changed('_rels/.rels', {
        data: relationships(`<Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.bin"/>`),
      }),
    'a workbook of Excel 97 (.xls), or one with a password': () =>
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4_096)]),
  },
}

/** What is not used is not read; what is odd is read as a program would show it. */
const read: Readonly<Record<string, readonly [lines: number, make: () => Buffer]>> = {
  'with macros (.xlsm)': [1, () => zipOf(parts([{ name: 'xl/vbaProject.bin', data: noise(10_000) }]))],
  'with a macro sheet before its sheet': [
    1,
    () => {
      const macros = `<Relationship Id="s0" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" Target="macrosheets/sheet1.xml"/>`
      const sheet = `<Relationship Id="s1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>`
      return zipOf([
        ...partsOf({ sheets: [{ xml: '' }, { xml: header + row }] }).map((part) =>
          part.name === workbookRels ? { ...part, data: relationships(macros + sheet) } : part,
        ),
        { name: 'xl/macrosheets/sheet1.xml', data: '<<<' },
      ])
    },
  ],
  'with a ZIP in the ZIP': [1, () => zipOf(parts([{ name: 'xl/embeddings/book.xlsx', data: book(row) }]))],
  'with names that leave its folder': [
    1,
    () =>
      zipOf(
        parts([
          { name: '../../../../etc/cron.d/x', data: 'x' },
          { name: '/etc/passwd', data: 'x' },
          { name: String.raw`..\..\x`, data: 'x' },
        ]),
      ),
  ],
  'with links to other files': [
    1,
    () =>
      bookOf({
        sheets: [{ xml: header + row }],
        relationships: `<Relationship Id="e" Type="${office}/externalLink" Target="http://127.0.0.1:9/x" TargetMode="External"/>`,
      }),
  ],
  'with a style sheet and an inclusion of another document': [
    1,
    () =>
      bookOf({
        sheets: [
          {
            xml: Buffer.from(
              `<?xml-stylesheet href="http://127.0.0.1:9/x"?><worksheet ${main}><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/><sheetData>${header}${row}${end}`,
            ),
          },
        ],
      }),
  ],
  'with commands in formulas': [1, () => book(`<row><c t="str"><f>cmd|'/c calc'!A1</f><v>x</v></c></row>`)],
  'with errors of formulas': [2, () => book(`<row><c t="e"><v>#N/A</v></c></row><row><c><f>1/0</f></c></row>`)],
  'with negative and enormous days': [
    2,
    () => book(`<row>${numberCell(-1, 0)}</row><row>${numberCell('1e300', 0)}</row>`, { styles: [14] }),
  ],
  'with days from 1904': [1, () => book(`<row>${numberCell(0, 0)}</row>`, { styles: [14], is1904: true })],
  'with merged cells': [
    1,
    () => sheetOf(`${row}</sheetData><mergeCells><mergeCell ref="A2:XFD1048576"/></mergeCells></worksheet>`),
  ],
  'with hidden rows': [2, () => book(rowOf([textCell('x')], ' hidden="1"') + row)],
  'with a million empty rows': [
    1,
    () => book(times(1_000_000, (n) => `<row r="${n + 2}" ht="${(n * 7_919) % 9_973}"/>`) + row),
  ],
  'with its last row alone': [1, () => book('<row r="1048576"><c><v>1</v></c></row>')],
  'with a format of a million brackets': [
    1,
    () => book(`<row>${numberCell(1, 0)}</row>`, { styles: [escapeXml('['.repeat(500_000))] }),
  ],
  'with 65,000 styles of one format of 900,000 characters': [
    1,
    () => book(`<row>${numberCell(1, 64_999)}</row>`, stylesOf(65_000, noise(450_000).toString('hex'))),
  ],
  'with 65,000 formats': [1, () => book(`<row>${numberCell(1, 64_999)}</row>`, manyFormats())],
  'with XML in UTF-16': [1, () => sheetOf16(row + end)],
  'with XML in UTF-16 that begins with its high bytes': [
    1,
    () => {
      const bytes = Buffer.from(`\uFEFF<worksheet ${main}><sheetData>${header}${row}${end}`, 'utf16le').swap16()
      return bookOf({ sheets: [{ xml: bytes }] })
    },
  ],
  'with backslashes in the names of its parts': [
    1,
    () => zipOf(parts().map((part) => ({ ...part, name: part.name.replaceAll('/', '\\') }))),
  ],
  'with addresses in lower case': [1, () => book('<row r="2"><c r="a2"><v>1</v></c><c r="b2"><v>2</v></c></row>')],
  'with a cell as long as one may be': [1, () => book(rowOf([textCell('a'.repeat(32_767))]))],
  'with NUL and other controls': [1, () => book(rowOf([textCell('a_x0000_b_x001B_c')]))],
}

/** Styles that all have one number format. */
function stylesOf(count: number, code: string): Partial<BookOfTest> {
  const xml = `<styleSheet ${main}><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(count)}</cellXfs></styleSheet>`
  return { stylesXml: xml }
}

function manyFormats(): Partial<BookOfTest> {
  return { styles: Array.from({ length: 65_000 }, (_, n) => `"${n}"0.${'0'.repeat(n % 900)}`) }
}

/** Some take seconds to make, and several tests read each. */
function madeOnce(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined
  return () => (made ??= make())
}

export const hostileWorkbooks: readonly HostileWorkbook[] = [
  ...Object.entries(refused).flatMap(([key, made]) =>
    Object.entries(made ?? {}).map(([name, make]) => ({
      name,
      make: madeOnce(make),
      outcome: { key: key as MessageKey },
    })),
  ),
  ...Object.entries(read).map(([name, [lines, make]]) => ({ name, make: madeOnce(make), outcome: { lines } })),
]

/** Bytes that do not compress. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 1
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return bytes
}
