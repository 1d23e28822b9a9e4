import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '#kernel/error-codes.ts'
import { helpPath } from '#kernel/texts/explain.ts'
import { LANGUAGES } from '#kernel/texts/texts.ts'

/* `help` of an error leads to its code: the pages are those that the site is built with. */

test.each(LANGUAGES)('%s: `help` of every error leads to a row of the page of errors', (language) => {
  const addresses = ERROR_CODES.map((code) => helpPath(code, language).replace('/docs/guides/', '').split('#'))
  const pages = new Set(addresses.map(([page]) => page))
  expect(pages.size).toBe(1)
  const [page] = pages
  const html = readFileSync(new URL(`../../site/dist/guides/${page}.html`, import.meta.url), 'utf8')
  // Where several rows have a name, the first one has the anchor.
  const rows = [...html.matchAll(/<tr id="([\w-]+)">/g)].map(([, name]) => name)
  const missing = addresses.filter(([, code]) => !rows.includes(code))
  expect(missing).toEqual([])
})
