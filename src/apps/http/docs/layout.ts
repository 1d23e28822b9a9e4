import type { Language } from '#kernel/texts/texts.ts'
import { assetPaths } from './assets.ts'
import { escapeHtml } from '#kernel/escape-html.ts'

interface Layout {
  readonly title: string
  readonly environment: string
  /** Default: English. */
  readonly language?: Language
  readonly here?: 'reference'
  readonly scripts?: readonly string[]
  /** HTML. */
  readonly body: string
}

/** The mark of the product, as in the console: the URL of an image. */
export const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#087f5b"/>' +
      '<path d="M8 9.5l6.6 13.2a1.6 1.6 0 0 0 2.8 0L24 9.5" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/>' +
      '<circle cx="16" cy="9.5" r="2.3" fill="#96f2d7"/></svg>',
  )

const words = {
  en: {
    skip: 'Skip to the content',
    home: 'Vigencia, home',
    console: 'Console',
    guides: 'Guides',
    search: 'Search',
    guidesPath: 'docs/guides/index',
    reference: 'API reference',
  },
  'pt-BR': {
    skip: 'Ir para o conteúdo',
    home: 'Vigencia, início',
    console: 'Console',
    guides: 'Guias',
    search: 'Buscar',
    guidesPath: 'docs/guides/pt-BR/index',
    reference: 'Referência da API',
  },
} as const

/** An HTML page at the root of the service: the header with its links, and the body. Links are relative: a proxy may serve it under a prefix. */
export function layout({ title, environment, language = 'en', here, scripts = [], body }: Layout): string {
  const t = words[language]
  const current = here === 'reference' ? ' aria-current="page"' : ''
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assetPaths.styleSheet}">
${scripts.map((path) => `<script type="module" src="${path}"></script>\n`).join('')}</head>
<body>
<a class="skip" href="#content">${t.skip}</a>
<nav class="top" aria-label="Vigencia">
<a class="brand" href="./" aria-label="${t.home}">Vigencia</a>
<span class="environment">${escapeHtml(environment)}</span>
<span class="links"><a href="console/">${t.console}</a> <a href="${t.guidesPath}?search">${t.search}</a> <a href="${t.guidesPath}">${t.guides}</a> <a href="docs"${current}>${t.reference}</a></span>
</nav>
${body}
</body>
</html>
`
}

/** A block of code. It scrolls sideways, so that the keyboard must reach it. @param label what it holds, such as `sh`. */
export function codeBlock(text: string, label: string): string {
  const name = escapeHtml(label)
  return `<div class="code"><pre tabindex="0" role="group" aria-label="${name}"><code>${escapeHtml(text)}</code></pre></div>\n`
}
