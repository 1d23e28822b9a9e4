/* The lists of the guides beside each page, from the files of `pages`. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

export type Language = 'en' | 'pt-BR'

export const pagesFolder = fileURLToPath(new URL('pages/', import.meta.url))

/** A page, below `pages`: `how-to/retry-safely.md`. */
export interface Guide {
  readonly path: string
  readonly title: string
}

export const languageOf = (path: string): Language => (path.startsWith('pt-BR/') ? 'pt-BR' : 'en')

/** In the order in which they are listed. */
const sections: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    '': 'Guides',
    tutorial: 'Tutorial',
    sdk: 'SDK',
    'how-to': 'How-to guides',
    reference: 'Reference',
    'reference/cli': 'Command line',
    explanation: 'Explanation',
    'sdk/examples': 'Samples of the SDK',
    'sdk/examples/python': 'Samples without the SDK',
    examples: 'Session of the samples',
    security: 'Security',
    decisions: 'Decisions',
  },
  'pt-BR': {
    '': 'Guias',
    tutorial: 'Tutorial',
    'how-to': 'Guias práticos',
    reference: 'Referência',
  },
}

/** These have a list of their own: in the list of all guides stands their first page. */
const apart = new Set(['reference/cli', 'sdk/examples', 'sdk/examples/python', 'examples', 'security', 'decisions'])

export function readGuides(): Guide[] {
  return globSync('**/*.md', { cwd: pagesFolder })
    .filter((path) => !path.endsWith('not-found.md'))
    .map((path) => ({ path, title: titleOf(readFileSync(`${pagesFolder}${path}`, 'utf8')) }))
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

/** The guides of a language by section. */
export function contentsOf(language: Language, guides: readonly Guide[]): Section[] {
  const prefix = language === 'en' ? '' : `${language}/`
  const bySection = Map.groupBy(
    guides.filter(({ path }) => languageOf(path) === language),
    ({ path }) => path.slice(prefix.length).split('/').slice(0, -1).join('/'),
  )
  const named = Object.entries(sections[language]).map(([section, text]) => ({
    text,
    guides: (bySection.get(section) ?? []).toSorted(indexFirst),
    folder: `/${prefix}${section === '' ? '' : `${section}/`}`,
    isApart: apart.has(section),
  }))
  const unknown = [...bySection.keys()].filter((section) => !(section in sections[language]))
  if (unknown.length > 0) throw new Error(`name the sections ${unknown.join(', ')} in site/navigation.ts`)
  return named.filter((section) => section.guides.length > 0)
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
