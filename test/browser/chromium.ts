/* Headless Chromium from npm packages alone. It resolves no name, so that it reaches only this machine. */
import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import type { AxeResults, Result } from 'axe-core'
import chromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContextOptions,
  chromium as playwright,
  type Disposable,
  type Page,
} from 'playwright-core'

const require = createRequire(import.meta.url)
const axeSource = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8')

/** For servers without a browser's rights: the first three switch off what is tested here, without the zygote each context takes 30% more CPU. */
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--single-process',
  '--no-zygote',
])

/** Unpacks it into an empty folder, with the NSS libraries where the machine has none: two seconds of CPU. */
export async function unpackChromium(folder: string): Promise<void> {
  const before = process.env['TMPDIR']
  // The package unpacks into the folder for temporary files.
  process.env['TMPDIR'] = folder
  try {
    await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  const linked = spawnSync('ldd', [join(folder, 'chromium')], { encoding: 'utf8' }).stdout
  if (!linked.includes('not found')) return
  const archive = join(folder, 'al2023.tar')
  const packed = join(require.resolve('@sparticuz/chromium'), '../../../bin/al2023.tar.br')
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(archive))
  spawnSync('tar', ['-xf', archive, '-C', folder])
}

/** Starts it. @param unpacked of `unpackChromium`. @param home an empty folder, for what it writes. */
export async function startChromium(unpacked: string, home: string): Promise<Browser> {
  const fonts = join(home, 'fonts.conf')
  // The package's own configuration names /tmp, wherever it unpacks to.
  await writeFile(fonts, `<fontconfig><dir>${unpacked}/fonts</dir></fontconfig>`)
  return playwright.launch({
    executablePath: join(unpacked, 'chromium'),
    args: [
      ...chromium.args.filter((one) => !unwanted.has(one)),
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-software-rasterizer',
    ],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TMPDIR: home,
      FONTCONFIG_FILE: fonts,
      LD_LIBRARY_PATH: join(unpacked, 'lib'),
    },
  })
}

/** A page, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of the console and of scripts, violations of the policy, requests to other origins than the first page's. */
  readonly problems: string[]
  /** The rules of axe that the page violates. */
  readonly violations: () => Promise<Result[]>
}

/** A page that is used by one test after the other: a fresh one loads and compiles the scripts again, half a second of CPU. */
export interface ReusablePage {
  /** Empties the context, and hands the page out. @param script runs before those of each page that is loaded. */
  readonly use: (options: BrowserContextOptions, script?: string) => Promise<WatchedPage>
  /** Ends the use. @returns whether the page can be used again: nothing was set on it that lasts. */
  readonly leave: () => Promise<boolean>
}

/** A page in a context of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> {
  return (await openReusablePage(browser, options)).use(options)
}

/** The same, to be used again. */
export async function openReusablePage(browser: Browser, options: BrowserContextOptions): Promise<ReusablePage> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  // After a click on a link of the console the page before it stays until the next one is loaded: what is sought waits for that.
  await page.addLocatorHandler(page.locator('.navigation-progress[data-loading=next-page]'), async () => {})
  let problems: string[] = []
  let origin: string | undefined
  const watch = () => {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol === 'data:' || url.protocol === 'blob:') return
      origin ??= url.origin
      if (url.origin !== origin) problems.push(`request: ${request.url()}`)
    })
  }
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI))`)
  // Without the mark of what lasts.
  const emulateMedia = page.emulateMedia.bind(page)
  const addInitScript = page.addInitScript.bind(page)
  let own: Disposable | undefined
  let isLasting = false
  const mark = <T extends object>(object: T, ...names: (keyof T)[]) => {
    for (const name of names) {
      const method = object[name] as (...given: unknown[]) => unknown
      const marking = (...given: unknown[]) => {
        isLasting = true
        return method.apply(object, given)
      }
      Object.defineProperty(object, name, { value: marking, configurable: true })
    }
  }
  mark(page, 'addInitScript', 'emulateMedia', 'exposeFunction', 'route')
  mark(page.clock, 'install')
  mark(context, 'grantPermissions', 'newCDPSession', 'route', 'setOffline')
  return {
    async use({ viewport, colorScheme }, script) {
      if (origin !== undefined) {
        await context.clearCookies()
        await page.evaluate('localStorage.clear(); sessionStorage.clear()')
        if (viewport) await page.setViewportSize(viewport)
        await emulateMedia({ colorScheme: colorScheme ?? null })
      }
      await own?.dispose()
      own = script === undefined ? undefined : await addInitScript(script)
      problems = []
      watch()
      return { page, problems, violations: () => violationsOf(page) }
    },
    async leave() {
      if (isLasting || page.isClosed() || origin === undefined || context.pages().length > 1) {
        await context.close()
        return false
      }
      for (const event of ['console', 'dialog', 'pageerror', 'request', 'response']) page.removeAllListeners(event)
      // A page of the same service, without scripts: another origin or `about:blank` would be a new process.
      await page.goto(`${origin}/healthz`)
      return true
    },
  }
}

async function violationsOf(page: Page): Promise<Result[]> {
  // What is of a former filter, or fades in, has less contrast.
  await page.locator('.navigation-progress, [aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource)
  // A frame with an opaque origin takes no messages of axe.
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'], iframes: false })`)
  return violations
}
