import { describe, expect, test } from 'vitest'
import { useTestApp } from '../http/test-app.ts'
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
    expect(await page.getByRole('heading', { name: 'The first movement' }).count()).toBe(1)
    expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
    await page.getByRole('link', { name: 'Guides', exact: true }).click()
    await page.waitForURL('**/docs/guides/index')
    await page.getByRole('navigation', { name: 'All guides' }).getByRole('link', { name: 'Quickstart' }).click()
    await page.waitForURL('**/quickstart')
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBeGreaterThan(0)
    expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
    await page.getByRole('link', { name: 'Português' }).click()
    await page.waitForURL('**/pt-BR/**')
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
    expect([await found(watched), await page.evaluate(fits)]).toEqual([[], true])
    expect(problems).toEqual([])
  })
})

/** Rules that Scalar's dialog violates and no setting changes, with the reasons in docs/decisions/0035-reference-page.md. */
const violatedByDialog = [
  'aria-allowed-role',
  'aria-input-field-name',
  'aria-prohibited-attr',
  'aria-required-attr',
  'aria-valid-attr-value',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-unique',
  'presentation-role-conflict',
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

test('the reference fits a telephone, in the dark theme too', async () => {
  const { problems } = await openReference(screens[1][1])
  expect(problems).toEqual([])
})

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
  await page.getByLabel('Client id').fill(testApp.operator.clientId)
  await page.getByLabel('Client secret').fill('wrong')
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('Invalid credentials.').waitFor()
  await page.getByLabel('Client secret').fill(testApp.operator.clientSecret)
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText(`Requests are sent as ${testApp.operator.clientId}`).waitFor()
  expect(problems.filter((one) => !one.includes('401'))).toEqual([])
})
