import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { englishPages, portuguesePages, readPage, root } from './pages.ts'

const pages = [...englishPages(), ...portuguesePages()]

/** The headings of a page below which nothing stands, before the next one that is not below it. */
function emptyHeadings(text: string): string[] {
  const blocks = text
    .replaceAll(/^( *)```[^]*?^\1```$/gm, 'code')
    .replaceAll(/<!--[^]*?-->/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return blocks.filter((line, index) => {
    const level = levelOf(line)
    if (level === 0) return false
    const next = blocks[index + 1]
    return next === undefined || (levelOf(next) > 0 && levelOf(next) <= level)
  })
}

const levelOf = (line: string) => /^(#+) /.exec(line)?.[1]?.length ?? 0

test('a heading at the end, or before another one of its level, is found', () => {
  expect(emptyHeadings('# Page\n\n## One\n\n## Two\n\n### Part\n\ntext\n\n## Three\n')).toEqual(['## One', '## Three'])
  expect(emptyHeadings('# Page\n\n## Code\n\n```sh\n# a comment\n```\n')).toEqual([])
})

test('below each heading of a page stands something', () => {
  // The tables of the references are generated into the site, at a comment.
  const isMade = (path: string) => readFileSync(join(root, path), 'utf8').includes('is made from the sources')
  const empty = pages
    .filter((path) => !isMade(path))
    .map((path) => [path, ...emptyHeadings(readFileSync(join(root, path), 'utf8'))])
  expect(empty.filter(([, ...headings]) => headings.length > 0)).toEqual([])
})

test('a tool that a page has npx download has a version: the one that is tried', () => {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'lint/package.json'), 'utf8')) as Record<
    string,
    Record<string, string> | undefined
  >
  const tried: Record<string, string> = { ...dependencies, ...devDependencies }
  const found = pages.flatMap((path) =>
    readPage(path).fences.flatMap(({ text }) =>
      [...text.matchAll(/^npx (?!(?:vigencia|node)\b)(.*)$/gm)].map((line) => [path, line[1] ?? ''] as const),
    ),
  )
  expect(found.length).toBeGreaterThan(1)
  for (const [path, line] of found) {
    const [, name = '', version] = /^--yes ([a-z-]+)@(\S+) /.exec(line) ?? []
    expect([path, line, version]).toEqual([path, line, tried[name]])
    expect(version).toBeDefined()
  }
})
