import { beforeAll, expect, test } from 'vitest'
import { expectOk, health, inProduct, type Json, primary, useCompany } from '../world/test-app.ts'
import { calendar, makeContract } from '../world/contract.ts'
import { hrOf } from './company-hr.ts'
import { openActions, useConsole } from './console.ts'

/* What a telephone has otherwise than a wide screen. */

const { testApp, open } = useConsole()
const { company, partner } = useCompany(testApp)
let cookie: string
let contractId: string
let memberId: string
let failedId: string

beforeAll(async () => {
  const contract = await makeContract(testApp, company, {
    plans: [{ 'product-id': company.products[health] }],
    calendar: calendar(20),
  })
  contractId = contract['contract-id']
  const person = primary({ name: 'Íris Assunção' })
  await testApp.include(partner, company, [person], '?resolution=approve')
  const { body } = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${person['tax-id']}`))
  memberId = body.result[0].id
  // Two requests of the same people at the same time: the parts of the second fail.
  const twice = ['Ugo Um', 'Ula Dois'].map((name) => primary({ name, products: inProduct('health-insurance', health) }))
  const request = { 'company-tax-id': company.taxId, members: twice }
  const sent = await Promise.all([1, 2, 3].map(() => partner.post('/v1/enrollment/inclusion', request)))
  const finished = await Promise.all(
    sent.filter(({ status }) => status === 200).map((one) => testApp.finished(partner, one.body['request-id'])),
  )
  failedId = finished.find(({ status }: Json) => status === 'failed')?.['request-id']
  ;({ cookie } = await hrOf(testApp, [company.taxId]))
})

test('the menu of actions is closed until it is pressed, and opens inside of the window, also under a long title', async () => {
  const { page, expectSound } = await open(`/carriers/contracts/${contractId}`, { role: 'admin', width: 390 })
  const list = page.locator('.page-actions-list')
  await page.locator('.page-actions').waitFor()
  await expect.poll(() => list.isVisible()).toBe(false)
  await openActions(page)
  await list.waitFor()
  const box = await list.boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  await expectSound()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
})

test('a plain table that is wider than the window is cards of headings and values, and still a table', async () => {
  const { page, expectSound } = await open(`/members/${memberId}`, { role: 'admin', width: 390 })
  const table = page.locator('.plain-table[data-cards=true]').first()
  await table.waitFor()
  const { client, scroll } = await table.evaluate(({ clientWidth, scrollWidth }: Json) => ({
    client: clientWidth as number,
    scroll: scrollWidth as number,
  }))
  expect(scroll).toBe(client)
  await table.getByRole('row').filter({ hasText: health }).getByText('Operadora', { exact: true }).waitFor()
  await expect.poll(() => table.getByRole('columnheader').count()).toBeGreaterThan(2)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('.plain-table[data-cards=true]').first().waitFor({ state: 'detached' })
  await expectSound()
})

test('the home of a company has whole words, and says from when a cut-off covers', async () => {
  const { page, expectSound } = await open('/hr', { cookie, width: 390 })
  const carrier = page.getByRole('region', { name: 'Próxima data de corte' }).getByText('Operadora Aurora')
  await carrier.waitFor()
  expect((await carrier.boundingBox())?.height).toBeLessThan(60)
  await page.getByText('cobertura a partir de').first().waitFor()
  await expectSound()
})

test.each([390, 1280] as const)(
  'a failed request says why in whole sentences, and of whom, at %i pixels',
  async (width) => {
    expect(failedId).toBeDefined()
    const { page, expectSound } = await open(`/hr/requests/${failedId}`, { cookie, width })
    const reasons = page.getByRole('listitem').filter({ hasText: 'Ugo Um, Ula Dois' })
    await reasons.waitFor()
    const { width: shown, scroll } = await reasons.evaluate((one: Json) => ({
      width: one.clientWidth as number,
      scroll: one.scrollWidth as number,
    }))
    expect(scroll).toBeLessThanOrEqual(shown)
    await expectSound()
  },
)

test('what is not known is no fact of an object, and buttons and areas are large enough for a finger', async () => {
  const { page, expectSound } = await open(`/hr/people/${memberId}`, { cookie, width: 390 })
  await expect.poll(() => page.locator('.fact-list dd > .absent').filter({ visible: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Abrir a navegação' }).click()
  const area = await page
    .getByRole('navigation', { name: 'Áreas' })
    .getByRole('link', { name: 'Pessoas' })
    .boundingBox()
  expect(area?.height).toBeGreaterThanOrEqual(44)
  const action = await page.getByRole('button', { name: 'Adicionar licença' }).boundingBox()
  expect(action?.height).toBeGreaterThanOrEqual(40)
  await expectSound()
})
