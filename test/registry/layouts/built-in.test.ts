import { expect, test } from 'vitest'
import { BUILT_IN_LAYOUTS } from '#registry/rules/layout.ts'
import { BUILT_IN } from '#registry/layouts/built-in/built-in.ts'
import type { LayoutDefinition } from '#registry/layouts/definition.ts'
import { namesHealthData } from '#registry/rules/layout-fields.ts'
import { type LayoutInput, readLayout } from '#registry/layouts/layout.ts'
import { parseFile } from '#registry/layouts/parse.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import type { MovementRecord } from '#registry/layouts/types.ts'
import { shownLines } from '#registry/layouts/shown-lines.ts'

const layout = (id: string): LayoutInput => {
  const found = BUILT_IN.get(id)
  if (found === undefined) throw new Error(`no layout ${id}`)
  return found
}
const definition = (id: string) => layout(id).definition
const columnsOf = (id: string) => definition(id).records.map(({ name, columns }) => [name, columns.length])

test('the built-in layouts have the directions that contracts know of them', () => {
  const directions = [...BUILT_IN].map(([id, { direction }]) => [id, direction])
  expect(Object.fromEntries(directions)).toEqual(BUILT_IN_LAYOUTS)
})

test.each([...BUILT_IN])(
  '%s is one that an operator could send, says where it is from, and leaves health data out',
  (_id, one) => {
    expect(readLayout(Buffer.from(JSON.stringify(one)))).toEqual({ layout: one })
    expect(one.source).toMatch(/^[A-Z].*[^ ]$/)
    const ofHealth = one.definition.records
      .flatMap(({ columns }) => columns)
      .filter(({ heading = '', literal, drop }) => namesHealthData(heading) && literal !== '' && drop !== true)
    expect(ofHealth).toEqual([])
  },
)

test('the files have the columns of their carriers', () => {
  expect(columnsOf('mecsas')).toEqual([['movement', 100]])
  expect(columnsOf('mecsas-acknowledgement')).toEqual([['answer', 100]])
  expect(columnsOf('universal-workbook')).toEqual([
    ['family-primary', 54],
    ['family-dependent', 54],
    ['dependent', 31],
    ['exclusion', 20],
    ['primary-alteration', 50],
    ['dependent-alteration', 32],
    ['second-card', 19],
    ['transfer', 22],
  ])
  const columns = definition('mecsas').records.flatMap((record) => record.columns)
  const at = (from: number, until: number) => columns.slice(from - 1, until).map(({ heading }) => heading)
  expect(at(64, 65)).toEqual(['COD STATUS', 'COD ERRO'])
  expect(at(88, 97)).toEqual(Array.from({ length: 10 }, (_, index) => `CID${index + 1}`))
  expect(at(98, 100)).toEqual(['IBGE', 'CBO', 'DIF TRANSFERENCIA'])
})

const header = { 'contract.contract-number': '900001', 'contract.sub-contract': '0002', 'shipment.number': '7' }
const base = {
  'movement.kind': 'inclusion',
  'movement.beneficiary-type': 'primary',
  'movement.start-date': '2026-12-01',
  'contract.contract-number': '900001',
  'contract.carrier-name': 'Operadora Aurora',
  'contract.carrier-company-code': 'EMP-0042',
  'plan.carrier-plan-code': 'AE1230',
  'plan.product-name': 'Saúde Essencial',
  'person.name': "João D'Ávila",
  'person.tax-id': '52998224725',
  'person.date-of-birth': '1990-01-31',
  'person.gender': 'male',
  'person.marital-status': 'married',
  'person.relationship': 'primary',
  'primary.name': "João D'Ávila",
  'primary.tax-id': '52998224725',
  'primary.employee-id': 'M-17',
} as const

function movement(id: string, more: Readonly<Record<string, string>> = {}): MovementRecord {
  return { enrollmentId: id, familyId: 'family', values: { ...base, 'movement.enrollment-id': id, ...more } }
}

const child = {
  'movement.beneficiary-type': 'dependent',
  'person.name': 'Inês D’Ávila',
  'person.tax-id': '11144477735',
  'person.gender': 'female',
  'person.relationship': 'child',
  'primary.status': 'pending',
}
const exclusion = {
  'movement.kind': 'exclusion',
  'movement.end-date': '2026-11-30',
  'movement.exclusion-reason': 'dismissal',
}

const mecsasCodes = {
  SEXO: { male: 'M', female: 'F' },
  GP: { primary: '0', child: '2' },
  CODMOVEXCLUSAO: { dismissal: '1', retirement: '2' },
  CODOPERACAO: { inclusion: 'I', exclusion: 'E' },
}

/** A copy with the codes of the columns, by their headings. */
function withMaps(layout: LayoutDefinition, maps: Readonly<Record<string, Record<string, string>>>): LayoutDefinition {
  const records = layout.records.map((record) => ({
    ...record,
    columns: record.columns.map((column) => {
      return column.map === undefined ? column : { ...column, map: maps[column.heading ?? ''] ?? {} }
    }),
  }))
  return { ...layout, records }
}

test('MECSAS says which of its codes were not found, and a copy with them is written', async () => {
  const mecsas = definition('mecsas')
  const refused = await renderMovements(mecsas, header, [movement('1'), movement('2', exclusion)])
  expect(refused.items.map(({ problems }) => problems.map(({ code, column }) => [code, column]))).toEqual([
    [
      ['no-code', 'SEXO'],
      ['no-code', 'GP'],
      ['no-code', 'CODOPERACAO'],
    ],
    [
      ['no-code', 'SEXO'],
      ['no-code', 'GP'],
      ['no-code', 'CODMOVEXCLUSAO'],
      ['no-code', 'CODOPERACAO'],
    ],
  ])
  const copy = withMaps(mecsas, mecsasCodes)
  const file = await renderMovements(copy, header, [movement('1'), movement('2', child), movement('3', exclusion)])
  expect(file.items.map(({ lineNumbers, problems }) => [lineNumbers, problems])).toEqual([
    [[3], []],
    [[4], []],
    [[5], []],
  ])
  const lines = Buffer.from(file.content).toString('latin1').split('\r\n')
  expect(lines).toHaveLength(6)
  const cells = lines.slice(1, 5).map((line) => line.split(';'))
  expect(cells.map(({ length }) => length)).toEqual([100, 100, 100, 100])
  expect(cells[1]?.slice(0, 17)).toEqual([
    '1',
    'EMP-0042',
    'M-17',
    '',
    '',
    '',
    '',
    '',
    '',
    'AE1230',
    '20261201',
    '52998224725',
    "JOAO D'AVILA",
    '19900131',
    'M',
    '',
    '0',
  ])
  expect(cells[3]?.slice(50, 53)).toEqual(['20261130', '1', 'E'])
  expect(cells[2]?.slice(87, 97)).toEqual(Array.from({ length: 10 }, () => ''))
})

// Retired after 40 months of contribution, and keeps the plan.
const continued = {
  ...exclusion,
  'movement.exclusion-reason': 'retirement',
  'movement.contributed': 'true',
  'movement.contribution-months': '40',
  'movement.continuation-ground': 'retirement',
  'movement.option': 'accepted',
}

test('the columns 76 to 79 of MECSAS have what the carrier must know of a person who may keep the plan', async () => {
  const mecsas = definition('mecsas')
  const [refused] = (await renderMovements(mecsas, header, [movement('1', continued)])).items
  expect(refused?.problems.slice(4).map(({ code, column }) => [code, column])).toEqual([
    ['no-code', 'INDICADOR DE SEGURADO CONTRIBUTARIO'],
    ['no-code', 'INDICADOR DA CONDICAO DO EX-EMPREGADO'],
    ['no-code', 'INDICADOR DE PERMANENCIA NO PLANO'],
  ])
  const copy = withMaps(mecsas, {
    ...mecsasCodes,
    'INDICADOR DE SEGURADO CONTRIBUTARIO': { true: 'S', false: 'N' },
    'INDICADOR DA CONDICAO DO EX-EMPREGADO': { dismissal: 'D', retirement: 'A' },
    'INDICADOR DE PERMANENCIA NO PLANO': { accepted: 'S', declined: 'N', 'no-answer': '' },
  })
  const { content } = await renderMovements(copy, header, [movement('1', continued), movement('2', exclusion)])
  const person = ";EMP-0042;M-17;;;;;;;AE1230;20261201;52998224725;JOAO D'AVILA;19900131;M;;0"
  const line = (position: number, reason: string, ofContinuation: string) =>
    `${position}${person}${';'.repeat(34)}20261130;${reason};E${';'.repeat(23)}${ofContinuation};JOAO D'AVILA${';'.repeat(20)}`
  const lines = Buffer.from(content).toString('latin1').split('\r\n')
  expect(lines.slice(2)).toEqual([line(1, '2', 'S;A;S;40'), line(2, '1', ';;;'), ''])
})

test('MECSAS comes back with a status and an error in each line, and diagnoses are not read', async () => {
  const answer = definition('mecsas-acknowledgement')
  const filled = {
    ...answer,
    records: answer.records.map((record) => ({
      ...record,
      columns: record.columns.map((column) =>
        column.heading === 'COD STATUS' ? { ...column, map: { A: 'accepted', R: 'refused' } } : column,
      ),
    })),
  }
  const line = (status: string, error: string) =>
    Array.from(
      { length: 100 },
      (_, index) => ({ 11: '52998224725', 63: status, 64: error, 87: 'F32' })[index] ?? '',
    ).join(';')
  const bytes = Buffer.from(['MECSAS', 'x', line('A', ''), line('R', '17'), line('?', '')].join('\r\n'))
  const parsed = await parseFile(filled, bytes)
  expect(parsed.lines.map(({ line: number, values }) => [number, values])).toEqual([
    [3, { 'person.tax-id': '52998224725', 'acknowledgement.outcome': 'accepted' }],
    [4, { 'person.tax-id': '52998224725', 'acknowledgement.outcome': 'refused', 'acknowledgement.code': '17' }],
  ])
  expect(parsed.refused).toEqual([
    { line: 5, cells: [{ column: 'COD STATUS', target: 'acknowledgement.outcome', code: 'no-code' }] },
  ])
  expect(JSON.stringify(parsed)).not.toContain('F32')
  expect((await parseFile(answer, bytes)).lines).toEqual([])
})

test('the universal workbook has each movement on its sheet', async () => {
  const file = await renderMovements(definition('universal-workbook'), header, [
    movement('1'),
    movement('2', child),
    movement('3', { ...child, 'primary.status': 'active' }),
    movement('4', exclusion),
    movement('5', {
      'movement.kind': 'alteration',
      'former.name': 'João Ávila',
      'former.tax-id': '52998224725',
      'changed.name': "João D'Ávila",
    }),
  ])
  expect(file.items.map(({ problems }) => problems)).toEqual([[], [], [], [], []])
  expect(file.items.map(({ lineNumbers }) => lineNumbers)).toEqual([[2], [3], [2], [2], [2]])
  const shown = await shownLines(definition('universal-workbook'), file.content)
  const rowsOf = (sheet: string) => shown.filter((line) => line.sheet === sheet).map(({ text }) => text.split(';'))
  expect(new Set(shown.map(({ sheet }) => sheet)).size).toBe(7)
  const family = rowsOf('Inclusão grupo familiar')
  expect(family[0]?.slice(0, 6)).toEqual([
    'Operadora',
    'Nº da apólice/contrato',
    'Nº Sub',
    'Inicio de Vigência',
    'Início de Vigência Programada',
    'Código/Nome do Plano',
  ])
  expect(family[1]?.slice(3, 16)).toEqual([
    '2026-12-01',
    '',
    'Saúde Essencial',
    'M-17',
    '',
    '',
    "João D'Ávila",
    'Masculino',
    '1990-01-31',
    '52998224725',
    'Casado(a)',
    'Titular',
    '',
  ])
  expect(family[2]?.slice(9, 11)).toEqual(['Inês D’Ávila', 'Feminino'])
  const altered = rowsOf('Alteração titular')
  expect(altered[1]?.slice(13, 15)).toEqual(['João Ávila', "João D'Ávila"])
})

const roster = (type: string, cells: Readonly<Record<number, string>>) => {
  const line = Array.from({ length: 180 }, () => ' ')
  line[0] = type
  for (const [at, text] of Object.entries(cells)) {
    for (const [offset, character] of Array.from(text).entries()) line[Number(at) - 1 + offset] = character
  }
  return `${line.join('')}\r\n`
}

test('Bradesco’s roster is read: primaries, their cards and banks, and dependents', async () => {
  const family = { 2: '002', 5: '0001234' }
  const name = { 12: "JOÃO D'ÁVILA" }
  const text = [
    roster('1', { 2: 'CADASTRO' }),
    roster('2', {
      ...family,
      ...name,
      47: 'M-17',
      58: '1',
      59: '900131',
      65: '2',
      66: '52998224725',
      77: 'SOLDADOR',
      109: 'AE12',
      113: '77',
      125: '19900131',
      133: '20200106',
      141: '20200201',
      157: '00000000',
    }),
    roster('5', { ...family, ...name, 58: '004511207788', 73: 'MARIA' }),
    roster('9', { ...family, ...name, 58: '237', 61: '0123', 67: '4567' }),
    roster('3', {
      ...family,
      12: '01',
      14: 'INÊS',
      55: '2',
      56: '0',
      57: '2',
      76: '20200131',
      84: '20200201',
      112: '20261130',
      120: '00000000000',
      131: '0099',
      146: 'ANA',
    }),
  ]
  const parsed = await parseFile(definition('bradesco-roster'), Buffer.from(text.join(''), 'latin1'))
  const shared = { 'contract.sub-contract': '002', 'benefit.certificate': '0001234' }
  const ofPrimary = { ...shared, 'person.name': "JOÃO D'ÁVILA" }
  expect(parsed).toEqual({
    lines: [
      { line: 1, record: 'header', values: {} },
      {
        line: 2,
        record: 'primary',
        values: {
          ...ofPrimary,
          'registration.employee-id': 'M-17',
          'person.gender': 'male',
          'person.marital-status': 'married',
          'person.tax-id': '52998224725',
          'registration.job-title': 'SOLDADOR',
          'plan.carrier-plan-code': 'AE12',
          'benefit.special-registration': '77',
          'person.date-of-birth': '1990-01-31',
          'registration.admission-date': '2020-01-06',
          'benefit.start-date': '2020-02-01',
        },
      },
      {
        line: 3,
        record: 'complement',
        values: { ...ofPrimary, 'benefit.card-number': '004511207788', 'person.mothers-name': 'MARIA' },
      },
      {
        line: 4,
        record: 'bank',
        values: { ...ofPrimary, 'bank.number': '237', 'bank.branch-number': '0123', 'bank.account-number': '4567' },
      },
      {
        line: 5,
        record: 'dependent',
        values: {
          ...shared,
          'benefit.dependent-code': '01',
          'person.name': 'INÊS',
          'person.gender': 'female',
          'person.relationship': 'child',
          'person.date-of-birth': '2020-01-31',
          'benefit.start-date': '2020-02-01',
          'benefit.end-date': '2026-11-30',
          'benefit.card-number': '0099',
          'person.mothers-name': 'ANA',
        },
      },
    ],
    refused: [],
    skipped: 0,
    sheetsNotRead: [],
  })
})

test.each(['csv', 'xlsx', 'ndjson'] as const)(
  'the generic %s has every movement, and its answer is read',
  async (format) => {
    const movements = [
      movement('e-1'),
      movement('e-2', child),
      movement('e-3', exclusion),
      movement('e-4', { ...exclusion, 'movement.exclusion-reason': 'other' }),
    ]
    const file = await renderMovements(definition(`generic-${format}`), header, movements)
    expect(file.items.map(({ problems }) => problems)).toEqual([[], [], [], []])
    const answers = { ...definition(`generic-${format}-acknowledgement`) }
    const written = {
      ...answers,
      records: [
        {
          name: 'answer',
          columns: [
            { heading: 'outcome', literal: 'accepted' },
            { heading: 'enrollment-id', source: 'movement.enrollment-id' as const },
            { heading: 'start-date', source: 'movement.start-date' as const },
          ],
        },
      ],
    }
    const parsed = await parseFile(answers, (await renderMovements(written, {}, movements)).content)
    expect(parsed.refused).toEqual([])
    expect(parsed.lines.map(({ values }) => values)).toEqual(
      ['e-1', 'e-2', 'e-3', 'e-4'].map((id) => ({
        'movement.enrollment-id': id,
        'acknowledgement.outcome': 'accepted',
        'acknowledgement.start-date': '2026-12-01',
      })),
    )
  },
)

test('the workbook says where a transfer and a change of company go to, in Portuguese, and a dependent only where there is one', async () => {
  const workbook = definition('universal-workbook')
  const destination = {
    'destination.company-tax-id': '45723174000110',
    'destination.contract-number': '900002',
    'destination.sub-contract': '0417',
  }
  const ofChild = { ...child, 'dependent.name': child['person.name'] }
  const centre = { 'registration.cost-center': '4100', 'registration.cost-center-name': 'Solda' }
  const alteration = { 'movement.kind': 'alteration', 'movement.alteration-type': 'company', ...destination }
  const former = { 'former.name': 'A', 'former.tax-id': '52998224725' }
  const secondCard = {
    'movement.kind': 'second-card',
    'movement.reason': 'lost',
    'movement.second-card-reason': 'lost',
  }
  const file = await renderMovements(workbook, header, [
    movement('1', exclusion),
    movement('2', { ...ofChild, ...exclusion }),
    movement('3', { ...secondCard, ...centre }),
    movement('4', { ...alteration, ...former }),
    movement('5', { ...ofChild, ...alteration, ...former }),
    movement('6', { 'movement.kind': 'contract-transfer', 'movement.sub-contract': '0417' }),
  ])
  expect(file.items.flatMap(({ problems }) => problems)).toEqual([])
  const lines = await shownLines(workbook, file.content)
  const rowsOf = (name: string) => {
    const [headings = [], ...rows] = lines.filter(({ sheet }) => sheet === name).map(({ text }) => text.split(';'))
    return rows.map((row) => Object.fromEntries(headings.map((heading, at) => [heading, row[at]])))
  }
  expect(rowsOf('Exclusão').map((row) => row['Nome Dependente'])).toEqual(['', child['person.name']])
  expect(rowsOf('2ª via de cartão')).toMatchObject([
    { Motivo: 'Perda', 'Nome Dependente': '', 'Nº Centro de Custo': '4100', 'Nome Centro de Custo': 'Solda' },
  ])
  for (const sheet of ['Alteração titular', 'Alteração dependente']) {
    expect(rowsOf(sheet)).toMatchObject([
      { 'CNPJ Novo': '45723174000110', 'Nº da apólice/contrato Novo': '900002', 'Nº Sub Novo': '0417' },
    ])
  }
  expect(rowsOf('Transferência')).toMatchObject([{ 'Nº Sub Novo': '0417' }])
})

test('a CSV that a machine reads has texts as they are, one that people open executes none', async () => {
  const address = { 'address.complement': '-', 'address.street': '=1+1', 'person.name': '@ANA' }
  const cellsOf = async (layoutOf: LayoutDefinition) => {
    const file = await renderMovements(layoutOf, header, [movement('1', address)])
    const lines = Buffer.from(file.content).toString('latin1').split('\r\n')
    return lines.flatMap((line) => line.split(';'))
  }
  const mecsas = withMaps(definition('mecsas'), mecsasCodes)
  expect(await cellsOf(mecsas)).toEqual(expect.arrayContaining(['-', '=1+1', '@ANA']))
  const guarded = expect.arrayContaining(["'-", "'=1+1", "'@ANA"])
  const { 'formula-guard': machine, ...default_ } = mecsas
  expect(machine).toBe(false)
  expect(await cellsOf(default_)).toEqual(guarded)
  expect(await cellsOf({ ...mecsas, 'formula-guard': true })).toEqual(guarded)
  expect(await cellsOf(definition('generic-csv'))).toEqual(guarded)
})
