import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { discrepanciesOf, reconcile } from '../world/carrier-file.ts'
import { expectOk, type Json } from '../world/test-app.ts'
import { chargedLines, invoiceOf, lineOf, openValeClaro, type ValeClaro, valeClaroDay } from '../world/vale-claro.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* Why an invoice charges what it charges, as operators and the people of companies read it. */

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: valeClaroDay })
let one: ValeClaro
let fileId: string

/** January with three months of Iolanda, an amount of Gilson that is claimed, and a fee. */
beforeAll(async () => {
  one = await openValeClaro(testApp, { 'show-discrepancies': true })
  const late = (month: string, cents: number) =>
    lineOf(one, 'Iolanda Freitas Barreto', cents, { 'entry-type': 'inclusion-retroactive', 'entry-month': month })
  const file = await invoiceOf(testApp, one, '2027-01', [
    late('2026-11', 8526),
    late('2026-12', 31_974),
    lineOf(one, 'Iolanda Freitas Barreto', 31_974),
    ...chargedLines(one, { 'Gilson Arruda Penteado': 64_057, 'Teresa Nogueira Prates': 45_516 }),
    { amount: '35,00', 'entry-type': 'fee' },
  ])
  fileId = file['file-id']
  const { 'reconciliation-id': id } = await reconcile(testApp, fileId)
  const found = await discrepanciesOf(testApp, id)
  const gilson = found.find((each: Json) => each['member-name'] === 'Gilson Arruda Penteado')
  const claim = { 'reconciliation-id': id, 'discrepancy-ids': [gilson?.['discrepancy-id']] }
  expectOk(await testApp.operator.post('/operator/v1/claim', claim))
})

/** The texts of rows, with one kind of space. */
const textsOf = async (rows: Locator): Promise<string[]> =>
  (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

test('a line of an invoice leads to its terms, which add up, to what changed and to the movement', async () => {
  const { page, expectSound, violations } = await open(`/reconciliations/${fileId}?view=lines`, { role: 'analyst' })
  const line = page.getByRole('row').filter({ hasText: 'Iolanda' }).first()
  await line.getByTitle('Por que este valor').click()
  await page.getByRole('heading', { level: 1, name: 'Por que este valor' }).waitFor()
  const terms = page.getByRole('region', { name: 'Como se forma o valor' }).getByRole('row')
  await terms.first().waitFor()
  await expect
    .poll(() => textsOf(terms))
    .toEqual([
      'Mês de cobertura Parcela Valor',
      '11/2026 Preço da faixa 24-28: 27 anos em 31/10/2026 tabela desde 01/02/2026 R$ 319,74',
      '8 dias de cobertura desde 23/11/2026 dias de um mês de trinta -R$ 234,48',
      'Soma de 11/2026 R$ 85,26',
      '12/2026 Preço da faixa 24-28: 27 anos em 30/11/2026 tabela desde 01/02/2026 R$ 319,74',
      '01/2027 Preço da faixa 24-28: 27 anos em 31/12/2026 tabela desde 01/02/2026 R$ 319,74',
      'Valor na fatura R$ 724,74',
    ])
  const causes = page.getByRole('region', { name: 'O que mudou desde a última fatura' }).getByRole('row')
  await expect
    .poll(() => textsOf(causes))
    .toEqual([
      'Causa Valor',
      'Última fatura R$ 0,00',
      'Entrada R$ 319,74',
      'Cobrança retroativa R$ 405,00',
      'Valor na fatura R$ 724,74',
    ])
  await page.getByText('Primeira fatura que deve trazê-la: 01/2027').waitFor()
  await page.getByText('18/12/2026').waitFor()
  await page.getByText('inclusão pedida em').waitFor()
  expect(await violations()).toEqual([])
  await expectSound()
  await page.getByRole('link', { name: 'tabela desde 01/02/2026' }).first().click()
  await page.getByRole('region', { name: 'Tabelas de preços' }).getByText('R$ 1.302,36').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Inclusão', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Inclusão: Iolanda Freitas Barreto' }).waitFor()
})

test('the amounts of a month are filtered, and lead to the discrepancy and the claim', async () => {
  const { page, goto, expectSound } = await open(`/reconciliations/${fileId}`, { role: 'finance' })
  await page.getByRole('link', { name: 'Por que estes valores' }).click()
  await page.getByRole('heading', { level: 1, name: 'Valores de 01/2027' }).waitFor()
  const totals = page.getByRole('region', { name: 'Totais dos filtros' })
  await totals.getByText('R$ 35,00').waitFor()
  await page.getByRole('combobox', { name: 'Divergência' }).click()
  await page.getByRole('option', { name: 'Valor diferente' }).click()
  await page.getByText('1 item').or(page.getByText('1 registro')).first().waitFor()
  await page.getByRole('link', { name: 'Gilson Arruda Penteado' }).click()
  const found = page.getByRole('region', { name: 'Divergências e contestações' })
  await found.getByText('R$ 78,67').first().waitFor()
  await expectSound()
  await found.getByRole('link', { name: 'Rascunho' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contestação 01/2027' }).waitFor()
  await page.goBack()
  await found.getByRole('link', { name: 'Valor diferente' }).click()
  await page.getByRole('link', { name: 'Todas' }).waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('Gilson Arruda Penteado')
  // A month of which no forecast was stored.
  await goto(`/charges/${one.contractId}/2026-11`)
  await page.getByRole('link', { name: 'Gilson Arruda Penteado' }).waitFor()
  await page.waitForLoadState('networkidle')
  await expectSound()
})

test('a plan without a price table says so, with the way to the prices', async () => {
  const bare = await openValeClaro(testApp)
  const tables = expectOk(await testApp.operator.get(`/operator/v1/price-table?contract-id=${bare.contractId}`))
  for (const table of tables.body.result) {
    expectOk(await testApp.operator.delete(`/operator/v1/price-table/${table['price-table-id']}`))
  }
  const { page } = await open(`/charges/${bare.contractId}/2026-12`, { role: 'auditor', language: 'en' })
  await page.getByRole('link', { name: 'Teresa Nogueira Prates' }).click()
  await page.getByRole('link', { name: /^No price table for the plan .+ from 12\/2026$/ }).click()
  await page.getByText('Without prices nothing can be expected of the invoices.', { exact: false }).waitFor()
})

test('who sees money in a company reads it from the invoice of a person; nobody else does', async () => {
  const { cookie } = await hrOf(testApp, [one.company.taxId], { seesMoney: true })
  const { page, goto, expectSound } = await open('/hr/charges/2027-01', { cookie, language: 'en' })
  await page.getByRole('link', { name: 'Gilson Arruda Penteado' }).click()
  await page.getByRole('region', { name: 'How the amount comes about' }).getByText('R$ 640,57').first().waitFor()
  await expect.poll(() => page.getByRole('link', { name: /table from/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Another amount' }).click()
  await page.getByRole('heading', { level: 1, name: 'Discrepancies' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Gilson Arruda Penteado' }).click()
  await page.getByRole('link', { name: 'Why this amount' }).click()
  await page.getByText('is charged under these filters').or(page.getByText('What changed')).first().waitFor()
  await expectSound()

  const { cookie: other } = await hrOf(testApp, [one.company.taxId])
  const blind = await open('/hr/people', { cookie: other, language: 'en' })
  await blind.page.getByRole('link', { name: 'Gilson Arruda Penteado' }).click()
  await blind.page.getByRole('region', { name: 'Benefits' }).waitFor()
  await expect.poll(() => blind.page.getByRole('link', { name: 'Why this amount' }).count()).toBe(0)
  await blind.goto('/hr/charges/2027-01')
  await blind.page.getByText('No permission').waitFor()
  await goto('/hr/charges/2027-01')
})
