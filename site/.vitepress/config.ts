import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { defineConfig, type DefaultTheme, type HeadConfig, type SiteConfig } from 'vitepress'
import { anchor, codeStyles, extend, stylesToClasses } from '../markdown.ts'
import { addressOf, base, languageOf, readGuides, sidebarOf, twinOf } from '../navigation.ts'
import { ownSearchIndex } from '../search-index.ts'

const guides = readGuides()

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#087f5b"/>' +
      '<path d="M8 9.5l6.6 13.2a1.6 1.6 0 0 0 2.8 0L24 9.5" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/>' +
      '<circle cx="16" cy="9.5" r="2.3" fill="#96f2d7"/></svg>',
  )

const portuguese: DefaultTheme.Config = {
  sidebar: sidebarOf('pt-BR', guides),
  outline: { level: [2, 3], label: 'Nesta página' },
  docFooter: { prev: 'Anterior', next: 'Próxima' },
  darkModeSwitchLabel: 'Aparência',
  lightModeSwitchTitle: 'Usar o tema claro',
  darkModeSwitchTitle: 'Usar o tema escuro',
  sidebarMenuLabel: 'Guias',
  returnToTopLabel: 'Voltar ao topo',
  skipToContentLabel: 'Ir para o conteúdo',
}

const portugueseSearch: Partial<DefaultTheme.LocalSearchOptions> = {
  translations: {
    button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar' },
    modal: {
      displayDetails: 'Mostrar detalhes',
      resetButtonTitle: 'Limpar a busca',
      backButtonTitle: 'Fechar a busca',
      noResultsText: 'Nada encontrado para',
      footer: {
        selectText: 'abrir',
        selectKeyAriaLabel: 'Enter',
        navigateText: 'navegar',
        navigateUpKeyAriaLabel: 'seta para cima',
        navigateDownKeyAriaLabel: 'seta para baixo',
        closeText: 'fechar',
        closeKeyAriaLabel: 'Esc',
      },
    },
  },
}

export default defineConfig({
  srcDir: 'pages',
  outDir: 'dist/guides',
  cacheDir: '../node_modules/.cache/vitepress',
  base,
  cleanUrls: true,
  // The list of pages is a file: the policy of the pages refuses inline scripts.
  metaChunk: true,
  title: 'Vigencia',
  description:
    'Guides of Vigencia, a service that includes, excludes and corrects members in employee benefits in Brazil.',
  // Not the default, which puts a style element into the page while the theme changes.
  appearance: { disableTransition: false },
  titleTemplate: ':title - Vigencia',
  head: [['link', { rel: 'icon', href: icon }]],
  locales: {
    root: { lang: 'en', label: '' },
    'pt-BR': { lang: 'pt-BR', label: '', themeConfig: portuguese },
  },
  themeConfig: {
    sidebar: sidebarOf('en', guides),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { locales: { 'pt-BR': portugueseSearch } } },
  },
  markdown: {
    anchor: { slugify: anchor },
    config: extend,
    codeTransformers: [stylesToClasses],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  transformPageData(page) {
    return { frontmatter: { ...page.frontmatter, twin: addressOf(twinOf(page.relativePath, guides)) } }
  },
  transformHead({ pageData }) {
    const language = languageOf(pageData.relativePath) === 'en' ? 'pt-BR' : 'en'
    const href = `${base}${String(pageData.frontmatter['twin']).slice(1)}`
    return [['link', { rel: 'alternate', hreflang: language, href }]]
  },
  transformHtml(html, _id, { pageData }) {
    const { path } = styleSheetOfCode()
    return html
      .replace('</head>', `<link rel="stylesheet" href="${base}${path}"></head>`)
      .replace(' dir="ltr"', '')
      .replaceAll(/ style="(position:relative;|--vp-vh:0px;)"/g, '')
      .replaceAll(
        pageData.frontmatter['scripts'] === false
          ? /<script[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g
          : /^\b$/g,
        '',
      )
  },
  buildEnd({ outDir }) {
    const { path, text } = styleSheetOfCode()
    writeFileSync(`${outDir}/${path}`, text)
  },
  vite: {
    logLevel: 'warn',
    plugins: [scriptsAsFiles(), leanPages(), ownSearchIndex(base)],
    build: { chunkSizeWarningLimit: 4_000, rolldownOptions: { checks: { pluginTimings: false } } },
  },
})

/** Complete once all pages are rendered, which is before the first of them is written. */
function styleSheetOfCode() {
  const text = [...codeStyles].map(([name, style]) => `.${name}{${style}}\n`).join('')
  return { text, path: `assets/code-${hashOf(text)}.css` }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Makes a file of each inline script that VitePress puts into the head: the policy of the pages refuses inline scripts. */
function scriptsAsFiles() {
  const files = new Map<string, string>()
  const asFile = (tag: HeadConfig): HeadConfig => {
    const [name, attributes, script] = tag
    // Once for the pages, once more for what browsers load.
    if (name !== 'script' || attributes['src'] !== undefined || script === undefined) return tag
    const fileName = `assets/head-${hashOf(script)}.js`
    files.set(fileName, script)
    // A type that VitePress does not minify: it would need esbuild for that.
    return [name, { ...attributes, type: 'text/ecmascript', src: base + fileName }, '']
  }
  return {
    name: 'scripts-as-files',
    configResolved(config: object) {
      const { site } = (config as { vitepress: SiteConfig }).vitepress
      site.head = site.head.map(asFile)
    },
    generateBundle(this: { emitFile(file: object): unknown }) {
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

interface Bundler {
  name: string
  generateBundle?: (this: { emitFile(file: object): unknown }, options: unknown, bundle: object) => unknown
}

/**
 * VitePress 1 adds a second, lean script of each page to the bundle, which the first page of a visit loads. Rolldown, the bundler of Vite 8, takes
 * no addition but by `emitFile`.
 */
function leanPages() {
  return {
    name: 'lean-pages',
    configResolved({ plugins }: { plugins: readonly object[] }) {
      const vitepress = (plugins as Bundler[]).find(({ name }) => name === 'vitepress')
      const { generateBundle } = vitepress ?? {}
      if (vitepress === undefined || generateBundle === undefined)
        throw new Error('VitePress has no such step any more')
      vitepress.generateBundle = function (options, bundle) {
        const set = (
          _bundle: object,
          _name: string | symbol,
          { fileName, code }: { fileName: string; code: string },
        ) => {
          this.emitFile({ type: 'asset', fileName, source: code })
          return true
        }
        return generateBundle.call(this, options, new Proxy(bundle, { set }))
      }
    },
  }
}
