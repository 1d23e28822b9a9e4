/*
 * The web console in headless Chromium: an operator who is signed in by the cookie of a session, in a page that is watched.
 *
 *   const { testApp, open } = useConsole()
 *   const { page, problems, violations } = await open('/queue', { role: 'analyst' })
 */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { TEXTS, termOf } from '#kernel/texts/texts.ts'
import { useBrowser } from '../browser/browser.ts'
import type { WatchedPage } from '../browser/chromium.ts'
import { type TestApp, useTestApp } from '../world/test-app.ts'
import { isLong } from '../scale.ts'

export interface OpenOptions {
  readonly role?: 'admin' | 'analyst' | 'finance' | 'auditor'
  /** `name=value` of the session of a person who signed in, instead of `role`. */
  readonly cookie?: string
  /** `en-XA`: the pseudo-locale. */
  readonly language?: 'pt-BR' | 'en' | 'en-XA'
  readonly theme?: 'light' | 'dark'
  readonly width?: 1280 | 390
  /** Browsers have no passkeys for an IP address. */
  readonly host?: 'localhost'
}

export interface ConsolePage extends WatchedPage {
  /** The operator who is signed in. */
  readonly clientId: string
  readonly clientSecret: string
  /** Leads to another page of the console without a new session. */
  readonly goto: (path: string) => Promise<void>
  /** What `expectSound` would not accept. */
  readonly unsound: () => Promise<string[]>
  /**
   * Expects that the page fits the width, and that nothing failed; in the long run also that axe finds nothing, which costs a CPU second. In the
   * everyday run `every-page.test.ts` runs axe, on each page once.
   */
  readonly expectSound: () => Promise<void>
}

/** A service of the file, and pages of the worker's browser. */
export function useConsole(settings: Record<string, string> = {}): {
  testApp: TestApp
  /** A page of the console, such as `/queue`, in a context of its own; without a role nobody is signed in. */
  readonly open: (path: string, options?: OpenOptions) => Promise<ConsolePage>
} {
  // Decisions are made at once, unless the test is about undoing them.
  const testApp = useTestApp({ VIGENCIA_UNDO_SECONDS: '0', ...settings })
  const browser = useBrowser()
  return {
    testApp,
    async open(path, { role, cookie, language = 'pt-BR', theme = 'light', width = 1280, host = '127.0.0.1' } = {}) {
      const watched = await browser.newPage(
        {
          viewport: { width, height: width === 390 ? 844 : 800 },
          colorScheme: theme,
          // A dialog that still fades in has less contrast.
          reducedMotion: 'reduce',
        },
        // The frame that shows documents has an opaque origin: no storage.
        `if (self.origin !== 'null') localStorage.setItem('vigencia-language', '${language}')`,
      )
      const { page } = watched
      const url = testApp.url.replace('127.0.0.1', host)
      let sent = cookie
      let client = { clientId: '', clientSecret: '' }
      if (role !== undefined) {
        client = await testApp.operatorOf(role)
        const { clientId, clientSecret } = client
        const response = await fetch(`${url}/operator/v1/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: url },
          body: JSON.stringify({ 'client-id': clientId, 'client-secret': clientSecret }),
        })
        expect(response.status).toBe(200)
        sent = (response.headers.getSetCookie()[0] ?? '').split(';')[0]
      }
      if (sent !== undefined) {
        const [name = '', value = ''] = sent.split('=')
        await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
      }
      const goto = async (to: string) => {
        await page.goto(`${url}/console${to}`)
        await page.locator(sent === undefined ? 'main h1' : '#content h1').waitFor()
      }
      await goto(path)
      const unsound = async (): Promise<string[]> => {
        // A busy machine may not have ended a navigation yet.
        await page.locator('.navigation-progress').waitFor({ state: 'detached' })
        const violations = isLong ? await watched.violations() : []
        const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
        // Those that end there, of which the first is the outermost.
        const widest =
          overflow > 0 &&
          (await page.evaluate<string>(`(() => {
          const end = document.documentElement.scrollWidth
          const all = [...document.querySelectorAll('main *')].filter((one) => Math.abs(one.getBoundingClientRect().right - end) < 2)
          return all.slice(0, 3).map((one) => one.outerHTML.slice(0, 150)).join(' … ')
        })()`))
        return [
          ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
          ...(overflow > 0 ? [`wider than the window by ${overflow} px: ${widest}`] : []),
          ...watched.problems.splice(0),
        ]
      }
      return {
        ...watched,
        ...client,
        goto,
        unsound,
        async expectSound() {
          expect(await unsound()).toEqual([])
        },
      }
    },
  }
}

/** Opens the menu that the actions of a page are in on a narrow screen, where it is closed. */
export async function openActions(page: Page): Promise<void> {
  await page.locator('.page-actions[aria-expanded=false]').click()
}

/** In English the names of fields are those of the API; its warnings are in the texts of the service. */
export const isOfConsole = (text: string): boolean =>
  termOf(text.toLowerCase().replaceAll(' ', '-')) === undefined && !Object.values(TEXTS.en.warnings).includes(text)

/**
 * The texts of a page in the pseudo-locale that come from no catalogue. Data of the service are in elements with `translate="no"`; options of
 * native selects and labels for assistive technology count too.
 */
export async function untranslated({ page }: WatchedPage): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = []
    const isData = (element) => element.closest('[translate="no"], script, style, noscript') !== null
    // A translated text may be a part of another one.
    const unmarked = (text) => {
      const rest = text.replace(/⟦[^⟦⟧]*⟧/g, '')
      return rest === text ? rest : unmarked(rest)
    }
    const check = (text, element) => {
      if (/\\p{L}/u.test(unmarked(text)) && !isData(element)) found.push(text.trim())
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) check(walker.currentNode.data, walker.currentNode.parentElement)
    // What is hidden from assistive technology has labels for nobody.
    for (const element of document.querySelectorAll(':is([aria-label], [placeholder], [title], [alt]):not([aria-hidden="true"])')) {
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) check(element.getAttribute(name) ?? '', element)
    }
    return found
  })()`)
}
