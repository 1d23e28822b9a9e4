import { expect, test } from 'vitest'
import type { LayoutColumn, LayoutDefinition } from '#registry/layouts/definition.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import type { MovementRecord } from '#registry/layouts/types.ts'

/** 180 characters in ISO 8859-1, as an operator describes them. */
const fixed: LayoutDefinition = {
  format: 'fixed-width',
  'record-length': 180,
  records: [
    {
      name: 'header',
      emit: 'once-first',
      columns: [
        { at: 1, length: 1, literal: '1' },
        { at: 2, length: 9, source: 'contract.contract-number', pad: '0', align: 'right', required: true },
        { at: 11, length: 6, source: 'shipment.coverage-start', format: 'date:yyyyMM' },
        { at: 17, length: 6, total: 'lines', pad: '0', align: 'right' },
      ],
    },
    {
      name: 'primary',
      when: { 'movement.beneficiary-type': 'primary' },
      columns: [
        { at: 1, length: 1, literal: '2' },
        { at: 2, length: 4, source: 'contract.sub-contract', pad: '0', align: 'right', required: true },
        { at: 15, length: 35, source: 'person.name', format: 'upper-ascii', overflow: 'truncate', required: true },
        { at: 54, length: 8, source: 'person.date-of-birth', format: 'date:ddMMyyyy', required: true },
        { at: 62, length: 1, source: 'person.gender', map: { male: '1', female: '2' } },
        { at: 63, length: 40, source: 'person.mothers-name', format: 'text' },
        { at: 103, length: 15, source: 'registration.salary', format: 'money:cents', pad: '0', align: 'right' },
      ],
    },
    {
      name: 'dependent',
      when: { 'movement.beneficiary-type': 'dependent', 'movement.kind': ['inclusion', 'exclusion'] },
      columns: [
        { at: 1, length: 1, literal: '3' },
        { at: 15, length: 35, source: 'person.name', format: 'upper-ascii' },
        { at: 62, length: 2, source: 'person.relationship', map: { child: '02', spouse: '01' } },
      ],
    },
    {
      name: 'trailer',
      emit: 'once-last',
      columns: [
        { at: 1, length: 1, literal: '9' },
        { at: 41, length: 6, total: 'count:primary', pad: '0', align: 'right' },
        { at: 47, length: 6, total: 'position', pad: '0', align: 'right' },
      ],
    },
  ],
}

const header = {
  'contract.contract-number': '900001',
  'contract.sub-contract': '2',
  'shipment.coverage-start': '2026-12-01',
}

function movement(values: Readonly<Record<string, string>>, familyId = 'family-1'): MovementRecord {
  return {
    enrollmentId: `of-${values['person.name']}`,
    familyId,
    values: {
      'movement.kind': 'inclusion',
      'movement.beneficiary-type': 'primary',
      'person.date-of-birth': '1990-01-31',
      'person.gender': 'male',
      ...values,
    },
  }
}

const dependent = (values: Readonly<Record<string, string>>, familyId = 'family-1') =>
  movement({ 'movement.beneficiary-type': 'dependent', 'primary.status': 'pending', ...values }, familyId)

const render = (...movements: readonly MovementRecord[]) => renderMovements(fixed, header, movements)
const linesOf = (content: Uint8Array) => Buffer.from(content).toString('latin1').split('\r\n')

test('a file of fixed width has lines of 180 bytes, each value in its place', async () => {
  const file = await render(
    movement({
      'person.name': "João D'Ávila",
      'person.mothers-name': "Conceição D'Ávila",
      'registration.salary': '123456',
    }),
    dependent({ 'person.name': 'Inês Ávila', 'person.relationship': 'child' }),
  )
  expect(file).toMatchObject({ mediaType: 'text/plain; charset=iso-8859-1', extension: '.txt' })
  expect(Buffer.from(file.content).toString('latin1')).toBe(
    [
      `1000900001202612000004${''.padEnd(158)}`,
      `20002         ${"JOAO D'AVILA".padEnd(39)}310119901${"Conceição D'Ávila".padEnd(40)}000000000123456${''.padEnd(63)}`,
      `3${''.padEnd(13)}${'INES AVILA'.padEnd(47)}02${''.padEnd(117)}`,
      `9${''.padEnd(39)}000001000004${''.padEnd(128)}`,
    ]
      .map((line) => `${line}\r\n`)
      .join(''),
  )
  expect(file.content.byteLength).toBe(4 * 182)
  expect(file.items).toEqual([
    { lineNumbers: [2], problems: [] },
    { lineNumbers: [3], problems: [] },
  ])
})

test('a name is truncated where the layout says so', async () => {
  const file = await render(movement({ 'person.name': 'Ana '.repeat(10).trim() }))
  expect(linesOf(file.content)[1]?.slice(14, 53)).toBe(`${'ANA '.repeat(9).slice(0, 35)}    `)
})

test.each([
  [{ 'person.mothers-name': 'Łucja Nowak' }, 'not-representable', 'person.mothers-name', '63'],
  [{ 'person.mothers-name': 'M'.repeat(41) }, 'value-too-long', 'person.mothers-name', '63'],
  [{ 'person.name': '' }, 'field-missing', 'person.name', '15'],
  [{ 'person.gender': 'other' }, 'no-code', 'person.gender', '62'],
  [{ 'person.gender': 'constructor' }, 'no-code', 'person.gender', '62'],
  [{ 'person.date-of-birth': '0199-01-31' }, 'date-out-of-range', 'person.date-of-birth', '54'],
])('a movement with %j is not in the file: %s', async (values, code, field, column) => {
  const file = await render(
    movement({ 'person.name': 'Bia', ...values }),
    movement({ 'person.name': 'Caio' }, 'family-2'),
  )
  expect(file.items).toEqual([
    { lineNumbers: [], problems: [{ code, field, column, ...(code === 'not-representable' && { character: 'Ł' }) }] },
    { lineNumbers: [2], problems: [] },
  ])
  expect(linesOf(file.content).map((line) => line.slice(0, 1))).toEqual(['1', '2', '9', ''])
})

test('a character without an ASCII form is a problem, and one with it is written by it', async () => {
  const file = await render(
    movement({ 'person.name': 'Łucja Straße Ørsted' }),
    movement({ 'person.name': 'Иван' }, 'family-2'),
  )
  expect(linesOf(file.content)[1]?.slice(14, 34)).toBe('LUCJA STRASSE ORSTED')
  expect(file.items[1]?.problems).toEqual([
    { code: 'not-representable', field: 'person.name', column: '15', character: 'И' },
  ])
})

test('the inclusion of a dependent goes with that of its primary, or after it', async () => {
  const child = { 'person.name': 'Duda', 'person.relationship': 'child' }
  const problems = [{ code: 'primary-not-in-shipment', field: 'primary.tax-id', column: 'primary' }]
  const outcomes = async (...movements: readonly MovementRecord[]) =>
    (await render(...movements)).items.map((item) => item.problems.map(({ code }) => code))
  expect((await render(dependent(child))).items).toEqual([{ lineNumbers: [], problems }])
  expect(await outcomes(dependent({ ...child, 'primary.status': 'active' }))).toEqual([[]])
  expect(await outcomes(dependent({ ...child, 'primary.status': 'sent' }))).toEqual([[]])
  expect(await outcomes(movement({ 'person.name': 'Ana' }), dependent(child))).toEqual([[], []])
  expect(await outcomes(movement({ 'person.name': '' }), dependent(child))).toEqual([
    ['field-missing'],
    ['primary-not-in-shipment'],
  ])
  expect(await outcomes(movement({ 'person.name': 'Ana' }, 'family-2'), dependent(child))).toEqual([
    [],
    ['primary-not-in-shipment'],
  ])
})

test('a movement that no record is for, and a value that the whole file lacks, are problems of movements', async () => {
  const alteration = dependent({ 'movement.kind': 'alteration', 'person.name': 'Eva' })
  expect((await render(alteration)).items[0]?.problems).toEqual([
    { code: 'no-code', field: 'movement.kind', column: 'when' },
  ])
  const { items } = await renderMovements(fixed, {}, [movement({ 'person.name': 'Eva', 'contract.sub-contract': '2' })])
  expect(items[0]?.problems).toEqual([{ code: 'field-missing', field: 'contract.contract-number', column: '2' }])
})

const csv = (more: Partial<LayoutDefinition> = {}): LayoutDefinition => ({
  format: 'csv',
  'header-lines': [['Movimentações'], 'headings'],
  records: [
    {
      name: 'movement',
      columns: [
        { heading: 'Linha', total: 'position' },
        { heading: 'Nome', source: 'person.name' },
        { heading: 'Salário', source: 'registration.salary', format: 'money:comma' },
        { heading: 'Plano', source: 'plan.carrier-plan-code', required: true },
        { heading: 'CID', literal: '' },
      ],
    },
  ],
  ...more,
})

test('a CSV has its header lines, and no cell that a spreadsheet program executes', async () => {
  const movements = [
    movement({ 'person.name': '=1+1;"x"', 'registration.salary': '7', 'plan.carrier-plan-code': 'A1' }),
    movement({ 'person.name': 'José\nLuís', 'registration.salary': '123456', 'plan.carrier-plan-code': '' }),
    movement({ 'person.name': 'José\nLuís', 'plan.carrier-plan-code': 'A1' }),
  ]
  const file = await renderMovements(csv({ encoding: 'windows-1252', 'line-ending': 'lf' }), {}, movements)
  expect(new TextDecoder('windows-1252').decode(file.content)).toBe(
    'Movimentações\nLinha;Nome;Salário;Plano;CID\n1;"\'=1+1;""x""";"0,07";A1;\n2;José Luís;;A1;\n',
  )
  expect(file.items.map((item) => item.lineNumbers)).toEqual([[3], [], [4]])
  expect(file.items[1]?.problems).toEqual([
    { code: 'plan-code-missing', field: 'plan.carrier-plan-code', column: 'Plano' },
  ])
})

test('a CSV in UTF-8 begins with the mark by which spreadsheet programs recognize it', async () => {
  const file = await renderMovements(csv(), {}, [])
  expect(Buffer.from(file.content).toString()).toBe('\ufeffMovimentações\r\nLinha;Nome;Salário;Plano;CID\r\n')
})

test('Windows-1252 has characters that ISO 8859-1 lacks', async () => {
  const movements = [movement({ 'person.name': 'D’Ávila €', 'plan.carrier-plan-code': 'A1' })]
  const problemsOf = async (encoding: 'windows-1252' | 'iso-8859-1') =>
    renderMovements(csv({ encoding }), {}, movements)
  const file = await problemsOf('windows-1252')
  expect(new TextDecoder('windows-1252').decode(file.content)).toContain('1;D’Ávila €;')
  expect((await problemsOf('iso-8859-1')).items[0]?.problems[0]?.code).toBe('not-representable')
})

test('NDJSON has a line for each movement, and null for what it lacks', async () => {
  const definition: LayoutDefinition = {
    format: 'ndjson',
    records: [
      {
        name: 'movement',
        columns: [
          { heading: 'name', source: 'person.name' },
          { heading: 'born', source: 'person.date-of-birth' },
          { heading: '__proto__', literal: 'x' },
          { heading: 'phone', source: 'person.phone' },
        ],
      },
    ],
  }
  const file = await renderMovements(definition, {}, [movement({ 'person.name': 'Zoë "Z"' })])
  expect(Buffer.from(file.content).toString()).toBe(
    '{"name":"Zoë \\"Z\\"","born":"1990-01-31","__proto__":"x","phone":null}\n',
  )
})

test('a total that is longer than its column keeps all movements out of the file', async () => {
  const columns = (column: LayoutColumn): LayoutDefinition => ({
    ...fixed,
    records: [
      { name: 'movement', columns: [{ at: 1, length: 35, source: 'person.name' }] },
      { name: 'trailer', emit: 'once-last', columns: [column] },
    ],
  })
  const movements = (count: number) =>
    Array.from({ length: count }, (_, n) => movement({ 'person.name': 'Ana' }, `family-${n}`))
  const total = { at: 41, length: 1, total: 'count:movement' }
  const nine = await renderMovements(columns(total), header, movements(9))
  expect(linesOf(nine.content).at(-2)?.slice(40, 42)).toBe('9 ')
  const ten = await renderMovements(columns(total), header, movements(10))
  const problem = { code: 'value-too-long', field: 'count:movement', column: '41' }
  expect(ten.items).toEqual(Array.from({ length: 10 }, () => ({ lineNumbers: [], problems: [problem] })))
  const cut = await renderMovements(columns({ ...total, overflow: 'truncate' }), header, movements(10))
  expect(linesOf(cut.content).at(-2)?.slice(40, 42)).toBe('1 ')
})

test('a file with more cells than one may have is not written; what keeps movements out of it is named', async () => {
  const columns = Array.from({ length: 200 }, (_, n) => ({ heading: `${n}`, source: 'person.name' as const }))
  const required = { heading: 'mother', source: 'person.mothers-name' as const, required: true }
  const definition: LayoutDefinition = {
    format: 'csv',
    records: [{ name: 'movement', columns: [...columns, required] }],
  }
  const complete = movement({ 'person.name': 'Ana', 'person.mothers-name': 'Eva' })
  const movements = [...Array.from({ length: 10_000 }, () => complete), movement({ 'person.name': 'Ana' })]
  const file = await renderMovements(definition, header, movements)
  expect([file.isTooLarge, file.content.length < 10]).toEqual([true, true])
  expect(file.items.slice(-2)).toEqual([
    { lineNumbers: [], problems: [] },
    { lineNumbers: [], problems: [{ code: 'field-missing', field: 'person.mothers-name', column: 'mother' }] },
  ])
  const most = await renderMovements(definition, header, movements.slice(0, 9_000))
  expect([most.isTooLarge, most.items.at(-1)?.lineNumbers]).toEqual([false, [9_000]])
})

test('the same movements are the same bytes', async () => {
  const movements = [movement({ 'person.name': 'Ana', 'plan.carrier-plan-code': 'A1' })]
  const { 'header-lines': _, ...workbook } = csv({ format: 'xlsx' })
  for (const definition of [fixed, csv(), workbook]) {
    const [one, other] = await Promise.all([
      renderMovements(definition, header, movements),
      renderMovements(definition, header, movements),
    ])
    expect(one).toEqual(other)
  }
})
