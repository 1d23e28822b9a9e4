import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { discrepanciesOf } from '../world/carrier-file.ts'
import { expectOk } from '../world/test-app.ts'
import { compareInvoice, known, workedEntries, workedPeople } from '../world/worked-invoice.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: '2026-11-26' })

/** A company with an invoice that charges too much, of which a part is claimed. */
async function charged() {
  const one = await known(testApp, workedPeople)
  const { 'reconciliation-id': id } = await compareInvoice(testApp, one, '2026-11', workedEntries)
  const [claimed] = await discrepanciesOf(testApp, id, '&class=charged-after-end')
  const claim = { 'reconciliation-id': id, 'discrepancy-ids': [claimed['discrepancy-id']] }
  expectOk(await testApp.operator.post('/operator/v1/claim', claim))
  return one
}

test('finance sees lives, costs and differences by month as charts and as a table whose numbers are links', async () => {
  const { company } = await charged()
  const { page, expectSound, violations } = await open(`/costs?company-tax-id=${company.taxId}`, { role: 'finance' })
  await page.getByRole('heading', { name: 'Custos e diferenças' }).waitFor()
  const row = page.getByRole('row').filter({ hasText: '11/26' })
  await row.getByRole('link', { name: '2.416,90' }).waitFor()
  const cells = async () => (await row.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/R\$\s/g, ''))
  await expect.poll(cells).toEqual(['3', '2.416,90', '1.636,43', '1.192,82', '412,35', '0,00'])
  await expect.poll(() => page.locator('.recharts-surface').count()).toBeGreaterThanOrEqual(3)
  await expect.poll(() => page.locator('.recharts-bar-rectangle path').count()).toBeGreaterThanOrEqual(12)
  expect(await cutLabels(page)).toEqual([])
  expect(await violations()).toEqual([])
  await expectSound()
  await page.getByRole('combobox', { name: 'Contrato' }).click()
  await page.getByRole('option', { name: /900001/ }).click()
  await page.waitForURL(/contract-id=/)
  await row.getByRole('link', { name: '1.192,82' }).click()
  await page.waitForURL(/\/reconciliations\?.*reference-month/)
  await page.getByRole('link', { name: 'Fatura', exact: true }).waitFor()
  await page.goBack()
  await row.getByRole('link', { name: '412,35' }).click()
  await page.waitForURL(/\/claims\?.*reference-month/)
})

test('an auditor reads them on a narrow dark page in English', async () => {
  const { company } = await charged()
  const options = { role: 'auditor', language: 'en', theme: 'dark', width: 390 } as const
  const { page, expectSound, violations } = await open(`/costs?company-tax-id=${company.taxId}&months=36`, options)
  await page.getByRole('heading', { name: 'Costs and differences' }).waitFor()
  await page.getByRole('row').filter({ hasText: '11/26' }).getByRole('link', { name: '2.416,90' }).waitFor()
  await expect.poll(() => page.locator('.recharts-surface').count()).toBeGreaterThanOrEqual(3)
  expect(await cutLabels(page)).toEqual([])
  expect(await violations()).toEqual([])
  await expectSound()
})

test('every text is in the catalogues', async () => {
  const { company } = await charged()
  const watched = await open(`/costs?company-tax-id=${company.taxId}`, { role: 'finance', language: 'en-XA' })
  await watched.page.getByRole('row').filter({ hasText: '11/26' }).waitFor()
  await expect.poll(() => watched.page.locator('.recharts-surface').count()).toBeGreaterThanOrEqual(3)
  expect(await untranslated(watched)).toEqual([])
})

/** The labels of charts that lie beyond the edges of their chart. */
function cutLabels(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const cut = []
    for (const surface of document.querySelectorAll('.recharts-wrapper')) {
      const box = surface.getBoundingClientRect()
      for (const label of surface.querySelectorAll('text, .recharts-legend-wrapper span, .mantine-ChartLegend-legendItemName')) {
        const { left, right, top, bottom } = label.getBoundingClientRect()
        if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1) cut.push(label.textContent)
      }
    }
    return cut
  })()`)
}
