import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, inject, onTestFinished } from 'vitest'
import { sharedFolder } from '../run-folder.ts'
import { openReusablePage, type ReusablePage, startChromium, unpackChromium, type WatchedPage } from './chromium.ts'

/** This worker has one for all its files. It ends with the process. */
let browser: Promise<Browser> | undefined

async function start(): Promise<Browser> {
  const unpacked = await sharedFolder('chromium', async () => {
    const made = await mkdtemp(join(inject('runFolder'), 'chromium-'))
    await unpackChromium(made)
    return made
  })
  return startChromium(unpacked, await mkdtemp(join(inject('runFolder'), 'chromium-home-')))
}

/** Pages of the file. One that a test opened is used again by the tests after it, with a session, size and theme of their own. */
export function useBrowser(): { newPage(options: BrowserContextOptions, script?: string): Promise<WatchedPage> } {
  const idle: ReusablePage[] = []
  afterAll(async () => {
    const started = await browser
    await Promise.all((started?.contexts() ?? []).map((context) => context.close()))
  })
  return {
    async newPage(options, script) {
      const page = idle.pop() ?? (await openReusablePage(await (browser ??= start()), options))
      const leave = async () => {
        if (await page.leave()) idle.push(page)
      }
      try {
        onTestFinished(leave)
      } catch {
        // Opened by a hook, for all tests.
      }
      return page.use(options, script)
    },
  }
}
