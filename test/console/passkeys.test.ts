import { expect, test } from 'vitest'
import { personOf } from '../world/person.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

test('a person adds a passkey to the own account, signs in with it, and removes it', async () => {
  const person = await personOf(testApp, 'analyst')
  const { page, problems, expectSound, goto } = await open('/sign-in', { host: 'localhost' })
  // Nobody is signed in yet.
  problems.splice(0)
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // The offer among the suggestions for the e-mail address would be taken at once by an authenticator that needs no gesture.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await goto('/sign-in')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Senha').fill(person.password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL('**/console/queue')
  problems.splice(0)
  await page.getByRole('button', { name: /^Conta / }).click()
  await page.getByRole('link', { name: 'Minha conta' }).click()
  await page.getByRole('heading', { name: 'Minha conta' }).waitFor()
  await page.getByText(person.email).waitFor()
  await expectSound()

  await page.getByRole('button', { name: 'Cadastrar chave de acesso' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cadastrar', exact: true }).click()
  await expect.poll(() => dialog.getByText('Preencha este campo.').count()).toBe(2)
  await dialog.getByLabel('Nome do aparelho').fill('Notebook')
  await dialog.getByLabel('Senha atual').fill('uma senha qualquer')
  await dialog.getByRole('button', { name: 'Cadastrar', exact: true }).click()
  await dialog.getByText('A senha atual não confere.').waitFor()
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  await expectSound()
  await dialog.getByLabel('Senha atual').fill(person.password)
  await dialog.getByRole('button', { name: 'Cadastrar', exact: true }).click()
  const row = page.getByRole('row', { name: 'Notebook' })
  await row.getByText('nunca').waitFor()
  // It already has one.
  await page.getByRole('button', { name: 'Cadastrar chave de acesso' }).click()
  await dialog.getByLabel('Nome do aparelho').fill('Outra')
  await dialog.getByLabel('Senha atual').fill(person.password)
  await dialog.getByRole('button', { name: 'Cadastrar', exact: true }).click()
  await dialog.getByText('Este aparelho já tem uma chave de acesso sua.').waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  const signOut = async () => {
    await page.getByRole('button', { name: /^Conta / }).click()
    await page.getByRole('button', { name: 'Sair' }).click()
    await page.waitForURL('**/console/sign-in')
  }
  await signOut()
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
  await page.waitForURL('**/console/queue')
  await page.getByRole('button', { name: /^Conta / }).click()
  await page.getByRole('link', { name: 'Minha conta' }).click()
  await page.getByRole('row', { name: 'Chave de acesso' }).getByText('Este navegador').waitFor()
  await page.getByRole('button', { name: 'Remover a chave de acesso “Notebook”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remover', exact: true }).click()
  await page.getByText('Nenhuma chave de acesso ainda.').waitFor()
  await expectSound()
  await signOut()
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
  await page.getByText('A chave de acesso não foi aceita.').waitFor()
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
})

test('a person changes the own password and ends the sessions in other browsers', async () => {
  const person = await personOf(testApp, 'auditor')
  const enter = async () => {
    const watched = await open('/sign-in')
    await watched.page.getByLabel('E-mail').fill(person.email)
    await watched.page.getByLabel('Senha').fill(person.password)
    await watched.page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await watched.page.waitForURL('**/console/queue')
    watched.problems.splice(0)
    return watched
  }
  const [other, { page, goto, problems, expectSound }] = [await enter(), await enter()]
  await goto('/account')
  await page.getByRole('button', { name: 'Encerrar as outras sessões' }).click()
  await page.getByText('As sessões em outros navegadores terminaram.').waitFor()
  await page.getByRole('button', { name: 'Encerrar as outras sessões' }).waitFor({ state: 'hidden' })
  await other.page.reload()
  await other.page.waitForURL('**/console/sign-in*')
  await page.getByLabel('Nova senha').fill('curta')
  await page.getByRole('button', { name: 'Alterar a senha' }).click()
  await page.getByText('Use 12 caracteres ou mais.').waitFor()
  await page.getByText('Preencha este campo.').waitFor()
  await expectSound()
  await page.getByLabel('Senha atual').fill(person.password)
  await page.getByLabel('Nova senha').fill('outras palavras bem longas')
  await page.getByRole('button', { name: 'Alterar a senha' }).click()
  await page.getByText('A senha foi alterada.').waitFor()
  expect(problems).toEqual([])
})
