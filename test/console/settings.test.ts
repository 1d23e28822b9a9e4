import { expect, test } from 'vitest'
import { expectOk, primary, useCompany } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* What an administrator sets for the whole installation. */

const { testApp, open } = useConsole()
const { company, partner } = useCompany(testApp)
// One pixel.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('the name and the logo of the broker are on every page, until they are removed', async () => {
  const { page, expectSound } = await open('/settings', { role: 'admin' })
  const banner = page.getByRole('banner')
  await page.getByLabel('Nome da corretora').fill('Corretora Araucária')
  const file = page.getByLabel('Arquivo com o logotipo')
  await file.setInputFiles({ name: 'logotipo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await page.getByRole('alert').getByText('Uma imagem PNG, JPEG ou WebP de até 100 kB.').waitFor()
  await file.setInputFiles({ name: 'logotipo.png', mimeType: 'image/png', buffer: png })
  await page.getByRole('img', { name: 'Logotipo' }).waitFor()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('As configurações foram salvas.').waitFor()
  await banner.getByText('Corretora Araucária').waitFor()
  await banner.locator('img[src*="/brand/logo"]').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Retirar o logotipo' }).click()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await banner.locator('img[src*="/brand/logo"]').waitFor({ state: 'detached' })
  const visitor = await open('/sign-in')
  await visitor.page.getByText('Corretora Araucária').first().waitFor()
})

test('a reason that is added is offered by the next rejection', async () => {
  await testApp.include(partner, company, [primary({ name: 'Ubaldo Recusa' })])
  const { page, goto, expectSound } = await open('/settings?view=reasons', { role: 'admin' })
  await page.getByRole('button', { name: 'Adicionar motivo' }).click()
  const added = page.getByRole('group').last()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await added.getByText('Preencha este campo.').waitFor()
  await added.getByLabel('Texto').fill('Fora da área de abrangência')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('As configurações foram salvas.').waitFor()
  await expectSound()
  await goto('/queue?status=created&q=ubaldo')
  await page.getByRole('link', { name: 'Ubaldo Recusa' }).click()
  await page.getByRole('button', { name: 'Rejeitar' }).click()
  await page.getByRole('dialog').getByText('Fora da área de abrangência').waitFor()
})

test('what another person saved meanwhile is not overwritten', async () => {
  const { page } = await open('/settings', { role: 'admin' })
  const name = page.getByLabel('Nome da corretora')
  await name.fill('Corretora Lenta')
  const { result } = expectOk(await testApp.operator.get('/operator/v1/settings')).body
  expectOk(await testApp.operator.put('/operator/v1/settings', { ...result, 'broker-name': 'Corretora Rápida' }))
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Outra pessoa alterou as configurações', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Descartar minhas alterações e carregar os dados atuais' }).click()
  await expect.poll(() => name.inputValue()).toBe('Corretora Rápida')
})

test('retention shows what is due, and only an administrator deletes it at once', async () => {
  const analyst = await open('/settings', { role: 'analyst' })
  const name = analyst.page.getByRole('textbox', { name: 'Nome da corretora' })
  await expect.poll(() => name.getAttribute('readonly')).not.toBeNull()
  await expect.poll(() => analyst.page.getByRole('button', { name: 'Salvar' }).count()).toBe(0)
  const { page, expectSound } = await open('/settings?view=retention', { role: 'admin' })
  await page.getByText('Ninguém a executou à mão ainda.').waitFor()
  await page.getByRole('button', { name: 'Excluir agora' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir', exact: true }).click()
  await page.getByText(/(foi excluído|foram excluídos)\.$/).waitFor()
  await page.getByText('Última execução à mão:', { exact: false }).waitFor()
  await expectSound()
})
