import { beforeAll, expect, test } from 'vitest'
import { putInvoice } from '../world/invoice.ts'
import { type Company, primary } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* The frame of the pages of the people of companies. */

const { testApp, open } = useConsole({ VIGENCIA_ONBOARDING: 'off' })
let companies: [Company, Company]

beforeAll(async () => {
  companies = [
    await testApp.company({ name: 'Aço Norte S.A.' }),
    await testApp.company({ name: 'Padaria Aurora Ltda.' }),
  ]
  for (const [index, company] of companies.entries()) {
    const partner = await testApp.partner(company.taxId)
    await testApp.include(partner, company, [primary({ name: `Pessoa da Empresa ${index}` })], '?resolution=approve')
    await putInvoice(testApp, company, { id: `fatura-${index}`, 'carrier-name': `Operadora ${index}` })
  }
})

test('a person of companies sees only their areas, of one company at a time, and invoices only where they may', async () => {
  const { cookie } = await hrOf(testApp, [companies[0].taxId])
  const watched = await open('/', { cookie })
  const { page } = watched
  await page.waitForURL('**/console/hr')
  const called: string[] = []
  page.on('request', (request) => called.push(new URL(request.url()).pathname))
  const links = page.getByRole('navigation', { name: 'Áreas' }).getByRole('link')
  const names = [
    'Início',
    'Pessoas',
    'Incluir',
    'Pendências',
    'Planilhas',
    'Listas de vidas',
    'À corretora',
    'Solicitações',
  ]
  await expect.poll(() => links.allTextContents()).toEqual(names)
  for (const name of names) {
    await links.filter({ hasText: name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.waitForLoadState('networkidle')
    await watched.expectSound()
  }
  await page.goto(`${testApp.url}/console/hr/invoices`)
  await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
  await page.goto(`${testApp.url}/console/queue`)
  await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
  const ofFrame = /^\/operator\/v1\/(session|brand$)/
  expect(called.filter((path) => path.startsWith('/operator/') && !ofFrame.test(path))).toEqual([])
})

test('a person of several companies chooses one, which the pages are about from then on', async () => {
  const { cookie } = await hrOf(
    testApp,
    companies.map(({ taxId }) => taxId),
    { seesMoney: true },
  )
  const watched = await open('/hr/invoices', { cookie, theme: 'dark' })
  const { page } = watched
  await page.getByRole('cell', { name: 'Operadora 0' }).waitFor()
  await expect.poll(() => page.getByRole('cell', { name: 'Operadora 1' }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Empresa' }).click()
  await page.getByRole('option', { name: 'Padaria Aurora Ltda.' }).click()
  await page.getByRole('cell', { name: 'Operadora 1' }).waitFor()
  await expect.poll(() => page.getByRole('cell', { name: 'Operadora 0' }).count()).toBe(0)
  await watched.expectSound()
  await watched.goto('/hr/requests')
  await page.getByText('1 solicitação', { exact: true }).waitFor()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Empresa' }).inputValue())
    .toContain('Padaria Aurora Ltda.')
})
