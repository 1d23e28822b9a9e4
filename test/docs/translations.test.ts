import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCpf } from '#kernel/tax-id.ts'
import { englishPages, portuguesePages, readPage, root, translationOf } from './pages.ts'

const fencesOf = (path: string) => readPage(path).fences.map(({ language, text }) => `\`\`\`${language}\n${text}`)

/** The pages that users in Brazil read. */
const translated =
  /^(?:README\.md|docs\/index\.md|docs\/(?:tutorial|how-to)\/.*|docs\/reference\/(?:alterations|answers|endpoints|errors|events|exclusions|glossary|invoices|limits|lists|offenses|roster-syncs|versions)\.md)$/
test('the README, the index, the tutorial, the how-to pages and the reference of partners have a page in Portuguese', () => {
  const missing = englishPages()
    .filter((path) => translated.test(path))
    .map(translationOf)
    .filter((path) => !existsSync(join(root, path)))
  expect(missing).toEqual([])
})

test('every page in Portuguese has a page in English, with the same blocks byte for byte', () => {
  const english = new Map(englishPages().map((path) => [translationOf(path), path]))
  const pages = portuguesePages()
  expect(pages.filter((path) => !english.has(path))).toEqual([])
  const other = pages.filter((path) => fencesOf(path).join('') !== fencesOf(english.get(path) ?? '').join(''))
  expect(other).toEqual([])
})

test('the people of a page are its own: pages can be followed one after the other on one service', () => {
  const pagesOf = new Map<string, Set<string>>()
  for (const path of englishPages().filter((page) => !page.startsWith('docs/reference/'))) {
    const people = join(root, path.replace('docs/how-to/', 'examples/people/').replace('.md', '.json'))
    const prepared = existsSync(people) ? [{ text: readFileSync(people, 'utf8') }] : []
    for (const { text } of [...readPage(path).samples, ...prepared]) {
      for (const [shown] of text.matchAll(/\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b/g)) {
        const cpf = parseCpf(shown)
        if (cpf !== null) pagesOf.set(cpf, (pagesOf.get(cpf) ?? new Set()).add(path))
      }
    }
  }
  expect(pagesOf.size).toBeGreaterThan(20)
  expect([...pagesOf].filter(([, pages]) => pages.size > 1).map(([cpf, pages]) => [cpf, ...pages])).toEqual([])
})

test('a loop of a sample ends, also when the call before it failed', () => {
  const endless = [...englishPages()].filter((path) =>
    readPage(path).samples.some(({ text }) => /^\s*until |while true|while :/m.test(text)),
  )
  expect(endless).toEqual([])
})
