import { readFile } from 'node:fs/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { putFile, putInvoice, unzip } from '../http/invoice.ts'
import { csv, holder, sendImport } from '../http/import.ts'
import type { Company } from '../http/test-app.ts'
import { pdfOf } from '../http/upload.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()
let company: Company

beforeAll(async () => {
  company = await testApp.company()
})

describe('invoices', () => {
  test('an invoice is created, gets a file with progress, is paid, and its files are downloaded', async () => {
    const { page, expectSound } = await open('/invoices', { role: 'finance' })
    await page.getByRole('button', { name: 'Nova fatura' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nova fatura' })
    await dialog.getByLabel('Identificador da fatura').fill('AURORA/2026-11 0042')
    await dialog.getByLabel('Empresa').fill(company.taxId)
    await page.getByRole('option', { name: company.name }).click()
    await dialog.getByLabel('Operadora').fill('Operadora Aurora')
    await dialog.getByLabel('Valor').fill('R$ 18.450,9')
    await dialog.getByLabel('Vencimento').fill('10/12/2026')
    await dialog.getByLabel('Início da competência').fill('01112026')
    await dialog.getByLabel('Fim da competência').fill('30/11/2026')
    await dialog.getByLabel('Identificador da fatura').focus()
    await expectSound()
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await page.waitForURL('**/invoices/AURORA%2F2026-11%200042')
    await page.getByText('R$ 18.450,90').waitFor()

    // Slow enough that the progress can be seen.
    const session = await page.context().newCDPSession(page)
    const network = { offline: false, latency: 0, downloadThroughput: -1 }
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', { ...network, uploadThroughput: 1_000_000 })
    const bytes = pdfOf(2_000_000)
    const file = { name: 'boleto novembro.pdf', mimeType: 'application/pdf', buffer: bytes }
    await page.locator('input[type=file]').setInputFiles(file)
    const draft = page.getByRole('group', { name: 'boleto novembro.pdf' })
    expect(await draft.getByLabel('Tipo do arquivo').inputValue()).toBe('payment-slip')
    expect(await draft.getByLabel('Vencimento do boleto').inputValue()).toBe('10/12/2026')
    await expectSound()
    await draft.getByRole('button', { name: 'Enviar' }).click()
    await page.waitForFunction(`(() => {
      const value = Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow'))
      return value > 0 && value < 100
    })()`)
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
    await page.getByRole('button', { name: 'Excluir a fatura' }).click()
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
    await page.getByText('2 linhas').waitFor()
    await expectSound()
    expect(await page.getByRole('button', { name: 'Nova fatura' }).count()).toBe(0)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar como CSV' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
    expect(lines.slice(1).map((line) => line.split(';').slice(0, 5))).toEqual([
      ['a', other.name, 'Operadora Aurora', '0,10', '05/01/2027'],
      ['b', other.name, 'Operadora Aurora', '1234567,89', '05/01/2027'],
      [''],
    ])
  })
})
