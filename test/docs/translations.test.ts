import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { englishPages, portuguesePages, readPage, root, translationOf } from './pages.ts'

const fencesOf = (path: string) => readPage(path).fences.map(({ language, text }) => `\`\`\`${language}\n${text}`)

/** The pages that users in Brazil read. */
const translated = /^(?:README\.md|docs\/index\.md|docs\/(?:tutorial|how-to)\/.*|docs\/reference\/glossary\.md)$/
/** Those of people who run servers: no user of the API. */
const forServers = /^docs\/how-to\/(?:run-|runbook|back-up-and-restore\.|upgrade\.)/

test('the README, the index, the tutorial, the how-to pages for users of the API and the glossary have a page in Portuguese', () => {
  const missing = englishPages()
    .filter((path) => translated.test(path) && !forServers.test(path))
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
