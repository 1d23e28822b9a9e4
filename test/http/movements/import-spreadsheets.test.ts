import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { companyBody, expectOk, health, type Json, nextCpf, useTestApp, useCompany } from '../../world/test-app.ts'
import { completeCnpj, completeCpf } from '#kernel/tax-id.ts'
import { csv, holder, memberOf, ndjson, newId, path, sendImport } from '../../world/import.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const asCsv = (body: string | Buffer, query = '') => sendImport(testApp.operator, body, { type: 'text/csv', query })
const errorsOf = (id: string, accept = 'text/csv') => testApp.operator.get(`${path}/${id}/error`, { accept })

/** A line under Portuguese headers, as a spreadsheet writes it. */
function titular(overrides: Record<string, string> = {}): Record<string, string> {
  return {
    'CNPJ da empresa': company.taxId,
    'Tipo de beneficiário': 'Titular',
    CPF: nextCpf(),
    Nome: 'Conceição Müller',
    'Nome da mãe': 'Ana Müller',
    'Data de nascimento': '29/02/1980',
    Sexo: 'F',
    'Estado civil': 'Casada',
    'Tipo de contrato': 'CLT',
    Salário: '5.230,00',
    Produto: health,
    'Início da vigência': '01/03/2024',
    ...overrides,
  }
}

describe('a spreadsheet in Portuguese', () => {
  test.for([
    [';', 'UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    [',', 'UTF-8', (text: string) => Buffer.from(text)],
    ['\t', 'Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ] as const)('separated by %j, in %s, is imported with its dependents', async ([separator, , encode]) => {
    const primary = titular()
    const child = titular({
      'Tipo de beneficiário': 'dependente',
      'CPF do titular': primary['CPF'] ?? '',
      Parentesco: 'Filha',
      'Data de nascimento': '07/06/2015',
      'Estado civil': 'solteira',
      'Fim da vigência': '31/12/2025',
      Salário: '',
    })
    const response = expectOk(await asCsv(encode(csv([primary, child], separator)))).body
    expect(response).toMatchObject({ lines: 2, accepted: 2, errors: [] })
    expect(response).not.toHaveProperty('warnings')
    expect(await memberOf(partner, primary['CPF'] ?? '')).toMatchObject({
      profile: {
        name: 'Conceição Müller',
        'date-of-birth': '1980-02-29',
        gender: 'female',
        'marital-status': 'married',
      },
      benefits: [{ type: 'primary', 'start-date': '2024-03-01', 'end-date': null }],
    })
    expect((await memberOf(partner, child['CPF'] ?? '')).benefits).toMatchObject([
      { 'dependent-type': 'child', 'primary-member-tax-id': primary['CPF'], 'end-date': '2025-12-31' },
    ])
    const [stored] = await testApp.sql('select salary, details from member where tax_id = $1', [primary['CPF']])
    expect(stored).toEqual({ salary: '523000', details: { 'work-contract-type': 'brazil-labor-law' } })
  })

  test('may mix its headers with English ones; `salary` is in cents', async () => {
    const { Salário: _, CPF = '', ...line } = titular()
    expectOk(await asCsv(csv([{ ...line, 'TAX-ID': CPF, salary: '523000' }])))
    expect(await testApp.sql('select salary from member where tax_id = $1', [CPF])).toEqual([{ salary: '523000' }])
  })

  test('has dates without leading zeros, and a marital status without a value of its own', async () => {
    const line = titular({
      'Data de nascimento': '7/6/1985',
      'Início da vigência': '1/3/2024',
      'Estado civil': 'União estável',
    })
    expect(expectOk(await asCsv(csv([line]))).body).toMatchObject({ accepted: 1 })
    expect((await memberOf(partner, line['CPF'] ?? '')).profile).toMatchObject({
      'date-of-birth': '1985-06-07',
      'marital-status': 'others',
    })
  })

  test('gets back the leading zeros of CPF and CNPJ that Excel removed, with a warning; not in NDJSON', async () => {
    const own = { ...company, taxId: completeCnpj('000017200001') }
    expectOk(await testApp.operator.put(`/operator/v1/company/${own.taxId}`, companyBody))
    const client = await testApp.partner(own.taxId)
    const [cpf, other] = [completeCpf('001234567'), completeCpf('000123987')]
    const short = (text: string) => text.replace(/^0+/, '')
    const lines = [
      titular({ 'CNPJ da empresa': short(own.taxId), CPF: short(cpf) }),
      titular({ 'CNPJ da empresa': own.taxId, CPF: short(other) }),
      titular({ 'CNPJ da empresa': own.taxId, CPF: '123456789' }),
    ]
    for (const query of ['?dry-run=true', '']) {
      const { body } = expectOk(await asCsv(csv(lines), query))
      expect(body).toMatchObject({ accepted: 2, errors: [{ line: 4, offenses: ['invalid-tax-id'] }] })
      expect(body.warnings).toEqual([
        { warning: 'leading-zeros-restored', field: 'CNPJ da empresa', line: 2 },
        { warning: 'leading-zeros-restored', field: 'CPF', line: 2 },
        { warning: 'leading-zeros-restored', field: 'CPF', line: 3 },
      ])
      expect((await testApp.operator.get(`${path}/${body['import-id']}`)).body).toEqual(body)
    }
    expect((await memberOf(client, cpf)).profile['tax-id']).toBe(cpf)
    const json = await sendImport(testApp.operator, ndjson([holder(own, { 'tax-id': short(cpf) })]))
    expect(json.body.errors).toEqual([{ line: 1, offenses: ['invalid-tax-id'] }])
  })

  test('with a card number in scientific notation is refused, and in NDJSON too', async () => {
    const lines = ['4,5112E+13', '4.5E+15'].map((card) => titular({ 'Número da carteirinha': card }))
    const errors = [2, 3].map((line) => ({ line, offenses: ['invalid-card-number'] }))
    expect((await asCsv(csv(lines), '?dry-run=true')).body).toMatchObject({ accepted: 0, errors })
    const json = ndjson([holder(company, { 'card-number': '4.5E+15' })])
    expect((await sendImport(testApp.operator, json)).body.errors).toEqual([
      { line: 1, offenses: ['invalid-card-number'] },
    ])
  })

  test('of which 150 zeros are restored has 100 warnings', async () => {
    const lines = Array.from({ length: 150 }, (_, n) => {
      const cpf = completeCpf(`00${1_000_000 + n}`)
      return titular({ CPF: cpf.replace(/^0+/, '') })
    })
    expect((await asCsv(csv(lines), '?dry-run=true')).body.warnings).toHaveLength(100)
  })

  test('has none of these forms in NDJSON', async () => {
    const line = holder(company, { gender: 'F', 'date-of-birth': '29/02/1980', salary: '5230,00' })
    expect((await sendImport(testApp.operator, ndjson([line]))).body.errors).toEqual([
      { line: 1, offenses: ['invalid-date-of-birth', 'invalid-gender', 'invalid-salary'] },
    ])
  })

  test('may have empty rows, which do not count', async () => {
    const [header = '', line = ''] = csv([titular()]).split('\r\n')
    const empty = ';'.repeat(header.split(';').length - 1)
    expect((await asCsv([header, empty, line, empty, ';;', ''].join('\r\n'))).body).toMatchObject({
      lines: 1,
      accepted: 1,
    })
  })
})

describe('a missing required column', () => {
  test('gives one 400 with a detail for each, and the columns found; the id can be used again', async () => {
    const { Sexo: _, CPF: __, ...line } = titular({ Idade: '44' })
    const query = `?import-id=${newId()}`
    const response = await asCsv(csv([line, line]), query)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    const found = 'Columns found: CNPJ da empresa, Tipo de beneficiário, Nome, '
    expect(response.body.details).toEqual([
      { field: 'tax-id', code: 'missing', message: expect.stringMatching(`no column tax-id \\(CPF\\). ${found}`) },
      { field: 'gender', code: 'missing', message: expect.stringMatching(`no column gender \\(Sexo\\). ${found}`) },
    ])
    expect(response.body.details[0].message).toContain(', Idade')
    expect((await asCsv(csv([titular()]), query)).status).toBe(200)
  })

  test.for([
    [
      'a first line with data, which is not repeated',
      (): string => csv([titular()]).split('\r\n')[1] ?? '',
      'It seems to be data',
    ],
    ['blank lines', (): string => '\n\n', 'It is empty'],
    ['a text', (): string => '# Título\n\nUm parágrafo.\n', 'Columns found: # Título'],
  ] as const)('of %s: every one of them', async ([, body, message]) => {
    const { status, body: error } = await asCsv(body())
    expect(status).toBe(400)
    expect(error.details.map(({ field, code }: Json) => `${field} ${code}`)).toEqual(
      [
        'company-tax-id',
        'beneficiary-type',
        'tax-id',
        'name',
        'mothers-name',
        'date-of-birth',
        'gender',
        'product-name',
        'start-date',
      ].map((field) => `${field} missing`),
    )
    expect(error.details[0].message).toContain(message)
    expect(JSON.stringify(error)).not.toContain('Conceição')
  })

  test.for([
    ['a workbook', [0x50, 0x4b, 0x03, 0x04, 0, 0], 'Excel workbook (.xlsx)'],
    ['UTF-16', [0xff, 0xfe, 0x43, 0], 'UTF-16'],
  ] as const)('%s is named', async ([, bytes, name]) => {
    for (const type of ['text/csv', 'application/x-ndjson']) {
      const response = await sendImport(testApp.operator, Buffer.from(bytes), { type })
      expect([response.status, response.body.details]).toEqual([
        400,
        [{ field: 'file', code: 'invalid', message: expect.stringContaining(name) }],
      ])
    }
  })
})

test('unknown columns are warned of once each, in a dry run and when the import is read again, also for NDJSON', async () => {
  const warnings = [
    { warning: 'unknown-column', field: 'Idade' },
    { warning: 'unknown-column', field: 'carrier-name' },
  ]
  const line = titular({ Idade: '44', 'carrier-name': 'x', offenses: 'invalid-gender', '': '' })
  for (const query of ['', '?dry-run=true']) {
    const { body } = await asCsv(csv([line, line]), query)
    expect(body).toMatchObject({ accepted: 2, warnings })
    const read = await testApp.operator.get(`${path}/${body['import-id']}`)
    expect(read.body).toEqual(body)
  }
  const header = csv([line]).split('\r\n')[0] ?? ''
  expect((await asCsv(header)).body).toMatchObject({ lines: 0, warnings })
  const lines = Array.from({ length: 1_200 }, (_, n) => ({ x: 1, ...(n === 1_100 ? { y: 1 } : {}) }))
  expect((await sendImport(testApp.operator, ndjson(lines), { query: '?dry-run=true' })).body.warnings).toEqual([
    { warning: 'unknown-column', field: 'x' },
    { warning: 'unknown-column', field: 'y' },
  ])
})

describe('the rejected lines of a CSV', () => {
  test('come as CSV under their own header and separator, and can be corrected and imported', async () => {
    const [good, bad] = [titular(), titular({ Sexo: '?', Cargo: 'Chefe\t"A"\nB' })]
    const child = titular({ 'Tipo de beneficiário': 'dependente', 'CPF do titular': nextCpf(), Parentesco: 'filho' })
    const text = csv([good, bad, child], '\t')
    const [header = ''] = text.split('\r\n')
    const { body } = await asCsv(text)
    expect(body).toMatchObject({ accepted: 1, rejected: 2 })
    const response = expectOk(await errorsOf(body['import-id']))
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [first, ...rest] = response.text.split('\n')
    expect(first).toBe(`${header}\toffenses\tErro`)
    expect(rest.join('\n')).toContain(
      `\t"Chefe\t""A""\nB"\t\t\tinvalid-gender\tO campo “Sexo” não é válido. Informe feminino ou masculino.\n`,
    )
    expect(response.text).toMatch(
      /\tprimary-member-not-found\tNão há titular com este CPF no pedido nem na empresa\..*\n$/,
    )
    const again = expectOk(await asCsv(response.text.replace('\t?\t', '\tM\t'))).body
    expect(again).toMatchObject({ lines: 2, accepted: 1, rejected: 1 })
    expect(again).not.toHaveProperty('warnings')
    const left = expectOk(await errorsOf(again['import-id'])).text
    expect(left.split('\n')[0]).toBe(first)
    expect(left.split('\n')).toHaveLength(3)
  })

  test('have no cell that a spreadsheet would execute, and are imported as they came', async () => {
    const line = titular({
      Sexo: '?',
      Nome: '＝Ana',
      Cargo: '@chefe',
      Telefone: '+5511987654321',
      Matrícula: 'Ana,=1+1',
    })
    const { body } = await asCsv(csv([line, titular({ Sexo: '?', Cargo: 'Chefe, e mais' })]))
    const { text } = await errorsOf(body['import-id'])
    expect(text).toContain(";'＝Ana;")
    expect(text).toContain(";'@chefe;'+5511987654321;\"Ana,'=1+1\"")
    expect(text).toContain(';Chefe, e mais;')
    const again = expectOk(await asCsv(text.replaceAll(';?;', ';F;'))).body
    expect(again).toMatchObject({ accepted: 2, errors: [] })
    const [stored] = await testApp.sql('select name, details, employee_id from member where tax_id = $1', [line['CPF']])
    expect(stored).toMatchObject({ name: '＝Ana', employee_id: 'Ana,=1+1' })
    expect(JSON.stringify(stored)).toContain('"@chefe"')
  })

  test('are in UTF-8 with a byte order mark when the file was a spreadsheet', async () => {
    const text = csv([titular({ Sexo: '?' })])
    for (const [sent, mark] of [
      [Buffer.from(text), 0x43],
      [Buffer.from(`\uFEFF${text}`), 0xef],
      [Buffer.from(text, 'latin1'), 0xef],
    ] as const) {
      const { body } = await asCsv(sent)
      const { token } = testApp.operator
      const response = await fetch(`${testApp.url}${path}/${body['import-id']}/error`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes[0]).toBe(mark)
      expect(bytes.toString()).toContain('Conceição Müller')
    }
  })

  test('that cannot be read stay rejected when the file is sent again unchanged', async () => {
    const [header = '', line = ''] = csv([titular()]).split('\r\n')
    const bad = [`${line};x`, `${line};;y`, `"${line}`, `${line.slice(0, 40)}\0`, 'x'.repeat(70_000), line]
    const { body } = await asCsv([header, ...bad].join('\n'))
    expect(body).toMatchObject({ lines: 6, accepted: 1, rejected: 5 })
    const file = (await errorsOf(body['import-id'])).text
    expect(file).toContain('line 6 is longer than 64 KiB;malformed-line;')
    const again = (await asCsv(file)).body
    expect(again).toMatchObject({ lines: 5, accepted: 0, rejected: 5 })
    // A line with NUL is a line of its other cells now.
    const malformed = again.errors.filter(({ offenses }: Json) => offenses.includes('malformed-line'))
    expect(malformed.map(({ line: number }: Json) => number)).toEqual([2, 3])
  })

  test('are NDJSON unless CSV is asked for, with the column of each offense and the line', async () => {
    const line = titular({ Sexo: '?', Produto: 'Fantasma' })
    const { body } = await asCsv(csv([line]))
    for (const accept of ['*/*', 'application/x-ndjson, text/csv']) {
      const response = await errorsOf(body['import-id'], accept)
      expect(response.headers.get('content-type')).toBe('application/x-ndjson')
      expect(JSON.parse(response.text)).toEqual({
        line: 2,
        offenses: ['invalid-gender', 'unknown-product'],
        'offense-details': [
          {
            code: 'invalid-gender',
            field: 'gender',
            message: '`gender` is not valid: one of `male`, `female`. Correct it.',
            allowed: ['male', 'female'],
          },
          {
            code: 'unknown-product',
            field: 'product-name',
            message: expect.stringMatching(/^The company has no such product/),
          },
        ],
        content: csv([line]).split('\r\n')[1],
      })
    }
  })
})

test('rejected lines of NDJSON are NDJSON whatever is accepted', async () => {
  const bad = ['{"a":', '{"a":"\0"}', JSON.stringify(holder(company, { gender: '?' }))]
  const { body } = await sendImport(testApp.operator, bad.join('\n'))
  const response = await errorsOf(body['import-id'])
  const lines = response.text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one))
  expect(lines.map(({ content }) => content)).toEqual([bad[0], '{"a":"\uFFFD"}', bad[2]])
  expect(lines[0]['offense-details']).toEqual([
    { code: 'malformed-line', field: 'line', message: '`line`: The line cannot be read.' },
  ])
})

test('pages of rejected lines follow each other in the file, each line once', async () => {
  const lines = Array.from({ length: 1_203 }, (_, n) => titular({ Sexo: '?', Cargo: `C${n}` }))
  const { body } = await asCsv(csv(lines))
  const rows = (await errorsOf(body['import-id'])).text.trimEnd().split('\n')
  expect(rows.slice(1).map((row) => /;(C\d+);/.exec(row)?.[1])).toEqual(lines.map(({ Cargo }) => Cargo))
})

describe('the template', () => {
  test.for(['', '?language=pt-BR', '?language=en'])('%s is a header that an import reads', async (query) => {
    const response = expectOk(await testApp.operator.get(`${path}/template${query}`))
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.text.startsWith(query === '?language=en' ? 'company-tax-id;' : 'CNPJ da empresa;')).toBe(true)
    const imported = expectOk(await asCsv(response.text)).body
    expect(imported).toMatchObject({ lines: 0, status: 'done' })
    expect(imported).not.toHaveProperty('warnings')
  })

  test('in another language: 400', async () => {
    expect((await testApp.operator.get(`${path}/template?language=fr`)).status).toBe(400)
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
