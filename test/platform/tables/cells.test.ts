import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endsInQuotes, SEPARATORS, splitCells } from '#platform/tables/cells.ts'
import { rowFields, type CsvHeader, readCsvHeader } from '#platform/tables/header.ts'
import { csvCell, csvLine } from '#platform/tables/write.ts'
import { fromSpreadsheetCell, isScientificNotation, toCsvCell, toWorkbookCell } from '#kernel/spreadsheet-cell.ts'
import { IMPORT_COLUMNS, importColumnOf, parseCents } from '#movements/rules/import-columns.ts'

describe('splitCells', () => {
  test.for([
    ['a;b;c', ['a', 'b', 'c']],
    ['', ['']],
    [';', ['', '']],
    [' a ;\tb\t; c', ['a', 'b', 'c']],
    ['"a;b";c', ['a;b', 'c']],
    ['"say ""x""";c', ['say "x"', 'c']],
    [' "a" ; "b" ', ['a', 'b']],
    ['"";""', ['', '']],
    ['"a\nb";c', ['a\nb', 'c']],
    ['a;"b"', ['a', 'b']],
    ['"a";', ['a', '']],
    ['a,b', ['a,b']],
    ['"a', null],
    ['a;"b;c', null],
    ['"a""', null],
    ['"a"b;c', null],
    ['a"b;c', null],
    ['a;b"', null],
    ['""a"";b', null],
    ['a\rb;"c"', ['a\rb', 'c']],
    ['"a";b\nc;d', null],
    ['="0123";b', ['0123', 'b']],
    ['"=""0123""";b', ['0123', 'b']],
    ['a; ="0;1" ;=""', ['a', '0;1', '']],
    ['="a"b;c', null],
    ['=1+1;="x"', ['=1+1', 'x']],
  ] as const)('%j', ([text, cells]) => {
    expect(splitCells(text, ';')).toEqual(cells)
  })

  test('reads any written cells, trimmed', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ';', ',', '\t', '\n', 'ç') })
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...SEPARATORS),
        (cells, separator) => {
          const expected = cells.map((one) => one.trim())
          const quoted = cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator)
          expect(splitCells(quoted, separator)).toEqual(expected)
          expect(splitCells(cells.map((one) => csvCell(one)).join(separator), separator)).toEqual(expected)
        },
      ),
    )
  })

  test.for([
    ['a;b;c', 2, ['a', 'b', 'c']],
    ['a;b;c;d;;', 2, ['a', 'b', 'cd']],
    [';;;;', 2, ['', '', '']],
    ['"a";b;c;d', 2, ['a', 'b', 'cd']],
    ['a;b', 2, ['a', 'b']],
  ] as const)('%j with at most %i cells', ([text, max, cells]) => {
    expect(splitCells(text, ';', max)).toEqual(cells)
  })

  test('reads any text; without quotes it has as many cells as a split at the separator', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '"', ';', '\n') }), (text) => {
        const cells = splitCells(text, ';')
        if (!text.includes('"')) expect(cells).toHaveLength(text.split(';').length)
        else expect(cells === null || cells.length > 0).toBe(true)
      }),
    )
  })
})

test.for([
  ['a;b', false],
  ['"a', true],
  ['a;"b;c', true],
  ['"a"";b', true],
  ['"a";"b""c"', false],
] as const)('endsInQuotes %j', ([text, expected]) => {
  expect(endsInQuotes(text)).toBe(expected)
})

describe('readCsvHeader', () => {
  const read = (text: string) => {
    const header = readCsvHeader(text, (name) => importColumnOf(name) ?? null, { maxColumns: 80, maxCharacters: 4_096 })
    if ('error' in header) return header.error
    return [header.separator, ...header.columns.map((column) => column?.name ?? null)]
  }
  test.for([
    ['tax-id;name', [';', 'tax-id', 'name']],
    ['tax-id,name', [',', 'tax-id', 'name']],
    ['tax-id\tname', ['\t', 'tax-id', 'name']],
    ['"tax-id", "name"', [',', 'tax-id', 'name']],
    ['"tax-id"\t"name"\t', ['\t', 'tax-id', 'name', null]],
    ['"nome; completo",tax-id,name', [',', null, 'tax-id', 'name']],
    ['nome, completo;tax-id;name', [';', null, 'tax-id', 'name']],
    ['a, b; c\tCPF\tNome', ['\t', null, 'tax-id', 'name']],
    ['tax-id', [';', 'tax-id']],
    ['CPF;Nome;start-date', [';', 'tax-id', 'name', 'start-date']],
    [' TAX-ID ;NOME DA MAE', [';', 'tax-id', 'mothers-name']],
    ['idade;apelido', 'unknown'],
    ['', 'unknown'],
    ['name;tax-id;name', 'repeated'],
    ['name;tax-id;Nome', 'repeated'],
    ['zodiac;tax-id;zodiac', [';', null, 'tax-id', null]],
    ['"tax-id', 'invalid'],
    [`tax-id${';'.repeat(79)}`, [';', 'tax-id', ...Array.from({ length: 79 }, () => null)]],
    [`tax-id${';'.repeat(80)}`, 'too-long'],
    [`tax-id;${'x'.repeat(4_090)}`, 'too-long'],
  ] as const)('%j: %j', ([text, header]) => {
    expect(read(text)).toEqual(header)
  })

  test.for(SEPARATORS)('every column of an import in either language, separated by %j', (separator) => {
    const names = [...IMPORT_COLUMNS.keys()]
    const headers = [...IMPORT_COLUMNS.values()].map(({ header }) => header)
    for (const line of [names, headers]) expect(read(line.join(separator))).toEqual([separator, ...names])
  })
})

test.for([
  [['1', 'x', '900'], { 'tax-id': '1', salary: 900 }],
  [['', 'x', '9.00'], { salary: '9.00' }],
  [['1', 'x', ''], { 'tax-id': '1' }],
  [['1', 'x'], { 'tax-id': '1' }],
  [['1'], { 'tax-id': '1' }],
  [['1', 'x', '2', ''], { 'tax-id': '1', salary: 2 }],
  [['1', 'x', '2', '', 'y'], null],
] as const)('rowFields of %j', ([cells, fields]) => {
  const columns = [{ name: 'tax-id', parse: String }, null, { name: 'salary', parse: parseCents }]
  const header: CsvHeader = { separator: ';', names: ['tax-id', 'x', 'salary'], columns }
  expect(rowFields(cells, header)).toEqual(fields && { fields, restored: [], rounded: [], suspicious: [], errors: [] })
})

test.for([
  ['1234.56', 2, 123_456, false],
  // What is lost is less than a cent: that of every calculation.
  ['1234.565', 2, 123_457, false],
  ['1234.5649999', 2, 123_456, false],
  ['1234.56', 0, 123_500, true],
  ['1234.56', 1, 123_460, true],
  ['-1234.56', 0, -123_500, true],
  ['0.005', 0, 0, false],
  ['0.01', 0, 0, true],
  ['1234.56', undefined, 123_456, false],
] as const)(
  'an amount of %s that a workbook shows with %s decimals is %s cents, told: %s',
  ([number, decimals, cents, isTold]) => {
    const columns = [{ name: 'salary', parse: String, isMoney: true }]
    const header: CsvHeader = { separator: ';', names: ['Salário'], columns }
    const cell = { number, date: null, ...(decimals !== undefined && { decimals }) }
    expect(rowFields([cell], header)).toMatchObject({ fields: { salary: cents }, rounded: isTold ? ['Salário'] : [] })
  },
)

test('a cell that a spreadsheet would execute is written with an apostrophe, and any text is read as it was', () => {
  const written = ['=1+1', '+55', '-1', '@x', '＝1', '＋1', '－1', '＠x', "'=1", 'a,=1', 'a;b', 'a\tb', 'plain']
  const expected = [
    "'=1+1",
    "'+55",
    "'-1",
    "'@x",
    "'＝1",
    "'＋1",
    "'－1",
    "'＠x",
    "''=1",
    `"a,'=1"`,
    '"a;b"',
    '"a\tb"',
    'plain',
  ]
  expect(written.map((one) => csvLine([one]))).toEqual(expected)
  const text = fc.string({ unit: fc.constantFrom("'", '"', '=', '-', '@', '＝', ',', ';', '\t', '\r', 'a') })
  for (const write of [toCsvCell, toWorkbookCell]) {
    fc.assert(fc.property(text, (one) => fromSpreadsheetCell(write(one)) === one))
  }
})

test.each(['Ana,=1+1', 'Ana;=1+1', 'Ana\t=1+1', 'Ana,"=1+1"', 'Ana\n=1+1', 'Ana\r\n@SUM(A1)', 'a,＝1', 'a,-1,+1'])(
  'no program that divides %j sees a formula, whatever separates the cells',
  (text) => {
    const line = csvLine(['x', text])
    for (const separator of [...SEPARATORS, '\n', '\r']) {
      for (const cell of line.split(separator)) expect(cell.replaceAll('"', '')).not.toMatch(/^[=+\-@＝＋－＠]/)
    }
  },
)

test.for([
  ['4,5112E+13', true],
  ['4.5E+15', true],
  ['4.5e15', true],
  ['4E+15', true],
  [' 4,5E-3 ', true],
  ['45112000000000', false],
  ['0045 1120 7788', false],
  ['12E34', false],
  ['ABC1E+3', false],
  ['E+3', false],
  ['4,5', false],
  ['', false],
] as const)('isScientificNotation %j', ([text, expected]) => {
  expect(isScientificNotation(text)).toBe(expected)
})
