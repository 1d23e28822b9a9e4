/* The index of the search: the sections of the pages, and the rows of the tables of codes and fields, which are sections of their own. */
import MiniSearch from 'minisearch'
import { globSync, readFileSync } from 'node:fs'
import { anchor, hasRows, rowAnchor } from './markdown.ts'
import { addressOf, type Guide, type Language, languageOf, pagesFolder, readGuides, twinOf } from './navigation.ts'
import { indexOptions, processTerm } from './search.ts'

/** What a reader may find. */
interface Entry {
  /** The address of the section. */
  readonly id: string
  readonly title: string
  /** The headings of the sections that it is in. */
  readonly titles: readonly string[]
  /** Words that readers use for it, from a comment `<!-- search: … -->`. */
  readonly keywords: string
  readonly text: string
}

/** The index of a language as JSON. In Portuguese also with the English pages that have no translation, but those about the code. */
export function searchIndexOf(language: Language, base: string): string {
  const guides = readGuides()
  const index = new MiniSearch<Entry>({ ...indexOptions, processTerm })
  for (const guide of guides.filter((one) => isIn(language, one, guides))) {
    const text = readFileSync(pagesFolder + guide.path, 'utf8')
    index.addAll(entriesOf(`${base.replace(/\/$/, '')}${addressOf(guide.path)}`, text))
  }
  return JSON.stringify(index)
}

const isIn = (language: Language, { path }: Guide, guides: readonly Guide[]) =>
  languageOf(path) === language ||
  (language === 'pt-BR' && path !== 'index.md' && !hasTranslation(path, guides) && !forEnglish.test(path))

const hasTranslation = (path: string, guides: readonly Guide[]) => twinOf(path, guides) !== 'pt-BR/index.md'

/** Pages for developers of the service. */
const forEnglish = /^(decisions|security|explanation\/(architecture|performance|testing|the-shapes))/

export function entriesOf(address: string, markdown: string): Entry[] {
  const entries: Entry[] = []
  const anchors = new Map<string, number>()
  const above: string[] = []
  const [, keywords = ''] = /<!-- search: (.*?) -->/.exec(markdown) ?? []
  const add = (id: string, title: string, titles: readonly string[], text: string) =>
    entries.push({ id, title, titles, keywords: titles.length === 0 ? keywords : '', text: plain(text) })
  for (const { level, heading, text } of sectionsOf(markdown)) {
    const title = plain(heading)
    above.length = level - 1
    const titles = above.filter(Boolean)
    above[level - 1] = title
    const name = anchor(title)
    const count = anchors.get(name) ?? 0
    anchors.set(name, count + 1)
    const id = level === 1 ? address : `${address}#${count === 0 ? name : `${name}-${count}`}`
    const rows = hasRows(address) ? text.split('\n').filter((line) => /^\| .*`/.test(line)) : []
    add(
      id,
      title,
      titles,
      text
        .split('\n')
        .filter((line) => !rows.includes(line))
        .join('\n'),
    )
    for (const row of rows) {
      const code = /`([^`]+)`/.exec(row)?.[1] ?? ''
      const place = `${address}#${rowAnchor(code)}`
      if (!entries.some((entry) => entry.id === place)) add(place, code, [...titles, title], row)
    }
  }
  return entries
}

interface Section {
  readonly level: number
  readonly heading: string
  readonly text: string
}

function sectionsOf(markdown: string): Section[] {
  const sections: { level: number; heading: string; text: string }[] = []
  let fence = ''
  for (const line of markdown.replace(/^---\n[^]*?\n---\n/, '').split('\n')) {
    const [, ticks = ''] = /^\s*(`{3,})/.exec(line) ?? []
    if (ticks !== '') fence = fence === '' ? ticks : ticks === fence ? '' : fence
    const [, marks, heading] = (fence === '' ? /^(#{1,4}) (.+)$/.exec(line) : null) ?? []
    const section = sections.at(-1)
    if (marks !== undefined && heading !== undefined) sections.push({ level: marks.length, heading, text: '' })
    else if (section !== undefined) section.text += `${line}\n`
  }
  return sections
}

/** The words of Markdown, without its marks and comments. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/<!--[^]*?-->|<[a-z/][^>]*>/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/[`*|[\]]/g, ' ')
    .trim()
}

/** Vite's plugin: in place of the index that VitePress makes, which has a section for each heading and compares accents. */
export function ownSearchIndex(base: string) {
  const start = '/@localSearchIndex'
  const locales: Readonly<Record<string, Language>> = { root: 'en', 'pt-BR': 'pt-BR' }
  return {
    name: 'own-search-index',
    enforce: 'pre' as const,
    load(id: string, options?: { ssr?: boolean }) {
      if (!id.startsWith(start)) return null
      // The pages that are written do not search.
      if (options?.ssr === true) return 'export default {}'
      const locale = id.slice(start.length)
      if (locale !== '') return `export default ${JSON.stringify(searchIndexOf(locales[locale] ?? 'en', base))}`
      const imports = Object.keys(locales).map(
        (one) => `${JSON.stringify(one)}: () => import('@localSearchIndex${one}')`,
      )
      return `export default {${imports.join(',')}}`
    },
  }
}

/** The built index of a language: the name of its file. */
export function builtIndexOf(language: Language, chunks: string): string {
  const locale = language === 'en' ? 'root' : language
  const [name] = globSync(`@localSearchIndex${locale}.*.js`, { cwd: chunks })
  if (name === undefined) throw new Error('The site is not built: npm run build -w site')
  return chunks + name
}
