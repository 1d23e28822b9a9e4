import { assetPaths } from './assets.ts'
import { escapeHtml } from './html-response.ts'

interface Layout {
  readonly title: string
  readonly environment: string
  readonly here?: 'reference'
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

/** An HTML page at the root of the service: the header with its links, and the body. Links are relative: a proxy may serve it under a prefix. */
export function layout({ title, environment, here, scripts = [], body }: Layout): string {
  const current = here === 'reference' ? ' aria-current="page"' : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assetPaths.styleSheet}">
${scripts.map((path) => `<script type="module" src="${path}"></script>\n`).join('')}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav class="top" aria-label="Vigencia">
<a class="brand" href="./" aria-label="Vigencia, home">Vigencia</a>
<span class="environment">${escapeHtml(environment)}</span>
<span class="links"><a href="docs"${current}>API reference</a> <a href="docs/guides/index">Guides</a></span>
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
