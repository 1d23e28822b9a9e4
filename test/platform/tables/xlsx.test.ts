import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { CsvColumn } from '#kernel/csv-column.ts'
import { rowFields, type TableColumns } from '#platform/tables/header.ts'
import { type Cell, textOf } from '#platform/tables/rows.ts'
import { TableError } from '#platform/tables/table-error.ts'
import {
  addressOf,
  cellOf,
  columnOfAddress,
  dateOfSerial,
  numberText,
  serialOfDate,
} from '#platform/tables/xlsx/cells.ts'
import { GENERAL, masked, numberFormatOf } from '#platform/tables/xlsx/number-format.ts'
import { openSheet } from '#platform/tables/xlsx/sheet.ts'
import { importColumns } from '#movements/imports/import-header.ts'
import { hostileWorkbooks } from './hostile-workbooks.ts'
import { type BookOfTest, bookOf, bookOfRows, numberCell, partsOf, rowOf, textCell, zipOf } from './workbook.ts'

const columns: TableColumns = {
  columnOf: (name): CsvColumn | null =>
    ['id', 'name', 'day'].includes(name) ? { name, parse: String, isDate: name === 'day' } : null,
  required: ['id', 'name'],
}

/** The rows of a workbook, each with its number. */
async function read(bytes: Buffer, sheet?: string, known = columns) {
  const opened = await openSheet({ bytes, sheet, folder: tmpdir() }, known)
  try {
    const { header, sheets, notRead, hiddenRows, headerText } = opened
    const rows: { number: number; cells: readonly Cell[] | null; content: string | null }[] = []
    for (let row = opened.rows.next(); row !== null; row = opened.rows.next()) rows.push(row)
    const name = sheets[0]?.sheet ?? ''
    return {
      header,
      headerText,
      name,
      sheets,
      notRead,
      hiddenRows: hiddenRows.map(({ line }) => line),
      rows,
      texts: rows.map(({ cells }) => cells?.map(textOf) ?? null),
    }
  } finally {
    opened.close()
  }
}

const header = rowOf(['id', 'name', 'day'].map(textCell))
const book = (rows: string, more: Partial<BookOfTest> = {}) => bookOf({ sheets: [{ xml: header + rows }], ...more })

async function refusal(bytes: Buffer, sheet?: string, known = columns) {
  const error: unknown = await read(bytes, sheet, known).catch((cause: unknown) => cause)
  if (!(error instanceof TableError)) throw new Error('the file was not refused', { cause: error })
  return { ...error.details[0]?.message, isUnsupported: error.isUnsupported }
}

describe('the value of a cell', () => {
  test.for([
    [{ type: 's', text: '1' }, 'shared'],
    [{ type: 's', text: '7' }, null],
    [{ type: 's', text: '' }, ''],
    [{ type: 'str', text: ' a ' }, 'a'],
    [{ type: 'inlineStr', text: 'a_x0009_b_x005F_' }, 'a\tb_'],
    [{ type: 'b', text: '1' }, 'sim'],
    [{ type: 'b', text: '0' }, 'não'],
    [
      { type: 'e', text: '#N/A' },
      { error: '#N/A', at: 'C17' },
    ],
    [{ type: 'd', text: '2024-03-01T00:00:00' }, '2024-03-01'],
    [
      { type: 'n', text: '52998224725' },
      { number: '52998224725', date: null },
    ],
    [
      { type: '', text: '5.2998224725E10' },
      { number: '52998224725', date: null },
    ],
    [
      { type: '', text: '45352' },
      { number: '45352', date: '2024-03-01' },
    ],
    [{ type: '', text: '45352.75', format: { ...GENERAL, isDate: true } }, '2024-03-01'],
    [
      { type: '', text: '-1', format: { ...GENERAL, isDate: true } },
      { number: '-1', date: null },
    ],
    [{ type: '', text: '' }, ''],
    [
      { type: '', text: '', hasFormula: true },
      { error: '#VALUE!', at: 'C17' },
    ],
    [{ type: 'str', text: 'computed', hasFormula: true }, 'computed'],
    [{ type: '', text: 'text' }, null],
    [{ type: '', text: '1e999' }, null],
    [{ type: 'unknown', text: '1' }, null],
  ] as const)('of %j is %j', ([raw, value]) => {
    const cell = cellOf(
      { at: 'C17', format: GENERAL, hasFormula: false, ...raw },
      false,
      (index) => ['', 'shared'][index] ?? null,
    )
    expect(cell).toEqual(value)
  })

  test.for([
    ['0', '0'],
    ['5230.5', '5230,5'],
    ['0.1', '0,1'],
    ['0.30000000000000004', '0,3'],
    ['-12', '-12'],
    ['999999999999999', '999999999999999'],
    ['4511200000000000', '4,5112e+15'],
    ['', null],
    ['NaN', null],
    ['1,5', null],
  ] as const)('is the number %j, as a Brazilian spreadsheet writes it', ([text, number]) => {
    expect(numberText(text)).toBe(number)
  })

  test.for([
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [60, false, '1900-02-29'],
    [61, false, '1900-03-01'],
    [45_352, false, '2024-03-01'],
    [43_890, true, '2024-03-01'],
    [0, true, '1904-01-01'],
    [0, false, null],
    [-1, true, null],
    [2_958_465, false, '9999-12-31'],
    [2_958_466, false, null],
    [Number.NaN, false, null],
  ] as const)('is the day %d, counted from 1904: %j', ([serial, is1904, date]) => {
    expect(dateOfSerial(serial, is1904)).toBe(date)
    if (date !== null && !is1904 && serial > 60) expect(serialOfDate(date)).toBe(serial)
  })

  test.for([
    [14, null, true],
    [0, null, false],
    [49, null, false],
    [20, null, false],
    [164, 'dd/mm/yyyy', true],
    [164, '[$-416]d "de" mmmm', true],
    [164, '#,##0.00', false],
    [164, '0" days"', false],
    [164, '[Red]0.00;[Blue]"dry"0', false],
    [164, '[h]:mm:ss', false],
    [164, String.raw`0\d`, false],
  ] as const)('of the number format %j %j is a day: %j', ([format, code, isDate]) => {
    expect(numberFormatOf(format, code).isDate).toBe(isDate)
  })

  test.for([
    ['000000', 123, '000123'],
    ['0000', 1, '0001'],
    ['00000-000', 1_310_100, '01310-100'],
    [String.raw`00000\-000`, 1_310_100, '01310-100'],
    ['000"."000"."000"-"00', 5_299_822_472, '052.998.224-72'],
    [String.raw`00\.000\.000\/0000\-00`, 191, '00.000.000/0001-91'],
    ['(00) 00000-0000', 11_987_654_321, '(11) 98765-4321'],
    ['[$-416]00000', 7, '00007'],
    ['000;-000', 5, '005'],
    ['000', 12_345, '12345'],
    ['000000', 1.5, null],
    ['000000', -1, null],
    ['0', 7, null],
    ['0.00', 7, null],
    ['#,##0', 7, null],
    ['000" days 0"', 7, null],
    ['[<=99]000', 7, null],
    ['0'.repeat(31), 7, null],
  ] as const)('with the format %j of %d is shown as %j', ([code, number, shown]) => {
    const { mask } = numberFormatOf(164, code)
    expect(mask === null ? null : masked(mask, number)).toBe(shown)
  })

  test.for([
    [0, null, null],
    [2, null, 2],
    [4, null, 2],
    [3, null, 0],
    [44, null, 2],
    [164, '#,##0.00', 2],
    [164, 'R$ #,##0.00;[Red]-R$ #,##0.00', 2],
    [164, '"R$" #,##0', 0],
    [164, '0.000', 3],
    [164, '0%', null],
    [164, '0.00E+00', null],
    [164, '@', null],
    [164, '0'.repeat(1_001), null],
  ] as const)('with the format %j %j has %j decimals', ([format, code, decimals]) => {
    expect(numberFormatOf(format, code).decimals).toBe(decimals)
  })

  test.for([
    ['A1', 0],
    ['Z9', 25],
    ['AA10', 26],
    ['XFD1048576', 16_383],
    ['A0', null],
    ['ABCD1', null],
    ['1', null],
  ] as const)('of the address %j is in column %j', ([address, column]) => {
    expect(columnOfAddress(address)).toBe(column)
    if (column !== null) expect(addressOf(Number(/\d+/.exec(address)?.[0]), column)).toBe(address)
  })
})

describe('a workbook', () => {
  test('gives the rows of its first sheet, with their numbers, without blank ones', async () => {
    const {
      header: found,
      texts,
      rows,
      headerText,
    } = await read(
      book(
        `${rowOf(['1', 'Ana'].map(textCell))}<row/>${rowOf(['', '', ''].map(textCell))}<row r="9"><c r="B9" t="str"><v>Bia</v></c></row>`,
      ),
    )
    expect(found).toMatchObject({ names: ['id', 'name', 'day'] })
    expect(headerText).toBe('id;name;day')
    expect(texts).toEqual([
      ['1', 'Ana', ''],
      ['', 'Bia', ''],
    ])
    expect(rows.map(({ number, content }) => [number, content])).toEqual([
      [2, '1;Ana;'],
      [9, ';Bia;'],
    ])
  })

  test('has shared texts, with formats within and without rubies', async () => {
    const shared =
      '<si><t>Ana</t></si><si><r><t xml:space="preserve">Be </t></r><r><t>&amp;C</t></r><rPh><t>x</t></rPh></si>'
    const { texts } = await read(book('<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>', { shared }))
    expect(texts).toEqual([['Ana', 'Be &C', '']])
  })

  test('has its header under titles, in the first 10 rows', async () => {
    const titles = Array.from({ length: 9 }, (_, n) => rowOf([textCell(`Title ${n}`)])).join('')
    const { texts } = await read(bookOf({ sheets: [{ xml: titles + header + rowOf(['1', 'Ana'].map(textCell)) }] }))
    expect(texts).toEqual([['1', 'Ana', '']])
    const late = await read(bookOf({ sheets: [{ xml: titles + rowOf([textCell('id')]) + header }] }))
    expect(late).toMatchObject({ header: { names: ['id'] }, rows: [] })
  })

  test('has addresses in either case', () => {
    expect(columnOfAddress('ab12')).toBe(columnOfAddress('AB12'))
  })

  test('of several sheets is read as one table where headers are, or where it is said; never a hidden one by itself', async () => {
    const sheet = (name: string, text: string) => ({ name, xml: header + rowOf(['1', text].map(textCell)) })
    const bytes = bookOf({
      sheets: [
        { ...sheet('Old', 'old'), state: 'hidden' },
        { name: 'Notes', xml: rowOf([textCell('id')]) },
        sheet('A & B', 'first'),
        sheet('C', 'second'),
      ],
    })
    expect(await read(bytes)).toMatchObject({
      sheets: [
        { sheet: 'A & B', 'from-line': 1 },
        { sheet: 'C', 'from-line': 3 },
      ],
      notRead: ['Old', 'Notes'],
      texts: [
        ['1', 'first', ''],
        ['1', 'second', ''],
      ],
    })
    expect(await read(bytes, 'C')).toMatchObject({ texts: [['1', 'second', '']] })
    expect(await read(bytes, 'Old')).toMatchObject({ texts: [['1', 'old', '']] })
    expect(await refusal(bytes, 'D')).toMatchObject({ key: 'sheet-unknown', sheets: ['Old', 'Notes', 'A & B', 'C'] })
  })

  test('of several sheets has the columns of all, each row in its place', async () => {
    const sheets = [
      { xml: rowOf(['id', 'name', 'team'].map(textCell)) + rowOf(['1', 'Ana', 'x'].map(textCell)) },
      {
        xml:
          rowOf(['NAME', 'day', 'id', ' Team '].map((text) => textCell(text.replace('NAME', 'name')))) +
          rowOf(['Bia', 'd', '2', 'y'].map(textCell)),
      },
    ]
    expect(await read(bookOf({ sheets }))).toMatchObject({
      header: { names: ['id', 'name', 'team', 'day'] },
      rows: [{ number: 2 }, { number: 4 }],
      texts: [
        ['1', 'Ana', 'x', ''],
        ['2', 'Bia', 'y', 'd'],
      ],
    })
  })

  test('reads hidden rows, and tells them', async () => {
    const { texts, hiddenRows } = await read(book(rowOf(['1', 'Ana'].map(textCell), ' hidden="1"')))
    expect([texts, hiddenRows]).toEqual([[['1', 'Ana', '']], [2]])
  })

  test('has days by their style and by their column, in both date systems', async () => {
    const row = rowOf([numberCell(45_352, 1), numberCell(45_352), numberCell(45_352)])
    const opened = await read(book(row, { styles: [0, 'dd/mm/yyyy'] }))
    if ('error' in opened.header) throw new Error('the header was not found')
    const fields = rowFields(opened.rows[0]?.cells ?? [], opened.header)?.fields
    expect(fields).toEqual({ id: '2024-03-01', name: '45352', day: '2024-03-01' })
    const from1904 = await read(book(rowOf([numberCell(43_890, 0), textCell('x')]), { styles: [14], is1904: true }))
    expect(from1904.texts).toEqual([['2024-03-01', 'x', '']])
  })

  test('with an error in a cell gives no value, and the address', async () => {
    const opened = await read(
      book('<row><c t="e"><v>#N/A</v></c><c t="str"><f>A1</f><v>Ana</v></c><c><f>1/0</f></c></row>'),
    )
    if ('error' in opened.header) throw new Error('the header was not found')
    const row = rowFields(opened.rows[0]?.cells ?? [], opened.header)
    expect(row?.fields).toEqual({ id: {}, name: 'Ana', day: {} })
    expect(row?.errors.map(({ at }) => at)).toEqual(['A2', 'C2'])
  })

  test('of another program, with prefixed names and stored parts, is read', async () => {
    const prefixed = Buffer.from(
      `<x:worksheet xmlns:x="urn:x"><x:sheetData>${header}${rowOf(['1', 'Ana'].map(textCell))}</x:sheetData></x:worksheet>`.replaceAll(
        /<(\/?)(row|c|is|t)\b/g,
        '<$1x:$2',
      ),
    )
    const parts = partsOf({ sheets: [{ xml: prefixed }] }).map((part) => ({ ...part, method: 0 }))
    expect((await read(zipOf(parts))).texts).toEqual([['1', 'Ana', '']])
  })

  test('with bytes after its end, as some programs that send files add, is read', async () => {
    const bytes = book(rowOf([textCell('1'), textCell('Ana'), textCell('')]))
    const { texts } = await read(Buffer.concat([bytes, Buffer.from('\r\n--boundary--')]))
    expect(texts).toEqual((await read(bytes)).texts)
    expect(texts).toHaveLength(1)
  })

  test('with a row longer than a line of CSV may be has that row malformed', async () => {
    const { rows } = await read(book(rowOf(['x'.repeat(32_767), 'y'.repeat(32_767), 'z'].map(textCell))))
    expect(rows).toEqual([{ number: 2, cells: null, content: null }])
  })
})

describe('a workbook that is refused as a whole', () => {
  const refused = hostileWorkbooks.flatMap((one) =>
    'key' in one.outcome ? [[one.name, one.make, one.outcome.key] as const] : [],
  )
  test.for(refused)('%s', async ([, make, key]) => {
    expect(await refusal(make(), undefined, importColumns)).toEqual(
      expect.objectContaining({ key, isUnsupported: key === 'save-as-xlsx' }),
    )
  })

  test('one without a header has none, and no rows', async () => {
    expect(await read(bookOfRows([['a', 'b']]))).toMatchObject({ header: { error: 'unknown' }, rows: [] })
    expect(await read(bookOf({ sheets: [] }))).toMatchObject({ header: { error: 'unknown' }, rows: [] })
  })
})
