import { expect, test } from 'vitest'
import type { LayoutDefinition } from '#registry/layouts/definition.ts'
import { SOURCES, TARGETS } from '#registry/rules/layout-fields.ts'
import { parseFile } from '#registry/layouts/parse.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { randomOf } from './random.ts'

const latin1 = (...lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1')
const utf8 = (...lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))
const messageOf = async (reading: Promise<unknown>) => {
  const error: unknown = await reading.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TableError)
  return (error as TableError).details[0]?.message
}

const roster: LayoutDefinition = {
  format: 'fixed-width',
  'record-length': 60,
  records: [
    { name: 'header', match: { at: 1, length: 1, equals: '1' }, columns: [{ at: 1, length: 1, drop: true }] },
    {
      name: 'primary',
      match: { at: 1, length: 1, equals: '2' },
      columns: [
        { at: 2, length: 20, target: 'person.name', required: true },
        { at: 22, length: 6, target: 'person.date-of-birth', format: 'date:yyMMdd' },
        { at: 28, length: 11, target: 'person.tax-id' },
        { heading: 'code', at: 39, length: 2, target: 'invoice.entry-code' },
        {
          at: 41,
          length: 10,
          target: 'invoice.amount',
          format: 'money:cents',
          sign: { column: 'code', 'negative-when': ['55', '59'] },
        },
        { at: 51, length: 1, target: 'person.gender', map: { '1': 'male', '2': 'female', '0': '' } },
      ],
    },
  ],
}

test.each([
  ['of fixed width', roster, latin1('2ANA\0 LIMA'.padEnd(60)), 'person.name'],
  [
    'in keys',
    {
      format: 'ndjson',
      records: [{ name: 'one', columns: [{ heading: 'name', target: 'person.name' }] }],
    },
    utf8(JSON.stringify({ name: 'Ana\0' }), String.raw`{"name":"Ana\ud800"}`),
    'person.name',
  ],
  [
    'of one sum',
    {
      format: 'csv',
      records: [{ name: 'one', columns: [{ heading: 'valor', target: 'invoice.amount', format: 'money:comma' }] }],
    },
    utf8('valor', '900000000,01', '-900000000,01', '9007199254740993'),
    'invoice.amount',
  ],
] as const satisfies readonly (readonly [string, LayoutDefinition, Buffer, string])[])(
  'a value that cannot be stored is refused in a file %s',
  async (_, definition, bytes, target) => {
    const { lines, refused } = await parseFile(definition, bytes)
    expect(lines).toEqual([])
    expect(refused.length).toBeGreaterThan(0)
    for (const { cells } of refused) expect(cells).toMatchObject([{ target, code: 'invalid' }])
  },
)

const person = (name: string, rest: string) => `2${name.padEnd(20)}${rest}`

test('a file of fixed width is read line by line, and what is refused is named', async () => {
  const parsed = await parseFile(
    roster,
    latin1(
      '1FATURA',
      person('JOÃO D´ÁVILA', '390131529982247250100000412351'),
      person('ANA', '400131000000000005500000412350'),
      person('', '991332529982247260100000A12353'),
      '9 END',
      person('TOO LONG', ''.padEnd(40, 'x')),
      '',
      person('BIA', '000229'),
    ),
  )
  expect(parsed).toEqual({
    lines: [
      {
        line: 2,
        record: 'primary',
        values: {
          'person.name': 'JOÃO D´ÁVILA',
          'person.date-of-birth': '2039-01-31',
          'person.tax-id': '52998224725',
          'invoice.entry-code': '01',
          'invoice.amount': '41235',
          'person.gender': 'male',
        },
      },
      {
        line: 3,
        record: 'primary',
        values: {
          'person.name': 'ANA',
          'person.date-of-birth': '1940-01-31',
          'invoice.entry-code': '55',
          'invoice.amount': '-41235',
        },
      },
      { line: 8, record: 'primary', values: { 'person.name': 'BIA', 'person.date-of-birth': '2000-02-29' } },
    ],
    refused: [
      {
        line: 4,
        cells: [
          { column: '2', target: 'person.name', code: 'missing' },
          { column: '22', target: 'person.date-of-birth', code: 'invalid' },
          { column: '28', target: 'person.tax-id', code: 'invalid' },
          { column: '41', target: 'invoice.amount', code: 'invalid' },
          { column: '51', target: 'person.gender', code: 'no-code' },
        ],
      },
      { line: 5, cells: [{ column: '', target: null, code: 'no-record' }] },
      { line: 6, cells: [{ column: '', target: null, code: 'too-long' }] },
    ],
    skipped: 2,
    sheetsNotRead: [],
  })
})

test('a code is found as it is, else without case, accents and punctuation; codes that differ in no more are not guessed', async () => {
  const map = { Inclusão: 'male', 'EXCL.': 'female', a: 'male', A: 'female' }
  const columns = [
    { heading: 'CPF', target: 'person.tax-id' as const },
    { heading: 'Sexo', target: 'person.gender' as const, map },
  ]
  const definition: LayoutDefinition = {
    format: 'csv',
    'header-lines': ['headings'],
    records: [{ name: 'person', columns }],
  }
  const codes = ['INCLUSAO', 'excl', 'A', 'a', 'Á', '-', 'outro']
  const parsed = await parseFile(definition, utf8('CPF;Sexo', ...codes.map((code) => `;${code}`)))
  expect(parsed.lines.map(({ values }) => values['person.gender'])).toEqual(['male', 'female', 'female', 'male'])
  expect(parsed.refused.map(({ line, cells }) => [line, cells[0]?.code])).toEqual([
    [6, 'no-code'],
    [7, 'no-code'],
    [8, 'no-code'],
  ])
})

const answer: LayoutDefinition = {
  format: 'csv',
  'header-lines': ['headings'],
  'stop-at': 'Total',
  records: [
    {
      name: 'answer',
      columns: [
        { heading: 'CPF', target: 'person.tax-id', required: true },
        {
          heading: 'Situação',
          target: 'acknowledgement.outcome',
          map: { OK: 'accepted', '': 'accepted', NOK: 'refused' },
        },
        { heading: 'Carteirinha', target: 'acknowledgement.card-number', length: 20 },
        { heading: 'Início', target: 'acknowledgement.start-date', format: 'date:dd/MM/yyyy' },
        { heading: 'Valor', target: 'invoice.amount', format: 'money:comma' },
        { heading: 'Procedimento', drop: true },
      ],
    },
  ],
}

test('a CSV is read by its headings, in any order, after titles, until it stops', async () => {
  const parsed = await parseFile(
    answer,
    utf8(
      'Retorno de novembro',
      'SITUACAO;Início;Procedimento;Observação;cpf;Valor;Carteirinha',
      'OK;01/12/2026;Consulta;x;529.982.247-25;1.234,5;"0045; 7"',
      ";;;;8743209061;-0,07;'=1",
      'XX;31/02/2026;;;;1,234;123456789012345678901',
      '"quotes that do not close;;;;;;',
      'Total;;;;;;',
      'OK;;;;52998224725;;',
    ),
  )
  expect(parsed).toEqual({
    lines: [
      {
        line: 3,
        record: 'answer',
        values: {
          'acknowledgement.outcome': 'accepted',
          'acknowledgement.start-date': '2026-12-01',
          'acknowledgement.card-number': '0045; 7',
          'person.tax-id': '52998224725',
          'invoice.amount': '123450',
        },
      },
    ],
    refused: [
      {
        line: 4,
        cells: [{ column: 'CPF', target: 'person.tax-id', code: 'invalid' }],
      },
      {
        line: 5,
        cells: [
          { column: 'CPF', target: 'person.tax-id', code: 'missing' },
          { column: 'Situação', target: 'acknowledgement.outcome', code: 'no-code' },
          { column: 'Carteirinha', target: 'acknowledgement.card-number', code: 'too-long' },
          { column: 'Início', target: 'acknowledgement.start-date', code: 'invalid' },
          { column: 'Valor', target: 'invoice.amount', code: 'invalid' },
        ],
      },
      { line: 6, cells: [{ column: '', target: null, code: 'malformed' }] },
    ],
    skipped: 4,
    sheetsNotRead: [],
  })
})

test('a CPF that has lost its zeros is read with them, and zeros are none', async () => {
  const parsed = await parseFile(answer, utf8('CPF;Carteirinha', '1234567-98;1', '123456797;2', '00000000000;3'))
  expect(parsed.lines.map(({ values }) => values['person.tax-id'])).toEqual(['00123456797'])
  expect(parsed.refused.map(({ line, cells }) => [line, cells[0]?.code])).toEqual([
    [2, 'invalid'],
    [4, 'missing'],
  ])
})

test('a file of another layout is refused with the columns that were expected', async () => {
  const names = ['CPF', 'Situação', 'Carteirinha', 'Início', 'Valor']
  const expected = { key: 'layout-headings', names }
  expect(await messageOf(parseFile(answer, utf8('Nome;Plano', 'Ana;X')))).toEqual(expected)
  expect(await messageOf(parseFile(answer, Buffer.alloc(0)))).toEqual(expected)
  const { 'header-lines': _, ...rest } = answer
  const workbook: LayoutDefinition = { ...rest, format: 'xlsx' }
  const other: LayoutDefinition = {
    format: 'xlsx',
    records: [{ name: 'x', columns: [{ heading: 'Nome', literal: 'x' }] }],
  }
  const { content } = await renderMovements(other, {}, [])
  expect(await messageOf(parseFile(workbook, content))).toEqual(expected)
  expect(await messageOf(parseFile(answer, content))).toEqual({ key: 'wrong-file', file: 'xlsx' })
  expect(await messageOf(parseFile(workbook, utf8('CPF')))).toEqual({ key: 'workbook-unreadable' })
})

test('NDJSON has its own keys only, and texts or numbers', async () => {
  const definition: LayoutDefinition = {
    format: 'ndjson',
    records: [
      {
        name: 'answer',
        columns: [
          { heading: 'position', target: 'movement.position' },
          { heading: 'constructor', target: 'acknowledgement.message' },
        ],
      },
    ],
  }
  const parsed = await parseFile(
    definition,
    utf8('{"position":3}', '{"position":"4","constructor":"ok","more":[]}', '[]', '{"position":[1]}', '{', '', 'null'),
  )
  expect(parsed.lines.map(({ values }) => values)).toEqual([
    { 'movement.position': '3' },
    { 'movement.position': '4', 'acknowledgement.message': 'ok' },
  ])
  expect(parsed.refused.map(({ line, cells }) => [line, cells[0]?.code])).toEqual([
    [3, 'malformed'],
    [4, 'invalid'],
    [5, 'malformed'],
    [7, 'malformed'],
  ])
  expect(parsed.skipped).toBe(1)
})

test('a file of more lines than the limit, or of more bytes, is refused', async () => {
  expect(await messageOf(parseFile(roster, Buffer.from('1\n'.repeat(100_001))))).toEqual({
    key: 'layout-lines',
    limit: 100_000,
  })
  expect(await messageOf(parseFile(roster, Buffer.alloc(16 * 1024 * 1024 + 1, 'x')))).toEqual({
    key: 'workbook-too-large',
  })
})

const fields = [
  ['person.name', 'text'],
  ['person.mothers-name', 'text'],
  ['person.tax-id', 'digits'],
  ['person.date-of-birth', 'date:ddMMyyyy'],
  ['registration.admission-date', 'date:dd/MM/yyyy'],
  ['registration.dependency-date', 'date:yyyyMMdd'],
  ['registration.salary', 'money:comma'],
  ['address.city', 'text'],
  ['person.gender', undefined],
] as const

const formats = ['csv', 'fixed-width', 'xlsx', 'ndjson'] as const

/** The same columns, written and read. */
function pairOf(format: (typeof formats)[number], encoding: 'utf-8' | 'iso-8859-1' | 'windows-1252') {
  const gender = { male: '1', female: '2' }
  const columns = fields.map(([field, columnFormat], index) => ({
    field,
    shared: {
      heading: `Coluna ${index}`,
      ...(format === 'fixed-width' ? { at: 1 + index * 40, length: 40 } : {}),
      ...(columnFormat === undefined ? {} : { format: columnFormat }),
    },
  }))
  const file = {
    format,
    ...(format === 'csv' || format === 'fixed-width' ? { encoding } : {}),
    ...(format === 'csv' ? { 'header-lines': ['headings' as const] } : {}),
    ...(format === 'fixed-width' ? { 'record-length': 400 } : {}),
  }
  const written: LayoutDefinition = {
    ...file,
    records: [
      {
        name: 'person',
        columns: columns.map(({ field, shared }) => ({
          ...shared,
          source: field,
          ...(field === 'person.gender' ? { map: gender } : {}),
        })),
      },
    ],
  }
  const inverse = Object.fromEntries(Object.entries(gender).map(([value, code]) => [code, value]))
  const read: LayoutDefinition = {
    ...file,
    records: [
      {
        name: 'person',
        columns: columns.map(({ field, shared }) => ({
          ...shared,
          target: field,
          ...(field === 'person.gender' ? { map: inverse } : {}),
        })),
      },
    ],
  }
  return { written, read }
}

test.each(formats)('what is written as %s is read as it was', async (format) => {
  const random = randomOf(20_261_125)
  const encodings = format === 'csv' ? (['utf-8', 'iso-8859-1', 'windows-1252'] as const) : (['iso-8859-1'] as const)
  for (const encoding of encodings) {
    const { written, read } = pairOf(format, encoding)
    const people = Array.from({ length: 200 }, () =>
      Object.fromEntries(
        fields.flatMap(([field]) => {
          const value = random.valueOf({ ...SOURCES, ...TARGETS }[field], encoding)
          return value === '' ? [] : [[field, value]]
        }),
      ),
    ).filter((values) => Object.keys(values).length > 0)
    const movements = people.map((values, index) => ({ enrollmentId: String(index), familyId: String(index), values }))
    const file = await renderMovements(written, {}, movements)
    expect(file.items.flatMap(({ problems }) => problems)).toEqual([])
    const parsed = await parseFile(read, file.content)
    expect(parsed.refused).toEqual([])
    expect(parsed.lines.map(({ values }) => values)).toEqual(people)
    expect(parsed.lines.map(({ line }) => line)).toEqual(file.items.flatMap(({ lineNumbers }) => lineNumbers))
  }
})

test.each(formats)('no bytes break the reading of %s', async (format) => {
  const random = randomOf(4711)
  const { written, read } = pairOf(format, 'iso-8859-1')
  const { content } = await renderMovements(written, {}, [
    { enrollmentId: '1', familyId: '1', values: { 'person.name': 'Ana', 'person.gender': 'female' } },
  ])
  let parsed = 0
  for (let round = 0; round < 300; round += 1) {
    const bytes = random.changed(content)
    try {
      const { lines, refused } = await parseFile(read, bytes)
      parsed += lines.length + refused.length
    } catch (error) {
      expect(error).toBeInstanceOf(TableError)
    }
  }
  expect(parsed).toBeGreaterThan(0)
})
