import { beforeEach, describe, expect, test } from 'vitest'
import { ALTERATION_FIELDS } from '#movements/rules/alteration-data.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOfRows, partOf } from '../../platform/tables/workbook.ts'
import { csv, holder, sendImport } from '../../world/import.ts'
import {
  type ApiResponse,
  expectOk,
  health,
  type Json,
  nextCpf,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/* Spreadsheets of companies before they are sent: headings and words of their own, the batch that they make, errors as a workbook, templates. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
const profile = () => `/v1/column-profile/${company.taxId}`
beforeEach(async () => {
  await testApp.operator.delete(`/operator/v1/column-profile/${company.taxId}`)
})

const headings = ['Tipo de beneficiário', 'CPF', 'Nome', 'Nome da mãe', 'Data de nascimento', 'Sexo', 'Produto']
const start = '&start-option=on-inclusion-date'
const rowOf = (cpf: string, more: Partial<Record<string, string>> = {}) =>
  headings.map(
    (heading, index) =>
      more[heading] ?? ['titular', cpf, 'Ana Lima', 'Eva Lima', '29/02/1980', 'F', health][index] ?? '',
  )
const textOf = (rows: readonly (readonly string[])[], separator = ';') =>
  rows.map((cells) => `${cells.join(separator)}\n`).join('')

interface Options {
  readonly movement?: string
  readonly query?: string
}

function send(body: string | Buffer, { movement = 'inclusion', query = '' }: Options = {}): Promise<ApiResponse> {
  const type = typeof body === 'string' ? 'text/csv' : xlsxType
  const path = `/v1/table?movement=${movement}&company-tax-id=${company.taxId}${query}`
  return partner.post(path, body, { 'content-type': type })
}
const read = async (body: string | Buffer, options?: Options): Promise<Json> =>
  expectOk(await send(body, options)).body.result

/** A workbook of the service. */
async function savedBook(path: string, token: string, init: RequestInit = {}): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}`, accept: xlsxType, 'content-type': 'text/csv' }
  const response = await fetch(`${testApp.url}${path}`, { ...init, headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, xlsxType])
  return Buffer.from(await response.arrayBuffer())
}

/** Judges what the table asks for. */
const judge = (batch: Json, movement = 'inclusion') => partner.post(`/v1/enrollment/${movement}?dry-run=true`, batch)

describe('a table of inclusions', () => {
  test('becomes the batch of its rows, whose lines it names: as CSV, with any separator, and as a workbook with a title', async () => {
    const [one, other] = [nextCpf(), nextCpf()]
    const rows = [headings, rowOf(one), rowOf(other), rowOf(one, { Produto: 'Dental Sorriso' })]
    const bodies = [
      textOf(rows),
      textOf(rows, ','),
      textOf([['Movimentações'], [], ...rows]),
      bookOfRows(rows),
      bookOfRows([['Movimentações de novembro'], [''], ...rows]),
    ]
    for (const [index, body] of bodies.entries()) {
      const table = await read(body, { query: start })
      const first = { 0: 1, 1: 1, 2: 3, 3: 1, 4: 3 }[index] ?? 0
      expect(table).toMatchObject({ 'header-row': first, missing: [], 'row-errors': [], 'total-rows': 3 })
      expect(table.columns.map(({ field }: Json) => field)).toEqual([
        'beneficiary-type',
        'tax-id',
        'name',
        'mothers-name',
        'date-of-birth',
        'gender',
        'product-name',
      ])
      expect(table['member-lines']).toEqual([[first + 1, first + 3], [first + 2]])
      expect(expectOk(await judge(table.batch)).body).toEqual({ 'dry-run': true })
    }
  })

  test('reads what a spreadsheet has done to its cells as an import does', async () => {
    const cpf = '01234567890'
    const table = await read(textOf([headings, rowOf(cpf.slice(1))]))
    expect(table.batch.members[0]).toMatchObject({ 'tax-id': cpf, 'date-of-birth': '1980-02-29', gender: 'female' })
  })

  test('without a needed column has no batch, and proposes columns for the headings that it does not know', async () => {
    const own = ['Tipo', 'CPF', 'Funcionário', 'Nome da mae.', 'Dt. nascimento', 'Gênero', 'Plano', 'Observação']
    const table = await read(textOf([own, [...rowOf(nextCpf()), 'x']]))
    expect(table.batch).toBe(null)
    expect(table.missing).toEqual([
      'beneficiary-type',
      'name',
      'mothers-name',
      'date-of-birth',
      'gender',
      'product-name',
    ])
    expect(table.columns.map(({ proposed }: Json) => proposed)).toEqual([
      'beneficiary-type',
      null,
      'name',
      'mothers-name',
      'date-of-birth',
      'gender',
      'product-name',
      null,
    ])
    expect(table.rows[0].cells.slice(2, 4)).toEqual(['Ana Lima', 'Eva Lima'])
  })

  test('may have one column for role and kinship', async () => {
    const [one, child] = [nextCpf(), nextCpf()]
    const own = ['Parentesco', 'CPF titular', ...headings.slice(1)]
    const rows = [own, ['Titular', '', ...rowOf(one).slice(1)], ['Filha', one, ...rowOf(child).slice(1)]]
    const columns = [{ heading: 'CPF titular', field: 'primary-member-tax-id' }]
    expectOk(await partner.put(profile(), { columns }))
    const table = await read(textOf(rows), { query: start })
    expect(table).toMatchObject({ missing: [], 'row-errors': [] })
    expect(table.batch.members).toMatchObject([
      { 'beneficiary-type': 'primary', 'tax-id': one },
      { 'beneficiary-type': 'dependent', 'dependent-type': 'child', 'primary-member-tax-id': one, 'tax-id': child },
    ])
  })

  test('is read by the profile that its company confirmed: headings and words', async () => {
    const own = ['Tipo', 'CPF', 'Funcionário', 'Mãe', 'Nascimento', 'Sexo', 'Plano']
    const text = textOf([own, rowOf(nextCpf(), { 'Tipo de beneficiário': 'empregado', Produto: 'Ouro' })])
    const fields = ['beneficiary-type', 'name', 'mothers-name', 'date-of-birth', 'product-name']
    const columns = ['tipo', 'FUNCIONARIO', 'mãe', 'Nascimento', 'Plano'].map((heading, index) => ({
      heading,
      field: fields[index],
    }))
    expectOk(await partner.put(profile(), { columns }))
    const table = await read(text)
    expect(table['unknown-values']).toEqual([
      { field: 'beneficiary-type', value: 'empregado', lines: 1 },
      { field: 'product-name', value: 'Ouro', lines: 1 },
    ])
    const values = [
      { field: 'beneficiary-type', value: 'Empregado', as: 'primary' },
      { field: 'product-name', value: 'OURO', as: health },
    ]
    const stored = expectOk(await partner.put(profile(), { columns, values })).body.result
    expect(expectOk(await partner.get(profile())).body.result).toEqual(stored)
    const again = await read(text, { query: start })
    expect(again['unknown-values']).toEqual([])
    expect(expectOk(await judge(again.batch)).body).toEqual({ 'dry-run': true })
    // Operators see, and use, what the company has confirmed.
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/column-profile/${company.taxId}`)).body
    expect(result).toEqual(stored)
    const line = holder(company, { gender: 'x' })
    const words = { columns: [], values: [{ field: 'gender', value: 'X', as: 'male' }] }
    expectOk(await testApp.operator.put(`/operator/v1/column-profile/${company.taxId}`, words))
    const options = { type: 'text/csv', query: `?dry-run=true&company-tax-id=${company.taxId}` }
    expect(expectOk(await sendImport(testApp.operator, csv([line]), options)).body).toMatchObject({ accepted: 1 })
  })

  test('has up to 10,000 rows under its header', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => [String(n)])
    expect(await read(textOf([['Admitidos'], ['CPF'], ...rows]))).toMatchObject({ 'total-rows': 10_000 })
    expect((await send(textOf([['CPF'], ...rows, ['1']]))).status).toBe(400)
  })

  test('has its headings in the row that is named', async () => {
    const rows = [headings, headings.map(() => 'xx'), rowOf(nextCpf())]
    expect(await read(textOf(rows), { query: '&header-row=2' })).toMatchObject({
      'header-row': 2,
      'total-rows': 1,
      batch: null,
    })
    expect((await send(textOf(rows), { query: '&header-row=11' })).status).toBe(400)
  })

  test('warns of texts with signs of a wrong encoding, in rows that are in the batch', async () => {
    const spoilt = (cells: readonly string[]) => cells.map((cell) => (cell.includes(' ') ? `JosÃ© ${cell}` : cell))
    const rows = [headings, spoilt(rowOf(nextCpf())), rowOf(nextCpf()), [...spoilt(rowOf(nextCpf())), 'y']]
    const table = await read(textOf(rows))
    expect(table['row-warnings'].length).toBeGreaterThan(0)
    for (const one of table['row-warnings']) {
      expect(one).toEqual({ line: 2, warning: 'suspicious-text', field: expect.any(String) })
      expect(headings).toContain(one.field)
    }
    expect(await read(textOf([headings, rowOf(nextCpf())]))).not.toHaveProperty('row-warnings')
  })

  test('leaves out rows that cannot be read or name another company, and says which', async () => {
    const other = await testApp.company()
    const named = (...cells: string[][]) => [['CNPJ da empresa', ...headings], ...cells]
    const rows = named(
      [company.taxId, ...rowOf(nextCpf())],
      [other.taxId, ...rowOf(nextCpf())],
      [company.taxId, ...rowOf(nextCpf()), 'y'],
    )
    const table = await read(textOf(rows))
    expect(table['row-errors']).toEqual([
      { line: 3, error: 'other-company' },
      { line: 4, error: 'malformed-line' },
    ])
    expect(table['member-lines']).toEqual([[2]])
    expect(table.rows).toHaveLength(3)
  })

  test.for([
    ['nothing', '', 400],
    ['blank lines', '\n\n', 400],
    ['a PDF', '%PDF-1.7\n', 415],
    ['more than 10,000 rows', textOf([['CPF'], ...Array.from({ length: 10_001 }, () => ['1'])]), 400],
  ] as const)('is refused when it is %s', async ([, body, status]) => {
    expect((await send(body)).status).toBe(status)
  })
})

test('a table of exclusions becomes the batch of its people', async () => {
  const rows = [
    ['CPF', 'Término da cobertura', 'Motivo da exclusão'],
    [nextCpf(), '30/11/2026', 'Demissão'],
  ]
  const { columns } = await read(textOf(rows), { movement: 'exclusion' })
  const known = columns.map(({ field, proposed }: Json) => field ?? proposed)
  expect(known[0]).toBe('tax-id')
  const english = [
    ['tax-id', 'end-date', 'exclusion-reason', 'extension-plan'],
    [rows[1]?.[0] ?? '', '30/11/2026', 'dismissal', 'não'],
  ]
  const table = await read(textOf(english), { movement: 'exclusion' })
  expect(table.batch.members).toEqual([
    {
      'tax-id': rows[1]?.[0],
      'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', 'extension-plan': false },
    },
  ])
  const judged = await judge(table.batch, 'exclusion')
  expect([judged.status, judged.body.result.length]).toEqual([400, 1])
})

describe('a table of alterations', () => {
  const alteration = { movement: 'alteration' }
  const english = [
    'tax-id',
    'new-tax-id',
    'phone',
    'email',
    'salary',
    'disabled',
    'new-product-name',
    'requested-start-date',
    'reason',
  ]
  const portuguese = [
    'CPF',
    'CPF correto',
    'Telefone',
    'E-mail',
    'Salário',
    'Pessoa com deficiência',
    'Novo produto',
    'Início solicitado',
    'Motivo',
  ]

  test('becomes the batch of what its cells state, by English and Portuguese headings: a blank cell alters nothing', async () => {
    const [one, other, third] = [nextCpf(), nextCpf(), nextCpf()]
    const members = [one, other].map((cpf) => primary({ 'tax-id': cpf }))
    await testApp.include(partner, company, members, '?resolution=approve')
    const isDisabled = (known: readonly string[]) => (known === english ? 'true' : 'sim')
    const cellsOf = (known: readonly string[]) => [
      known,
      [
        one,
        third,
        '(11) 98765-4321',
        '',
        known === english ? '523000' : '5.230,00',
        isDisabled(known),
        '',
        '',
        'Cadastro',
      ],
      [other, '', '-', '', '', '', premium.toUpperCase(), '', ''],
    ]
    for (const known of [english, portuguese]) {
      for (const body of [textOf(cellsOf(known)), bookOfRows([['Alterações'], ...cellsOf(known)])]) {
        const table = await read(body, alteration)
        expect(table).toMatchObject({ missing: [], 'row-errors': [], 'unknown-values': [], 'total-rows': 2 })
        expect(table.columns.map(({ field }: Json) => field)).toEqual(english)
        expect(table.batch).toEqual({
          'company-tax-id': company.taxId,
          members: [
            {
              'tax-id': one,
              'alteration-data': {
                'tax-id': third,
                phone: '(11) 98765-4321',
                'monthly-salary': 523_000,
                disabled: true,
                reason: 'Cadastro',
              },
            },
            { 'tax-id': other, 'alteration-data': { 'new-product-id': company.products[premium] } },
          ],
        })
        expect(expectOk(await judge(table.batch, 'alteration')).body).toEqual({ 'dry-run': true })
      }
    }
  })

  test('states a key for each key of alteration-data, so that the service judges all of them', async () => {
    const columns = Object.keys(ALTERATION_FIELDS).filter((key) => key !== 'company-id' && key !== 'documents')
    const names = columns.map((key) => ({ 'tax-id': 'new-tax-id', 'new-product-id': 'new-product-name' })[key] ?? key)
    const rows = [
      ['tax-id', ...names],
      [nextCpf(), ...names.map((_, index) => `x${index}`)],
    ]
    const { batch } = await read(textOf(rows), alteration)
    expect(Object.keys(batch.members[0]['alteration-data'])).toEqual(columns)
  })

  test('names products that the company does not have, and lets the service refuse them; of another company they have no names', async () => {
    const cpf = nextCpf()
    const rows = [
      ['CPF', 'Novo produto', 'CNPJ da nova empresa', 'Salário', 'Salário mensal', 'Referência'],
      [cpf, 'Ouro', '', '1,00', '2,00', 'RH-1'],
      [cpf, premium, company.taxId, '', '', ''],
      ['', '', '', '', '', 'RH-2'],
    ]
    const table = await read(textOf(rows), alteration)
    expect(table['unknown-values']).toEqual([{ field: 'new-product-name', value: 'Ouro', lines: 1 }])
    expect(table.batch.members).toEqual([
      {
        'tax-id': cpf,
        'alteration-data': { 'new-product-id': 'Ouro', salary: 100, 'monthly-salary': 200 },
        reference: 'RH-1',
      },
      { 'tax-id': cpf, 'alteration-data': { 'new-product-id': premium, 'new-company-tax-id': company.taxId } },
      { 'alteration-data': {}, reference: 'RH-2' },
    ])
    const judged = await judge(table.batch, 'alteration')
    expect(judged.status).toBe(400)
    const fields = judged.body.result.map((one: Json) => one['offense-details'].map(({ field }: Json) => field))
    expect(fields[0]).toEqual(expect.arrayContaining(['alteration-data.new-product-id', 'alteration-data.salary']))
    expect(fields[1]).toContain('alteration-data.new-product-id')
    expect(fields[2]).toEqual(expect.arrayContaining(['tax-id', 'alteration-data']))
  })

  test('is read by the profile of its company, whose words for products are those of the other tables', async () => {
    const columns = [{ heading: 'Plano novo', field: 'new-product-name' }]
    const words = [
      { field: 'product-name', value: 'Ouro', as: premium },
      { field: 'new-product-name', value: 'Prata', as: health },
    ]
    expectOk(await partner.put(profile(), { columns, values: words }))
    const rows = [
      ['CPF', 'Plano novo'],
      [nextCpf(), 'OURO'],
      [nextCpf(), 'prata'],
    ]
    const { batch } = await read(textOf(rows), alteration)
    const altered = batch.members.map((one: Json) => one['alteration-data']['new-product-id'])
    expect(altered).toEqual([company.products[premium], company.products[health]])
  })

  test('has a column for its people, and proposes columns for headings that it does not know', async () => {
    const table = await read(
      textOf([
        ['CPF do funcionário', 'Plano novo', 'Celular', 'Observação'],
        ['x', 'y', 'z', 'w'],
      ]),
      alteration,
    )
    expect(table).toMatchObject({ missing: ['tax-id'], batch: null })
    expect(table.columns.map(({ proposed }: Json) => proposed)).toEqual(['tax-id', 'new-product-name', 'phone', null])
  })
})

test('the rows with a column of errors are a workbook, and the corrected workbook is read again', async () => {
  const rows = [
    [...headings, 'Erro'],
    [...rowOf(nextCpf(), { Sexo: '=1+1' }), 'Sexo: deve ser F ou M.'],
  ]
  const path = `/v1/table?movement=inclusion&company-tax-id=${company.taxId}`
  const bytes = await savedBook(path, partner.token, { method: 'POST', body: textOf(rows) })
  const sheet = await partOf(bytes, 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain('Sexo: deve ser F ou M.')
  const table = await read(bytes)
  expect(table.columns.at(-1)).toEqual({ heading: 'Erro', field: null, proposed: null })
  expect(table.rows[0].cells[5]).toBe('=1+1')
  const corrected = await read(bookOfRows([rows[0] ?? [], rowOf(nextCpf())]), { query: start })
  expect(expectOk(await judge(corrected.batch)).body).toEqual({
    'dry-run': true,
  })
})

describe('the template of a company', () => {
  const path = () => `/v1/table/template?company-tax-id=${company.taxId}`
  const template = (query: string) => savedBook(`${path()}&${query}`, partner.token)

  test('offers its products and the kinships of their dependents, and is read again', async () => {
    const bytes = await template('movement=inclusion')
    const lists = await partOf(bytes, 'xl/worksheets/sheet2.xml')
    expect(lists).toContain(`>${health}<`)
    expect(lists).toContain('>filho<')
    expect(lists).not.toContain('>sogro<')
    const table = await read(bytes)
    expect(table).toMatchObject({ missing: [], 'total-rows': 0 })
    expect(table.columns.every(({ field }: Json) => field !== null)).toBe(true)
  })

  test('of exclusions offers the reasons, and is CSV for who does not ask for a workbook', async () => {
    const lists = await partOf(await template('movement=exclusion'), 'xl/worksheets/sheet2.xml')
    expect(lists).toContain('>Pedido de demissão<')
    const { text } = expectOk(await partner.get(`${path()}&movement=exclusion&language=en`))
    expect(text).toMatch(/^company-tax-id;tax-id;/)
  })

  test('of alterations offers its products, and is read again', async () => {
    const bytes = await template('movement=alteration')
    expect(await partOf(bytes, 'xl/worksheets/sheet2.xml')).toContain(`>${premium}<`)
    const table = await read(bytes, { movement: 'alteration' })
    expect(table).toMatchObject({ missing: [], 'total-rows': 0 })
    expect(table.columns.every(({ field }: Json) => field !== null)).toBe(true)
    const { text } = expectOk(await partner.get(`${path()}&movement=alteration&language=en`))
    expect(text).toMatch(/^company-tax-id;tax-id;new-product-name;/)
  })

  test('is there for operators too', async () => {
    const own = `/operator/v1/table/template?movement=inclusion&company-tax-id=${company.taxId}`
    const bytes = await savedBook(own, testApp.operator.token)
    expect(await partOf(bytes, 'xl/worksheets/sheet2.xml')).toContain(`>${health}<`)
  })
})

describe('a file of an import', () => {
  const path = '/operator/v1/member/import/table'

  test('shows its headings and first rows before it is sent, and as CSV each row in its line', async () => {
    const lines = Array.from({ length: 30 }, () => holder(company))
    const keys = Object.keys(lines[0] ?? {})
    const rows = [['Carteira'], [''], keys, ...lines.map((line) => keys.map((key) => String(line[key])))]
    const options = { 'content-type': xlsxType }
    const table = expectOk(await testApp.operator.post(path, bookOfRows(rows), options)).body.result
    expect(table).toMatchObject({ 'header-row': 3, missing: [], 'total-rows': 30, batch: null })
    expect(table.rows).toHaveLength(20)
    const { text } = expectOk(await testApp.operator.post(path, bookOfRows(rows), { ...options, accept: 'text/csv' }))
    expect(
      text
        .split('\n')
        .slice(0, 4)
        .map((line) => line.replace('\uFEFF', '').split(';')[0]),
    ).toEqual(['', '', 'company-tax-id', company.taxId])
    // Also with titles above its header.
    const sent = await sendImport(testApp.operator, text, { type: 'text/csv', query: '?dry-run=true' })
    expect(expectOk(sent).body).toMatchObject({ accepted: 30, rejected: 0 })
  })

  test('is read by the profile of its company', async () => {
    const text = 'Funcionário;CPF\nAna;1\n'
    expectOk(await partner.put(profile(), { columns: [{ heading: 'Funcionário', field: 'name' }] }))
    const options = { 'content-type': 'text/csv' }
    const plain = expectOk(await testApp.operator.post(path, text, options)).body.result
    expect(plain.columns[0]).toEqual({ heading: 'Funcionário', field: null, proposed: 'name' })
    const own = expectOk(await testApp.operator.post(`${path}?company-tax-id=${company.taxId}`, text, options)).body
      .result
    expect(own.columns[0]).toEqual({ heading: 'Funcionário', field: 'name', proposed: null })
    expect((await testApp.operator.post(`${path}?company-tax-id=11222333000181`, text, options)).status).toBe(404)
  })
})

test.for([
  ['a value that the field does not have', [{ field: 'gender', value: 'X', as: 'x' }], 'values[0].as', 'invalid'],
  [
    'a word twice',
    [
      { field: 'gender', value: 'Fem', as: 'female' },
      { field: 'gender', value: 'FEM', as: 'male' },
    ],
    'values[1].value',
    'repeated',
  ],
] as const)('a profile does not take %s', async ([, values, field, code]) => {
  const { status, body } = await partner.put(profile(), { columns: [], values })
  expect([status, body.details]).toMatchObject([400, [{ field, code }]])
})
