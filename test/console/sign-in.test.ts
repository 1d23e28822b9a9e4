import { describe, expect, test } from 'vitest'
import { personOf } from '../world/person.ts'
import { expectOk, monday, primary } from '../world/test-app.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()

describe('sign-in', () => {
  test('leads to the page that was asked for; signing out ends the session', async () => {
    const client = await testApp.operatorOf('analyst')
    const { page, expectSound, problems } = await open('/members')
    await page.waitForURL('**/console/sign-in?redirect=%2Fmembers')
    // Nobody is signed in yet: Chromium reports each status above 399.
    expect(problems.splice(0)).toEqual([expect.stringContaining('401')])
    await expectSound()
    const toProgram = page.getByRole('button', { name: 'Entrar com um programa' })
    await toProgram.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('input:focus').getAttribute('autocomplete')).toBe('username webauthn')
    await expectSound()
    const fill = async (id: string, secret: string) => {
      await page.getByLabel('Client id').fill(id)
      await page.getByLabel('Segredo').fill(secret)
      await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    }
    await fill(client.clientId, 'not-the-secret-of-the-operator-4711')
    await page.getByText('O nome ou a senha está errado').waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('401')])
    await fill(client.clientId, client.clientSecret)
    await page.waitForURL('**/console/members')
    await page.getByRole('heading', { name: 'Beneficiários' }).waitFor()
    await expectSound()
    await page.getByRole('button', { name: /^Conta / }).click()
    await page.getByRole('button', { name: 'Sair' }).click()
    await page.waitForURL('**/console/sign-in')
    await page.goBack()
    await page.waitForURL('**/console/sign-in?redirect=%2Fmembers')
  })

  test('shows the month of the service, not that of the browser', async () => {
    const company = await testApp.company()
    await testApp.include(await testApp.partner(company.taxId), company, [primary()])
    const person = await personOf(testApp, 'company-hr', company.taxId)
    const { page } = await open('/hr')
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Senha').fill(person.password)
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    const ofMonth = page.locator(`a[href*="effective-month=${monday.slice(0, 7)}"]`)
    await expect.poll(() => ofMonth.count()).toBe(2)
  })

  test('a session that is revoked asks for the secret over the page, and goes on where it was', async () => {
    const { page, clientId, clientSecret, problems, goto } = await open('/queue', { role: 'analyst' })
    await goto('/members')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${clientId}/session`))
    await page.getByRole('searchbox').first().fill('Helena')
    const dialog = page.getByRole('dialog', { name: 'Entrar' })
    await dialog.getByText('A sessão terminou.').waitFor()
    // As a password manager fills it.
    await dialog.getByLabel('E-mail').fill(clientId)
    await dialog.getByLabel('Senha').fill(clientSecret)
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Nada aqui').waitFor()
    await expect.poll(() => page.getByRole('searchbox').first().inputValue()).toBe('Helena')
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
  })

  test('every text of the frame is from the catalogue', async () => {
    const watched = await open('/companies', { role: 'admin', language: 'en-XA' })
    await watched.page.getByRole('button', { name: /Aççóúñt/ }).click()
    expect(await untranslated(watched)).toEqual([])
    await watched.expectSound()
  })
})
