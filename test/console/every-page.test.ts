import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { SOURCE_NAMES, TARGET_NAMES } from '#registry/rules/layout-fields.ts'
import { useBrowser } from '../browser/browser.ts'
import { type Broker, makeBroker } from './broker.ts'
import { hrOf } from './company-hr.ts'
import { type ConsolePage, isOfConsole, type OpenOptions, untranslated, useConsole } from './console.ts'
import { hrPagesOf, openOnboarding, pagesOf, publicPages } from './pages.ts'

/*
 * Every page of the console, twice: in Portuguese, on a wide light page, and in the pseudo-locale, on a narrow dark one. Every free text of the
 * service holds what would run if a page took it for markup, a script or a template.
 */

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

/** Names of fields and values of closed sets that are no words of a language: `tax-id`, `no-answer`, `primary.tax-id`. */
function wireNames(): string[] {
  const names = new Set<string>([...SOURCE_NAMES, ...TARGET_NAMES])
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('properties' in value && typeof value.properties === 'object') {
      for (const name of Object.keys(value.properties ?? {})) names.add(name)
    }
    if ('enum' in value && Array.isArray(value.enum)) for (const one of value.enum) names.add(String(one))
    for (const one of Object.values(value)) visit(one)
  }
  visit(JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')))
  return [...names].filter((name) => /^[a-z]+(?:[-.][a-z]+)+$/.test(name) && name !== 'e-mail')
}
const names = wireNames()

/** Code, documents, and the lines of a file as they are in it. */
const programs = '.layout-lines, code, pre, textarea, script, style, noscript'

/** Those in the visible texts of a page. @param ofOthers where they are right. */
const wireWords = ({ page }: ConsolePage, ofOthers: string) =>
  page.evaluate<string[]>(`(() => {
    const names = new Set(${JSON.stringify(names)})
    const found = new Set()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement
      if (element.closest('${ofOthers}') !== null || element.getClientRects().length === 0) continue
      for (const [word] of walker.currentNode.data.matchAll(/[\\w.-]*\\w/g)) if (names.has(word)) found.add(word)
    }
    return [...found]
  })()`)

/** Opens each page. @param check of what is said of all pages, and of one of its own. */
async function sweep(
  options: OpenOptions,
  pages: Readonly<Record<string, string>>,
  check: (watched: ConsolePage, path: string) => Promise<unknown[]>,
): Promise<void> {
  const [first = ''] = Object.values(pages)
  const watched = await open(first, options)
  const { page, goto, unsound } = watched
  const dialogs = dialogsOf(page)
  await page.getByText(run).filter({ visible: true }).first().waitFor()
  const found: [path: string, ...unknown[]][] = []
  for (const path of Object.values(pages)) {
    await goto(path)
    await page.waitForLoadState('networkidle')
    const ran = await Promise.all(page.frames().map((frame) => frame.evaluate('window.hostile')))
    const of = [...ran.filter((one) => one !== undefined), ...(await check(watched, path)), ...(await unsound())]
    if (of.length > 0) found.push([path, ...of])
  }
  expect({ found, dialogs }).toEqual({ found: [], dialogs: [] })
}

/** axe finds nothing, and people read words, not names of the API. */
const inPortuguese = async (watched: ConsolePage, path: string): Promise<unknown[]> => {
  // The headings of an imported file are its own.
  const words = await wireWords(
    watched,
    `${programs}${path.startsWith('/imports/') ? ', [role=columnheader], th' : ''}`,
  )
  return [
    ...words,
    ...(await watched.violations()).flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
  ]
}

describe.each([
  ['a text of others runs nowhere, is shown as it is, and no name of the API is; axe finds nothing', {}, inPortuguese],
  [
    'nor does it on a narrow dark page, which fits; every text is in the catalogues',
    { language: 'en-XA', theme: 'dark', width: 390 },
    async (watched: ConsolePage) => (await untranslated(watched)).filter(isOfConsole),
  ],
] as const)('%s', (_title, options, check) => {
  test.each([0, 1])('on the pages of operators, half %i', (half) => {
    const pages = Object.entries(pagesOf(broker)).filter((_page, index) => index % 2 === half)
    return sweep({ ...options, role: 'admin' }, Object.fromEntries(pages), check)
  })

  test('on the pages of the people of companies', async () => {
    const taxIds = broker.companies.map(({ taxId }) => taxId)
    const { cookie } = await hrOf(testApp, taxIds, { seesMoney: true })
    await sweep({ ...options, cookie }, hrPagesOf(broker), check)
  })

  test.each(Object.values(publicPages))('on %s', async (path) => {
    const watched = await open(path, options)
    await watched.page.waitForLoadState('networkidle')
    expect(await check(watched, path)).toEqual([])
    await watched.expectSound()
  })
})

test('the names of the API are those of openapi.json and of layouts', () => {
  expect(names).toEqual(expect.arrayContaining(['no-answer', 'layout-id', 'primary.tax-id']))
})

test('nor does it on the page of an onboarding link', async () => {
  const { page, problems, violations } = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const dialogs = dialogsOf(page)
  await openOnboarding(page, testApp.url, broker.onboarding)
  await expect.poll(() => page.evaluate('window.hostile')).toBe(undefined)
  expect((await violations()).map(({ id }) => id)).toEqual([])
  expect([dialogs, problems]).toEqual([[], []])
})

test('every page of the console is among them', () => {
  const folder = new URL('../../console/src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(router|routes)\.ts$/.test(name),
  )
  const routes = files.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/(?:\bpath: |[pP]age\(\s*)'(.+?)'/g)].map(
      ([, path = '']) => path,
    ),
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
