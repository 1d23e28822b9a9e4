import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const docs = new URL('../../docs/', import.meta.url)
const asvsPages = readdirSync(new URL('security/', docs)).map((name) => `security/${name}`)
const pages = ['security.md', 'reliability.md', ...asvsPages]
const read = (page: string) => readFileSync(new URL(page, docs), 'utf8')

interface Row {
  readonly numbers: readonly string[]
  readonly status: string
  readonly shownBy: string
}

const rows = asvsPages.flatMap((page) =>
  read(page)
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line): Row => {
      const cells = line.split('|').map((cell) => cell.trim())
      // The table of what is met has no column for the status.
      const [, numbers = '', , status = '', shownBy = ''] = cells.length === 5 ? cells.toSpliced(3, 0, 'Met') : cells
      return { numbers: numbers.split(', '), status: status.replaceAll('*', ''), shownBy }
    }),
)

test('every file that the pages of security and reliability link to exists', () => {
  for (const page of pages) {
    const links = [...read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '')
    const files = links.filter((link) => !link.startsWith('https://'))
    expect(files.length).toBeGreaterThan(0)
    const missing = files.filter((link) => !existsSync(fileURLToPath(new URL(link, new URL(page, docs)))))
    expect(missing, 'links without a file').toEqual([])
  }
})

test('each of the 253 requirements of ASVS 5.0.0, levels 1 and 2, has one row, with what shows it or why not', () => {
  const numbers = rows.flatMap((row) => row.numbers)
  expect(numbers.filter((number) => !/^\d+\.\d+\.\d+$/.test(number))).toEqual([])
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.length).toBe(253)
  expect(rows.filter(({ shownBy }) => shownBy === '')).toEqual([])
})

test('docs/security.md counts the rows by status and names each requirement that is not met', () => {
  const text = read('security.md')
  for (const status of ['Met', 'Partly', 'Not met', 'Not applicable']) {
    const count = rows.filter((row) => row.status === status).flatMap((row) => row.numbers).length
    expect(text).toMatch(new RegExp(`\\| ${status} \\| .* \\| ${count} \\|`))
  }
  const [, table = ''] = text.split('Not met:')
  const named = [...table.matchAll(/\d+\.\d+\.\d+/g)].map(([number]) => number).toSorted()
  const notMet = rows.filter(({ status }) => status === 'Not met').flatMap((row) => row.numbers)
  expect(named).toEqual(notMet.toSorted())
})
