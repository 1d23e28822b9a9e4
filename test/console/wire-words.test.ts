import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { SOURCE_NAMES, TARGET_NAMES } from '#registry/layouts/fields.ts'
import { type Broker, makeBroker } from './broker.ts'
import { hrOf } from './company-hr.ts'
import { type ConsolePage, useConsole } from './console.ts'
import { hrPagesOf, pagesOf } from './pages.ts'

/* Names of the API are for programs: people read words. */

const { testApp, open } = useConsole({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let broker: Broker
beforeAll(async () => {
  broker = await makeBroker(testApp)
})

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

async function walk(watched: ConsolePage, pages: Readonly<Record<string, string>>): Promise<unknown[]> {
  const found: unknown[] = []
  for (const path of Object.values(pages)) {
    await watched.goto(path)
    await watched.page.waitForLoadState('networkidle')
    // The headings of an imported file are its own.
    const words = await wireWords(
      watched,
      `${programs}${path.startsWith('/imports/') ? ', [role=columnheader], th' : ''}`,
    )
    if (words.length > 0) found.push([path, words])
  }
  return found
}

test('no page of operators in Portuguese shows a name of the API', async () => {
  expect(names).toEqual(expect.arrayContaining(['no-answer', 'layout-id', 'primary.tax-id']))
  expect(await walk(await open('/queue', { role: 'admin' }), pagesOf(broker))).toEqual([])
})

test('nor does a page of the people of companies', async () => {
  const taxIds = broker.companies.map(({ taxId }) => taxId)
  const { cookie } = await hrOf(testApp, taxIds, { seesMoney: true })
  expect(await walk(await open('/hr/people', { cookie }), hrPagesOf(broker))).toEqual([])
})
