import { assetPaths } from './assets.ts'
import { escapeHtml } from './html-response.ts'

export type Language = 'en' | 'pt-BR'

/** What stands around the content of each page, by language. */
export const words = {
  en: {
    home: 'Vigencia, home',
    skip: 'Skip to the content',
    reference: 'API reference',
    guides: 'Guides',
    allGuides: 'All guides',
    other: 'Português',
    notFound: 'Page not found',
    notFoundText: 'There is no guide at this address. The list has all of them.',
    sections: {
      '': 'Guides',
      tutorial: 'Tutorial',
      'how-to': 'How-to guides',
      reference: 'Reference',
      explanation: 'Explanation',
      security: 'Security',
      decisions: 'Decisions',
    },
  },
  'pt-BR': {
    home: 'Vigencia, início',
    skip: 'Ir para o conteúdo',
    reference: 'Referência da API',
    guides: 'Guias',
    allGuides: 'Todos os guias',
    other: 'English',
    notFound: 'Página não encontrada',
    notFoundText: 'Não há guia neste endereço. A lista tem todos.',
    sections: {
      '': 'Guias',
      tutorial: 'Tutorial',
      'how-to': 'Guias práticos',
      reference: 'Referência',
      explanation: 'Explicação',
      security: 'Segurança',
      decisions: 'Decisões',
    },
  },
} as const

export interface Layout {
  readonly language: Language
  readonly title: string
  /** Relative path from the page to the root of the service: a proxy may serve it under a prefix. */
  readonly root: string
  readonly environment: string
  /** The page in the other language, relative to this one. */
  readonly translation?: string | undefined
  readonly here?: 'reference' | 'guides'
  readonly scripts?: readonly string[]
  /** HTML. */
  readonly body: string
}

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b4f"/>' +
      '<path d="M8 9l8 15 8-15" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  )

/** An HTML page: the header with its links, and the body. */
export function layout({ language, title, root, environment, translation, here, scripts = [], body }: Layout): string {
  const text = words[language]
  const other = language === 'en' ? 'pt-BR' : 'en'
  const guides = `docs/guides/${language === 'en' ? '' : `${language}/`}index`
  const link = (name: 'reference' | 'guides', path: string) =>
    `<a href="${root}${path}"${here === name ? ' aria-current="page"' : ''}>${text[name]}</a>`
  const switchTo =
    translation === undefined
      ? ''
      : `<a href="${escapeHtml(translation)}" hreflang="${other}" lang="${other}">${text.other}</a>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${root}${assetPaths.styleSheet}">
${scripts.map((path) => `<script type="module" src="${root}${path}"></script>\n`).join('')}</head>
<body>
<a class="skip" href="#content">${text.skip}</a>
<nav class="top" aria-label="Vigencia">
<a class="brand" href="${root === '' ? './' : root}" aria-label="${text.home}">Vigencia</a>
<span class="environment">${escapeHtml(environment)}</span>
<span class="links">${link('reference', 'docs')} ${link('guides', guides)} ${switchTo}</span>
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
