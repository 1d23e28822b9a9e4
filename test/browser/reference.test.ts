import { describe, expect, test } from 'vitest'
import { useTestApp } from '../world/test-app.ts'
import { useBrowser } from './browser.ts'
import type { WatchedPage } from './chromium.ts'

/* The pages of the service in headless Chromium: nothing fails, nothing leaves the machine, and axe finds nothing. */

const testApp = useTestApp({ VIGENCIA_DEMO: 'true' })
const browser = useBrowser()
const screens = [
  ['1280 px, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['390 px, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

/** What axe finds, as text: the rule and the elements. */
async function found(watched: WatchedPage): Promise<string[]> {
  return (await watched.violations()).flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}

const fits = `document.documentElement.scrollWidth <= innerWidth`

describe.each(screens)('at %s', (_name, screen) => {
  test('the first page and a guide in both languages', async () => {
    const watched = await browser.newPage(screen)
    const { page, problems } = watched
    await page.goto(testApp.url)
    await expect.poll(() => page.getByRole('heading', { name: 'The first movement' }).count()).toBe(1)
    expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
    await page.getByRole('link', { name: 'Guides', exact: true }).click()
    await page.waitForURL('**/docs/guides/index')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'quickstart with both sides' }).first().click()
    await page.waitForURL('**/quickstart')
    await main.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Copy Code' }).first().waitFor()
    expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
    const isNarrow = screen.viewport.width < 768
    if (isNarrow) await page.getByRole('button', { name: 'mobile navigation' }).click()
    await page.getByRole('link', { name: 'Português' }).filter({ visible: true }).click()
    await page.waitForURL('**/pt-BR/**')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('pt-BR')
    expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
    await page.getByRole('button', { name: 'Buscar' }).click()
    await page.getByRole('searchbox').fill('exclusao')
    await page.getByRole('option').first().getByRole('link').click()
    await page.waitForURL((url) => url.pathname.includes('/pt-BR/') && !url.pathname.endsWith('/quickstart'))
    expect(problems).toEqual([])
  })

  test('a table of five columns fits into its page', async () => {
    const { page } = await browser.newPage(screen)
    await page.goto(`${testApp.url}/docs/guides/reference/errors`)
    const cut = `[...document.querySelectorAll('table')].filter((one) => one.scrollWidth > one.parentElement.clientWidth).length`
    await page.getByRole('main').getByRole('table').first().waitFor()
    expect([await page.evaluate(cut), await page.evaluate(fits)]).toEqual([0, true])
  })
})

/** Rules that Scalar's dialog violates and no setting changes. */
const violatedByDialog = [
  // "More Information" buttons have `role="none"`.
  'aria-allowed-role',
  'aria-prohibited-attr',
  'presentation-role-conflict',
  // The editor that shows the response has no name.
  'aria-input-field-name',
  // Cells of the table of parameters are `combobox` without `aria-expanded`.
  'aria-required-attr',
  // A copy button names an element that does not exist yet.
  'aria-valid-attr-value',
  // The dialog has a `main` of its own.
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-unique',
]

/** Opens the reference, which takes seconds of CPU, and expects the token of the demo partner. */
async function openReference(screen: (typeof screens)[number][1]): Promise<WatchedPage> {
  const watched = await browser.newPage(screen)
  const { page } = watched
  await page.goto(`${testApp.url}/docs`)
  await page.getByText('Requests are sent as demo-partner').waitFor()
  await page.getByRole('heading', { name: 'access', exact: true }).waitFor()
  expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
  return watched
}

test('a diagram is drawn in the colors of the theme, which the reader may change', async () => {
  const { page, problems } = await browser.newPage(screens[0][1])
  await page.goto(`${testApp.url}/docs/guides/explanation/movements-and-states`)
  await page.locator('.diagram svg text').first().waitFor()
  const color = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.diagram svg text')).fill`)
  const light = await color()
  await page.getByRole('switch').filter({ visible: true }).click()
  await expect.poll(color).not.toBe(light)
  expect(problems).toEqual([])
})

test('the reference fits a telephone, in the dark theme too', async () => {
  const { problems } = await openReference(screens[1][1])
  expect(problems).toEqual([])
})

/** What "Test Request" of a list sends as its query, untouched. */
async function queryOfTest(page: WatchedPage['page'], tag: string, path: string): Promise<string> {
  await page.evaluate(`location.hash = 'tag/${tag}'`)
  await page.getByRole('button', { name: new RegExp(`Test Request.*get ${path}\\)$`, 'i') }).click()
  const request = page.waitForRequest((one) => new URL(one.url()).pathname === path)
  await page.getByRole('button', { name: /^Send Request/ }).click()
  const { search } = new URL((await request).url())
  await page.getByText('200 OK').waitFor()
  return search
}

test('a request that is sent from the reference gets the response of the service; credentials can be typed', async () => {
  const watched = await openReference(screens[0][1])
  const { page, problems } = watched
  await page.evaluate(`location.hash = 'tag/companies'`)
  const send = page.getByRole('button', { name: /Test Request.*get \/v1\/company\)$/i })
  await send.waitFor()
  expect(await found(watched)).toEqual([])
  await send.click()
  const response = page.waitForResponse((one) => new URL(one.url()).pathname === '/v1/company')
  await page.getByRole('button', { name: /^Send Request/ }).click()
  expect((await response).status()).toBe(200)
  await page.getByText('200 OK').waitFor()
  await page.getByText('"Padaria Aurora Ltda."').waitFor()
  const rules = (await watched.violations()).map(({ id }) => id)
  expect(rules.filter((id) => !violatedByDialog.includes(id))).toEqual([])
  expect(problems).toEqual([])

  await page.keyboard.press('Escape')
  for (const [tag, path] of [
    ['requests', '/v1/request'],
    ['invoices', '/v1/invoices/pending-payment'],
    ['members', '/v1/member'],
  ] as const) {
    expect([path, await queryOfTest(page, tag, path)]).toEqual([path, ''])
    await page.keyboard.press('Escape')
  }

  await page.keyboard.press('Escape')
  await page.getByLabel('Client id').fill(testApp.operator.clientId)
  await page.getByLabel('Client secret').fill('wrong')
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('Invalid credentials.').waitFor()
  await page.getByLabel('Client secret').fill(testApp.operator.clientSecret)
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText(`Requests are sent as ${testApp.operator.clientId}`).waitFor()
  expect(problems.filter((one) => !one.includes('401'))).toEqual([])
})
