import { beforeAll, expect, test } from 'vitest'
import { expectOk } from '../world/test-app.ts'
import { openValeClaro, type ValeClaro, valeClaroDay } from '../world/vale-claro.ts'
import { useConsole } from './console.ts'

/* What open movements cost when they miss the next cut-off, as operators read it. */

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: valeClaroDay })
const days = { unit: 'days', count: 30 } as const
let one: ValeClaro

beforeAll(async () => {
  one = await openValeClaro(testApp, { 'retroactive-exclusion': days, 'retroactive-inclusion': days })
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': valeClaroDay }))
})

test('the overview sums it, and leads to the queue by money; the movement says what it is made of', async () => {
  const { page, expectSound, violations } = await open('/overview', { role: 'analyst' })
  const sums = page.getByRole('region', { name: 'Dinheiro em risco' })
  const contract = sums.getByRole('row').filter({ hasText: 'Operadora Aurora 900001' })
  for (const amount of ['R$ 276,51', 'R$ 829,53', 'R$ 1.883,03']) await contract.getByText(amount).waitFor()
  await page.getByRole('combobox', { name: 'Por' }).click()
  await page.getByRole('option', { name: 'Data de corte' }).click()
  await sums.getByRole('row').filter({ hasText: '18/12/2026' }).getByText('R$ 276,51').waitFor()
  await page.getByRole('combobox', { name: 'Por' }).click()
  await page.getByRole('option', { name: 'Empresa' }).click()
  expect(await violations()).toEqual([])
  await expectSound()
  await sums.getByRole('row').filter({ hasText: 'R$ 276,51' }).getByRole('link', { name: '3' }).click()

  const rows = page.getByRole('table', { name: 'Fila' }).getByRole('row')
  await rows.nth(3).waitFor()
  expect(new URL(page.url()).searchParams.get('sort')).toBe('money-at-risk')
  await rows.nth(1).filter({ hasText: 'Márcio' }).getByText('R$ 276,51').waitFor()
  await rows.nth(1).getByText('até 08/01/2027').waitFor()
  await rows.filter({ hasText: 'Davi' }).getByText('18 dias').waitFor()
  const header = page.getByRole('columnheader', { name: 'Em risco' })
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending')
  expect(await violations()).toEqual([])
  await expectSound()

  await page.getByRole('link', { name: 'Márcio Delgado Furtado' }).click()
  const money = page.getByRole('region', { name: 'Dinheiro em risco' })
  await money.waitFor()
  await expect
    .poll(async () => (await money.locator('dl > div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual([
      'Um mês custa R$ 829,53',
      'Cobrado após o fim R$ 580,67',
      'Cobrado se perder o corte R$ 829,53',
      'Já sem crédito R$ 0,00',
      'Perdido se perder o corte R$ 276,51',
      'Próxima data de corte 18/12/2026',
      'A operadora reconhece até 08/01/2027',
      'Calculado em 14/12/2026',
    ])
  await expectSound()
})

test('the queue is ordered by it from its column, by the keyboard too', async () => {
  const { page } = await open(`/queue?company-tax-id=${one.company.taxId}`, { role: 'auditor', language: 'en' })
  await page.getByRole('button', { name: 'At risk', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('sort') === 'money-at-risk')
  await page.getByRole('row').nth(1).filter({ hasText: 'Márcio' }).getByText('until 08/01/2027').waitFor()
})
