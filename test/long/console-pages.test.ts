import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Broker, makeBroker, pagesOf } from '../console/broker.ts'
import { untranslated, useConsole } from '../console/console.ts'

/*
 * Every page of the console with data, in both languages and themes, at both widths. `npm run pictures` stores those at 1280 px in the light
 * theme in docs/images/console.
 */

const storesPictures = process.env['VIGENCIA_STORE_PICTURES'] === '1'
const { testApp, open } = useConsole({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let broker: Broker

beforeAll(async () => {
  broker = await makeBroker(testApp)
})

describe.each(['pt-BR', 'en'] as const)('%s', (language) => {
  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    test.each([1280, 390] as const)('at %i px every page is accessible, fits and has no error', async (width) => {
      const { page, goto, expectSound } = await open('/queue', { role: 'admin', language, theme, width })
      for (const [name, path] of Object.entries(pagesOf(broker))) {
        await goto(path)
        await page.waitForLoadState('networkidle')
        await expectSound()
        if (!storesPictures || theme === 'dark' || width === 390) continue
        const file = fileURLToPath(new URL(`../../docs/images/console/${name}-${language}.png`, import.meta.url))
        await mkdir(dirname(file), { recursive: true })
        await page.screenshot({ path: file })
      }
    })
  })
})

test('every text of every page is in the catalogues', async () => {
  const watched = await open('/queue', { role: 'admin', language: 'en-XA' })
  for (const path of Object.values(pagesOf(broker))) {
    await watched.goto(path)
    await watched.page.waitForLoadState('networkidle')
    expect([path, await untranslated(watched)]).toEqual([path, []])
  }
})
