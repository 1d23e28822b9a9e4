import { describe, expect, test } from 'vitest'
import { SOURCE_NAMES, TARGET_NAMES } from '#registry/rules/layout-fields.ts'
import { readLayout } from '#registry/layouts/layout.ts'
import type { Json } from '../../world/test-app.ts'

const column = (more: Json = {}) => ({ heading: 'Nome', source: 'person.name', ...more })
const layout = (definition: Json, more: Json = {}): Json => ({
  name: 'Leiaute',
  direction: 'movement',
  definition: { format: 'csv', records: [{ name: 'one', columns: [column()] }], ...definition },
  ...more,
})
const withColumns = (columns: readonly Json[], definition: Json = {}, more: Json = {}) =>
  layout({ ...definition, records: [{ name: 'one', columns }] }, more)
const read = (columns: readonly Json[], definition: Json = {}) =>
  withColumns(columns, definition, { direction: 'acknowledgement' })
const fixed = { format: 'fixed-width', 'record-length': 80 }
const errorsOf = (value: unknown) => {
  const checked = readLayout(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
  return 'errors' in checked ? checked.errors.map(({ field, code }) => [field, code]) : []
}
const at = (path: string) => `definition.records[0].columns${path}`

test('about a hundred and fifty fields can be written, and fewer read, none of them of health', () => {
  expect(SOURCE_NAMES.length).toBeGreaterThan(90)
  expect([...SOURCE_NAMES, ...TARGET_NAMES].filter((name) => /cid|diagnos|procedure|weight|height/.test(name))).toEqual(
    [],
  )
})

test.each(['', '.', '[', 'records[0].columns[0]', 'definition.records[0]', 'definition.records[0].columns[0]'])(
  'a member named %j, which is not known, is an error',
  (name) => {
    const [ofColumn, ofLayout] = [{ ...column(), [name]: 1 }, layout({}, { [name]: 1 })]
    expect(errorsOf(withColumns([ofColumn]))).toEqual([[`${at('[0]')}.${name}`, 'unknown']])
    if (name !== '') expect(errorsOf(ofLayout)).toEqual([[name, 'unknown']])
    // Its other properties are checked no further.
    expect(errorsOf(withColumns([{ ...column({ format: 'money:cents' }), [name]: 1 }, ofColumn]))).toContainEqual([
      `${at('[1]')}.${name}`,
      'unknown',
    ])
  },
)

describe('a layout is checked as a whole, and each error has its path', () => {
  test.each<readonly [string, Json, readonly (readonly [string, string])[]]>([
    ['a plain one', layout({}), []],
    [
      'every member that only other formats have',
      layout({ 'record-length': 80, 'skip-first-lines': 2, 'stop-at': 'x' }),
      [
        ['definition.record-length', 'not-applicable'],
        ['definition.skip-first-lines', 'not-applicable'],
        ['definition.stop-at', 'not-applicable'],
      ],
    ],
    [
      'words and members that are not known, beside all that is wrong with the others',
      withColumns(
        [
          column({ at: 1, length: 10, source: 'person.nmae', format: 'date:ddMMyyyy' }),
          column({ at: 10, length: 2, sorce: 'person.tax-id' }),
          column({ at: 75, length: 20 }),
          column({ at: 30, length: 2, format: 'money:cents' }),
        ],
        { ...fixed, encodng: 'iso-8859-1', 'skip-first-lines': 1 },
      ),
      [
        ['definition.encodng', 'unknown'],
        [at('[0].source'), 'invalid'],
        [at('[1].sorce'), 'unknown'],
        ['definition.skip-first-lines', 'not-applicable'],
        [at('[1].at'), 'invalid'],
        [at('[2].length'), 'invalid'],
        [at('[3].format'), 'invalid'],
      ],
    ],
    [
      'fixed width without its lengths, in UTF-8',
      withColumns([column()], { format: 'fixed-width', encoding: 'utf-8' }),
      [
        ['definition.encoding', 'not-applicable'],
        ['definition.record-length', 'missing'],
        [at('[0].at'), 'missing'],
        [at('[0].length'), 'missing'],
      ],
    ],
    [
      'positions that overlap, or end beyond the line',
      withColumns([column({ at: 1, length: 10 }), column({ at: 10, length: 2 }), column({ at: 80, length: 2 })], fixed),
      [
        [at('[1].at'), 'invalid'],
        [at('[2].length'), 'invalid'],
      ],
    ],
    [
      'nothing, or two things, to fill a column with',
      withColumns([{ heading: 'A' }, column({ literal: 'x' }), { heading: 'B', target: 'person.name' }]),
      [
        [at('[0]'), 'invalid'],
        [at('[1]'), 'invalid'],
        [at('[2].target'), 'not-applicable'],
        [at('[2]'), 'invalid'],
      ],
    ],
    [
      'formats of other types, and maps of what has no codes',
      withColumns([
        column({ format: 'date:yyyyMMdd' }),
        column({ source: 'person.date-of-birth', format: 'upper' }),
        column({ source: 'registration.salary', format: 'digits', map: { '1': '2' } }),
        column({ source: 'person.gender', map: { male: 'M', other: 'X' } }),
        column({ map: { Ana: 'A' }, format: 'upper' }),
        column({ source: 'registration.salary', format: 'money:comma' }),
      ]),
      [
        [at('[0].format'), 'invalid'],
        [at('[1].format'), 'invalid'],
        [at('[2].map'), 'not-applicable'],
        [at('[3].map.other'), 'invalid'],
        [at('[4].format'), 'not-applicable'],
      ],
    ],
    [
      'a source that no layout has, and one that the header has not',
      layout({
        records: [
          { name: 'one', columns: [column()] },
          { name: 'two', emit: 'once-first', columns: [column()] },
        ],
      }),
      [['definition.records[1].columns[0].source', 'invalid']],
    ],
    [
      'records of one name, and conditions that can never hold',
      layout({
        records: [
          { name: 'one', when: { 'movement.kind': 'removal', 'person.name': 'Ana' }, columns: [column()] },
          {
            name: 'one',
            emit: 'once-last',
            when: { 'movement.kind': 'inclusion' },
            columns: [{ total: 'count:none' }],
          },
        ],
      }),
      [
        ['definition.records[0].when.movement.kind', 'invalid'],
        ['definition.records[0].when.person.name', 'unknown'],
        ['definition.records[1].name', 'repeated'],
        ['definition.records[1].when', 'not-applicable'],
        ['definition.records[1].columns[0].total', 'invalid'],
      ],
    ],
    [
      'no line for each movement',
      layout({ records: [{ name: 'one', emit: 'once-first', columns: [{ literal: 'x' }] }] }),
      [['definition.records', 'invalid']],
    ],
    [
      'texts that the encoding lacks, and codes longer than their column',
      withColumns(
        [{ literal: 'Łódź' }, column({ source: 'person.gender', length: 1, map: { male: 'MM', female: '€' } })],
        {
          encoding: 'iso-8859-1',
          'header-lines': [['€']],
        },
      ),
      [
        ['definition.header-lines', 'invalid'],
        [at('[0].literal'), 'invalid'],
        [at('[1].map.male'), 'invalid'],
        [at('[1].map.female'), 'invalid'],
      ],
    ],
    [
      'a workbook without headings, or with two of one name',
      withColumns([{ literal: '' }, column(), column({ heading: ' NOME: ' })], { format: 'xlsx' }),
      [
        [at('[0].heading'), 'missing'],
        [at('[2].heading'), 'repeated'],
      ],
    ],
    [
      'records of one sheet with other headings',
      layout({
        format: 'xlsx',
        records: [
          { name: 'one', sheet: 'A', columns: [column()] },
          { name: 'two', sheet: 'A', columns: [column({ heading: 'Outro' })] },
          { name: 'three', columns: [column()] },
        ],
      }),
      [
        ['definition.records[1].columns', 'invalid'],
        ['definition.records[2].sheet', 'missing'],
      ],
    ],
    [
      'a record that is recognized in two ways',
      layout(
        {
          ...fixed,
          records: [
            { name: 'one', match: { at: 80, length: 2, equals: '22' }, columns: [{ at: 1, length: 2, drop: true }] },
            { name: 'two', match: { 'first-cell': '2' }, columns: [{ at: 1, length: 2, drop: true }] },
            { name: 'three', emit: 'each', columns: [{ at: 1, length: 2, drop: true }] },
          ],
        },
        { direction: 'roster' },
      ),
      [
        ['definition.records[0].match', 'invalid'],
        ['definition.records[1].match', 'invalid'],
        ['definition.records[2].emit', 'not-applicable'],
      ],
    ],
    [
      'a sign of another column than one of the record, or of no amount',
      read([
        { heading: 'Valor', target: 'invoice.amount', sign: { column: 'Código', 'negative-when': ['55'] } },
        { heading: 'Nome', target: 'person.name', sign: { column: 'Valor', 'negative-when': ['55'] } },
      ]),
      [
        [at('[0].sign.column'), 'unknown'],
        [at('[1].sign'), 'not-applicable'],
      ],
    ],
  ])('%s', (_name, value, errors) => {
    expect(errorsOf(value)).toEqual(errors)
  })
})

test.each([
  'CID',
  'CID1',
  'CID-10',
  'Código CID',
  'Diagnóstico',
  'DIAGNOSTICO PRINCIPAL',
  'Peso',
  'Altura',
  'Procedimento',
])('a column %s is neither filled nor read', (heading) => {
  const refused = [[at('[0].heading'), 'invalid']]
  expect(errorsOf(withColumns([column({ heading })]))).toEqual(refused)
  expect(errorsOf(withColumns([{ heading, literal: 'A00' }]))).toEqual(refused)
  expect(errorsOf(read([{ heading, target: 'acknowledgement.message' }]))).toEqual(refused)
  expect(errorsOf(withColumns([column(), { heading, literal: '' }]))).toEqual([])
  expect(
    errorsOf(
      read([
        { heading: 'Nome', target: 'person.name' },
        { heading, drop: true },
      ]),
    ),
  ).toEqual([])
})

const many = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index))

/** Documents that no person would write. */
const hostile: readonly (readonly [string, unknown])[] = [
  ['nothing', ''],
  ['null', null],
  ['a text', '"layout"'],
  ['no JSON', '{"name": layout}'],
  ['a name that refers to itself', '{"name":{"$ref":"#"},"direction":{"$ref":"#/name"},"definition":{"$ref":"#"}}'],
  ['a list', []],
  ['lists in lists', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['a list for a format', layout({ format: ['csv'] })],
  ['a number for a record', layout({ records: [1] })],
  ['no records', layout({ records: [] })],
  ['too many records', layout({ records: many(65, (index) => ({ name: `r${index}`, columns: [column()] })) })],
  ['too many columns', withColumns(many(201, () => column()))],
  ['a million columns', withColumns(many(400_000, () => 1))],
  ['no columns', withColumns([])],
  ['a large literal', withColumns([{ literal: 'x'.repeat(10_000_000) }])],
  ['a large heading', withColumns([column({ heading: 'x'.repeat(10_000_000) })])],
  ['a long line', withColumns([column({ at: 1, length: 4001 })], { format: 'fixed-width', 'record-length': 4001 })],
  ['a negative position', withColumns([column({ at: -1, length: 5 })], fixed)],
  ['a fraction of a position', withColumns([column({ at: 1.5, length: 5 })], fixed)],
  ['a huge map', withColumns([column({ map: Object.fromEntries(many(100_000, (index) => [String(index), 'x'])) })])],
  ['a map of lists', withColumns([column({ map: { a: ['x'] } })])],
  ['the prototype as a source', withColumns([column({ source: '__proto__' })])],
  ['a method as a source', withColumns([column({ source: 'constructor' })])],
  ['the prototype as a record', layout({ records: [{ name: '__proto__', columns: [column()] }] })],
  [
    'the prototype as a condition',
    JSON.stringify(layout({ records: [{ name: 'one', when: { x: 'x' }, columns: [column()] }] })).replace(
      '"x":',
      '"__proto__":',
    ),
  ],
  ['a method as a condition', layout({ records: [{ name: 'one', when: { toString: 'x' }, columns: [column()] }] })],
  ['the prototype as a key', '{"name":"x","direction":"movement","__proto__":{},"definition":{}}'],
  ['an expression', withColumns([column({ source: 'person.name + 1' })])],
  ['a regular expression', read([{ heading: 'x', target: 'person.name', match: '.*' }])],
  ['a control character', withColumns([{ literal: 'a\0b' }])],
  ['a line break', withColumns([column({ heading: 'a\r\nb', pad: '\n' })])],
  ['unknown members', { ...layout({}), ...Object.fromEntries(many(100_000, (index) => [`x${index}`, index])) }],
]

test.each(hostile)('refused at once: %s', (_name, value) => {
  const before = process.memoryUsage().heapUsed
  const errors = errorsOf(value)
  expect(errors.length).toBeGreaterThan(0)
  expect(errors.length).toBeLessThanOrEqual(20)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024)
})
