import { expect, test } from 'vitest'
import { personOf } from '../world/person.ts'
import { expectOk, type Json } from '../world/test-app.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()

test('an admin invites somebody, who sets a password and signs in; a new link sets another one; a block signs out', async () => {
  const { page, expectSound, problems } = await open('/people', { role: 'admin' })
  await page.getByRole('button', { name: 'Convidar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Ana Prado')
  await dialog.getByLabel('E-mail').fill('ana.prado@broker.example')
  await dialog.getByRole('radio', { name: 'Auditor' }).check()
  await expectSound()
  await dialog.getByRole('button', { name: 'Convidar' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await expectSound()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Fechar' }).click()
  const row = page.getByRole('row', { name: 'Ana Prado' })
  await row.getByText('Aguardando senha').waitFor()
  await row.getByText('nunca').waitFor()
  await expectSound()

  const ana = await open('/sign-in')
  ana.problems.splice(0)
  const follow = async (to: string, heading: string, password: string) => {
    await ana.page.goto('about:blank')
    await ana.page.goto(to)
    await ana.page.getByRole('heading', { name: heading }).waitFor()
    await ana.page.getByText('Ana Prado, escolha').waitFor()
    expect(ana.page.url()).not.toContain('#')
    await ana.expectSound()
    await ana.page.getByLabel('Senha').fill(password)
    await ana.page.getByRole('button', { name: 'Definir a senha e entrar' }).click()
    await ana.page.waitForURL('**/console/queue')
  }
  await follow(link, 'Boas-vindas', 'quatro palavras bem longas')
  await ana.page.goto('about:blank')
  await ana.page.goto(link)
  await ana.page.getByRole('alert').getByText('Este link expirou').waitFor()
  // Chromium reports each status above 399.
  expect(ana.problems.splice(0)).toEqual([expect.stringContaining('410')])

  const [{ 'person-id': id }] = expectOk(await testApp.operator.get('/operator/v1/person')).body.result as [Json]
  const reset = expectOk(await testApp.operator.post(`/operator/v1/person/${id}/link`)).body.link
  await follow(reset, 'Nova senha', 'outras palavras bem longas')
  await ana.page.getByRole('button', { name: /^Conta / }).click()
  await ana.page.getByRole('button', { name: 'Sair' }).click()
  await ana.page.waitForURL('**/console/sign-in')
  await ana.page.getByLabel('E-mail').fill('ana.prado@broker.example')
  await ana.page.getByLabel('Senha').fill('outras palavras bem longas')
  await ana.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await ana.page.waitForURL('**/console/queue')

  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Ações para Ana Prado' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Alterar o acesso')
  await dialog.getByRole('radio', { name: 'Financeiro' }).check()
  await dialog.getByRole('button', { name: 'Alterar' }).click()
  await row.getByText('Financeiro').waitFor()
  await choose('Bloquear')
  await dialog.getByRole('button', { name: 'Bloquear' }).click()
  await row.getByText('Bloqueado').waitFor()
  await expectSound()
  await ana.page.reload()
  await ana.page.waitForURL('**/console/sign-in*')
  expect(problems).toEqual([])
})

test('every text of people and of the page of an invitation is from the catalogue', async () => {
  const { id } = await personOf(testApp, 'company-hr', (await testApp.company()).taxId)
  const watched = await open('/people', { role: 'admin', language: 'en-XA', width: 390 })
  await watched.page.locator('main h1').waitFor()
  await watched.page.waitForLoadState('networkidle')
  expect(await untranslated(watched)).toEqual([])
  await watched.expectSound()
  const { link } = expectOk(await testApp.operator.post(`/operator/v1/person/${id}/link`)).body
  await watched.page.goto('about:blank')
  await watched.page.goto(link)
  await watched.page.locator('input[type=password]').waitFor()
  expect(await untranslated(watched)).toEqual([])
  await watched.expectSound()
})
