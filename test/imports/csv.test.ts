import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvFields, type CsvHeader, endsInQuotes, readCsvHeader, splitCells } from '../../src/imports/csv.ts'
import { IMPORT_COLUMNS } from '../../src/domain/import-line.ts'

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
  ] as const)('%j', ([text, cells]) => {
    expect(splitCells(text, ';')).toEqual(cells)
  })

  test('reads any written cells, trimmed', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ';', ',', '\n', 'ç') })
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), fc.constantFrom(';', ','), (cells, separator) => {
        const text = cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator)
        expect(splitCells(text, separator)).toEqual(cells.map((one) => one.trim()))
      }),
    )
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
  const known = (name: string) => IMPORT_COLUMNS.includes(name)
  test.for([
    ['tax-id;name', { separator: ';', columns: ['tax-id', 'name'] }],
    ['tax-id,name', { separator: ',', columns: ['tax-id', 'name'] }],
    ['"tax-id", "name"', { separator: ',', columns: ['tax-id', 'name'] }],
    ['"nome; completo",tax-id,name', { separator: ',', columns: [null, 'tax-id', 'name'] }],
    ['nome, completo;tax-id;name', { separator: ';', columns: [null, 'tax-id', 'name'] }],
    ['tax-id', { separator: ';', columns: ['tax-id'] }],
    ['cpf;nome', { error: 'unknown' }],
    ['TAX-ID;Name', { error: 'unknown' }],
    ['', { error: 'unknown' }],
    ['name;tax-id;name', { error: 'repeated' }],
    ['zodiac;tax-id;zodiac', { separator: ';', columns: [null, 'tax-id', null] }],
    ['"tax-id', { error: 'invalid' }],
  ] as const)('%j', ([text, header]) => {
    expect(readCsvHeader(text, known)).toEqual(header)
  })

  test('every column of an import, and none that needs quotes', () => {
    expect(readCsvHeader(IMPORT_COLUMNS.join(';'), known)).toEqual({ separator: ';', columns: IMPORT_COLUMNS })
    expect(new Set(IMPORT_COLUMNS).size).toBe(IMPORT_COLUMNS.length)
  })
})

test.for([
  [['1', 'x', '900'], { 'tax-id': '1', salary: 900 }],
  [['', 'x', '9.00'], { salary: '9.00' }],
  [['1', 'x', ''], { 'tax-id': '1' }],
  [['1', 'x'], null],
  [['1', 'x', '2', ''], null],
] as const)('csvFields of %j', ([cells, fields]) => {
  const header: CsvHeader = { separator: ';', columns: ['tax-id', null, 'salary'] }
  expect(csvFields(cells, header)).toEqual(fields)
})
