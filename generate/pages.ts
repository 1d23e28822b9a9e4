/* `npm run docs`: the pages of the site in site/pages, which is not committed: those of docs/, and what is made from the sources. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressOf, contentsOf, type Guide, type Language, pagesFolder, readGuides } from '../site/navigation.ts'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))

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

/** Writes all pages anew. */
export function writePages(): void {
  rmSync(pagesFolder, { recursive: true, force: true })
  cpSync(docs, pagesFolder, { recursive: true })
  const guides = readGuides()
  write('not-found.md', notFoundPage('en', guides))
  write('pt-BR/not-found.md', notFoundPage('pt-BR', guides))
}

function write(path: string, text: string): void {
  mkdirSync(dirname(`${pagesFolder}${path}`), { recursive: true })
  writeFileSync(`${pagesFolder}${path}`, text)
}

if (import.meta.main) writePages()
