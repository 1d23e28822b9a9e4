import { beforeEach, expect, test } from 'vitest'
import { pricedPayroll } from '../world/payroll.ts'
import { type Company, expectOk, type Json } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { untranslated, useConsole } from './console.ts'

/* Leaves without pay, on the page of an employee. */

const { testApp, open } = useConsole()
let company: Company
let ids: Record<string, string>

beforeEach(async () => {
  ;({ company } = await pricedPayroll(testApp))
  const rows = await testApp.sql('select id, name from member where company_id = $1', [company.id])
  ids = Object.fromEntries(rows.map((row) => [row['name'], row['id']]))
})

const leavesOf = async (id = ''): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/member/${id}/unpaid-leave`)).body.result

test('an analyst adds a leave, says its last day and removes it, by keyboard; no reason is asked', async () => {
  const teresa = ids['Teresa Nogueira Prates']
  const { page, expectSound, violations, problems } = await open(`/members/${teresa}`, { role: 'analyst' })
  await page.getByText('Nenhuma licença sem remuneração está registrada.').waitFor()
  await page.getByRole('button', { name: 'Adicionar licença' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('O motivo da licença não é: pode ser de saúde.').waitFor()
  await expect.poll(() => dialog.getByRole('textbox').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByText('Preencha este campo.').waitFor()
  await dialog.getByRole('textbox', { name: 'Primeiro dia sem remuneração' }).fill('01/03/2027')
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('desde 01/03/2027, ainda sem fim').waitFor()
  await expect.poll(() => leavesOf(teresa)).toEqual([{ 'first-day': '2027-03-01', 'last-day': null }])

  // Another one that overlaps is refused, with the reason.
  await page.getByRole('button', { name: 'Adicionar licença' }).click()
  await dialog.getByRole('textbox', { name: 'Primeiro dia sem remuneração' }).fill('01/04/2027')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await page.getByRole('button', { name: 'Alterar a licença de 01/03/2027' }).click()
  await dialog.getByRole('textbox', { name: 'Último dia sem remuneração' }).fill('31/05/2027')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('01/03/2027 a 31/05/2027').waitFor()
  await expect.poll(() => leavesOf(teresa)).toEqual([{ 'first-day': '2027-03-01', 'last-day': '2027-05-31' }])
  await expectSound()
  await page.getByRole('button', { name: 'Retirar a licença de 01/03/2027' }).click()
  await dialog.getByRole('button', { name: 'Retirar' }).click()
  await page.getByText('Nenhuma licença sem remuneração está registrada.').waitFor()
  await expect.poll(() => leavesOf(teresa)).toEqual([])
})

test('an auditor reads the leaves, and a dependent has none', async () => {
  const teresa = ids['Teresa Nogueira Prates']
  const body = { 'first-day': '2027-03-01', 'last-day': null }
  expectOk(await testApp.operator.put(`/operator/v1/member/${teresa}/unpaid-leave`, body))
  const { page, goto } = await open(`/members/${teresa}`, { role: 'auditor', language: 'en' })
  await page.getByText('since 01/03/2027, end not known yet').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add a leave' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: /^Remove the leave/ }).count()).toBe(0)
  await goto(`/members/${ids['Otávio Prates Lima']}`)
  await page.getByRole('heading', { name: 'Movements' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Unpaid leave' }).count()).toBe(0)
})

test('the people of a company write the leaves of its employees, with or without seeing money', async () => {
  const davi = ids['Davi Sampaio Coutinho']
  const { cookie } = await hrOf(testApp, [company.taxId])
  const watched = await open(`/hr/people/${davi}`, { cookie, width: 390, theme: 'dark' })
  const { page, violations, expectSound } = watched
  await page.getByRole('button', { name: 'Adicionar licença' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Primeiro dia sem remuneração' }).fill('01/03/2027')
  await dialog.getByRole('textbox', { name: 'Último dia sem remuneração' }).fill('31/03/2027')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('01/03/2027 a 31/03/2027').waitFor()
  await expect.poll(() => leavesOf(davi)).toEqual([{ 'first-day': '2027-03-01', 'last-day': '2027-03-31' }])
  expect(await violations()).toEqual([])
  await expectSound()
  await page.getByRole('button', { name: 'Retirar a licença de 01/03/2027' }).click()
  await dialog.getByRole('button', { name: 'Retirar' }).click()
  await page.getByText('Nenhuma licença sem remuneração está registrada.').waitFor()
  await expect.poll(() => leavesOf(davi)).toEqual([])
})

test('every text of the section and its dialog is in the catalogues', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId])
  const watched = await open(`/hr/people/${ids['Davi Sampaio Coutinho']}`, { cookie, language: 'en-XA' })
  // The first section of the page with a button.
  await watched.page.locator('section button').first().click()
  await watched.page.getByRole('dialog').getByRole('textbox').first().waitFor()
  expect(await untranslated(watched)).toEqual([])
})
