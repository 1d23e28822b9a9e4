import { readdir, readFile } from 'node:fs/promises'
import { extname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assetPaths } from './assets.ts'
import { escapeHtml, tagged, type Tagged } from './html-response.ts'
import { type Language, layout, words } from './layout.ts'
import { render, titleOf } from './markdown.ts'

const folder = fileURLToPath(new URL('../../docs/', import.meta.url))

/** A page of the folder `docs`. */
interface Guide {
  /** Below `docs`, without `.md`: `how-to/webhooks`, `pt-BR/how-to/webhooks`. */
  readonly path: string
  readonly title: string
  readonly markdown: string
}

export interface Image {
  readonly type: string
  readonly bytes: Buffer
}

const imageTypes: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' }

/** The Markdown pages of the folder `docs` as HTML, and their images. Only the files found there when it is opened are served. */
export interface Guides {
  /** null: there is no such image. @param path below `docs`. */
  image(path: string): Promise<Image> | null
  /** null: there is no such page. @param path below `docs`, without `.md`. */
  page(path: string): Tagged | null
  /** The page that says so, with the list of guides. @param path that was asked for. */
  notFound(path: string): Tagged
}

/** Reads all pages; each is rendered once, when it is first asked for. */
export async function openGuides(environment: string): Promise<Guides> {
  const names = await readdir(folder, { recursive: true })
  const paths = names.map((name) => name.replaceAll('\\', '/'))
  const files = paths.filter((name) => name.endsWith('.md'))
  const images = new Set(paths.filter((name) => extname(name) in imageTypes))
  const guides = new Map<string, Guide>()
  await Promise.all(
    files.map(async (name) => {
      const path = name.slice(0, -'.md'.length)
      const markdown = await readFile(`${folder}${name}`, 'utf8')
      guides.set(path, { path, markdown, title: titleOf(markdown) ?? path })
    }),
  )
  const rendered = new Map<string, Tagged>()
  return {
    image: (path) => (images.has(path) ? readImage(path) : null),
    page(path) {
      const guide = guides.get(path)
      if (guide === undefined) return null
      let page = rendered.get(path)
      if (page === undefined) rendered.set(path, (page = tagged(htmlOf(guide, guides, environment))))
      return page
    },
    notFound(path) {
      const { notFound: title, notFoundText } = words[languageOf(path)]
      const content = `<h1>${title}</h1>\n<p>${notFoundText}</p>\n`
      return tagged(guidePage({ path, title, content }, guides, environment))
    },
  }
}

const languageOf = (path: string): Language => (path.startsWith('pt-BR/') ? 'pt-BR' : 'en')

function htmlOf(guide: Guide, guides: ReadonlyMap<string, Guide>, environment: string): string {
  const here = posix.dirname(guide.path)
  const linkTo = (target: string) => {
    const [file = '', anchor] = target.split('#')
    const to = posix.join(here, file)
    const after = anchor === undefined ? '' : `#${anchor}`
    if (to === '../openapi.json') return `${rootOf(guide.path)}openapi.json`
    const path = to.replace(/\.md$/, '')
    return to.endsWith('.md') && guides.has(path) ? relative(guide.path, path) + after : null
  }
  return guidePage({ ...guide, content: render(guide.markdown, linkTo) }, guides, environment)
}

/** From a page to the root of the service. */
const rootOf = (path: string) => '../'.repeat(path.split('/').length + 1)

/** From the address of one page to that of another. */
const relative = (from: string, to: string) =>
  posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to))

function guidePage(
  { path, title, content }: { readonly path: string; readonly title: string; readonly content: string },
  guides: ReadonlyMap<string, Guide>,
  environment: string,
): string {
  const language = languageOf(path)
  return layout({
    language,
    title: `${title} - Vigencia`,
    root: rootOf(path),
    environment,
    here: 'guides',
    translation: translationOf(path, guides),
    scripts: [assetPaths.copyScript],
    body: `<div class="columns">
<main id="content">
<p class="to-contents"><a href="#contents">${words[language].allGuides}</a></p>
${content}</main>
<nav id="contents" class="contents" aria-label="${words[language].allGuides}">
${contents(path, language, guides)}</nav>
</div>`,
  })
}

/** The page in the other language; its index where the page has no translation. */
function translationOf(path: string, guides: ReadonlyMap<string, Guide>): string | undefined {
  const isEnglish = languageOf(path) === 'en'
  const candidates = isEnglish ? [`pt-BR/${path}`, 'pt-BR/index'] : [path.slice('pt-BR/'.length), 'index']
  const found = candidates.find((one) => guides.has(one))
  return found === undefined ? undefined : relative(path, found)
}

/** The list of the guides in a language, by section. */
function contents(here: string, language: Language, guides: ReadonlyMap<string, Guide>): string {
  const prefix = language === 'en' ? '' : `${language}/`
  const sections: Readonly<Record<string, string>> = words[language].sections
  const sectionOf = ({ path }: Guide) => path.slice(prefix.length).split('/').slice(0, -1).join('/')
  const bySection = Map.groupBy(
    [...guides.values()].filter(({ path }) => languageOf(path) === language),
    sectionOf,
  )
  const known = Object.keys(sections)
  const order = (section: string) => (known.includes(section) ? known.indexOf(section) : known.length)
  return [...bySection]
    .toSorted(([a], [b]) => order(a) - order(b) || a.localeCompare(b))
    .map(([section, pages]) => {
      const items = pages
        .toSorted((a, b) => Number(b.path.endsWith('index')) - Number(a.path.endsWith('index')) || byTitle(a, b))
        .map(({ path, title }) => {
          const current = path === here ? ' aria-current="page"' : ''
          return `<li><a href="${relative(here, path)}"${current}>${escapeHtml(title)}</a></li>\n`
        })
      const isOpen = section !== 'decisions' || here.startsWith('decisions/')
      const name = escapeHtml(sections[section] ?? section)
      return `<details${isOpen ? ' open' : ''}><summary>${name}</summary>\n<ul>\n${items.join('')}</ul></details>\n`
    })
    .join('')
}

const byTitle = (a: Guide, b: Guide) => a.title.localeCompare(b.title, undefined, { numeric: true })

async function readImage(path: string): Promise<Image> {
  return { type: imageTypes[extname(path)] ?? '', bytes: await readFile(`${folder}${path}`) }
}
