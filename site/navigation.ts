/* The lists of the guides beside each page, from the files of `pages`. */
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

/** The path of the site at the service. */
export const base = '/docs/guides/'

export type Language = 'en' | 'pt-BR'

export const pagesFolder = fileURLToPath(new URL('pages/', import.meta.url))

/** A page, below `pages`: `how-to/retry-safely.md`. */
export interface Guide {
  readonly path: string
  readonly title: string
  /** The pages of each section of an index. */
  readonly links: readonly { readonly heading: string; readonly links: readonly string[] }[]
}

export const languageOf = (path: string): Language => (path.startsWith('pt-BR/') ? 'pt-BR' : 'en')

/** Folders with a list of their own: in the list of all guides stands their first page. The titles of the other sections are those of index.md. */
const apart: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    'reference/cli': 'Command line',
    'reference/api': 'Partner API',
    'sdk/examples': 'Samples of the SDK',
    'sdk/examples/python': 'Sample in Python',
    'sdk/examples/java': 'Sample in Java',
    examples: 'Session of the samples',
    security: 'Security',
    decisions: 'Decisions',
  },
  'pt-BR': {},
}

export function readGuides(): Guide[] {
  return globSync('**/*.md', { cwd: pagesFolder })
    .filter((path) => !path.endsWith('not-found.md'))
    .map((path) => guideOf(path, readFileSync(`${pagesFolder}${path}`, 'utf8')))
}

export const guideOf = (path: string, text: string): Guide => ({
  path,
  title: titleOf(text),
  links: linksOf(path, text),
})

/** What the lists of an index.md link to, by heading. */
function linksOf(path: string, text: string): Guide['links'] {
  if (!/^(pt-BR\/)?index\.md$/.test(path)) return []
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n', 1)
      const lines = section.split('\n').filter((line) => line.startsWith('- '))
      const links = [...lines.join('\n').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
        // Links are those of the repository, where docs/ is a folder.
        posix.join('docs', posix.dirname(path), link).replace(/^docs\//, ''),
      )
      return { heading, links }
    })
}

export function titleOf(markdown: string): string {
  const [, heading] = /^# (.+)$/m.exec(markdown) ?? []
  if (heading === undefined) throw new Error('a page has no title')
  return heading.replaceAll('`', '')
}

export interface Section {
  readonly text: string
  readonly guides: readonly Guide[]
  readonly folder: string
  readonly isApart: boolean
}

/** The guides of a language by section: those of its index.md, then the folders with a list of their own. @throws for a page that index.md does not list. */
export function contentsOf(language: Language, guides: readonly Guide[]): Section[] {
  const prefix = language === 'en' ? '' : `${language}/`
  const byPath = new Map(guides.map((guide) => [guide.path, guide]))
  const index = byPath.get(`${prefix}index.md`)
  if (index === undefined) throw new Error(`there is no ${prefix}index.md`)
  const ofIndex = index.links.map(({ heading, links }) => ({
    text: heading,
    guides: [...new Set(links)].flatMap((link) => byPath.get(link) ?? []),
    folder: `/${prefix}`,
    isApart: false,
  }))
  const own = Object.entries(apart[language]).map(([folder, text]) => ({
    text,
    guides: guides.filter(({ path }) => posix.dirname(path) === prefix + folder).toSorted(indexFirst),
    folder: `/${prefix}${folder}/`,
    isApart: true,
  }))
  const listed = new Set([index, ...[...ofIndex, ...own].flatMap((section) => section.guides)])
  const missing = guides.filter((guide) => languageOf(guide.path) === language && !listed.has(guide))
  if (missing.length > 0) {
    throw new Error(`docs/${prefix}index.md does not list ${missing.map(({ path }) => path).join(', ')}`)
  }
  return [...ofIndex, ...own].filter((section) => section.guides.length > 0)
}

const isIndex = ({ path }: Guide) => /(^|\/)index\.md$/.test(path)
const indexFirst = (a: Guide, b: Guide) =>
  Number(isIndex(b)) - Number(isIndex(a)) || a.title.localeCompare(b.title, undefined, { numeric: true })

/** The address of a page below the site's. */
export const addressOf = (path: string) => `/${path.replace(/\.md$/, '')}`

/** The list beside a page, by the folder of the page. */
export function sidebarOf(language: Language, guides: readonly Guide[]): DefaultTheme.SidebarMulti {
  const sections = contentsOf(language, guides)
  const item = ({ path, title }: Guide) => ({ text: title, link: addressOf(path) })
  const whole = sections
    .filter(({ isApart }) => !isApart)
    .map(({ text, guides: some }) => ({ text, items: some.map(item) }))
  const own = sections.filter(({ isApart }) => isApart)
  const links = own.flatMap(({ text, guides: [first] }) =>
    first === undefined ? [] : [{ text, link: addressOf(first.path) }],
  )
  const root = language === 'en' ? '/' : `/${language}/`
  const [more, all] = language === 'en' ? ['More', 'All guides'] : ['Mais', 'Todos os guias']
  return {
    [root]: links.length === 0 ? whole : [...whole, { text: more, items: links }],
    ...Object.fromEntries(
      own.map(({ text, guides: some, folder }) => [
        folder,
        [{ items: [{ text: all, link: `${root}index` }] }, { text, items: some.map(item) }],
      ]),
    ),
  }
}

/** The page in the other language; its index where the page has no translation. */
export function twinOf(path: string, guides: readonly Guide[]): string {
  const known = new Set(guides.map((guide) => guide.path))
  const [twin, index] =
    languageOf(path) === 'en' ? [`pt-BR/${path}`, 'pt-BR/index.md'] : [path.slice('pt-BR/'.length), 'index.md']
  return known.has(twin) ? twin : index
}
