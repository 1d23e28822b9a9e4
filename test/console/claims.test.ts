import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bradescoInvoice } from '../world/bradesco.ts'
import { discrepanciesOf } from '../world/carrier-file.ts'
import { putInvoice } from '../world/invoice.ts'
import { expectOk, type Json } from '../world/test-app.ts'
import { compareInvoice, known, sendInvoice, workedEntries, workedPeople } from '../world/worked-invoice.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })

const november = '2026-11'
const openMonth = (taxId: string) => `/closings/${taxId}/${november}`

/** An invoice of November that was compared, with a claim of what is charged too much. */
async function claimed(status?: 'sent') {
  const one = await known(testApp, workedPeople)
  const compared = await compareInvoice(testApp, one, november, workedEntries)
  const id = compared['reconciliation-id']
  const wanted = (await discrepanciesOf(testApp, id)).filter(({ amount }: Json) => amount > 0)
  const body = { 'reconciliation-id': id, 'discrepancy-ids': wanted.map((found: Json) => found['discrepancy-id']) }
  const claim = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result
  const path = `/operator/v1/claim/${claim['claim-id']}/status`
  if (status !== undefined) expectOk(await testApp.operator.post(path, { status }))
  return { one, fileId: compared['carrier-file-id'], claimId: claim['claim-id'], taxId: one.company.taxId }
}

test('a month of an invoice: sent, compared, explained, claimed, credited, closed and opened again', async () => {
  const one = await known(testApp, workedPeople)
  const { taxId } = one.company
  const { page, goto, expectSound, violations } = await open(`/reconciliations?company-tax-id=${taxId}&kind=invoice`, {
    role: 'finance',
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await dialog.getByRole('combobox', { name: 'Contrato' }).and(page.locator('[value*="900001"]')).waitFor()
  await dialog.getByLabel('Competência').fill('11/2026')
  await dialog.getByRole('combobox', { name: 'Leiaute' }).click()
  await page.getByRole('option', { name: 'Bradesco Saúde' }).click()
  const buffer = bradescoInvoice('900001', '202611', workedEntries)
  await page.locator('input[type=file]').setInputFiles({ name: 'fatura.txt', mimeType: 'text/plain', buffer })
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'FULANO DE TAL' }).waitFor()
  await page.getByRole('button', { name: 'Conciliar' }).click()
  const classes = page.getByRole('navigation', { name: 'Classes de divergências' })
  await classes.getByRole('link', { name: 'Todas (4)' }).waitFor()
  // Each class with its sum, and the sums of all.
  await classes.getByRole('link', { name: 'Não cobrado (1) -R$ 412,35' }).waitFor()
  const numbers = page.locator('.key-numbers')
  const shown = ['CobradoR$ 2.416,90', 'EsperadoR$ 1.636,43', 'A maisR$ 1.192,82', 'A menos-R$ 412,35']
  const decided = ['ContestadoR$ 0,00', 'ExplicadoR$ 74,16', 'Falta decidirR$ 1.531,01']
  const read = async () =>
    (await numbers.locator('div').allTextContents()).map((text) => text.replaceAll('\u00A0', ' '))
  await expect.poll(read).toEqual([...shown, ...decided])
  const [file] = expectOk(await testApp.operator.get(`/operator/v1/carrier-file?company-tax-id=${taxId}`)).body.result

  const bar = page.getByRole('region', { name: 'Divergências selecionadas' })
  await classes.getByRole('link', { name: 'Não cobrado (1)' }).click()
  await page.getByRole('row').filter({ hasText: 'FULANO DE TAL' }).waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Selecionar a linha 1' }).check()
  await bar.getByRole('button', { name: 'Explicar' }).click()
  await dialog.getByLabel('Observação').fill('Cobrado em dezembro')
  await dialog.getByRole('button', { name: 'Explicar' }).click()
  await page.getByRole('row').filter({ hasText: 'Cobrado em dezembro' }).waitFor()
  await classes.getByRole('link', { name: 'Todas (4)' }).click()
  await page.getByRole('row').filter({ hasText: 'FULANO DE TAL' }).waitFor()
  await page.getByRole('checkbox', { name: 'Selecionar todas' }).check()
  await bar.getByRole('button', { name: 'Contestar' }).click()
  await dialog.getByText('3 divergências entram na contestação').getByText('R$ 1.192,82').waitFor()
  await dialog.getByText('1 fica de fora').waitFor()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Contestar' }).click()

  await page.getByRole('heading', { name: 'Contestação 11/2026: Operadora Aurora, contrato 900001' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'FULANO DE TAL' }).getByText('R$ 706,31').waitFor()
  expect(await violations()).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar XLSX' }).click()
  expect((await download).suggestedFilename()).toBe('contestacao-2026-11-900001.xlsx')
  expect((await readFile(await (await download).path())).subarray(0, 2).toString()).toBe('PK')
  await expectSound()
  await goto(openMonth(taxId))
  await page.getByRole('link', { name: '1 rascunho' }).click()
  await page.getByRole('heading', { name: 'Contestações' }).waitFor()
  await page.getByRole('link', { name: 'Operadora Aurora · 900001' }).click()
  await page.getByRole('button', { name: 'Marcar como enviada' }).click()
  await dialog.getByLabel('Protocolo da operadora').fill('2026-778812')
  await dialog.getByRole('button', { name: 'Marcar como enviada' }).click()
  await page.getByRole('button', { name: 'Aceita pela operadora' }).click()
  await dialog.getByRole('button', { name: 'Aceita pela operadora' }).click()
  await page.getByText('A contestação está como aceita.').waitFor()
  await expect.poll(() => page.getByText('2026-778812').count()).toBe(1)
  const claimUrl = new URL(page.url()).pathname.replace('/console', '')

  const credit = { type: 'CR', period: '112026' }
  await compareInvoice(testApp, one, '2026-12', [
    { ...credit, certificate: '2', name: 'B', amount: -41_235 },
    { ...credit, certificate: '99', name: 'FULANO DE TAL', amount: -70_631 },
    { ...credit, certificate: '6', name: 'G', amount: -7416 },
  ])
  await goto(claimUrl)
  await page.locator('[aria-current=step]').getByText('Creditada').waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: '12/2026' }).count()).toBe(3)
  await expect.poll(() => page.getByRole('button', { name: 'Recusada' }).count()).toBe(0)
  await goto(`/claims?company-tax-id=${taxId}`)
  await page.getByRole('region', { name: 'Totais dos filtros' }).getByText('R$ 0,00').waitFor()
  await expectSound()

  await goto(`/closings?company-tax-id=${taxId}`)
  await page.getByRole('button', { name: 'Conferir competência' }).click()
  await dialog.getByLabel('Competência').fill('11/2026')
  await dialog.getByRole('button', { name: 'Conferir', exact: true }).click()
  await page.getByRole('heading', { name: 'Fechamento 11/2026: ' }).waitFor()
  const invoice = page.getByRole('row').filter({ hasText: '900001' }).getByRole('link', { name: '0 em aberto' })
  await invoice.waitFor()
  await page.getByRole('link', { name: 'Enviar ou conciliar' }).waitFor()
  const close = page.getByRole('button', { name: 'Fechar competência' })
  // By the keyboard: the question is left, asked again, and answered.
  await close.focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('listitem').filter({ hasText: 'Relação de vidas' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('button:focus').and(close).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Por que fechar mesmo sem concluir').fill('Prazo da folha')
  expect(await violations()).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'A competência está fechada' }).waitFor()
  await page.getByText('Prazo da folha').waitFor()
  await expect.poll(() => page.getByText('R$ 780,47').count()).toBe(2)
  await page.getByRole('cell', { name: 'R$ 1.192,82' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Reabrir' }).count()).toBe(0)
  await expectSound()
  await invoice.click()
  await classes.waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Conciliar de novo' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Baixar arquivo' }).waitFor()
  await expect.poll(() => page.getByRole('menuitem', { name: 'Excluir' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
  expect(page.url()).toContain(file['file-id'])

  const admin = await open(`/closings?company-tax-id=${taxId}`, { role: 'admin' })
  await admin.page.getByRole('link', { name: '11/2026' }).click()
  await admin.page.getByRole('button', { name: 'Reabrir' }).click()
  const question = admin.page.getByRole('dialog')
  await question.getByLabel('Por que reabrir').fill('Fatura reemitida')
  await question.getByRole('button', { name: 'Reabrir' }).click()
  await admin.page.getByText('Fatura reemitida').waitFor()
  await admin.page.getByRole('button', { name: 'Fechar competência' }).waitFor()
})

test('a draft is deleted, and what it claimed is open again; a refused claim too', async () => {
  const { claimId, fileId } = await claimed()
  const { page, goto } = await open(`/reconciliations/${fileId}?status=claimed`, { role: 'finance' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Ver contestação' }).first().click()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await page.getByText('A contestação foi excluída.').waitFor()
  await page.waitForURL((url) => url.pathname === '/console/claims')
  await goto(`/reconciliations/${fileId}?status=claimed`)
  await page.getByText('Nenhuma divergência com estes filtros.').waitFor()
  await goto(`/claims/${claimId}`)
  await page.getByRole('heading', { name: 'Não encontrado' }).waitFor()

  const other = await claimed('sent')
  await goto(`/claims/${other.claimId}`)
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Recusada pela operadora' }).click()
  await dialog.getByRole('button', { name: 'Recusada pela operadora' }).click()
  await page.locator('[aria-current=step]').getByText('Recusada').waitFor()
  await page.getByRole('link', { name: 'Ver conciliação' }).click()
  await page.getByRole('link', { name: 'Todas (4)' }).waitFor()
  await page.getByRole('row').nth(1).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Ver contestação' }).count()).toBe(0)
})

test('a supplementary invoice is sent as such; lists, pages and the closing say which invoices count', async () => {
  const one = await known(testApp, workedPeople)
  const { taxId } = one.company
  const replaced = await compareInvoice(testApp, one, november, workedEntries.slice(1))
  const main = await compareInvoice(testApp, one, november, workedEntries)
  const { page, goto, expectSound, violations } = await open(`/reconciliations?company-tax-id=${taxId}&kind=roster`, {
    role: 'finance',
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await dialog.getByRole('combobox', { name: 'Contrato' }).and(page.locator('[value*="900001"]')).waitFor()
  await dialog.getByLabel('Competência').fill('11/2026')
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Tipo de fatura' }).count()).toBe(0)
  await dialog.getByRole('combobox', { name: 'Tipo de arquivo' }).click()
  await page.getByRole('option', { name: 'Fatura' }).click()
  await dialog.getByRole('combobox', { name: 'Tipo de fatura' }).click()
  await page.getByRole('option', { name: 'Complementar' }).click()
  await dialog.getByRole('combobox', { name: 'Leiaute' }).click()
  await page.getByRole('option', { name: 'Bradesco Saúde' }).click()
  const buffer = bradescoInvoice('900001', '202611', [{ certificate: '3', name: 'C', amount: 100 }])
  await page.locator('input[type=file]').setInputFiles({ name: 'extra.txt', mimeType: 'text/plain', buffer })
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.locator('.context-line').getByText('Complementar').waitFor()
  await page.getByRole('columnheader', { name: 'Linha' }).waitFor()

  await goto(`/reconciliations?company-tax-id=${taxId}`)
  const file = (name: string) => page.getByRole('cell').filter({ hasText: name })
  await file('Fatura · Complementar').waitFor()
  await expect.poll(() => file('Fatura · substituído').count()).toBe(1)
  expect(await violations()).toEqual([])
  await goto(`/reconciliations/${replaced['carrier-file-id']}`)
  await page.getByRole('alert').getByText('Este arquivo não vale').waitFor()
  expect(await violations()).toEqual([])
  await page.getByRole('link', { name: 'Ver o arquivo que vale' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toContain(main['carrier-file-id'])
  await page.getByRole('columnheader', { name: 'Mês de cobertura' }).waitFor()
  await page.getByRole('row').filter({ hasText: '11/2026' }).first().waitFor()
  expect(await violations()).toEqual([])

  await goto(openMonth(taxId))
  const contract = page.getByRole('row').filter({ hasText: '900001' })
  await contract.getByRole('link', { name: /^Principal: \d+ em aberto$/ }).waitFor()
  await contract.getByRole('link', { name: 'Complementar: não conciliada' }).waitFor()
  expect(await violations()).toEqual([])
  await expectSound()
})

describe('the file of a carrier', () => {
  test('is downloaded as it was sent, and deleted where nobody has worked with it', async () => {
    const one = await known(testApp, workedPeople)
    const file = await sendInvoice(testApp, one, november, workedEntries)
    const { page } = await open(`/reconciliations/${file['file-id']}`, { role: 'analyst' })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Baixar arquivo' }).click()
    expect(await readFile(await (await download).path())).toEqual(bradescoInvoice('900001', '202611', workedEntries))
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('O arquivo foi excluído.').waitFor()
    await page.waitForURL((url) => url.pathname === '/console/reconciliations')
    const list = await testApp.operator.get(`/operator/v1/carrier-file?company-tax-id=${one.company.taxId}`)
    expect(expectOk(list).body.result).toEqual([])
  })

  test('stays where a claim depends on it, and the page says so', async () => {
    const { fileId } = await claimed()
    const { page } = await open(`/reconciliations/${fileId}`, { role: 'finance' })
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Excluir' }).click()
    await dialog.getByRole('alert').waitFor()
  })
})

test('the page of an invoice has the lines of the carrier’s file, with person, difference and the way to it', async () => {
  const { one, taxId } = await claimed()
  const id = await putInvoice(testApp, one.company, { amount: 241_690, 'carrier-name': 'OPERADORA Aurora' })
  const { page, goto, expectSound } = await open(`/invoices/${encodeURIComponent(id)}`, { role: 'admin' })
  await page.getByRole('link', { name: 'Linhas' }).click()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('FULANO DE TAL').getByText('R$ 706,31').first().waitFor()
  await expect.poll(() => row('FULANO DE TAL').getByText('R$ 706,31').count()).toBe(2)
  await row('Nova faixa').or(row('Valor diferente')).getByRole('link', { name: 'G' }).waitFor()
  await expectSound()
  await row('Cobrado após o fim').getByRole('link', { name: 'Cobrado após o fim' }).click()
  await page.getByRole('row').filter({ hasText: 'Contestada' }).waitFor()
  expect(new URL(page.url()).searchParams.get('class')).toBe('charged-after-end')
  const later = await putInvoice(testApp, one.company, {
    'reference-period-start': '2026-12-01',
    'reference-period-end': '2026-12-31',
  })
  await goto(`/invoices/${encodeURIComponent(later)}?view=lines`)
  await page.getByRole('link', { name: 'Enviar na conciliação' }).click()
  await page.waitForURL((url) => url.searchParams.get('company-tax-id') === taxId)
})

const pagesOf = async () => {
  const { claimId, taxId, one } = await claimed('sent')
  const id = await putInvoice(testApp, one.company)
  expectOk(
    await testApp.operator.post('/operator/v1/closing', {
      'company-tax-id': taxId,
      'reference-month': '2026-10',
      reason: 'Sem fatura',
    }),
  )
  return {
    '/claims': 'row',
    [`/claims/${claimId}`]: 'row',
    '/closings': 'row',
    [openMonth(taxId)]: 'row',
    [`/closings/${taxId}/2026-10`]: 'alert',
    [`/invoices/${encodeURIComponent(id)}?view=lines`]: 'row',
  } as const
}

test('an auditor reads everything on narrow dark pages in English, and changes nothing', async () => {
  const pages = await pagesOf()
  const options = { role: 'auditor', language: 'en', theme: 'dark', width: 390 } as const
  const { page, goto, expectSound, violations } = await open('/claims', options)
  for (const [path, role] of Object.entries(pages)) {
    await goto(path)
    await page.getByRole(role).last().waitFor()
    await page.waitForLoadState('networkidle')
    expect({ path, found: await violations() }).toEqual({ path, found: [] })
    await expectSound()
    for (const name of ['Close the month', 'Open again', 'Refused by the carrier', 'Delete']) {
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
    }
  }
})

test('every text is in the catalogues', async () => {
  const pages = await pagesOf()
  const watched = await open('/claims', { role: 'admin', language: 'en-XA' })
  for (const [path, role] of Object.entries(pages)) {
    await watched.goto(path)
    await watched.page.getByRole(role).last().waitFor()
    expect({ path, found: await untranslated(watched) }).toEqual({ path, found: [] })
  }
})
