import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { xlsxType } from '#platform/tables/media-type.ts'
import { holder } from '../world/import.ts'
import { type Company, expectOk, nextCpf } from '../world/test-app.ts'
import { bookOfRows, partOf } from '../platform/tables/workbook.ts'
import { useConsole } from './console.ts'
import { isLong } from '../scale.ts'

/* Spreadsheets with headings, titles and words of a company's own, in the imports of operators. */

const { testApp, open } = useConsole()
let company: Company
beforeAll(async () => {
  company = await testApp.company({ name: 'Metalúrgica Serra Azul S.A.' })
})

const columns = Object.keys(holder({ id: '', taxId: '', products: {} }))
const own: Record<string, string> = { name: 'Funcionário', 'mothers-name': 'Mãe', gender: 'Gênero' }

/** A workbook with a title, and headings of the company. */
function ownBook(...lines: Record<string, unknown>[]): Buffer {
  const rows = lines.map((line) => columns.map((column) => String(line[column])))
  return bookOfRows([['Carteira de novembro'], [''], columns.map((column) => own[column] ?? column), ...rows])
}
const chooseFile = (page: Page, buffer: Buffer, name = 'carteira.xlsx') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: xlsxType, buffer })
async function saved(page: Page, name: string): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  return readFile(await (await download).path())
}

// The narrow page is the harder one; the long run has both.
for (const width of isLong ? ([1280, 390] as const) : ([390] as const)) {
  test(`headings and words that nobody knows are mapped once, and the mended lines of a workbook go with its right ones, at ${width} pixels`, async () => {
    const taxId = company.taxId
    expect((await testApp.operator.delete(`/operator/v1/column-profile/${taxId}`)).status).toBe(204)
    const right = holder(company, { gender: 'Masc.' })
    const wrong = holder(company, { name: 'Ana Lima', 'date-of-birth': '31/02/1980' })
    const { page, expectSound } = await open('/imports', { role: 'analyst', width })
    await chooseFile(page, ownBook(right, wrong))
    await page.getByText('Escolha a empresa acima: ela abre as colunas deste arquivo').waitFor()
    await page.getByRole('combobox', { name: 'Empresa' }).fill('Serra Azul')
    await page.getByRole('option', { name: /Serra Azul/ }).click()
    const field = (heading: string) => page.getByRole('combobox', { name: `Campo de “${heading}”` })
    await field('Funcionário').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Linha do cabeçalho' }).inputValue()).toBe('3')
    await expect.poll(() => field('Funcionário').inputValue()).toBe('Nome')
    await expect.poll(() => field('Mãe').inputValue()).toBe('Nome da mãe')
    await page.getByRole('row').filter({ hasText: 'Funcionário' }).getByText('Ana Lima').waitFor()
    await expectSound()
    await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
    await page.getByRole('button', { name: 'Colunas do arquivo' }).click()
    await page.getByRole('combobox', { name: 'Valor de “Masc.”' }).selectOption('male')
    await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
    await page.getByRole('button', { name: 'Colunas do arquivo' }).waitFor()
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/column-profile/${taxId}`)).body
    expect(result).toMatchObject({
      columns: [
        { heading: 'Funcionário', field: 'name' },
        { heading: 'Mãe', field: 'mothers-name' },
        { heading: 'Gênero', field: 'gender' },
      ],
      values: [{ field: 'gender', value: 'Masc.', as: 'male' }],
    })

    await page.getByRole('button', { name: 'Validar' }).click()
    await page.getByText('Nada foi salvo. 1 linha está certa e seria salva.').waitFor()
    const cell = page.getByRole('textbox', { name: 'date-of-birth, 5' })
    await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('textbox', { name: 'Funcionário, 5' }).waitFor()
    await cell.fill('28/02/1980')
    await page.getByRole('button', { name: 'Enviar 1 linha corrigida' }).click()
    await page.getByText('Nada foi salvo. 2 linhas estão certas e seriam salvas.').waitFor()
    await page.getByRole('button', { name: 'Importar agora: 2 linhas' }).click()
    await page.getByText('2 linhas foram salvas.').waitFor()
    await expectSound()
    const members = await testApp.sql('select name from member where tax_id = any($1)', [
      [right['tax-id'], wrong['tax-id']],
    ])
    expect(members).toHaveLength(2)
  })
}

test('the workbook of errors is corrected and imported again', async () => {
  const line = holder(company, { gender: 'x', 'tax-id': nextCpf() })
  const { page } = await open('/imports', { role: 'analyst' })
  await chooseFile(page, bookOfRows([columns, columns.map((column) => String(line[column]))]))
  await page.getByRole('button', { name: 'Validar' }).click()
  await page.getByRole('heading', { name: 'Linhas rejeitadas' }).waitFor()
  const book = await saved(page, 'Salvar para Excel')
  const sheet = await partOf(book, 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain('>Erro<')
  await page.getByRole('link', { name: 'Importações' }).first().click()
  // As a spreadsheet program saves it after the correction.
  const rows = [...columns, 'offenses', 'Erro']
  const corrected = [
    ...columns.map((column) => (column === 'gender' ? 'M' : String(line[column]))),
    'invalid-gender',
    'Sexo',
  ]
  await chooseFile(page, bookOfRows([rows, corrected]))
  await page.getByRole('button', { name: 'Validar' }).click()
  await page.getByText('Nada foi salvo. 1 linha está certa e seria salva.').waitFor()
})

test('the templates of a company have its products, for inclusions and exclusions', async () => {
  const { page } = await open('/imports', { role: 'analyst' })
  await page.getByRole('combobox', { name: 'Empresa' }).fill('Serra Azul')
  await page.getByRole('option', { name: /Serra Azul/ }).click()
  const inclusion = await saved(page, 'Modelo de inclusão')
  expect(await partOf(inclusion, 'xl/worksheets/sheet2.xml')).toContain('>Dental Sorriso<')
  const exclusion = await saved(page, 'Modelo de exclusão')
  expect(await partOf(exclusion, 'xl/worksheets/sheet2.xml')).toContain('>Pedido de demissão<')
})
