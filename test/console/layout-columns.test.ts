import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutsOf, moveCut, toggleCut, withoutGaps } from '../../console/src/broker/layouts/cuts.ts'
import { cellsOf, emptyDefinition, isTable, linesOf, withSample } from '../../console/src/broker/layouts/sample.ts'
import { readCell } from '../../console/src/entities/layouts/read-cell.ts'

/* The columns of a layout as its form changes them. */

const none = { drop: true } as const
const whole = (length: number) => withoutGaps([], length, none)
const cutAt = (length: number, ...positions: readonly number[]) =>
  positions.reduce((columns, position) => toggleCut(columns, position, none), whole(length))

describe('cuts between columns of fixed width', () => {
  test.each([
    ['none', 10, [], [[1, 10]]],
    [
      'two',
      10,
      [3, 7],
      [
        [1, 3],
        [4, 4],
        [8, 3],
      ],
    ],
    ['one that is set and removed', 10, [3, 3], [[1, 10]]],
    [
      'at both ends',
      5,
      [1, 4],
      [
        [1, 1],
        [2, 3],
        [5, 1],
      ],
    ],
    ['after the last character', 5, [5], [[1, 5]]],
  ] as const)('%s', (_name, length, positions, expected) => {
    const columns = cutAt(length, ...positions)
    expect(columns.map((column) => [column.at, column.length])).toEqual(expected)
  })

  test('what a layout leaves out is a column that is not read', () => {
    const named = { at: 3, length: 2, target: 'person.name' } as const
    expect(withoutGaps([named], 6, none)).toEqual([
      { at: 1, length: 2, drop: true },
      named,
      { at: 5, length: 2, drop: true },
    ])
  })

  test('the field stays with the first part of a column that is cut, and when parts become one', () => {
    const [, , last] = withoutGaps([{ at: 3, length: 2, target: 'person.name' }], 6, none)
    expect(last).toEqual({ at: 5, length: 2, drop: true })
    const columns = withoutGaps([{ at: 3, length: 2, target: 'person.name' }], 6, none)
    const merged = toggleCut(toggleCut(columns, 2, none), 4, none)
    expect(merged).toEqual([{ at: 1, length: 6, target: 'person.name' }])
    expect(toggleCut(merged, 4, none)[0]).toEqual({ at: 1, length: 4, target: 'person.name' })
  })

  test('whatever is cut and moved, each character is of one column', () => {
    const position = fc.integer({ min: 0, max: 31 })
    fc.assert(
      fc.property(fc.array(fc.oneof(position, fc.tuple(position, position)), { maxLength: 40 }), (steps) => {
        const columns = steps.reduce<readonly ReturnType<typeof whole>[number][]>(
          (now, step) => (typeof step === 'number' ? toggleCut(now, step, none) : moveCut(now, ...step)),
          whole(30),
        )
        const characters = columns.flatMap(({ at, length }) => Array.from({ length }, (_, index) => at + index))
        expect(characters).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
        expect(cutsOf(columns)).toHaveLength(columns.length - 1)
      }),
      { seed: 20261129, numRuns: 300 },
    )
  })
})

describe('a sample', () => {
  test.each([
    ['vidas.csv', ['Nome,CPF'], true],
    ['vidas.txt', ['Nome;CPF', 'Ana;1'], true],
    ['vidas.txt', ['Nome\tCPF'], true],
    ['vidas.txt', ['1HELENA BRANDAO   0000085000', '1DAVI, FILHO      0000085000'], false],
    ['vidas.txt', ['TOTAL;', '1HELENA', '1DAVI'], false],
  ])('%s %j is a table: %s', (name, lines, expected) => expect(isTable(name, lines)).toBe(expected))

  test('is read in the encoding that it has', () => {
    const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding)).buffer
    expect(linesOf(bytes('JOÃO\r\n\r\nÍRIS', 'latin1'))).toEqual(['JOÃO', 'ÍRIS'])
    expect(linesOf(bytes('JOÃO\nÍRIS\n', 'utf8'))).toEqual(['JOÃO', 'ÍRIS'])
  })

  test('of a table gives its columns, and those that the layout has stay as they are', () => {
    const rows = [['RELAÇÃO'], ['Vlr Mensalidade', 'CPF do Benef', 'Obs.'], ['85000', '52998224725', 'x']]
    const sample = { format: 'csv', rows } as const
    const definition = withSample('invoice', emptyDefinition('invoice', 'csv'), sample)
    const columns = definition.records[0]?.columns ?? []
    expect(columns).toEqual([
      { heading: 'Vlr Mensalidade', target: 'invoice.amount', format: 'money:comma', required: true },
      { heading: 'CPF do Benef', target: 'person.tax-id' },
      { heading: 'Obs.', drop: true },
    ])
    expect(cellsOf('invoice', definition, columns, sample)).toEqual([['85000'], ['52998224725'], ['x']])
    expect(withSample('invoice', definition, sample)).toEqual(definition)
  })

  test('of a file that is written gives what its headings most likely stand for', () => {
    const rows = [['CPF', 'Nome', 'Data de nascimento', 'Início de vigência', 'Livre']]
    const { records } = withSample('movement', emptyDefinition('movement', 'xlsx'), { format: 'xlsx', rows })
    expect(records[0]?.columns).toEqual([
      { heading: 'CPF', source: 'person.tax-id' },
      { heading: 'Nome', source: 'person.name' },
      { heading: 'Data de nascimento', source: 'person.date-of-birth', format: 'date:dd/MM/yyyy' },
      { heading: 'Início de vigência', source: 'movement.start-date', format: 'date:dd/MM/yyyy' },
      { heading: 'Livre', literal: '' },
    ])
  })

  test('of fixed width gives the length of the lines', () => {
    const lines = ['1'.padEnd(40), '2'.padEnd(52)]
    const sample = { format: 'fixed-width', lines } as const
    expect(withSample('roster', emptyDefinition('roster', 'fixed-width'), sample)['record-length']).toBe(52)
  })
})

test.each([
  ['invoice.amount', 'money:cents', '0000085000', '85000'],
  ['invoice.amount', 'money:comma', '1.250,50', '125050'],
  ['invoice.amount', 'money:comma', '850', '85000'],
  ['person.date-of-birth', 'date:ddMMyyyy', '01021990', '1990-02-01'],
  ['person.date-of-birth', 'date:ddMMyyyy', '1990', null],
  ['person.tax-id', undefined, '529.982.247-25', '52998224725'],
  ['person.tax-id', undefined, '', ''],
] as const)('the form reads a cell as %s in %s: %s is %s', (target, format, cell, expected) => {
  expect(readCell({ target, ...(format !== undefined && { format }) }, cell)).toBe(expected)
})

test('a word without a meaning is refused, one that was left without a meaning says nothing', () => {
  const column = { target: 'person.relationship', map: { TITULAR: 'primary', AGREG: '' } } as const
  expect(['Titular', 'agreg', 'FILHO'].map((word) => readCell(column, word))).toEqual(['primary', '', null])
})
