import { beforeEach, expect, test } from 'vitest'
import { discrepanciesOf } from '../world/carrier-file.ts'
import { expectOk, type Json } from '../world/test-app.ts'
import { compareInvoice, type Known, known, workedEntries, workedPeople } from '../world/worked-invoice.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* What was found in the worked invoice of November, of which B is claimed. */

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })
let opened: Known

beforeEach(async () => {
  opened = await known(testApp, workedPeople)
  const { 'reconciliation-id': id } = await compareInvoice(testApp, opened, '2026-11', workedEntries)
  const wanted = (await discrepanciesOf(testApp, id)).filter((found: Json) => found.class === 'charged-after-end')
  const body = { 'reconciliation-id': id, 'discrepancy-ids': wanted.map((found: Json) => found['discrepancy-id']) }
  expectOk(await testApp.operator.post('/operator/v1/claim', body))
})

test('finance reads what was found by class, contract and company, and goes to the invoices of the month', async () => {
  const { page, expectSound, violations } = await open('/reconciliations', { role: 'finance' })
  await page.getByRole('link', { name: 'Mês a mês' }).click()
  await page.getByRole('combobox', { name: 'Empresa' }).fill('Metal')
  await page
    .getByRole('option', { name: /^Metalúrgica/ })
    .first()
    .click()
  const table = page.getByRole('table')
  const after = table.getByRole('row').filter({ hasText: 'Cobrado após o fim' })
  await after.waitFor()
  await expect
    .poll(async () => (await after.getByRole('cell').allInnerTexts()).map((cell) => cell.replaceAll(/\s+/g, ' ')))
    .toEqual(['R$ 412,35 (1)', 'R$ 412,35 (1)', '—', 'R$ 412,35 (1)', '—', '—', '—', '—', '0'])
  expect(await violations()).toEqual([])
  await expectSound()
  await page.getByRole('combobox', { name: 'Por' }).click()
  await page.getByRole('option', { name: 'Contrato' }).click()
  const row = table.getByRole('row').filter({ hasText: '900001' })
  await row.getByText('(4)').first().waitFor()
  await row.getByRole('link', { name: '11/2026' }).click()
  await page.waitForURL(
    (url) => url.pathname.endsWith('/reconciliations') && url.search.includes('reference-month=2026-11'),
  )
  await page.getByRole('row').filter({ hasText: 'Fatura' }).waitFor()
})

test('a company that sees money reads it of the contracts that show what differs; nobody else does', async () => {
  const { taxId, id } = opened.company
  await testApp.sql('update contract set show_discrepancies = true where company_id = $1', [id])
  const { cookie } = await hrOf(testApp, [taxId], { seesMoney: true })
  const { page, expectSound, violations } = await open('/hr/discrepancies', { cookie, width: 390, theme: 'dark' })
  await page.getByRole('link', { name: 'Mês a mês' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Cobrado após o fim' })
  await row.waitFor()
  // A cell without a value is not on the card.
  await expect.poll(() => row.getByRole('cell').count()).toBe(3)
  expect(await violations()).toEqual([])
  await expectSound()
  const { cookie: other } = await hrOf(testApp, [taxId])
  const blind = await open('/hr/discrepancies', { cookie: other })
  await expect.poll(() => blind.page.getByRole('link', { name: 'Mês a mês' }).count()).toBe(0)
  await blind.goto('/hr/discrepancies/trend')
  await blind.page.getByText('Sem permissão').waitFor()
})
