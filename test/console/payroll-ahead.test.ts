import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { payrollProfile, pricedPayroll } from '../world/payroll.ts'
import { companyBody, expectOk, type Company } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { openActions, untranslated, useConsole } from './console.ts'

/* The payroll by effective date, as operators and the people of companies read it. */

const { testApp, open } = useConsole()
const ahead = { ...payrollProfile, basis: 'effective-date', 'first-month': '2026-09' }

const putProfile = async ({ taxId }: Company) =>
  void expectOk(await testApp.operator.put(`/operator/v1/company/${taxId}/payroll-profile`, ahead))
const exported = async ({ taxId }: Company): Promise<string> => {
  const body = { 'company-tax-id': taxId, 'reference-month': '2026-09' }
  return expectOk(await testApp.operator.post('/operator/v1/payroll-export', body)).body.result['payroll-export-id']
}

/** The cells of a table without its headings, with one kind of space. */
async function rowsOf(table: Locator): Promise<string[][]> {
  await table.getByRole('row').nth(1).getByRole('cell').first().waitFor()
  const rows = await table.getByRole('row').all()
  const cells = rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts())
  return (await Promise.all(cells)).map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()))
}

test('a period is previewed, exported and read: its months, its people, the file and the list to bill', async () => {
  const { company } = await pricedPayroll(testApp)
  await putProfile(company)
  const { page, expectSound, violations } = await open(`/payroll?company-tax-id=${company.taxId}`, { role: 'finance' })
  await page.getByText('Nada foi exportado, cobrado ou fechado ainda.').waitFor()
  await page.getByRole('button', { name: 'Exportar para a folha' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar para a folha' })
  await dialog.getByRole('textbox', { name: 'Mês da folha' }).fill('09/2026')
  await dialog.getByText('desconta R$ 267,59 de 2 funcionários').waitFor()
  await dialog.getByText('Mais R$ 78,62 são a cobrar fora da folha.').waitFor()
  await expect
    .poll(() => rowsOf(dialog.getByRole('table', { name: 'O que esta exportação contém' })))
    .toEqual([
      ['Teresa Nogueira Prates', '10077', 'Próprio', '09/2026', '7611', 'R$ 136,55', 'Folha'],
      ['Teresa Nogueira Prates', '10077', 'Dependentes', '09/2026', '7612', 'R$ 131,04', 'Folha'],
      ['Davi Sampaio Coutinho', '20419', 'Próprio', '09/2026', '7611', 'R$ 78,62', 'A cobrar'],
    ])
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Exportar para a folha' }).click()
  await dialog.waitFor({ state: 'detached' })

  const link = page.getByRole('link', { name: 'Baixar a exportação 1 de 09/2026' })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await file.path(), 'utf8')).toContain('10077')
  const bill = page.getByRole('link', { name: 'Lista a cobrar da exportação 1 de 09/2026, CSV' })
  const [list] = await Promise.all([page.waitForEvent('download'), bill.click()])
  expect(await readFile(await list.path(), 'utf8')).toMatch(/Davi Sampaio Coutinho.*"78,62"/)

  const [[month, deducted, left, held, toBill, first, ...later] = []] = await rowsOf(
    page.getByRole('table', { name: 'Competências' }),
  )
  expect([month, deducted, left, held, toBill]).toEqual(['09/2026', 'R$ 346,21', 'R$ 0,00', 'R$ 0,00', 'R$ 0,00'])
  expect(first).toMatch(/^\d{2}\/\d{2}\/\d{4}, nº 1$/)
  expect(later).toEqual(['—', '—', '—'])
  await page.getByRole('link', { name: '09/2026', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Folha de 09/2026' }).waitFor()
  const deductions = await rowsOf(page.getByRole('table', { name: 'Descontos' }))
  expect(deductions.map((cells) => [cells[0], ...cells.slice(2, 9)])).toEqual([
    ['Teresa Nogueira Prates', 'Próprio', 'R$ 136,55', 'R$ 136,55', 'R$ 0,00', 'R$ 0,00', 'Antes da fatura', 'Folha'],
    [
      'Teresa Nogueira Prates',
      'Dependentes',
      'R$ 131,04',
      'R$ 131,04',
      'R$ 0,00',
      'R$ 0,00',
      'Antes da fatura',
      'Folha',
    ],
    ['Davi Sampaio Coutinho', 'Próprio', 'R$ 78,62', 'R$ 78,62', 'R$ 0,00', 'R$ 0,00', 'Antes da fatura', 'A cobrar'],
  ])
  await expectSound()
})

test('a company without a profile gets one by a form, whose errors stand at their fields', async () => {
  const { company } = await pricedPayroll(testApp)
  const { page } = await open(`/payroll/${company.taxId}/profile`, { role: 'finance' })
  await page.getByRole('textbox', { name: 'Próprio' }).fill('7611')
  await page.getByRole('textbox', { name: 'Dependentes' }).fill('7612')
  await page.getByRole('textbox', { name: 'Devolução' }).fill('7699')
  await page.getByRole('textbox', { name: 'Dia da folha' }).fill('32')
  await page.getByRole('combobox', { name: 'Quando se desconta' }).click()
  await page.getByRole('option', { name: /Pela vigência/ }).click()
  const firstMonth = page.getByRole('textbox', { name: 'Primeira competência' })
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Escreva um dia de 1 a 31.').waitFor()
  await page.getByText('Isto não é um mês.').waitFor()
  await page.getByRole('textbox', { name: 'Coparticipação' }).fill('7613')
  await page.getByRole('textbox', { name: 'Dia da folha' }).fill('15')
  await firstMonth.fill('09/2026')
  await page.getByRole('combobox', { name: 'Limite do desconto de quem sai' }).click()
  await page.getByRole('option', { name: /^Uma remuneração/ }).click()
  await page.getByRole('combobox', { name: 'Tipo de produto' }).click()
  await page.getByRole('option').nth(1).click()
  await page.getByRole('button', { name: 'Adicionar' }).click()
  for (const [name, event] of [
    ['Próprio', '8611'],
    ['Dependentes', '8612'],
    ['Coparticipação', '8613'],
  ] as const) {
    await page.getByRole('group').getByRole('textbox', { name }).fill(event)
  }
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('heading', { level: 1, name: 'Folha de pagamento' }).waitFor()
  const path = `/operator/v1/company/${company.taxId}/payroll-profile`
  const { events, ...stored } = expectOk(await testApp.operator.get(path)).body.result
  expect(stored).toMatchObject({
    basis: 'effective-date',
    'first-month': '2026-09',
    'payroll-day': 15,
    'final-limit': 'remuneration',
  })
  expect([events.refund, Object.values(events['by-product-type'])]).toEqual([
    '7699',
    [{ primary: '8611', dependent: '8612', coparticipation: '8613' }],
  ])

  await exported(company)
  const again = await open(`/payroll/${company.taxId}/profile`, { role: 'finance' })
  const month = again.page.getByRole('textbox', { name: 'Primeira competência' })
  await month.fill('10/2026')
  await again.page.getByRole('button', { name: 'Salvar' }).click()
  await again.page.getByRole('alert').waitFor()
  await expect.poll(() => month.getAttribute('aria-invalid')).toBe('true')
  await again.page.getByRole('button', { name: 'Excluir' }).click()
  await again.page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await again.page.getByRole('heading', { level: 1, name: 'Folha de pagamento' }).waitFor()
  expect((await testApp.operator.get(path)).status).toBe(404)
})

test('who sees money in a company reads its payroll and downloads the files; nobody else does', async () => {
  const { company } = await pricedPayroll(testApp)
  await putProfile(company)
  await exported(company)
  const { cookie } = await hrOf(testApp, [company.taxId], { seesMoney: true })
  const { page, expectSound } = await open('/hr/people', { cookie })
  await page.getByRole('link', { name: 'Folha', exact: true }).click()
  const link = page.getByRole('link', { name: 'Baixar a exportação 1 de 09/2026' })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await file.path(), 'utf8')).toContain('10077')
  await expect.poll(() => page.getByRole('button', { name: 'Exportar' }).count()).toBe(0)
  await page.getByRole('link', { name: '09/2026', exact: true }).click()
  const deductions = await rowsOf(page.getByRole('table', { name: 'Descontos' }))
  expect(deductions.map(([name, , kind, due]) => [name, kind, due])).toEqual([
    ['Teresa Nogueira Prates', 'Próprio', 'R$ 136,55'],
    ['Teresa Nogueira Prates', 'Dependentes', 'R$ 131,04'],
    ['Davi Sampaio Coutinho', 'Próprio', 'R$ 78,62'],
  ])
  await expectSound()

  const { cookie: other } = await hrOf(testApp, [company.taxId])
  const blind = await open('/hr/people', { cookie: other })
  await expect.poll(() => blind.page.getByRole('link', { name: 'Folha', exact: true }).count()).toBe(0)
  await blind.goto('/hr/payroll')
  await blind.page.getByText('Sem permissão').waitFor()
  await blind.goto('/hr/payroll/2026-09')
  await blind.page.getByText('Sem permissão').waitFor()
})

test('every text of the dialog and the pages is in the catalogues, in the dark and narrow too', async () => {
  const { company } = await pricedPayroll(testApp)
  await putProfile(company)
  await exported(company)
  await testApp.sql('delete from contribution_rule where company_id = $1', [company.id])
  const watched = await open(`/payroll?company-tax-id=${company.taxId}`, {
    role: 'admin',
    language: 'en-XA',
    theme: 'dark',
    width: 390,
  })
  const { page } = watched
  await page.getByRole('row').last().waitFor()
  await openActions(page)
  await page.locator('#content').getByRole('group').getByRole('button').first().click()
  await page.getByRole('dialog').getByRole('checkbox').waitFor()
  expect(await untranslated(watched)).toEqual([])
  expect(await watched.violations()).toEqual([])
  await watched.expectSound()
})

test('digits in the address stay text: an export names a company whose CNPJ has no letters', async () => {
  const taxId = '11444777000161'
  expectOk(await testApp.operator.put(`/operator/v1/company/${taxId}`, companyBody))
  expectOk(await testApp.operator.put(`/operator/v1/company/${taxId}/payroll-profile`, ahead))
  const { page } = await open(`/payroll?company-tax-id=${taxId}`, { role: 'finance' })
  await page.getByRole('button', { name: 'Exportar para a folha' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar para a folha' })
  await dialog.getByText('de 0 funcionários').waitFor()
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/payroll-export')),
    dialog.getByRole('button', { name: 'Exportar para a folha' }).click(),
  ])
  expect(request.postDataJSON()).toMatchObject({ 'company-tax-id': taxId })
})
