/*
 * `npm run docs`: the pages of the site in site/pages, which is not committed: those of docs/, the page of the SDK, the samples, and what is made from
 * the sources.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressOf, contentsOf, type Guide, guideOf, type Language, pagesFolder } from '../site/navigation.ts'
import { apiPages } from './api-pages.ts'
import { commandLinePages } from './command-line.ts'
import { withTables } from './tables.ts'
import { withSamplesOf } from './translated-samples.ts'

const repository = fileURLToPath(new URL('../', import.meta.url))
const docs = `${repository}docs/`

const notFound = {
  en: { title: 'Page not found', text: 'There is no guide at this address. These are all of them.' },
  'pt-BR': { title: 'Página não encontrada', text: 'Não há guia neste endereço. Estes são todos.' },
} as const

/** What is sent with status 404. */
function notFoundPage(language: Language, guides: readonly Guide[]): string {
  const { title, text } = notFound[language]
  const lists = contentsOf(language, guides).map(({ text: section, guides: some }) => {
    const lines = some.map((guide) => `- [${guide.title}](${addressOf(guide.path)})`)
    return `## ${section}\n\n${lines.join('\n')}\n`
  })
  // Its script would look for the page of the address.
  const head = '---\nnavbar: false\nsidebar: false\naside: false\nsearch: false\nscripts: false\n---\n'
  return `${head}\n# ${title}\n\n${text}\n\n${lists.join('\n')}`
}

/** Programs that guides link to: a page of each. */
const samples = ['examples/session.sh', ...globSync('sdk/examples/**/*.{ts,py,java}', { cwd: repository })]

function samplePage(path: string): string {
  const language = path.slice(path.lastIndexOf('.') + 1)
  return `# ${basename(path)}\n\n\`${path}\` of the repository.\n\n\`\`\`${language}\n${readFileSync(repository + path, 'utf8')}\`\`\`\n`
}

/** The text of a page of docs/; in Portuguese with the samples of the English page. */
function pageOf(path: string): string {
  const text = readFileSync(docs + path, 'utf8')
  return path.startsWith('pt-BR/')
    ? withSamplesOf(readFileSync(docs + path.slice('pt-BR/'.length), 'utf8'), text)
    : text
}

/** All pages, by their paths below `pages`. */
export function sitePages(): ReadonlyMap<string, string> {
  const own = globSync('**/*.md', { cwd: docs }).map((path) => [path, withTables(pageOf(path))] as const)
  const commands = [...commandLinePages()].map(([file, text]) => [`reference/cli/${file}`, text] as const)
  const operations = [...apiPages()].map(([file, text]) => [`reference/api/${file}`, text] as const)
  const ofSamples = samples.map((path) => [path.replace(/\.\w+$/, '.md'), samplePage(path)] as const)
  const sdk = ['sdk/README.md', readFileSync(`${repository}sdk/README.md`, 'utf8')] as const
  const pages = [...own, ...commands, ...operations, sdk, ...ofSamples]
  const guides = pages.map(([path, text]) => guideOf(path, text))
  return new Map([
    ...pages,
    ['not-found.md', notFoundPage('en', guides)],
    ['pt-BR/not-found.md', notFoundPage('pt-BR', guides)],
  ])
}

/** Replaces all pages. */
function writePages(): void {
  rmSync(pagesFolder, { recursive: true, force: true })
  cpSync(`${docs}images`, `${pagesFolder}images`, { recursive: true })
  for (const [path, text] of sitePages()) {
    mkdirSync(dirname(pagesFolder + path), { recursive: true })
    writeFileSync(pagesFolder + path, text)
  }
}

if (import.meta.main) writePages()
