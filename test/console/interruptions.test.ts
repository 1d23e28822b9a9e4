import { describe, expect, test } from 'vitest'
import { expectOk, primary, useCompany } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const { company, partner } = useCompany(testApp)

/** The id of the movement of a new person. */
async function included(name: string): Promise<string> {
  await testApp.include(partner, company, [primary({ name })])
  return expectOk(await testApp.operator.get(`/operator/v1/enrollment?q=${name}`)).body.result[0].id
}

const statusOf = async (id: string) =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result.status

describe('a session that ends', () => {
  test('loses no note that was typed, and no part of the page', async () => {
    const id = await included('Anotada')
    const { page, clientId, clientSecret } = await open(`/queue/${id}`, { role: 'analyst' })
    await page.getByLabel('Nova anotação').fill('Conferido por telefone')
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${clientId}/session`))
    await page.getByRole('button', { name: 'Adicionar anotação' }).click()
    const dialog = page.getByRole('dialog', { name: 'Entrar' })
    await dialog.getByLabel('E-mail').fill(clientId)
    // Under the dialog everything is still there.
    await expect.poll(() => page.locator('nav a').count()).toBeGreaterThan(3)
    await expect.poll(() => page.getByLabel('Responsável').first().isVisible()).toBe(true)
    await dialog.getByLabel('Senha').fill(clientSecret)
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByLabel('Nova anotação').inputValue()).toBe('Conferido por telefone')
    await page.getByRole('button', { name: 'Adicionar anotação' }).click()
    await page.locator('.note-text').getByText('Conferido por telefone').waitFor()
  })

  test('is not prolonged by a page that refreshes itself', async () => {
    const { page, goto } = await open('/queue', { role: 'analyst' })
    await page.clock.install()
    await goto('/queue')
    // Not the count in the navigation.
    const isPoll = (url: string) => /\/operator\/v1\/enrollment\?.*items-per-page=100/.test(url)
    const polls: (string | undefined)[] = []
    page.on('request', (one) => {
      if (isPoll(one.url())) polls.push(one.headers()['vigencia-background'])
    })
    // While a request runs no other one is sent: time goes on until the next.
    const next = (milliseconds: number, act: () => Promise<void>) =>
      expect.poll(async () => {
        polls.length = 0
        await act()
        await page.clock.fastForward(milliseconds)
        return polls
      })
    await next(150_000, async () => {}).toEqual(['true'])
    await next(31_000, () => page.keyboard.press('j')).toEqual([undefined])
  })
})

describe('without a network', () => {
  test('a decision is refused at once, the dialog stays with its text, and nothing is sent later', async () => {
    const id = await included('Desligada')
    const { page } = await open('/queue?q=desligada', { role: 'analyst' })
    await page.getByRole('row').filter({ hasText: 'Desligada' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByLabel('Número da carteirinha').fill('0099 1')
    await page.context().setOffline(true)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('O serviço não respondeu.').waitFor()
    await expect.poll(() => dialog.getByLabel('Número da carteirinha').inputValue()).toBe('0099 1')
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancelar' }).isEnabled()).toBe(true)
    await page.context().setOffline(false)
    const fresh = page.waitForResponse((one) => one.url().includes('/operator/v1/enrollment'))
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await page.reload()
    await fresh
    await page.getByRole('row').filter({ hasText: 'Desligada' }).waitFor()
    await expect.poll(() => statusOf(id)).toBe('created')
  })

  test('another area says that it cannot be loaded; the console stays, and goes on when the network is back', async () => {
    const { page } = await open('/queue', { role: 'analyst' })
    await page.context().setOffline(true)
    await page.locator('nav').getByRole('link', { name: 'Empresas' }).click()
    const retry = page.locator('#content').getByRole('button', { name: 'Tentar de novo' })
    await retry.click()
    await retry.waitFor()
    await expect.poll(() => page.locator('nav').getByRole('link', { name: 'Fila' }).isVisible()).toBe(true)
    // Without a click.
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Empresas' }).waitFor()
  })
})

test('a CPF that is searched for is not in the address, and is there after a reload', async () => {
  const person = primary({ name: 'Procurada Silva' })
  await testApp.include(partner, company, [person], '?resolution=approve')
  const { page } = await open('/members', { role: 'analyst' })
  await page.getByRole('searchbox').first().fill(person['tax-id'])
  await page.getByText('1 pessoa', { exact: true }).waitFor()
  expect(page.url()).not.toContain(person['tax-id'])
  await page.reload()
  await page.getByText('1 pessoa', { exact: true }).waitFor()
  await page.getByRole('searchbox').first().fill('pr')
  await page.getByText('1 pessoa', { exact: true }).waitFor({ state: 'detached' })
})

test('a movement that cannot exist is not found, with a way back', async () => {
  const { page } = await open('/queue/abc', { role: 'analyst' })
  await page.getByRole('link', { name: 'Ir para a primeira página' }).click()
  await page.getByRole('heading', { name: 'Fila' }).waitFor()
})
