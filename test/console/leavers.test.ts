import { readFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { payrollProfile, pricedPayroll } from '../world/payroll.ts'
import { type Company, expectOk, health, type Json } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { openActions, untranslated, useConsole } from './console.ts'

/* What is left to deduct from an employee who leaves: Teresa pays 136.55 and 131.04 for Otávio each month from September on. */

const { testApp, open } = useConsole()
let company: Company
let teresa: string

beforeEach(async () => {
  ;({ company } = await pricedPayroll(testApp))
  const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': '2026-09' }
  expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, profile))
  const [row] = await testApp.sql("select id from member where company_id = $1 and employee_id = '10077'", [company.id])
  teresa = row?.['id']
})

const putLimit = async (limit: string) => {
  const path = `/operator/v1/company/${company.taxId}/payroll-profile`
  const { 'updated-at': _, ...profile } = expectOk(await testApp.operator.get(path)).body.result
  expectOk(await testApp.operator.put(path, { ...profile, 'final-limit': limit }))
}

/** Teresa leaves on the last day of October. */
async function dismiss(): Promise<void> {
  const partner = await testApp.partner(company.taxId)
  const [row] = await testApp.sql('select tax_id from member where company_id = $1 and id = $2', [company.id, teresa])
  const path = `/v1/enrollment/exclusion/${row?.['tax_id']}/product/${company.products[health]}?resolution=approve`
  const details = { 'end-date': '2026-10-31', 'exclusion-reason': 'dismissal' }
  const { body } = expectOk(await partner.post(path, { 'exclusion-details': details }))
  await testApp.finished(partner, body['request-id'])
}

const exportsOf = async (): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/payroll-export?company-tax-id=${company.taxId}`)).body.result

test('finance finds an employee, assumes a last day, and exports nobody whose employment does not end', async () => {
  const { page, problems, expectSound, violations } = await open(`/payroll?company-tax-id=${company.taxId}`, {
    role: 'finance',
  })
  await page.getByRole('link', { name: 'Desligados' }).click()
  await page.getByRole('heading', { level: 1, name: /^Desligados: / }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Exportar desligados' }).isDisabled()).toBe(true)
  const search = page.getByRole('combobox', { name: 'Adicionar funcionário' })
  await search.fill('te')
  await page.getByText('Digite três caracteres ou mais.').waitFor()
  await search.fill('nogueira')
  await page.getByRole('option', { name: 'Teresa Nogueira Prates · 10077' }).waitFor()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Teresa Nogueira Prates' })
  await card.getByText('Nenhuma exclusão encerra o vínculo ainda.').waitFor()
  await card.getByRole('textbox', { name: 'Último dia do vínculo' }).fill('31/10/2026')
  const months = card.getByRole('table')
  await months.getByRole('row').filter({ hasText: '10/2026' }).filter({ hasText: 'Dependentes' }).waitFor()
  await expect.poll(() => months.getByRole('row').last().innerText()).toMatch(/^Falta descontar\s+R\$\s535,18$/)
  await card.getByText('não se sabe', { exact: true }).waitFor()
  expect(await violations()).toEqual([])
  // The service says that it needs the last day.
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  await expectSound()
  await page.getByRole('button', { name: 'Exportar desligados' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('alert').getByText('Teresa Nogueira Prates').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Exportar desligados' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Retirar Teresa Nogueira Prates da lista' }).click()
  await card.waitFor({ state: 'detached' })
})

test('a leaver is exported from the page of the person, within the limit; the list of exports says the kind', async () => {
  await putLimit('remuneration')
  await dismiss()
  const { page, violations, expectSound } = await open(`/members/${teresa}`, { role: 'admin', width: 390 })
  await openActions(page)
  await page.getByRole('link', { name: 'O que falta descontar' }).click()
  const card = page.getByRole('region', { name: 'Teresa Nogueira Prates' })
  await card.getByText('31/10/2026').waitFor()
  await expect.poll(() => card.getByRole('textbox', { name: 'Último dia do vínculo' }).count()).toBe(0)
  await card.getByRole('textbox', { name: 'Remuneração de um mês' }).fill('500,00')
  await card.getByRole('textbox', { name: 'Outras compensações' }).fill('100')
  await card.getByText(/^R\$\s135,18$/).waitFor()
  expect(await violations()).toEqual([])
  await expectSound()
  await page.getByRole('button', { name: 'Exportar desligados' }).click()
  const dialog = page.getByRole('dialog')
  const row = dialog.getByRole('row').filter({ hasText: 'Teresa' })
  await row.waitFor()
  await expect
    .poll(() => row.getByRole('cell').allInnerTexts())
    .toEqual([expect.stringMatching(/^R\$\s400,00$/), expect.stringMatching(/^R\$\s135,18$/)])
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Exportar desligados' }).click()
  await page.getByRole('heading', { level: 1, name: 'Folha de pagamento' }).waitFor()
  await page
    .getByRole('table', { name: 'Exportações' })
    .getByRole('cell', { name: /^1 · Desligados$/ })
    .waitFor()
  await expect.poll(exportsOf).toMatchObject([{ kind: 'leavers', amount: 40_000, 'bill-amount': 13_518 }])
  const link = page.getByRole('link', { name: /^Baixar a exportação 1 / })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await file.path(), 'utf8')).toContain('10077')
})

test('who sees money in a company reads it of its people and exports nothing; nobody else does', async () => {
  await dismiss()
  const { cookie } = await hrOf(testApp, [company.taxId], { seesMoney: true })
  const { page, expectSound, violations } = await open(`/hr/people/${teresa}`, { cookie, width: 390, theme: 'dark' })
  await page.getByRole('link', { name: 'O que falta descontar' }).click()
  await page
    .getByRole('table')
    .getByRole('row')
    .last()
    .getByText(/^R\$\s535,18$/)
    .waitFor()
  await page.getByText('Tudo é descontado').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Exportar' }).count()).toBe(0)
  expect(await violations()).toEqual([])
  await expectSound()
  const { cookie: other } = await hrOf(testApp, [company.taxId])
  const blind = await open(`/hr/people/${teresa}`, { cookie: other })
  await expect.poll(() => blind.page.getByRole('link', { name: 'O que falta descontar' }).count()).toBe(0)
  await blind.goto(`/hr/people/${teresa}/final-balance`)
  await blind.page.getByText('Sem permissão').waitFor()
})

test('an auditor reads and exports nothing, an analyst does not read', async () => {
  await dismiss()
  const path = `/payroll/${company.taxId}/leavers?member-id=${teresa}`
  const { page } = await open(path, { role: 'auditor', language: 'en' })
  await page.getByRole('region', { name: 'Teresa Nogueira Prates' }).getByRole('table').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Export leavers' }).count()).toBe(0)
  const analyst = await open(`/members/${teresa}`, { role: 'analyst' })
  await expect.poll(() => analyst.page.getByRole('link', { name: 'O que falta descontar' }).count()).toBe(0)
  await analyst.goto(path)
  await analyst.page.getByText('Sem permissão').waitFor()
})

test('every text of the page and its dialog is in the catalogues', async () => {
  await dismiss()
  const watched = await open(`/payroll/${company.taxId}/leavers?member-id=${teresa}`, {
    role: 'admin',
    language: 'en-XA',
    theme: 'dark',
    width: 390,
  })
  await watched.page.getByRole('table').waitFor()
  await watched.page.locator('#content button').first().click()
  await watched.page.getByRole('dialog').getByRole('table').waitFor()
  expect(await untranslated(watched)).toEqual([])
  expect(await watched.violations()).toEqual([])
})
