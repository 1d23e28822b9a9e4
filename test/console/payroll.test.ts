import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { payrollOfMonth } from '../world/payroll.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()

test('the payroll of a closed month is exported on its page, and the file is downloaded', async () => {
  const { company } = await payrollOfMonth(testApp)
  const { page, expectSound } = await open(`/closings/${company.taxId}/2026-10`, { role: 'finance' })
  await page.getByRole('button', { name: 'Exportar para a folha' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar para a folha' })
  await dialog.getByText('50,00 de 1 funcionário').waitFor()
  await dialog.getByRole('button', { name: 'Exportar para a folha' }).click()
  const link = page.getByRole('link', { name: 'Baixar a exportação 1 de 10/2026' })
  await link.waitFor()
  await dialog.waitFor({ state: 'detached' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await download.path(), 'utf8')).toContain('7611')
  await expectSound()

  await page.getByRole('button', { name: 'Exportar para a folha' }).click()
  await dialog.getByRole('button', { name: 'Exportar para a folha' }).click()
  await dialog.getByRole('alert').waitFor()
})

test('an employee who cannot be in the file is left out only by a box that is checked', async () => {
  const { company } = await payrollOfMonth(testApp, 'Bia Dois')
  const { page, problems } = await open(`/closings/${company.taxId}/2026-10`, { role: 'admin' })
  await page.getByRole('button', { name: 'Exportar para a folha' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar para a folha' })
  await dialog.getByText('Bia Dois: falta um dado (Matrícula)').waitFor()
  const submit = dialog.getByRole('button', { name: 'Exportar para a folha' })
  await expect.poll(() => submit.isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'Exportar sem 1 pessoa' }).check()
  await submit.click()
  await page.getByRole('link', { name: 'Baixar a exportação 1 de 10/2026' }).waitFor()
  expect(problems).toEqual([])
})

test('an auditor sees the exports without their files, and an open month says that it is to be closed first', async () => {
  const { company, body } = await payrollOfMonth(testApp)
  await testApp.operator.post('/operator/v1/payroll-export', body)
  const { page, goto } = await open(`/closings/${company.taxId}/2026-10`, { role: 'auditor' })
  await page.getByRole('table', { name: 'Exportações' }).getByRole('row').last().waitFor()
  await expect.poll(() => page.getByRole('link', { name: /Baixar/ }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Exportar para a folha' }).count()).toBe(0)
  await goto(`/closings/${company.taxId}/2026-09`)
  await page.getByText('Por competência fechada, a folha é exportada depois do fechamento.').waitFor()
})

test('every text is in the catalogues, in the dark and narrow too', async () => {
  const { company, body } = await payrollOfMonth(testApp)
  await testApp.operator.post('/operator/v1/payroll-export', body)
  const watched = await open(`/closings/${company.taxId}/2026-10`, {
    role: 'admin',
    language: 'en-XA',
    theme: 'dark',
    width: 390,
  })
  const { page } = watched
  await page.getByRole('row').last().waitFor()
  await page.locator('#content button').last().click()
  await page.getByRole('dialog').waitFor()
  expect(await untranslated(watched)).toEqual([])
  expect(await watched.violations()).toEqual([])
  await watched.expectSound()
})
