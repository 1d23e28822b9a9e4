import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeCpf } from '#kernel/tax-id.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { scaled } from '../../scale.ts'
import { seed } from '../../seed.ts'
import { bookOf, bookOfRows, numberCell, partOf, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { csv, holder, newId, path, rosterOf, sendImport } from '../../world/import.ts'
import { expectOk, health, type Json, nextCpf, useTestApp, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const asXlsx = (body: Buffer, query = '') => sendImport(testApp.operator, body, { type: xlsxType, query })
const asCsv = (body: string, query = '') => sendImport(testApp.operator, body, { type: 'text/csv', query })
const errorsOf = async (id: string, accept: string) =>
  (await testApp.operator.get(`${path}/${id}/error`, { accept })).text

/** Rows with a header, of lines as objects. */
function tableOf(lines: readonly Json[]): string[][] {
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))]
  return [columns, ...lines.map((line) => columns.map((column) => String(line[column] ?? '')))]
}

const bookOfLines = (...lines: Json[]) => bookOfRows(tableOf(lines))

/** Without what differs between any two imports. */
function outcomeOf({ 'import-id': _id, 'created-at': _created, 'finished-at': _finished, ...rest }: Json): Json {
  return rest
}

const odd = fc.constantFrom(
  '',
  ' ',
  'x',
  '=1+1',
  "'=1+1",
  '-',
  '"',
  'a;b',
  'linha 1\nlinha 2',
  '#N/A',
  '4,5E+13',
  'Ação',
  '😀',
)
const rarely = (good: fc.Arbitrary<string>) => fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: odd })
const cpf = fc.integer({ min: 1, max: 999_999 }).map((n) => completeCpf(String(n * 991).padStart(9, '0')))

const line = fc.record({
  'Tipo de beneficiário': rarely(fc.constantFrom('Titular', 'primary')),
  CPF: rarely(
    fc.oneof(
      cpf,
      cpf.map((one) => one.replace(/^0+/, '')),
    ),
  ),
  Nome: rarely(fc.constantFrom('Conceição Müller', 'José & Maria', 'D’Ávila <x>')),
  'Nome da mãe': rarely(fc.constant('Ana Müller')),
  'Data de nascimento': rarely(fc.constantFrom('29/02/1980', '1980-02-29', '7/6/1985', '31/02/1980')),
  Sexo: rarely(fc.constantFrom('F', 'masculino', 'female')),
  Salário: rarely(fc.constantFrom('5.230,00', '5230', '')),
  Produto: rarely(fc.constantFrom(health, health.toLowerCase())),
  'Início da vigência': rarely(fc.constantFrom('01/03/2024', '2024-03-01')),
  'Número da carteirinha': odd,
})

describe('the same rows as CSV and as a workbook', () => {
  test('have the same outcome, line by line, with the same contents of rejected lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (lines) => {
        const rows = lines.map((one) => ({ 'CNPJ da empresa': company.taxId, ...one, Observação: '' }))
        const table = tableOf(rows)
        const [text, book] = [
          expectOk(await asCsv(csv(rows), '?dry-run=true')).body,
          expectOk(await asXlsx(bookOfRows(table), '?dry-run=true')).body,
        ]
        const contents = async ({ 'import-id': id }: Json) =>
          (await errorsOf(id, 'application/x-ndjson'))
            .split('\n')
            .filter((one) => one !== '')
            .map((one) => {
              const { line: number, content, ...rest } = JSON.parse(one)
              // Where a line begins and which cells are in quotes is of the CSV alone.
              return { ...rest, content: content.replaceAll(/["\s]/g, ''), number: typeof number }
            })
        // A cell with a line break moves the lines after it.
        const numbered = (body: Json) =>
          JSON.parse(JSON.stringify(outcomeOf(body)).replaceAll(/"line":\d+/g, '"line":0'))
        expect(numbered(book)).toEqual(numbered(text))
        expect(await contents(book)).toEqual(await contents(text))
        if (!csv(rows).includes('\nlinha 2')) expect(outcomeOf(book)).toEqual(outcomeOf(text))
      }),
      { numRuns: scaled(15, 150), seed },
    )
  })

  test('store the same', async () => {
    const lines = Array.from({ length: 20 }, (_, n) =>
      holder(company, { name: `Person ${'x'.repeat(n + 1)}`, salary: `${n}00` }),
    )
    expect(expectOk(await asXlsx(bookOfLines(...lines))).body).toMatchObject({ lines: 20, accepted: 20 })
    const before = await rosterOf(testApp)
    expect(expectOk(await asCsv(csv(lines))).body).toMatchObject({ lines: 20, accepted: 20 })
    expect(await rosterOf(testApp)).toEqual(before)
  })
})

describe('a workbook', () => {
  test('has CPFs as numbers without their zeros, days as serial numbers, salaries as numbers', async () => {
    const taxId = completeCpf('001234567')
    const { 'company-tax-id': cnpj, ...texts } = holder(company)
    const header = rowOf(
      [
        'CNPJ da empresa',
        'CPF',
        'Salário',
        'date-of-birth',
        'start-date',
        'beneficiary-type',
        'name',
        'mothers-name',
        'gender',
        'product-name',
      ].map(textCell),
    )
    const rest = ['beneficiary-type', 'name', 'mothers-name', 'gender', 'product-name'].map((name) =>
      textCell(String(texts[name])),
    )
    const row = (cpfOf: string) =>
      rowOf([
        textCell(String(cnpj)),
        numberCell(Number(cpfOf)),
        numberCell('5230.5'),
        numberCell(29_280, 1),
        numberCell(45_352),
        ...rest,
      ])
    const bytes = bookOf({ sheets: [{ xml: header + row(taxId) + row('123456789') }], styles: [0, 14] })
    expect(expectOk(await asXlsx(bytes)).body).toMatchObject({
      accepted: 1,
      errors: [{ line: 3, offenses: ['invalid-tax-id'] }],
      warnings: [{ warning: 'leading-zeros-restored', field: 'CPF', line: 2 }],
    })
    const { result } = (await partner.get(`/v1/member?filter=tax-id=${taxId}`)).body
    expect(result).toMatchObject([
      { profile: { 'date-of-birth': '1980-02-29' }, benefits: [{ 'start-date': '2024-03-01' }] },
    ])
    const [stored] = await testApp.sql('select salary from member where tax_id = $1', [taxId])
    expect(stored).toEqual({ salary: '523050' })
  })

  test('with an error in a cell refuses the line, and says which cell; a hidden row is read, and told', async () => {
    const [columns = [], values = []] = tableOf([holder(company)])
    const withError = values.map((value, index) =>
      columns[index] === 'name' ? '<c t="e"><v>#N/A</v></c>' : textCell(value),
    )
    const again = values.map((value, index) => (columns[index] === 'tax-id' ? nextCpf() : value))
    const rows = rowOf(columns.map(textCell)) + rowOf(withError) + rowOf(again.map(textCell), ' hidden="1"')
    const { body } = expectOk(await asXlsx(bookOf({ sheets: [{ name: 'Vidas', xml: rows }] })))
    const cell = `${'ABCDEFGHI'[columns.indexOf('name')]}2`
    expect(body).toMatchObject({
      lines: 2,
      accepted: 1,
      errors: [{ line: 2, offenses: ['invalid-name'] }],
      warnings: [
        { warning: 'hidden-row', field: 'Vidas', line: 3 },
        { warning: 'cell-error', field: 'name', line: 2, cell },
      ],
    })
    expect((await testApp.operator.get(`${path}/${body['import-id']}`)).body).toEqual(body)
  })

  test('may have titles above the header, and several sheets', async () => {
    const [good, other] = [holder(company), holder(company)]
    const sheet = (name: string, ...lines: Json[]) => ({
      name,
      xml: [['Relação de vidas'], ...tableOf(lines)].map((cells) => rowOf(cells.map(textCell))).join(''),
    })
    const bytes = bookOf({
      sheets: [{ name: 'Resumo', xml: rowOf([textCell('Total')]) }, sheet('Vidas', good), sheet('Outras', other, good)],
    })
    expect(expectOk(await asXlsx(bytes, '?dry-run=true')).body).toMatchObject({
      lines: 3,
      accepted: 3,
      'sheets-read': [
        { sheet: 'Vidas', 'from-line': 1 },
        { sheet: 'Outras', 'from-line': 4 },
      ],
      'sheets-not-read': ['Resumo'],
    })
    const named = expectOk(await asXlsx(bytes, '?dry-run=true&sheet=Outras')).body
    expect(named).toMatchObject({ lines: 2, accepted: 2, 'sheets-not-read': ['Resumo', 'Vidas'] })
    expect(named).not.toHaveProperty('sheets-read')
    const { status, body } = await asXlsx(bytes, '?sheet=Nenhuma')
    expect([status, body.details]).toEqual([
      400,
      [
        {
          field: 'sheet',
          code: 'unknown',
          message: 'The workbook has no sheet of this name. Its sheets: Resumo, Vidas, Outras.',
        },
      ],
    ])
  })

  test('without a required column is refused, with the columns found', async () => {
    const { gender: _, ...others } = holder(company)
    const { status, body } = await asXlsx(bookOfLines(others))
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'gender', code: 'missing', message: expect.stringMatching(/Columns found: company-tax-id, /) }],
    ])
  })

  test('that cannot be read is refused as a whole: nothing is stored, and its id can be used again', async () => {
    const query = `?import-id=${newId()}`
    const before = await rosterOf(testApp)
    const broken = bookOf({
      sheets: [
        {
          xml: `${tableOf([holder(company)])
            .map((cells) => rowOf(cells.map(textCell)))
            .join('')}<row><c>`,
        },
      ],
    })
    for (const [bytes, sentence] of [
      [broken, /no workbook that can be read/],
      [Buffer.from('no workbook'), /no workbook that can be read/],
      [bookOf({ sheets: [{ xml: Buffer.alloc(30_000_000, 'a') }] }), /holds too much/],
    ] as const) {
      const { status, body } = await asXlsx(bytes, query)
      expect([status, body.details]).toEqual([
        400,
        [{ field: 'file', code: 'invalid', message: expect.stringMatching(sentence) }],
      ])
    }
    expect(await rosterOf(testApp)).toEqual(before)
    expect((await asXlsx(bookOfLines(holder(company)), query)).status).toBe(200)
  })

  test('of another format is 415 and says how to save it; one over 16 MiB is 413', async () => {
    const old = Buffer.from('d0cf11e0a1b11ae10000', 'hex')
    for (const type of [xlsxType, 'application/vnd.ms-excel.sheet.binary.macroEnabled.12']) {
      const { status, body } = await sendImport(testApp.operator, old, { type })
      expect([status, body.code, body.details]).toEqual([
        415,
        'unsupported-media-type',
        [{ field: 'file', code: 'invalid', message: expect.stringContaining('Save it as "Excel Workbook (.xlsx)"') }],
      ])
    }
    const { status, body } = await sendImport(testApp.operator, old, { type: 'application/vnd.ms-excel' })
    expect([status, body.details[0].message]).toEqual([400, expect.stringContaining('an Excel workbook (.xls)')])
    expect((await asXlsx(Buffer.alloc(16 * 1024 * 1024 + 1))).status).toBe(413)
  })
})

describe('what is downloaded as a workbook', () => {
  const download = async (url: string): Promise<Buffer> => {
    const response = await fetch(`${testApp.url}${url}`, {
      headers: { authorization: `Bearer ${testApp.operator.token}`, accept: `${xlsxType}, text/csv` },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, xlsxType])
    return Buffer.from(await response.arrayBuffer())
  }

  test.for(['pt-BR', 'en'])('the template in %s is an import without lines', async (language) => {
    const bytes = await download(`${path}/template?language=${language}`)
    const { body } = expectOk(await asXlsx(bytes))
    expect(body).toMatchObject({ status: 'done', lines: 0 })
    expect(body).not.toHaveProperty('warnings')
  })

  test('the template of a company has lists of its products and of closed sets', async () => {
    const lists = await partOf(
      await download(`${path}/template?company-tax-id=${company.taxId}`),
      'xl/worksheets/sheet2.xml',
    )
    for (const choice of [company.taxId, health, 'titular', 'cônjuge']) expect(lists).toContain(`>${choice}<`)
    expect((await testApp.operator.get(`${path}/template?company-tax-id=11222333000181`)).status).toBe(404)
  })

  test('the rejected lines are a file to correct and to import; `offenses` and `Erro` are ignored', async () => {
    const [good, bad] = [holder(company), holder(company, { name: '=1+1', gender: 'x', 'date-of-birth': '1980-02-29' })]
    for (const send of [asXlsx(bookOfLines(good, bad)), asCsv(csv([good, bad]))]) {
      const { body } = expectOk(await send)
      expect(body.errors).toMatchObject([{ line: 3 }])
      const bytes = await download(`${path}/${body['import-id']}/error`)
      const again = expectOk(await asXlsx(bytes, '?dry-run=true')).body
      expect(again).toMatchObject({ lines: 1, rejected: 1 })
      expect(again.errors[0].offenses).toEqual(body.errors[0].offenses)
      expect(again).not.toHaveProperty('warnings')
      expect((await errorsOf(again['import-id'], 'text/csv')).split('\n')[0]).toMatch(
        /^(?!.*(offenses|Erro).*;offenses).*;offenses;Erro$/,
      )
    }
  })
})
