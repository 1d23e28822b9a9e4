/* A day of a broker by keyboard alone: people included by the API are seen arriving, resolved in bulk, found as members, and invoiced. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectOk, type Json, primary } from '../world/test-app.ts'
import { pdfOf } from '../world/upload.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

/** Moves the focus as a keyboard does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let tabs = 0; tabs < 150; tabs += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no Tab leads to ${String(target)}`)
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function write(page: Page, label: Locator, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.type(text)
}

test('by keyboard alone: included by the API, seen arriving, resolved in bulk, the member seen, the invoice uploaded', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const { page, problems, goto } = await open('/queue', { role: 'admin' })
  await page.clock.install()
  await goto('/queue')
  await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()

  const people = ['Antônia Prado', 'Benedito Prado', 'Cecília Prado'].map((name) => primary({ name }))
  await testApp.include(partner, company, people)
  await page.clock.fastForward(31_000)
  const tabs = page.getByRole('navigation', { name: 'Situação' })
  await tabs.getByRole('link', { name: 'Em aberto 3' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Cecília Prado' }).waitFor()

  for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 'a']) await page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  await press(page, dialog.getByRole('button', { name: 'Aprovar' }))
  await tabs.getByRole('button', { name: 'Encerradas 3' }).waitFor()

  await press(page, page.getByRole('link', { name: 'Beneficiários' }))
  await write(page, page.getByRole('searchbox').first(), 'antonia')
  await press(page, page.getByRole('link', { name: 'Antônia Prado' }))
  await page.getByRole('heading', { name: 'Antônia Prado', level: 1 }).waitFor()
  await page.getByText('Ativo').first().waitFor()

  await press(page, page.getByRole('link', { name: 'Faturas' }))
  await press(page, page.getByRole('button', { name: 'Nova fatura' }))
  await write(page, dialog.getByLabel('Identificador da fatura'), 'AURORA 2026-11')
  await write(page, dialog.getByLabel('Empresa'), company.taxId)
  await page.getByRole('option', { name: 'Metalúrgica Serra Azul S.A.' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await write(page, dialog.getByLabel('Operadora'), 'Operadora Aurora')
  await write(page, dialog.getByLabel('Valor'), '1.234,56')
  await write(page, dialog.getByLabel('Vencimento'), '10/12/2026')
  await write(page, dialog.getByLabel('Competência'), '11/2026')
  await press(page, dialog.getByRole('button', { name: 'Salvar' }))
  await page.getByRole('heading', { name: 'Adicionar arquivos' }).waitFor()
  const chooser = page.waitForEvent('filechooser')
  await press(page, page.locator('[tabindex="0"]').filter({ has: page.locator('input[type=file]') }))
  await (await chooser).setFiles({ name: 'boleto.pdf', mimeType: 'application/pdf', buffer: pdfOf(20_000) })
  await press(page, page.getByRole('button', { name: 'Enviar', exact: true }))
  await page.getByRole('button', { name: 'Marcar como pago: boleto.pdf' }).waitFor()

  const { body } = expectOk(await partner.get(`/v1/invoices?company-tax-id=${company.taxId}`))
  expect(body.result.map((invoice: Json) => invoice['amount'])).toEqual([123_456])
  const benefits = expectOk(await partner.get('/v1/benefit')).body.result
  expect(benefits.map((benefit: Json) => benefit.status)).toEqual(['active', 'active', 'active'])
  // The console asks whether the id of the invoice is free.
  expect(problems).toEqual([expect.stringContaining('404')])
})
