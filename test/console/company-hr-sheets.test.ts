import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { universalWorkbook } from '#registry/layouts/built-in/universal-workbook.ts'
import { putFile, putInvoice, unzip } from '../world/invoice.ts'
import { type Company, dependent, expectOk, health, type Json, nextCpf, premium, primary } from '../world/test-app.ts'
import { pdfOf } from '../world/upload.ts'
import { bookOf, bookOfRows, partOf, rowOf as xmlRow, textCell } from '../platform/tables/workbook.ts'
import { hrOf } from './company-hr.ts'
import { openActions, untranslated, useConsole } from './console.ts'
import { isLong } from '../scale.ts'

/* Spreadsheets, requests and invoices of the people of companies. */

const { testApp, open } = useConsole()
let company: Company
beforeAll(async () => {
  company = await testApp.company({ name: 'Padaria Aurora Ltda.' })
})

const headings = ['Tipo', 'CPF', 'Funcionário', 'Mãe', 'Nascimento', 'Sexo', 'Plano']
const rowOf = (cpf: string, name: string, gender = 'F') => [
  'titular',
  cpf,
  name,
  'Eva Lima',
  '29/02/1980',
  gender,
  health,
]
const chooseFile = (page: Page, buffer: Buffer, name = 'admitidos.xlsx') =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: name.endsWith('csv') ? 'text/csv' : xlsxType, buffer })
async function saved(page: Page, name: string): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  return readFile(await (await download).path())
}
const membersNamed = (...taxIds: string[]) =>
  testApp.sql('select name from member where company_id = $1 and tax_id = any($2) order by name', [company.id, taxIds])

// The narrow page is the harder one; the long run has both.
for (const width of isLong ? ([1280, 390] as const) : ([390] as const)) {
  test(`a workbook with own headings is mapped, mended in place and sent as one request, at ${width} pixels`, async () => {
    await testApp.operator.delete(`/operator/v1/column-profile/${company.taxId}`)
    const { cookie } = await hrOf(testApp, [company.taxId])
    const { page, expectSound, problems } = await open('/hr/spreadsheets', { cookie, width })
    const [one, other] = [nextCpf(), nextCpf()]
    const [first, second] = [`Ana Lima ${width}`, `Bia Melo ${width}`]
    await chooseFile(page, bookOfRows([['Admissões'], headings, rowOf(one, first), rowOf(other, second, 'x')]))
    await page.getByRole('combobox', { name: 'Campo de “Funcionário”' }).waitFor()
    await expectSound()
    await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
    await page.getByText('1 pessoa pode ser enviada. 1 linha precisa de correção.').waitFor()
    // Chromium reports each status above 399: the batch of the dry run has offenses.
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
    const cell = page.getByRole('textbox', { name: 'Sexo, 4' })
    await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true')
    await expectSound()
    await cell.fill('M')
    await page.getByRole('button', { name: 'Validar as correções' }).click()
    await page.getByText('2 pessoas podem ser enviadas.').waitFor()
    await page.getByRole('button', { name: 'Enviar 2 pessoas' }).click()
    await page.getByRole('link', { name: 'Abrir a solicitação' }).click()
    await page.getByText('2 movimentações criadas').waitFor()
    await page.getByRole('table').getByRole('link', { name: second }).waitFor()
    await expectSound()
    await expect.poll(() => membersNamed(one, other)).toEqual([{ name: first }, { name: second }])
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/column-profile/${company.taxId}`)).body
    expect(result.columns.map(({ field }: Json) => field)).toEqual([
      'beneficiary-type',
      'name',
      'mothers-name',
      'date-of-birth',
      'product-name',
    ])
  })
}

test('the right people are sent first, the others stay to be mended, also as a workbook that is sent again', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const { page, problems } = await open('/hr/spreadsheets', { cookie })
  const columns = ['Tipo de beneficiário', 'CPF', 'Nome', 'Nome da mãe', 'Data de nascimento', 'Sexo', 'Produto']
  const [one, other] = [nextCpf(), nextCpf()]
  const wrong = rowOf(other, 'Davi Prado', 'x')
  const text = [columns, rowOf(one, 'Caio Prado'), wrong].map((cells) => cells.join(';')).join('\n')
  await chooseFile(page, Buffer.from(text), 'admitidos.csv')
  await page.getByRole('button', { name: 'Enviar só 1 pessoa certa' }).click()
  await page.getByText('1 linha não foi enviada.').waitFor()
  await page.getByRole('button', { name: 'Corrigir a linha que não foi enviada' }).click()
  await page.getByText('Nenhuma pessoa pode ser enviada. 1 linha precisa de correção.').waitFor()
  const book = await saved(page, 'Salvar os erros para Excel')
  const sheet = await partOf(book, 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain('>Erro<')
  expect(sheet).toContain('Davi Prado')
  expect(sheet).not.toContain('Caio Prado')
  // As a spreadsheet program saves it after the correction.
  const corrected = bookOfRows([
    [...columns, 'Erro'],
    [...rowOf(other, 'Davi Prado', 'M'), 'Sexo'],
  ])
  await chooseFile(page, corrected)
  await page.getByRole('button', { name: 'Enviar 1 pessoa' }).click()
  await page.getByText('A solicitação está sendo processada.').waitFor()
  await page.getByRole('button', { name: 'Outra planilha' }).click()
  await page.getByText('Solte uma planilha aqui ou pressione para escolher').waitFor()
  problems.splice(0)
})

test('people are excluded by a spreadsheet, whose template has the reasons', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const { page, problems } = await open('/hr/spreadsheets', { cookie, language: 'en', theme: 'dark' })
  await page.getByText('Exclusions', { exact: true }).click()
  expect(await partOf(await saved(page, 'Template for Excel'), 'xl/worksheets/sheet2.xml')).toContain(
    '>Pedido de demissão<',
  )
  const rows = [
    ['CPF', 'Fim da vigência', 'Motivo da exclusão'],
    [nextCpf(), '30/11/2026', 'Pedido de demissão'],
  ]
  await chooseFile(page, bookOfRows(rows))
  await page.getByText('Nobody can be sent. 1 line has to be corrected.').waitFor()
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
})

test('people are altered by a spreadsheet, by what its cells state; in production it has no alterations', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const [one, other] = [nextCpf(), nextCpf()]
  const partner = await testApp.partner(company.taxId)
  const members = [one, other].map((cpf) => primary({ 'tax-id': cpf }))
  await testApp.include(partner, company, members, '?resolution=approve')
  const { page, problems } = await open('/hr/spreadsheets', { cookie })
  await page.getByText('Alterações', { exact: true }).click()
  expect(await partOf(await saved(page, 'Modelo para Excel'), 'xl/worksheets/sheet2.xml')).toContain(`>${health}<`)
  const rows = [
    ['CPF', 'CPF correto', 'Telefone', 'Novo produto'],
    [one, '', '(11) 98765-4321', ''],
    [other, 'x', '', premium],
  ]
  await chooseFile(page, bookOfRows(rows))
  await page.getByText('1 pessoa pode ser enviada. 1 linha precisa de correção.').waitFor()
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  const cell = page.getByRole('textbox', { name: 'CPF correto, 3' })
  await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'CPF, 3', exact: true }).getAttribute('aria-invalid'))
    .not.toBe('true')
  await cell.fill('')
  await page.getByRole('button', { name: 'Validar as correções' }).click()
  await page.getByRole('button', { name: 'Enviar 2 pessoas' }).click()
  await page.getByRole('link', { name: 'Abrir a solicitação' }).click()
  await page.getByText('2 movimentações criadas').waitFor()

  await page.route('**/operator/v1/session/options', (route) =>
    route.fulfill({ json: { result: { environment: 'production', 'identity-provider': null } } }),
  )
  await page.goto(page.url().replace(/\/hr\/.*/, '/hr/spreadsheets'))
  await page.getByText('Exclusões', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Alterações', { exact: true }).count()).toBe(0)
})

test('of the universal workbook the sheets of the kind are read, the others are named, and a CPF that it does not have is filled in', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const [cpf, child] = [nextCpf(), nextCpf()]
  const partner = await testApp.partner(company.taxId)
  const members = [primary({ 'tax-id': cpf }), dependent(cpf, { 'tax-id': child })]
  await testApp.include(partner, company, members, '?resolution=approve')
  const { records } = universalWorkbook['universal-workbook'].definition
  const sheetOf = (name: string, row: Readonly<Record<string, string>>) => {
    const headings = records.find(({ sheet }) => sheet === name)?.columns.map(({ heading = '' }) => heading) ?? []
    const rows = [headings, headings.map((heading) => row[heading] ?? '')]
    return { name, xml: rows.map((cells) => xmlRow(cells.map(textCell))).join('') }
  }
  const leaving = {
    'Tipo de Exclusão': 'Dependente',
    'CPF Titular': cpf,
    'Nome Dependente': 'Léo Lima',
    'Data de Cancelamento': '30/11/2026',
    Motivo: 'Perda da condição de dependente',
  }
  const book = bookOf({ sheets: [sheetOf('Exclusão', leaving), sheetOf('Alteração titular', {})] })
  const { page, problems } = await open('/hr/spreadsheets', { cookie })
  await page.getByText('Exclusões', { exact: true }).click()
  await chooseFile(page, book)
  await page.getByText('Nenhuma pessoa pode ser enviada. 1 linha precisa de correção.').waitFor()
  await page.getByText('Abas que não foram lidas: Alteração titular').waitFor()
  await page.getByRole('textbox', { name: 'CPF, 2', exact: true }).fill(child)
  await page.getByRole('button', { name: 'Validar as correções' }).click()
  await page.getByRole('button', { name: 'Enviar 1 pessoa' }).click()
  await page.getByText('A solicitação está sendo processada.').waitFor()
  // That the workbook has no sheet of inclusions is no error.
  await expect.poll(() => page.getByText('linha de cabeçalho').count()).toBe(0)
  expect(problems.splice(0).filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([])
})

test('a file that is no table is refused with the reason', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const { page, problems } = await open('/hr/spreadsheets', { cookie })
  await chooseFile(page, pdfOf(1_000), 'admitidos.csv')
  await page.getByRole('alert').getByText(/PDF/).waitFor()
  expect(problems.splice(0)).toEqual([expect.stringContaining('415')])
})

test('an invoice shows its slips, each to download, and all as a ZIP', async () => {
  const id = await putInvoice(testApp, company, { id: 'AURORA/2026-11', 'carrier-name': 'Operadora Aurora' })
  const fileId = await putFile(testApp, id, { name: 'boleto.pdf' })
  const { cookie } = await hrOf(testApp, [company.taxId], { seesMoney: true })
  const { page, expectSound } = await open('/hr/invoices', { cookie, width: 390 })
  await page.getByRole('link', { name: id }).click()
  const slip = page.getByRole('link', { name: 'boleto.pdf' })
  await expect.poll(() => slip.getAttribute('href')).toContain(fileId)
  await expectSound()
  const download = page.waitForEvent('download')
  await openActions(page)
  await page.getByRole('link', { name: 'Baixar tudo (ZIP)' }).click()
  const zip = await readFile(await (await download).path())
  expect(unzip(zip).map(({ name }) => name)).toEqual(['boleto.pdf'])
})

test('what was sent is sent once, also when its response is lost', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const { page, problems } = await open('/hr/spreadsheets', { cookie })
  const cpf = nextCpf()
  const columns = ['Tipo de beneficiário', 'CPF', 'Nome', 'Nome da mãe', 'Data de nascimento', 'Sexo', 'Produto']
  await chooseFile(page, bookOfRows([columns, rowOf(cpf, 'Íris Prado')]))
  const sending = page.getByRole('button', { name: 'Enviar 1 pessoa' })
  await sending.waitFor()
  // The service has it; the browser does not hear of it, nor at the repetition.
  let lost = 0
  await page.route('**/v1/enrollment/inclusion', async (route) => {
    if (lost === 2) return route.continue()
    lost += 1
    await route.fetch()
    return route.abort('connectionreset')
  })
  await sending.click()
  await page.getByRole('alert').filter({ hasText: 'conexão' }).waitFor()
  await sending.click()
  await page.getByRole('link', { name: 'Abrir a solicitação' }).waitFor()
  const requests = await testApp.sql(
    'select distinct request_id from enrollment join member on member.id = enrollment.member_id where member.tax_id = $1',
    [cpf],
  )
  expect(requests.length).toBeLessThanOrEqual(1)
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/request?company-tax-id=${company.taxId}`)).body
  expect(result[0]['enrollment-summary']).not.toBe(undefined)
  problems.splice(0)
})

test('what a file has is text, whatever it looks like', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const { page } = await open('/hr/spreadsheets', { cookie })
  const hostile = '<img src=x onerror=window.hostile=1>'
  await chooseFile(
    page,
    bookOfRows([
      [hostile, 'CPF', 'Sexo'],
      [`${hostile} {{constructor}}`, '1', hostile],
    ]),
  )
  await page.getByRole('table').first().getByText(hostile).first().waitFor()
  await expect.poll(() => page.evaluate('window.hostile')).toBe(undefined)
})

test('every text is of the catalogue', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const watched = await open('/hr/spreadsheets', { cookie, language: 'en-XA' })
  const { page, expectSound } = watched
  const check = async () => {
    expect(await untranslated(watched)).toEqual([])
    await expectSound()
  }
  const text = `${headings.map((heading) => `${heading}?`).join(';')};CPF;Produto\n;;;;;;;${nextCpf()};Ouro\n`
  await chooseFile(page, Buffer.from(text), 'admitidos.csv')
  await page.getByRole('table').first().waitFor()
  await check()
})
