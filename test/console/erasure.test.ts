import { expect, test } from 'vitest'
import { holder, ndjson, sendImport } from '../world/import.ts'
import { expectOk, nextCpf } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_RETENTION: 'benefit=0' })
const url = '/operator/v1/subject-request'

/** A request for the erasure of somebody whose benefit has ended. @returns the address of its page. */
async function request(): Promise<string> {
  const company = await testApp.company()
  const line = holder(company, { 'end-date': '2026-10-31' })
  expectOk(await sendImport(testApp.operator, ndjson([line])))
  const { result } = expectOk(await testApp.operator.post(url, { 'tax-id': line['tax-id'], kind: 'erasure' })).body
  return `/personal-data/${result['subject-request-id']}`
}

test('one admin makes the plan of an erasure, another one approves it, and the person is gone', async () => {
  const path = await request()
  const first = await open(path, { role: 'admin' })
  await first.page.getByRole('button', { name: 'Fazer o plano' }).click()
  await first.page.getByText('Outro administrador precisa aprovar.').waitFor()
  await first.page.getByText('Pessoa, benefícios e movimentações').waitFor()
  await first.expectSound()

  const second = await open(path, { role: 'admin', language: 'en', theme: 'dark', width: 390 })
  await second.page.getByRole('button', { name: 'Approve and erase' }).click()
  const dialog = second.page.getByRole('dialog', { name: 'Approve and erase' })
  await dialog.getByText('cannot be restored').waitFor()
  await dialog.getByRole('button', { name: 'Approve and erase' }).click()
  await first.page.getByText('eliminada', { exact: true }).waitFor()
  await second.expectSound()
  expect([...first.problems, ...second.problems]).toEqual([])
})

test('a legal hold is set and released on the page of a request', async () => {
  const { page, problems, expectSound } = await open(await request(), { role: 'admin' })
  await page.getByRole('button', { name: 'Criar bloqueio legal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Criar bloqueio legal' })
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Processo 0010123')
  await dialog.getByRole('button', { name: 'Criar bloqueio legal' }).click()
  await page.getByText('Processo 0010123').waitFor()
  await page.getByRole('button', { name: 'Fazer o plano' }).click()
  await page.getByText('Bloqueio legal', { exact: true }).first().waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Encerrar o bloqueio legal' }).click()
  const release = page.getByRole('dialog', { name: 'Encerrar o bloqueio legal' })
  await release.getByRole('textbox', { name: 'Motivo' }).fill('Arquivado')
  await release.getByRole('button', { name: 'Encerrar o bloqueio legal' }).click()
  await page.getByRole('button', { name: 'Criar bloqueio legal' }).waitFor()
  expect(problems).toEqual([])
})

test('a legal hold of a company and one of a person are set, listed and released', async () => {
  const name = 'Cerâmica Fonte Clara Ltda.'
  await testApp.company({ name })
  const cpf = nextCpf()
  const { page, problems, expectSound } = await open('/personal-data', { role: 'admin' })
  await page.getByRole('tab', { name: 'Bloqueios legais' }).click()
  const dialog = page.getByRole('dialog', { name: 'Criar bloqueio legal' })
  const submit = dialog.getByRole('button', { name: 'Criar bloqueio legal' })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })

  await page.getByRole('button', { name: 'Criar bloqueio legal' }).click()
  await dialog.getByRole('radio', { name: 'Uma empresa' }).check()
  await dialog.getByRole('combobox', { name: 'Empresa' }).fill(name)
  await page.getByRole('option', { name }).click()
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Fiscalização 77')
  await submit.click()
  await row('Fiscalização 77').filter({ hasText: name }).waitFor()

  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Criar bloqueio legal' }).click()
  await submit.click()
  await dialog.getByText('Preencha este campo.').first().waitFor()
  await dialog.getByRole('textbox', { name: 'CPF' }).fill(cpf)
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Processo 88')
  await submit.click()
  await row('Processo 88').filter({ hasText: 'Em vigor' }).waitFor()
  await expectSound()

  await row('Fiscalização 77').getByRole('button').click()
  const release = page.getByRole('dialog', { name: 'Encerrar o bloqueio legal' })
  await release.getByRole('textbox', { name: 'Motivo' }).fill('Concluída')
  await release.getByRole('button', { name: 'Encerrar o bloqueio legal' }).click()
  await row('Fiscalização 77').filter({ hasText: 'Concluída' }).waitFor()
  await page.getByRole('combobox', { name: 'Situação' }).click()
  await page.getByRole('option', { name: 'Em vigor' }).click()
  await row('Fiscalização 77').waitFor({ state: 'detached' })
  await row('Processo 88').waitFor()
  expect(problems).toEqual([])
})
