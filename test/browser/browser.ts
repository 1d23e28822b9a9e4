import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openPage, startChromium, type WatchedPage } from './chromium.ts'

/** A browser of the file: started before its first test, closed after its last. */
export function useBrowser(): { newPage(options: BrowserContextOptions): Promise<WatchedPage> } {
  let folder: string
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigencia-chromium-'))
    browser = await startChromium(folder)
  })
  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { newPage: (options) => openPage(browser, options) }
}
