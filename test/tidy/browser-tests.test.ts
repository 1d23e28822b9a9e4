import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A reading of a locator that does not wait for what it compares. */
const reading =
  /\.(?:count|all|allTextContents|allInnerTexts|textContent|innerText|inputValue|isVisible|isHidden|isDisabled|isEnabled|isChecked)\(\)/
const comparison = /(?<![\w.])expect\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)/g

test('what a page shows is waited for with expect.poll: one reading may be of the page before', () => {
  const files = globSync('test/{browser,console,long}/*.ts')
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(comparison)].flatMap(([text, compared = '']) =>
      compared.includes('await') && reading.test(compared) ? [`${file}: ${text}`] : [],
    ),
  )
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(50)
})
