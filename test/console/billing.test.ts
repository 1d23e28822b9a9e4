import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { putFile, putInvoice, unzip } from '../world/invoice.ts'
import { csv, holder, sendImport } from '../world/import.ts'
import type { Company } from '../world/test-app.ts'
import { pdfOf } from '../world/upload.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOfRows, partOf } from '../platform/tables/workbook.ts'
import { openActions, untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()
const companyName = 'Metalúrgica Serra Azul S.A.'
let company: Company

beforeAll(async () => {
  company = await testApp.company()
})

describe('invoices', () => {
  test('an invoice is created, gets a file with progress, is paid, and its files are downloaded', async () => {
    const { page, expectSound, problems } = await open('/invoices', { role: 'finance' })
    await page.getByRole('button', { name: 'Nova fatura' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nova fatura' })
    await dialog.getByLabel('Identificador da fatura').fill('AURORA/2026-11 0042')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    // All at once, in the language of the console: company, carrier, amount, due date and month.
    await expect.poll(() => dialog.getByText('Preencha este campo.').count()).toBe(4)
    await dialog.getByText('Escreva a competência como mm/aaaa.').waitFor()
    await dialog.getByLabel('Empresa').fill(company.taxId)
    await page.getByRole('option', { name: companyName }).click()
    await dialog.getByLabel('Operadora').fill('Operadora Aurora')
    await dialog.getByLabel('Valor').fill('R$ 18.450,9')
    await dialog.getByLabel('Vencimento').fill('10/13/2026')
    await dialog.getByLabel('Competência').fill('11/2026')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.getByText('Escreva a data como dd/mm/aaaa.').waitFor()
    await dialog.getByLabel('Vencimento').fill('10/12/2026')
    await dialog.getByLabel('Identificador da fatura').focus()
    await expectSound()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await page.waitForURL('**/invoices/AURORA%2F2026-11%200042')
    await page.getByRole('heading', { name: 'Adicionar arquivos' }).waitFor()
    await page.getByText('R$ 18.450,90').waitFor()

    // The console asks whether the id is free; Chromium reports each status above 399.
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')])
    // Slow enough that the progress can be seen.
    const session = await page.context().newCDPSession(page)
    const network = { offline: false, latency: 0, downloadThroughput: -1 }
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', { ...network, uploadThroughput: 1_000_000 })
    const bytes = pdfOf(2_000_000)
    const file = { name: 'boleto novembro.pdf', mimeType: 'application/pdf', buffer: bytes }
    await page.locator('input[type=file]').setInputFiles(file)
    const draft = page.getByRole('group', { name: 'boleto novembro.pdf' })
    await expect.poll(() => draft.getByRole('combobox', { name: 'Tipo do arquivo' }).inputValue()).toBe('Boleto')
    await expect.poll(() => draft.getByLabel('Vencimento do boleto').inputValue()).toBe('10/12/2026')
    await expectSound()
    await draft.getByRole('button', { name: 'Enviar', exact: true }).click()
    await page.locator('[role=progressbar]:not([aria-valuenow="0"]):not([aria-valuenow="100"])').waitFor()
    await session.send('Network.emulateNetworkConditions', { ...network, uploadThroughput: -1 })
    await page.getByRole('button', { name: 'Marcar como pago: boleto novembro.pdf' }).click()
    await page.getByRole('button', { name: 'Marcar como não pago: boleto novembro.pdf' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Baixar tudo (ZIP)' }).click()
    const zip = await readFile(await (await download).path())
    expect(unzip(zip).map((one) => [one.name, one.bytes.equals(bytes)])).toEqual([['boleto novembro.pdf', true]])
    const [stored] = await testApp.sql('select amount::int, due_date::text from invoice where id = $1', [
      'AURORA/2026-11 0042',
    ])
    expect(stored).toEqual({ amount: 1_845_090, due_date: '2026-12-10' })

    // What is paid is not deleted.
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Excluir a fatura' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir a fatura' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  })

  test('the list has the total of the filter, which the address has, and is saved as CSV', async () => {
    const other = await testApp.company()
    const due = { 'due-date': '2027-01-05' }
    await putInvoice(testApp, other, { ...due, id: 'a', amount: 10 })
    await putInvoice(testApp, other, { ...due, id: 'b', amount: 123_456_789 })
    await putInvoice(testApp, company, { ...due, id: 'c', amount: 1 })
    const { page, expectSound } = await open(`/invoices?company-tax-id=${other.taxId}`, { role: 'auditor', width: 390 })
    await page.getByText('R$ 1.234.567,99').waitFor()
    await page.getByText('2 faturas').waitFor()
    await expectSound()
    await expect.poll(() => page.getByRole('button', { name: 'Nova fatura' }).count()).toBe(0)
    await openActions(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar como CSV' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
    expect(lines.slice(1).map((line) => line.split(';').slice(0, 5))).toEqual([
      ['a', companyName, 'Operadora Aurora', '"0,10"', '05/01/2027'],
      ['b', companyName, 'Operadora Aurora', '"1234567,89"', '05/01/2027'],
      [''],
    ])
  })
})

describe('imports', () => {
  const fileOf = (text: string) => ({ name: 'carteira.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  test('a file with an error is validated, mended, validated again and imported', async () => {
    const [right, wrong] = [
      holder(company),
      holder(company, { gender: 'x', 'card-number': '+1;"2"', name: 'Ana Lima' }),
    ]
    const { page, expectSound } = await open('/imports', { role: 'analyst' })
    await page.locator('input[type=file]').setInputFiles(fileOf(csv([right, wrong])))
    await expectSound()
    await page.getByRole('button', { name: 'Validar' }).click()
    await page.getByRole('heading', { name: 'Simulação de importação' }).waitFor()
    await page.getByText('Nada foi salvo. 1 linha está certa e seria salva.').waitFor()
    const cell = page.getByRole('textbox', { name: 'gender, 3' })
    await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true')
    await cell.focus()
    await page.getByRole('status').filter({ hasText: 'Linha 3' }).getByRole('listitem').waitFor()
    await expectSound()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Salvar as linhas rejeitadas' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('invalid-gender')

    // Typed, so that the field keeps the focus.
    await cell.press('ControlOrMeta+a')
    await cell.pressSequentially('feminino')
    const former = page.url()
    await page.getByRole('button', { name: 'Enviar 1 linha corrigida' }).click()
    await page.waitForURL((url) => url.href !== former)
    await page.getByText('Nada foi salvo. 2 linhas estão certas e seriam salvas.').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Linhas rejeitadas' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Importar agora: 2 linhas' }).click()
    await page.getByRole('heading', { name: 'Importação', exact: true }).waitFor()
    await page.getByText('2 linhas foram salvas.').waitFor()
    const stored = await testApp.sql('select card_number from benefit order by card_number')
    expect(stored).toHaveLength(2)
    expect(stored).toContainEqual({ card_number: '+1;"2"' })
  })

  test('a workbook is imported, its rejected rows and templates are saved as workbooks', async () => {
    const lines = [holder(company), holder(company, { gender: 'x' })]
    const columns = Object.keys(lines[0] ?? {})
    const buffer = bookOfRows([columns, ...lines.map((line) => columns.map((column) => String(line[column])))])
    const { page, goto } = await open('/imports', { role: 'analyst' })
    const saved = async (name: string) => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      return readFile(await (await download).path())
    }
    expect(await partOf(await saved('Modelo para Excel'), 'xl/worksheets/sheet1.xml')).toContain('>CPF<')
    await page.locator('input[type=file]').setInputFiles({ name: 'carteira.xlsx', mimeType: xlsxType, buffer })
    await page.getByRole('button', { name: 'Validar' }).click()
    await page.getByText('Nada foi salvo. 1 linha está certa e seria salva.').waitFor()
    expect(await partOf(await saved('Salvar para Excel'), 'xl/worksheets/sheet1.xml')).toContain('>invalid-gender<')
    await page.getByRole('button', { name: 'Importar agora: 1 linha' }).click()
    await page.getByText('1 linha foi salva.').waitFor()
    await goto(`/companies/${company.taxId}`)
    expect(await partOf(await saved('Modelo de importação (Excel)'), 'xl/worksheets/sheet2.xml')).toContain(
      company.taxId,
    )
  })
})

test('every text is of the catalogue', async () => {
  const id = await putInvoice(testApp, company, { id: 'pseudo' })
  await putFile(testApp, id)
  const response = await sendImport(testApp.operator, csv([holder(company, { gender: 'x', Idade: '1' })]), {
    query: '?dry-run=true',
    type: 'text/csv',
  })
  const watched = await open('/invoices', { role: 'admin', language: 'en-XA', theme: 'dark' })
  const { page, goto, expectSound } = watched
  const button = page.getByRole('button')
  const check = async () => {
    expect(await untranslated(watched)).toEqual([])
    await expectSound()
  }
  await page.getByRole('link', { name: 'pseudo' }).waitFor()
  await button.filter({ hasText: 'Néw íñvóíçé' }).click()
  await check()
  await goto('/invoices/pseudo')
  await page.locator('input[type=file]').setInputFiles({ name: 'x.pdf', mimeType: '', buffer: Buffer.from('x') })
  await page.getByRole('group', { name: 'x.pdf' }).waitFor()
  await check()
  await page.locator('button[aria-haspopup=menu]').last().click()
  await page.getByRole('menuitem').filter({ hasText: 'Délété thé íñvóíçé' }).click()
  await check()
  await goto('/imports')
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
  await page.getByRole('table').waitFor()
  await check()
  await goto(`/imports/${response.body['import-id']}`)
  await page.getByRole('textbox').first().focus()
  await check()
})
