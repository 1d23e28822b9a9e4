import { expect, test } from 'vitest'
import { expectOk, type Json, primary, useCompany } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* An exclusion of more people than one operator may request. */

const { testApp, open } = useConsole({ VIGENCIA_SECOND_PERSON_EXCLUSIONS: '0' })
const { company, partner } = useCompany(testApp)

test('the check says that another operator has to confirm, and what was sent waits for that', async () => {
  const person = primary({ name: 'Igor Dois' })
  await testApp.include(partner, company, [person], '?resolution=approve')
  const watched = await open(`/movements/new?kind=exclusion&company=${company.taxId}`, { role: 'analyst' })
  const { page } = watched
  await page.getByLabel('Meio').selectOption('email')
  await page.getByLabel('Recebido em').fill('20/11/2026')
  await page.getByRole('textbox', { name: 'Solicitante', exact: true }).fill('Paula Andrade')
  await page.getByRole('combobox', { name: 'Pessoa' }).fill('igor dois')
  await page.keyboard.press('Enter')
  await page.getByLabel('Motivo da exclusão').selectOption('resignation')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Outro operador terá de confirmar.').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Aguarda outro operador').waitFor()
  await watched.expectSound()
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/request?company-tax-id=${company.taxId}`)).body
  expect(result.map((one: Json) => one['request-type'])).toEqual(['inclusion'])
  expect(watched.problems).toEqual([])
})
