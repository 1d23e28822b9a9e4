import { beforeAll, describe, expect, test } from 'vitest'
import { putInvoice } from '../world/invoice.ts'
import { type Client, type Company, expectOk, type Json, primary } from '../world/test-app.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()
let company: Company
let partner: Client
let person: Json
const card = '0077 4521 0098'

beforeAll(async () => {
  company = await testApp.company({ name: 'Óptica Ipê Roxo Ltda.' })
  partner = await testApp.partner(company.taxId)
  person = primary({ name: 'Zoraide Araçá Pequi', 'employee-id': 'MAT-90417' })
  const included = await testApp.include(partner, company, [person])
  const [product] = Object.values<Json>(included['status-by-tax-id'][person['tax-id']])
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${product?.['enrollment-id']}/transition`, {
      status: 'completed',
      'card-number': card,
    }),
  )
  await testApp.include(partner, company, [primary(), primary()])
  await putInvoice(testApp, company, { id: 'FAT-0981' })
})

describe('the search of everything', () => {
  test('opens by Ctrl+K in any page and field, finds a person by CPF, card, name and employee id, and leads there', async () => {
    const watched = await open('/companies', { role: 'analyst' })
    const { page } = watched
    const search = page.getByRole('textbox', { name: 'Busca e comandos' })
    const found = page.getByRole('button', { name: /Zoraide Araçá Pequi/ })
    await page.getByRole('searchbox').first().focus()
    await page.keyboard.press('Control+k')
    for (const q of [person['tax-id'], card, 'araca pequi', 'mat-904']) {
      await search.fill(q)
      await found.waitFor()
      await found.getByText('Óptica Ipê Roxo Ltda.').waitFor()
      await expect.poll(() => page.getByRole('dialog').getByRole('button').count()).toBe(1)
      await search.fill('')
      await found.waitFor({ state: 'detached' })
    }
    await search.fill('zoraide')
    await found.and(page.locator('[data-selected]')).waitFor()
    await watched.expectSound()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/members/*')
    await page.getByRole('heading', { name: 'Zoraide Araçá Pequi' }).waitFor()
    expect(page.url()).not.toContain(person['tax-id'])
    await expect.poll(() => page.title()).toBe('Zoraide Araçá Pequi · Vigencia')
    await page.getByRole('navigation', { name: 'Caminho' }).getByRole('link', { name: 'Beneficiários' }).click()
    await expect.poll(() => page.title()).toBe('Beneficiários · Vigencia')
  })

  test('runs commands, of what the role may do, and says that nothing was found', async () => {
    const watched = await open('/invoices', { role: 'finance', width: 390, theme: 'dark' })
    const { page } = watched
    await page.getByRole('button', { name: 'Buscar' }).click()
    const dialog = page.getByRole('dialog')
    const search = dialog.getByRole('textbox')
    await dialog.getByRole('button', { name: 'Operadoras' }).waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Fila' }).count()).toBe(0)
    await search.fill('zoraide')
    await dialog.getByText('Nada encontrado.').waitFor()
    await search.fill('fat-09')
    await dialog.getByRole('button', { name: /FAT-0981/ }).waitFor()
    await watched.expectSound()
    await search.fill('empr')
    await dialog.getByRole('button', { name: 'Empresas' }).and(page.locator('[data-selected]')).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/companies')
    await watched.expectSound()
  })

  test('does not open over a dialog, where it would lose what is typed', async () => {
    const { page } = await open('/queue', { role: 'analyst' })
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Atalhos' }).click()
    await page.getByRole('dialog', { name: 'Atalhos' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Busca e comandos' }).waitFor()
  })

  test('every text is from the catalogue', async () => {
    const watched = await open('/queue', { role: 'admin', language: 'en-XA' })
    await watched.page.keyboard.press('Control+k')
    await watched.page.getByRole('dialog').getByRole('textbox').fill('zoraide')
    await watched.page.getByRole('button', { name: /Zoraide/ }).waitFor()
    expect(await untranslated(watched)).toEqual([])
  })
})

describe('the frame', () => {
  test('begins where the work of the role is, and counts what is to be done', async () => {
    const finance = await open('/', { role: 'finance' })
    await finance.page.waitForURL('**/console/invoices')
    const { page, expectSound } = await open('/', { role: 'analyst' })
    await page.waitForURL('**/console/queue')
    await expect.poll(() => page.title()).toBe('Fila · Vigencia')
    const areas = page.getByRole('navigation', { name: 'Áreas' })
    await areas.getByRole('group', { name: 'Movimentações' }).getByRole('link', { name: 'Fila 2' }).waitFor()
    await expect.poll(() => areas.getByRole('group').count()).toBe(5)
    await page.getByRole('banner').getByText('Homologação').waitFor()
    await expectSound()
  })

  test('shows at once that another page is loading', async () => {
    const { page } = await open('/queue', { role: 'analyst' })
    const answer = Promise.withResolvers<void>()
    await page.route('**/operator/v1/company?*', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByRole('navigation', { name: 'Áreas' }).getByRole('link', { name: 'Empresas' }).click()
    await page.getByRole('progressbar', { name: 'Carregando…' }).waitFor()
    answer.resolve()
    await page.getByText('1 empresa', { exact: true }).waitFor()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
  })

  test('a page stays until the next one is loaded, which what is sought waits for', async () => {
    const { page } = await open('/queue', { role: 'analyst' })
    const scripts = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.getByRole('navigation', { name: 'Áreas' }).getByRole('link', { name: 'Empresas' }).click()
    const title = page.locator('#content h1')
    const steps: string[] = []
    const found = title.waitFor().then(() => steps.push('found'))
    const shown = `[document.querySelector('.navigation-progress').dataset.loading, document.querySelector('#content h1').textContent]`
    await expect.poll(() => page.evaluate(shown)).toEqual(['next-page', 'Fila'])
    steps.push('loaded')
    scripts.resolve()
    await found
    const text = await title.textContent()
    expect([...steps, text]).toEqual(['loaded', 'found', 'Empresas'])
  })

  test('a way leads from a page of an object back to its list, with its filters', async () => {
    const { page } = await open('/companies?q=ipe', { role: 'admin' })
    await page.getByRole('link', { name: 'Óptica Ipê Roxo Ltda.' }).click()
    await page.getByRole('link', { name: 'Editar' }).click()
    const path = page.getByRole('navigation', { name: 'Caminho' })
    await path.getByRole('link', { name: 'Empresa', exact: true }).click()
    await page.waitForURL(`**/console/companies/${company.taxId}`)
    await path.getByRole('link', { name: 'Empresas' }).click()
    await page.waitForURL('**/console/companies?q=ipe')
  })
})

test('the sign-in has the product, its environment, and the focus in its first field', async () => {
  const { page } = await open('/sign-in')
  await page.getByText('Vigencia', { exact: true }).waitFor()
  await page.getByText('Homologação').waitFor()
  expect(await page.title()).toBe('Entrar · Vigencia')
  await expect.poll(() => page.evaluate('document.activeElement === document.querySelector("form input")')).toBe(true)
})

test('`/` leads to the search field of a page, or to the search of everything; `?` lists the keys, which can be switched off', async () => {
  const { page, goto, problems } = await open('/members', { role: 'analyst' })
  await page.keyboard.press('/')
  await page.locator('#content input[type="search"]:focus').waitFor()
  await page.keyboard.type('?/')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await goto('/overview')
  await page.keyboard.press('/')
  await page.getByRole('dialog', { name: 'Busca e comandos' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Atalhos' }).getByText('Buscar em tudo, e comandos').waitFor()
  await page.getByRole('switch', { name: 'Atalhos de uma tecla ativos' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(problems).toEqual([])
})
