import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { useBrowser } from '../browser/browser.ts'
import { type Broker, makeBroker } from './broker.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'
import { hrPagesOf, openOnboarding, pagesOf, publicPages } from './pages.ts'

/* Every free text of the service holds what would run if a page took it for markup, a script or a template. */

const run = 'window.hostile=1'
const corpus = [
  `<script>${run}</script>`,
  `"><img src=x onerror=${run}>`,
  `'><svg/onload=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `</title><script>${run}</script>`,
  `--><body onfocus=${run} autofocus>`,
  `<a href="javascript:${run}">a</a>`,
  `<style>@import '/hostile'</style>`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `<x contenteditable onblur=${run}>`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
]

const { testApp, open } = useConsole({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const browser = useBrowser()
let broker: Broker

beforeAll(async () => {
  let turn = 0
  broker = await makeBroker(testApp, (text) => `${text} ${corpus[turn++ % corpus.length]}`)
})

/** What a page asked with a dialog of the browser, as `alert` does. */
function dialogsOf(page: Page): string[] {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return dialogs
}

test('a text of a partner or a colleague runs nowhere, and is shown as it is; axe finds nothing on any page', async () => {
  const { page, problems, goto, violations } = await open('/queue', { role: 'admin' })
  const dialogs = dialogsOf(page)
  await page.getByText('<script>window.hostile=1</script>').first().waitFor()
  for (const path of Object.values(pagesOf(broker))) {
    await goto(path)
    await page.waitForLoadState('networkidle')
    for (const frame of page.frames()) expect([path, await frame.evaluate('window.hostile')]).toEqual([path, undefined])
    expect([path, (await violations()).map(({ id }) => id)]).toEqual([path, []])
  }
  expect([dialogs, problems]).toEqual([[], []])
})

test('nor does it on the pages of the people of companies', async () => {
  const taxIds = broker.companies.map(({ taxId }) => taxId)
  const { cookie } = await hrOf(testApp, taxIds, { seesMoney: true })
  const options = { cookie, language: 'en', theme: 'dark', width: 390 } as const
  const { page, problems, goto, violations } = await open('/hr/people', options)
  const dialogs = dialogsOf(page)
  await page.getByText('<script>window.hostile=1</script>').first().waitFor()
  for (const path of Object.values(hrPagesOf(broker))) {
    await goto(path)
    await page.waitForLoadState('networkidle')
    expect([path, await page.evaluate('window.hostile')]).toEqual([path, undefined])
    expect([path, (await violations()).map(({ id }) => id)]).toEqual([path, []])
  }
  expect([dialogs, problems]).toEqual([[], []])
})

test('nor on the page of an onboarding link', async () => {
  const { page, problems, violations } = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const dialogs = dialogsOf(page)
  await openOnboarding(page, testApp.url, broker.onboarding)
  expect(await page.evaluate('window.hostile')).toBe(undefined)
  expect((await violations()).map(({ id }) => id)).toEqual([])
  expect([dialogs, problems]).toEqual([[], []])
})

test('every page of the console is among them', () => {
  const folder = new URL('../../console/src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /routes\.ts$/.test(name))
  const routes = files.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^  path: '(.+)',$/gm)].map(([, path = '']) => path),
  )
  const pages = Object.values({ ...pagesOf(broker), ...hrPagesOf(broker), ...publicPages })
  const isShown = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`)
    return pages.some((page) => pattern.test(page.replace(/\?.*/, '')))
  }
  expect(routes.length).toBeGreaterThan(60)
  // The start leads to the first area of the role; the page of a link for a password is in `invitations.test.ts`.
  const others = ['/', '/password']
  expect(routes.filter((route) => !others.includes(route) && !isShown(route))).toEqual([])
})
