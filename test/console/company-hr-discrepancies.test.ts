import { expect, test } from 'vitest'
import { csv, discrepanciesOf, reconcile, upload } from '../world/carrier-file.ts'
import { cover, rosterRow } from '../world/covered.ts'
import { openShipper } from '../world/shipment.ts'
import { expectOk } from '../world/test-app.ts'
import { compareInvoice, known, workedEntries, workedPeople } from '../world/worked-invoice.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* What the people of companies read of what differs from the files of carriers. */

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })

/** A roster in which one cover has ended and one name is another one; one line is of nobody. */
async function compared(more: object) {
  const shipper = await openShipper(testApp, { ...more })
  const people = await cover(testApp, shipper, 2)
  const [one, other] = people.map(rosterRow)
  const stranger = { ...one, 'card-number': '88', 'tax-id': '52998224725', name: 'Pessoa Nova' }
  const lines = [
    { ...one, 'end-date': '2026-11-10' },
    { ...other, name: 'Outro Nome' },
    { ...stranger, 'date-of-birth': '1991-02-03' },
  ]
  const file = await upload(testApp, { ...shipper, month: '2026-12' }, csv(lines))
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  return { ...shipper, people, id }
}

test('discrepancies are listed, filtered, and lead to the person and to the movement that corrects them', async () => {
  const one = await compared({ 'show-discrepancies': true })
  const [ended] = await discrepanciesOf(testApp, one.id, '&class=ended-at-carrier-active-here')
  expectOk(await testApp.operator.post(`/operator/v1/discrepancy/${ended['discrepancy-id']}/correct`))
  const { cookie } = await hrOf(testApp, [one.company.taxId])
  const { page, expectSound } = await open('/hr/people', { cookie })
  await page.getByRole('link', { name: 'Divergências' }).click()
  await page.getByRole('heading', { level: 1, name: 'Divergências' }).waitFor()
  const table = page.getByRole('table', { name: 'Divergências' })
  for (const text of ['Pessoa Nova', 'Outro Nome', 'Corrigida']) await table.getByText(text).waitFor()
  await expect.poll(() => page.getByRole('columnheader', { name: 'Valor' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('combobox', { name: 'Arquivo' }).count()).toBe(0)
  await expectSound()
  await page.getByRole('combobox', { name: 'Situação' }).click()
  await page.getByRole('option', { name: 'Corrigida' }).click()
  await expect.poll(() => table.getByText('Outro Nome').count()).toBe(0)
  expect(page.url()).toContain('status=corrected')
  await page.getByRole('link', { name: 'Ver movimentação' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(page.url()).toContain('/hr/requests/')
  await page.goBack()
  await page.getByRole('link', { name: one.people[0]?.name ?? '' }).click()
  await page.getByRole('heading', { level: 1, name: one.people[0]?.name ?? '' }).waitFor()
  const section = page.getByRole('region', { name: 'Divergências' })
  await section.getByText('10/11/2026').waitFor()
  await expectSound()
})

test('amounts of invoices are there for who sees them', async () => {
  const one = await known(testApp, workedPeople, { 'show-discrepancies': true })
  await compareInvoice(testApp, one, '2026-11', workedEntries)
  const { cookie } = await hrOf(testApp, [one.company.taxId], { seesMoney: true })
  const { page, expectSound } = await open('/hr/discrepancies?kind=invoice', { cookie, language: 'en' })
  await page
    .getByText(/706,31/)
    .first()
    .waitFor()
  await page.getByRole('columnheader', { name: 'Amount' }).waitFor()
  await expectSound()
})

test('there is no page of discrepancies where no contract shows them', async () => {
  const one = await compared({})
  const { cookie } = await hrOf(testApp, [one.company.taxId])
  const { page, goto, expectSound } = await open('/hr/people', { cookie })
  await page.getByRole('link', { name: one.people[0]?.name ?? '' }).click()
  await page.getByRole('heading', { level: 1, name: one.people[0]?.name ?? '' }).waitFor()
  await expect.poll(() => page.getByText('Divergências').count()).toBe(0)
  await goto('/hr/discrepancies')
  await page.getByText('Sem permissão').waitFor()
  await expectSound()
})
