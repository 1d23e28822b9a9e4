import { expect, test } from 'vitest'
import { expectOk, type Json, nextCpf, primary } from '../world/test-app.ts'
import { unzip } from '../world/invoice.ts'
import { readFile } from 'node:fs/promises'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const path = '/operator/v1/subject-request'

/** A member with a benefit. */
async function member(): Promise<{ readonly cpf: string; readonly id: string }> {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const person = primary({ name: 'Rosângela Prado' })
  await testApp.include(partner, company, [person], '?resolution=approve')
  const query = `?tax-id=${person['tax-id']}`
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/member${query}&disclose=true`)).body
  return { cpf: person['tax-id'], id: result[0].id }
}

const request = async (cpf: string, kind = 'access'): Promise<Json> =>
  expectOk(await testApp.operator.post(path, { 'tax-id': cpf, kind, note: 'Por e-mail' })).body.result

test('a request is created, its copy is made and downloaded, and it is closed', async () => {
  const { cpf } = await member()
  const { page, expectSound } = await open('/personal-data', { role: 'admin' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Novo pedido' }).click()
  await dialog.getByLabel('CPF').fill(cpf)
  await dialog.getByRole('button', { name: 'Novo pedido' }).click()
  await page.getByRole('heading', { name: 'Dados pessoais: Acesso' }).waitFor()
  await page.getByRole('button', { name: 'Gerar a cópia' }).click()
  await dialog.getByRole('button', { name: 'Gerar a cópia' }).click()
  const link = page.getByRole('link', { name: 'Baixar a cópia' })
  await link.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const names = unzip(await readFile(await download.path())).map(({ name }) => name)
  expect(names).toEqual(['LEIA-ME.txt', 'dados.json', 'movimentacoes.json', 'compartilhamentos.json', 'acessos.json'])
  await page.getByRole('button', { name: 'Marcar como atendido' }).click()
  await dialog.getByRole('button', { name: 'Marcar como atendido' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('A pessoa recebeu os dados.', { exact: true }).waitFor()
  await expectSound()

  await page.getByRole('link', { name: 'Quem viu a pessoa' }).click()
  await page.getByRole('row').filter({ hasText: 'Dados pessoais: cópia baixada' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Administrador' }).first().waitFor()
  await page.getByLabel('Até').fill('2020-01-01T10:00')
  await page.getByText('Nada foi exposto neste período.').waitFor()
  await expectSound()
})

test('a request is cancelled with a reason', async () => {
  const { 'subject-request-id': id } = await request(nextCpf(), 'erasure')
  const { page } = await open(`/personal-data/${id}`, { role: 'admin' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Cancelar o pedido' }).click()
  await dialog.getByLabel('Motivo do cancelamento').fill('Desistiu')
  await dialog.getByRole('button', { name: 'Cancelar o pedido' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('O pedido foi cancelado.').first().waitFor()
  await page.getByRole('button', { name: 'Cancelar o pedido' }).waitFor({ state: 'detached' })
})

test('an auditor sees who saw a person, not the requests', async () => {
  const { id } = await member()
  const { page, goto } = await open(`/members/${id}`, { role: 'auditor' })
  await page.getByRole('link', { name: 'Quem viu a pessoa' }).click()
  await page.getByRole('row').last().waitFor()
  await goto('/personal-data')
  await page
    .getByRole('alert')
    .or(page.getByText(/permiss|perfil/i))
    .first()
    .waitFor()
})
