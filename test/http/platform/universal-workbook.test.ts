import { beforeAll, describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { universalWorkbook } from '#registry/layouts/built-in/universal-workbook.ts'
import { bookOf, rowOf, textCell } from '../../platform/tables/workbook.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  nextCpf,
  premium,
  primary,
  useCompany,
  useTestApp,
} from '../../world/test-app.ts'

/* The workbook of all carriers as a table: the headings are those that its layout writes. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
const { records } = universalWorkbook['universal-workbook'].definition
const allSheets = [...new Set(records.map(({ sheet = '' }) => sheet))]

type Row = Readonly<Record<string, string>>

const headingsOf = (sheet: string) =>
  records.find((record) => record.sheet === sheet)?.columns.map(({ heading = '' }) => heading) ?? []

/** The workbook with these rows, every sheet with its headings, below a title. @throws for a heading that the sheet does not have. */
function workbook(rows: Readonly<Record<string, readonly Row[]>>, names = allSheets): Buffer {
  const sheets = names.map((name) => {
    const headings = headingsOf(name)
    const lines = (rows[name] ?? []).map((row) => {
      for (const heading of Object.keys(row)) expect(headings).toContain(heading)
      return headings.map((heading) => row[heading] ?? '')
    })
    return { name, xml: [[name], headings, ...lines].map((cells) => rowOf(cells.map(textCell))).join('') }
  })
  return bookOf({ sheets })
}

const csvOf = ({ columns, rows }: Json): string =>
  [columns.map(({ heading }: Json) => heading), ...rows.map(({ cells }: Json) => cells)]
    .map((cells) => `${cells.join(';')}\n`)
    .join('')

const send = (body: string | Buffer, movement: string, query = ''): Promise<ApiResponse> =>
  partner.post(
    `/v1/table?movement=${movement}&company-tax-id=${company.taxId}&start-option=on-inclusion-date${query}`,
    body,
    { 'content-type': typeof body === 'string' ? 'text/csv' : xlsxType },
  )
const read = async (body: string | Buffer, movement: string): Promise<Json> =>
  expectOk(await send(body, movement)).body.result
const judge = (batch: Json, movement: string, query = '?dry-run=true') =>
  partner.post(`/v1/enrollment/${movement}${query}`, batch)
const without = (...names: string[]) => allSheets.filter((name) => !names.includes(name))

const contract = { Operadora: 'Operadora Aurora', 'Nº da apólice/contrato': '4711' }
const person = (cpf: string, more: Row): Row => ({
  ...contract,
  'Código/Nome do Plano': health.toUpperCase(),
  'Nome Segurado': 'Ana Lima',
  Sexo: 'Feminino',
  'Data de Nascimento': '29/02/1980',
  'Nº CPF': cpf,
  'Estado Civil': 'Casado(a)',
  'Nome da Mãe': 'Eva Lima',
  ...more,
})
const family = 'Inclusão grupo familiar'
const excluded = (cpf: string, more: Row = {}): Row => ({
  ...contract,
  'Tipo de Exclusão': 'Titular',
  'Nome do Titular': 'Ana Lima',
  'CPF Titular': cpf,
  'Data de Cancelamento': '30/11/2026',
  Motivo: 'Pedido de demissão',
  ...more,
})
const altered = (cpf: string, more: Row): Row => ({
  ...contract,
  'Nome Cadastrado': 'Ana Lima',
  'CPF Cadastrado': cpf,
  ...more,
})

let covered: readonly string[]
beforeAll(async () => {
  const members = [primary(), primary(), primary()]
  await testApp.include(partner, company, members, '?resolution=approve')
  covered = members.map((member) => member['tax-id'])
})

test('a workbook with 2 inclusions, 1 exclusion and 1 alteration is read three times, each time with the names of the other sheets', async () => {
  const [one, other] = [nextCpf(), nextCpf()]
  const [leaving = '', changing = ''] = covered
  const book = workbook({
    [family]: [
      person(one, { 'Grau de Parentesco': 'Titular', Matrícula: 'V-1', 'Data de admissão': '01/10/2026' }),
      person(other, { 'Grau de Parentesco': 'Titular', Matrícula: 'V-2', Cidade: 'Campinas', Banco: '001' }),
    ],
    Exclusão: [excluded(leaving)],
    'Alteração titular': [
      altered(changing, {
        'Plano Novo': premium,
        'Motivo da Alteração de Plano': 'Promoção',
        'Inicio de Vigência': '01/01/2027',
        'Estado Civil': 'Divorciado(a)',
        'Nome do Logradouro': 'Rua Azul',
      }),
    ],
  })

  const inclusions = await read(book, 'inclusion')
  expect(inclusions).toMatchObject({ missing: [], 'row-errors': [], 'unknown-values': [], 'total-rows': 2 })
  expect(inclusions['sheets-read']).toEqual([
    { sheet: family, 'from-line': 1 },
    { sheet: 'Inclusão dependente', 'from-line': 5 },
  ])
  expect(inclusions['sheets-not-read']).toEqual(without(family, 'Inclusão dependente'))
  expect(inclusions.batch.members).toMatchObject([
    {
      'tax-id': one,
      'beneficiary-type': 'primary',
      name: 'Ana Lima',
      gender: 'female',
      'date-of-birth': '1980-02-29',
      'marital-status': 'married',
      'mothers-name': 'Eva Lima',
      'employee-id': 'V-1',
      'admission-date': '2026-10-01',
      products: { 'health-insurance': [{ name: health.toUpperCase(), 'start-option': 'on-inclusion-date' }] },
    },
    { 'tax-id': other, 'employee-id': 'V-2', 'address-city': 'Campinas', 'bank-number': '001' },
  ])
  expect(expectOk(await judge(inclusions.batch, 'inclusion')).body).toMatchObject({ 'dry-run': true })

  const exclusions = await read(book, 'exclusion')
  expect(exclusions['sheets-not-read']).toEqual(without('Exclusão'))
  expect(exclusions.batch.members).toEqual([
    {
      'tax-id': leaving,
      'product-id': company.products[health],
      'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'resignation' },
    },
  ])
  expect(expectOk(await judge(exclusions.batch, 'exclusion')).body).toEqual({ 'dry-run': true })

  const alterations = await read(book, 'alteration')
  expect(alterations['sheets-not-read']).toEqual(without('Alteração titular', 'Alteração dependente'))
  expect(alterations.batch.members).toEqual([
    {
      'tax-id': changing,
      'alteration-data': {
        'new-product-id': company.products[premium],
        reason: 'Promoção',
        'requested-start-date': '2027-01-01',
        'marital-status': 'divorced',
        'address-street': 'Rua Azul',
      },
    },
  ])
  expect(expectOk(await judge(alterations.batch, 'alteration')).body).toEqual({ 'dry-run': true })
  for (const [movement, { batch }] of Object.entries({
    inclusion: inclusions,
    exclusion: exclusions,
    alteration: alterations,
  })) {
    const { body } = expectOk(await judge(batch, movement, ''))
    expect(await testApp.finished(partner, body['request-id'])).toMatchObject({
      'request-type': movement,
      status: 'completed',
    })
  }
})

describe('a family', () => {
  test('belongs to the primary with the same number of employee, else to the one above', async () => {
    const [one, child, other, spouse, lost] = Array.from({ length: 5 }, () => nextCpf())
    const dependentOf = (cpf = '', more: Row = {}) =>
      person(cpf, { 'Grau de Parentesco': 'Filho(a)', 'Data de Nascimento': '07/06/2015', ...more })
    const book = workbook({
      [family]: [
        dependentOf(child, { Matrícula: 'V-7' }),
        person(other ?? '', { 'Grau de Parentesco': 'Titular' }),
        dependentOf(spouse, { 'Grau de Parentesco': 'Cônjuge', 'Data de Nascimento': '01/02/1981' }),
        person(one ?? '', { 'Grau de Parentesco': 'Titular', Matrícula: 'V-7' }),
        dependentOf(lost, { Matrícula: 'V-8' }),
      ],
    })
    const table = await read(book, 'inclusion')
    const shown = (members: Json[]) =>
      members.map((one) => [one['tax-id'], one['beneficiary-type'], one['primary-member-tax-id'], one['employee-id']])
    const expected = [
      [child, 'dependent', one, undefined],
      [other, 'primary', undefined, undefined],
      [spouse, 'dependent', other, undefined],
      [one, 'primary', undefined, 'V-7'],
      [lost, 'dependent', undefined, undefined],
    ]
    expect(shown(table.batch.members)).toEqual(expected)
    const judged = await judge(table.batch, 'inclusion')
    expect(judged.body.result.map(({ index, offenses }: Json) => [index, offenses])).toEqual([
      [4, ['missing-primary-member-tax-id']],
    ])
    // The rows as CSV, as they are sent again when a cell was corrected, or some rows were left out.
    const corrected = { ...table, rows: table.rows.slice(4).map((row: Json) => ({ ...row, cells: [...row.cells] })) }
    const at = table.columns.findIndex(({ field }: Json) => field === 'primary-member-tax-id')
    corrected.rows[0].cells[at] = covered[2]
    const again = await read(csvOf(corrected), 'inclusion')
    expect(shown(again.batch.members)).toEqual([[lost, 'dependent', covered[2], undefined]])
    expect(expectOk(await judge(again.batch, 'inclusion')).body).toEqual({ 'dry-run': true })
  })

  test('gets dependents of covered primaries from the sheet of dependents, which has no product: the service asks for it', async () => {
    const [cpf, child] = [nextCpf(), nextCpf()]
    const row = {
      ...contract,
      'Nome do Titular': 'Ana Lima',
      'CPF Titular': covered[2] ?? '',
      'Nome Dependente': 'Léo Lima',
      'CPF do Dependente': child,
      'Data de Nascimento': '07/06/2015',
      Sexo: 'Masculino',
      'Grau de Parentesco': 'Filho(a)',
      'Nome da Mãe do dependente': 'Ana Lima',
    }
    const alone = await read(
      workbook({ 'Inclusão dependente': [row] }, ['Inclusão dependente', 'Exclusão']),
      'inclusion',
    )
    expect(alone).toMatchObject({ missing: ['product-name'], batch: null, 'sheets-not-read': ['Exclusão'] })
    const both = workbook({
      [family]: [person(cpf, { 'Grau de Parentesco': 'Titular' })],
      'Inclusão dependente': [row],
    })
    const { batch } = await read(both, 'inclusion')
    expect(batch.members[1]).toMatchObject({
      'tax-id': child,
      name: 'Léo Lima',
      'beneficiary-type': 'dependent',
      'primary-member-tax-id': covered[2],
      'mothers-name': 'Ana Lima',
      products: {},
    })
    const judged = await judge(batch, 'inclusion')
    expect(judged.body.result.map(({ index }: Json) => index)).toEqual([1])
  })
})

test('an exclusion of a dependent, of whom the workbook has the name only, is not one of the primary: the service asks for the CPF', async () => {
  const [primaryCpf = '', child] = [covered[2], nextCpf()]
  await testApp.include(partner, company, [dependent(primaryCpf, { 'tax-id': child })], '?resolution=approve')
  const ofDependent = { 'Tipo de Exclusão': 'Dependente', 'Nome Dependente': 'Léo Lima', Motivo: 'Outro' }
  const book = workbook({
    Exclusão: [
      excluded(primaryCpf, ofDependent),
      excluded(primaryCpf, { ...ofDependent, 'Tipo de Exclusão': '' }),
      excluded(primaryCpf, { ...ofDependent, 'Nome Dependente': '' }),
    ],
  })
  const table = await read(book, 'exclusion')
  for (const member of table.batch.members) {
    expect(member).toMatchObject({ 'product-id': company.products[health] })
    expect(member).not.toHaveProperty('tax-id')
  }
  const judged = await judge(table.batch, 'exclusion')
  expect(judged.body.result.map(({ offenses }: Json) => offenses)).toEqual([
    expect.arrayContaining(['invalid-tax-id']),
    expect.arrayContaining(['invalid-tax-id']),
    expect.arrayContaining(['invalid-tax-id']),
  ])
  // The column for it is there, and the table is read again as CSV.
  const at = table.columns.findIndex(({ field }: Json) => field === 'tax-id')
  const [row] = table.rows
  const corrected = {
    ...table,
    rows: [{ ...row, cells: row.cells.map((cell: string, i: number) => (i === at ? child : cell)) }],
  }
  const again = await read(csvOf(corrected), 'exclusion')
  expect(again.batch.members).toMatchObject([{ 'tax-id': child, 'product-id': company.products[health] }])
})

/** The people of a batch of exclusions, and what is selected of each. */
const selected = ({ batch }: Json): Json[] =>
  batch.members.map((member: Json) => {
    const { 'exclusion-details': details, ...others } = member
    expect(details).toBeDefined()
    return others
  })

test('an exclusion of a company with one carrier is of everything, and of a dependent of what it has as one', async () => {
  const product = {
    'product-name': health,
    'product-type': 'health-insurance',
    'carrier-name': 'Operadora Aurora',
    'allowed-dependent-types': ['child'],
    'allowed-start-options': ['on-inclusion-date'],
  }
  const own = await testApp.company({ products: [product] })
  const ownPartner = await testApp.partner(own.taxId)
  const [cpf, child] = [nextCpf(), nextCpf()]
  const rows = [excluded(cpf), excluded(cpf, { 'Nome Dependente': 'Léo Lima' })]
  const path = `/v1/table?movement=exclusion&company-tax-id=${own.taxId}`
  const readOwn = async (body: string | Buffer, type: string) =>
    expectOk(await ownPartner.post(path, body, { 'content-type': type })).body.result
  const table = await readOwn(workbook({ Exclusão: rows }), xlsxType)
  expect(selected(table)).toEqual([{ 'tax-id': cpf }, { 'primary-member-tax-id': cpf }])
  const at = table.columns.findIndex(({ field }: Json) => field === 'tax-id')
  const again = await readOwn(csvOf({ ...table, rows: [{ cells: table.rows[1].cells.with(at, child) }] }), 'text/csv')
  expect(selected(again)).toEqual([{ 'tax-id': child, 'primary-member-tax-id': cpf }])
})

describe('an exclusion of a company with several carriers', () => {
  const health2 = 'Saúde Boreal'
  const carriers = [
    [health, 'Operadora Aurora'],
    [dental, 'Operadora Aurora'],
    [health2, 'Operadora Boreal'],
  ] as const
  let own: Company
  let ownPartner: Client
  beforeAll(async () => {
    const products = carriers.map(([name, carrier]) => ({
      'product-name': name,
      'product-type': name === dental ? 'dental-insurance' : 'health-insurance',
      'carrier-name': carrier,
      'allowed-dependent-types': ['child'],
      'allowed-start-options': ['on-inclusion-date'],
    }))
    own = await testApp.company({ products })
    ownPartner = await testApp.partner(own.taxId)
  })
  const readOwn = async (body: string | Buffer): Promise<Json> => {
    const type = typeof body === 'string' ? 'text/csv' : xlsxType
    const path = `/v1/table?movement=exclusion&company-tax-id=${own.taxId}`
    return expectOk(await ownPartner.post(path, body, { 'content-type': type })).body.result
  }

  test('is of the product of the carrier that the row names, never of more', async () => {
    const [primaryCpf, other, child] = [nextCpf(), nextCpf(), nextCpf()]
    const products = inProduct('health-insurance', health2)
    const all = {
      'health-insurance': [health2, health].map((name) => ({ name, 'start-option': 'on-inclusion-date' })),
      ...inProduct('dental-insurance', dental),
    }
    const members = [
      primary({ 'tax-id': primaryCpf, products: all }),
      primary({ 'tax-id': other, products }),
      dependent(primaryCpf, { 'tax-id': child, products }),
    ]
    await testApp.include(ownPartner, own, members, '?resolution=approve')
    const ofCarrier = (Operadora: string, more: Row = {}) => excluded(primaryCpf, { Operadora, ...more })
    const book = workbook({
      Exclusão: [
        ofCarrier('OPERADORA BOREAL', { 'CPF Titular': primaryCpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4') }),
        ofCarrier('Operadora Aurora'),
        ofCarrier('Outra'),
        ofCarrier(''),
        ofCarrier('Operadora Boreal', { 'Tipo de Exclusão': 'Dependente' }),
        excluded(other, { Operadora: 'Operadora Aurora' }),
      ],
    })
    const table = await readOwn(book)
    const productId = own.products[health2]
    expect(selected(table)).toEqual([
      { 'tax-id': primaryCpf, 'product-id': productId },
      // The person has two products of the carrier: the service asks which.
      { 'tax-id': primaryCpf, 'product-id': 'Operadora Aurora' },
      { 'tax-id': primaryCpf, 'product-id': 'Outra' },
      { 'tax-id': primaryCpf },
      { 'product-id': productId },
      // It has no product of the carrier.
      { 'tax-id': other, 'product-id': 'Operadora Aurora' },
    ])
    // Corrected: a blank cell is everything, and a dependent has one selector.
    const at = (name: string) => table.columns.findIndex(({ field }: Json) => field === name)
    const rows = [table.rows[1].cells.with(at('product-id'), ''), table.rows[4].cells.with(at('tax-id'), child)].map(
      (cells) => ({ cells }),
    )
    const again = await readOwn(csvOf({ ...table, rows }))
    expect(selected(again)).toEqual([{ 'tax-id': primaryCpf }, { 'tax-id': child, 'product-id': productId }])
    for (const one of [table.batch.members[0], ...again.batch.members]) {
      const batch = { 'company-tax-id': own.taxId, members: [one] }
      expect(expectOk(await ownPartner.post('/v1/enrollment/exclusion?dry-run=true', batch)).body).toMatchObject({
        'dry-run': true,
      })
    }
  })
})

test('what a sheet of alterations says of the present data alters nothing; a company of its own and a CPF are altered', async () => {
  const other = await testApp.company()
  const cpf = nextCpf()
  const book = workbook({
    'Alteração titular': [
      altered(covered[2] ?? '', {
        'Nome Correto': 'Ana Melo',
        'Data de Nascimento Cadastrada': '29/02/1980',
        'CPF Correto': cpf,
        'E-mail': 'ana@example.com',
        'CNPJ Novo': other.taxId,
      }),
    ],
    'Alteração dependente': [
      altered(nextCpf(), { 'Nome Correto': 'Léo Melo', 'Grau de Parentesco Cadastrado': 'Filho(a)' }),
    ],
  })
  const { batch } = await read(book, 'alteration')
  expect(batch.members.map((one: Json) => one['alteration-data'])).toEqual([
    { name: 'Ana Melo', 'tax-id': cpf, email: 'ana@example.com', 'new-company-tax-id': other.taxId },
    { name: 'Léo Melo' },
  ])
})

test('a workbook without a sheet of the kind has no table of it, also when another sheet is named', async () => {
  const book = workbook({ Transferência: [] }, ['Exclusão', '2ª via de cartão', 'Transferência'])
  for (const query of ['', '&sheet=Exclus%C3%A3o']) {
    const { status, body } = await send(book, 'alteration', query)
    expect([status, body.details.map(({ code }: Json) => code)]).toEqual([400, ['invalid']])
  }
  expect(await read(book, 'exclusion')).toMatchObject({
    'total-rows': 0,
    'sheets-not-read': ['2ª via de cartão', 'Transferência'],
  })
})

const ofContract = ['Operadora', 'Nº da apólice/contrato', 'Nº Sub', 'Lote ou Chamado']

test.for([
  [
    'inclusion',
    [family, 'Inclusão dependente'],
    ['Inicio de Vigência', 'Início de Vigência Programada', 'Sequência', 'Nome do Titular', 'Sequencia'],
  ],
  ['exclusion', ['Exclusão'], ['Tipo de Exclusão', 'Matrícula', 'Nome do Titular', 'Nome Dependente', 'Sequencia']],
  [
    'alteration',
    ['Alteração titular', 'Alteração dependente'],
    [
      'Tipo de Alteração',
      'Início de Vigência Programada',
      'Matrícula',
      'Matrícula Nova',
      'Nº Centro de Custo Novo',
      'Nome Centro de Custo Novo',
      'Nome Cadastrado',
      'Data de Nascimento Cadastrada',
      'Sequência',
      'Nº da apólice/contrato Novo',
      'Nº Sub Novo',
      'Grau de Parentesco Cadastrado',
    ],
  ],
] as const)('every heading of the sheets of %s is a column, but these', async ([movement, names, others]) => {
  const filled = records
    .filter(({ sheet = '' }) => names.some((name) => name === sheet))
    .flatMap(({ columns }) => columns.flatMap(({ heading = '', source }) => (source === undefined ? [] : [heading])))
  const known = new Set<string>()
  for (const name of names) {
    const { columns } = await read(workbook({}, [name]), movement)
    for (const { heading, field } of columns) if (field !== null) known.add(heading)
  }
  expect(new Set(filled.filter((heading) => !known.has(heading)))).toEqual(new Set([...ofContract, ...others]))
})
