import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Broker, makeBroker } from '../console/broker.ts'
import { hrOf } from '../console/company-hr.ts'
import { type OpenOptions, useConsole } from '../console/console.ts'
import { hrPagesOf, openOnboarding, pagesOf, publicPages } from '../console/pages.ts'

/*
 * Every page of the console with data, in both languages and themes, at both widths. `npm run pictures` opens those alone that have a picture in
 * docs/images/console, at 1280 px in the light theme, and takes it again.
 */

const renewsPictures = process.env['VIGENCIA_STORE_PICTURES'] === '1'
const { testApp, open } = useConsole({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let broker: Broker
/** Those of operators, of the people of companies and of anybody, each with who sees them. */
let pages: readonly (readonly [OpenOptions, Record<string, string>])[]

beforeAll(async () => {
  broker = await makeBroker(testApp)
  const taxIds = broker.companies.map(({ taxId }) => taxId)
  const { cookie } = await hrOf(testApp, taxIds, { seesMoney: true })
  pages = [
    [{ role: 'admin' }, pagesOf(broker)],
    [{ cookie }, hrPagesOf(broker)],
    [{}, publicPages],
  ]
})

const pictureOf = (name: string, language: string) =>
  fileURLToPath(new URL(`../../docs/images/console/${name}-${language}.png`, import.meta.url))

describe.runIf(renewsPictures).each(['pt-BR', 'en'] as const)('%s', (language) => {
  test('the pictures of the guides are taken again', async () => {
    for (const [who, paths] of pages) {
      const shown = Object.entries(paths).filter(([name]) => existsSync(pictureOf(name, language)))
      if (shown.length === 0) continue
      const { page, goto } = await open(shown[0]?.[1] ?? '', { ...who, language, theme: 'light', width: 1280 })
      for (const [name, path] of shown) {
        await goto(path)
        await page.waitForLoadState('networkidle')
        await page.locator('.navigation-progress, [aria-busy="true"]').first().waitFor({ state: 'detached' })
        await page.getByRole('row').filter({ hasText: /^…$/ }).first().waitFor({ state: 'detached' })
        await page.screenshot({ path: pictureOf(name, language) })
        expect(statSync(pictureOf(name, language)).size).toBeGreaterThan(10_000)
      }
    }
  }, 1_200_000)
})

describe.skipIf(renewsPictures).each(['pt-BR', 'en'] as const)('%s', (language) => {
  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    test.each([1280, 390] as const)(
      'at %i px every page is accessible, fits and has no error',
      async (width) => {
        for (const [who, paths] of pages) {
          const { page, goto, expectSound } = await open(Object.values(paths)[0] ?? '', {
            ...who,
            language,
            theme,
            width,
          })
          for (const path of Object.values(paths)) {
            await goto(path)
            await page.waitForLoadState('networkidle')
            await expectSound()
            await expect
              .poll(async () => [path, await page.getByText(/^(Sem permissão|No permission)$/).count()])
              .toEqual([path, 0])
          }
        }
      },
      1_200_000,
    )

    test.each([1280, 390] as const)('at %i px so is the page of an onboarding link', async (width) => {
      const { page, expectSound } = await open('/sign-in', { theme, width })
      await openOnboarding(page, testApp.url, broker.onboarding, language === 'en')
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)
      await expectSound()
    })
  })
})
