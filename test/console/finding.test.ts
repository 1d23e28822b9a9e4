import { beforeAll, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { calendar, makeContract } from '../world/contract.ts'
import { expectOk, type Json, monday, primary, useCompany } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* What leads to an object: the search of everything, the movements of an operator, and who has one open. */

const { testApp, open } = useConsole()
const { company, partner } = useCompany(testApp)
const names = ['Ana', 'Bento', 'Célia', 'Davi', 'Elisa', 'Fábio', 'Gil'].map((name) => `${name} Quilombola`)
let ids: readonly string[]

beforeAll(async () => {
  const people = names.map((name) => primary({ name }))
  const included = await testApp.include(partner, company, people)
  ids = people.map((person) => {
    const [part] = Object.values<Json>(included['status-by-tax-id'][person['tax-id']])
    return part?.['enrollment-id']
  })
  const tomorrow = addDays(monday, 1)
  const exceptions = [{ month: tomorrow.slice(0, 7), 'cut-off-date': tomorrow }]
  await makeContract(testApp, company, { 'contract-number': 'APQ-7731', calendar: calendar(20, { exceptions }) })
})

test('the search of everything finds a contract by its number, and leads to all results of a word', async () => {
  const { page, expectSound } = await open('/overview', { role: 'analyst' })
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  const search = page.getByRole('textbox', { name: 'Busca e comandos' })
  await search.fill('quilombola')
  await dialog.getByRole('button', { name: 'Ver todos os 7 resultados' }).click()
  await page.waitForURL((url) => url.pathname.endsWith('/members') && url.searchParams.get('q') === 'quilombola')
  for (const name of names) await page.getByRole('link', { name }).waitFor()
  await page.keyboard.press('Control+k')
  await search.fill('apq-77')
  await dialog.getByRole('button', { name: /APQ-7731/ }).waitFor()
  await expectSound()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/carriers/contracts/*')
  await page.getByText('APQ-7731').first().waitFor()
})

test('“Minha fila” counts and lists what is assigned to who is signed in, with the contracts that close', async () => {
  const { page, clientId, expectSound } = await open('/overview', { role: 'analyst' })
  for (const id of ids.slice(0, 2)) {
    expectOk(await testApp.operator.put(`/operator/v1/enrollment/${id}/assignee`, { assignee: clientId }))
  }
  await page.getByRole('link', { name: /^Fila/ }).click()
  await page.getByRole('link', { name: 'Minha fila 2' }).click()
  await page.waitForURL('**/console/queue?assignee=me')
  await page.getByRole('row').filter({ hasText: 'Bento' }).waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Quilombola' }).count()).toBe(2)
  const closing = page.getByRole('row').filter({ hasText: 'APQ-7731' })
  await closing.getByText('amanhã', { exact: true }).waitFor()
  await expectSound()
})

test('who has a movement open is shown to others, in the list and on its page, until they leave', async () => {
  const first = await open(`/queue/${ids[2]}`, { role: 'admin' })
  await first.page.getByRole('heading', { name: 'Célia Quilombola' }).waitFor()
  const { page, expectSound } = await open('/queue', { role: 'analyst' })
  const row = page.getByRole('row').filter({ hasText: 'Célia' })
  const mark = row.getByRole('img', { name: /está nesta movimentação$/ })
  await mark.waitFor()
  await expect.poll(() => page.getByRole('img', { name: /está nesta movimentação$/ }).count()).toBe(1)
  await expectSound()
  await row.getByRole('link', { name: 'Célia Quilombola' }).click()
  await page
    .getByRole('status')
    .getByText(/também está nesta movimentação\.$/)
    .waitFor()
  const left = first.page.waitForResponse((response) => response.request().method() === 'DELETE')
  await first.page.getByRole('navigation', { name: 'Áreas' }).getByRole('link', { name: /^Fila/ }).click()
  await left
  await page.goBack()
  await row.waitFor()
  await page.reload()
  await row.waitFor()
  await expect.poll(() => mark.count()).toBe(0)
})
