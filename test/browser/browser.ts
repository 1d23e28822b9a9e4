import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { sharedFolder } from '../run-folder.ts'
import { openPage, startChromium, unpackChromium, type WatchedPage } from './chromium.ts'

/** A browser of the file: started before its first test, closed after its last. */
export function useBrowser(): { newPage(options: BrowserContextOptions): Promise<WatchedPage> } {
  let folder: string
  let browser: Browser
  beforeAll(async () => {
    const unpacked = await sharedFolder('chromium', async () => {
      const made = await mkdtemp(join(inject('runFolder'), 'chromium-'))
      await unpackChromium(made)
      return made
    })
    folder = await mkdtemp(join(tmpdir(), 'vigencia-chromium-'))
    browser = await startChromium(unpacked, folder)
  })
  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { newPage: (options) => openPage(browser, options) }
}
