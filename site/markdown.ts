/* What the pages need beyond VitePress's Markdown: GitHub's anchors, drawn diagrams, and no link to what is not served. */
import { renderMermaidSVG } from 'beautiful-mermaid'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { pagesFolder } from './navigation.ts'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** As GitHub makes them, so that a link works in the repository too. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

export function extend(markdown: MarkdownIt): void {
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    if (info.trim() === 'mermaid') return diagram(content, markdown.utils.escapeHtml)
    return fence?.(tokens, index, options, env, self) ?? ''
  }
  // It scrolls sideways, so that the keyboard must reach it.
  markdown.renderer.rules.table_open = () => '<table tabindex="0">\n'
  markdown.core.ruler.push('only-served', ({ tokens, env }) => {
    const { relativePath } = env as { relativePath: string }
    if (hasRows(relativePath)) nameRows(tokens)
    for (const { children } of tokens) if (children !== null) withoutStrangers(children, relativePath)
  })
}

/** The styles of the highlighted code, by the names of their classes: the policy of the pages refuses styles of elements. */
export const codeStyles = new Map<string, string>()

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

export const stylesToClasses: Transformer = { pre: toClass, span: toClass }

function toClass(this: { addClassToHast(element: Element, name: string): unknown }, element: Element): void {
  const { style } = element.properties
  if (style === undefined) return
  const text =
    typeof style === 'string'
      ? style
      : Object.entries(style)
          .map((pair) => pair.join(':'))
          .join(';')
  delete element.properties['style']
  if (text === '') return
  const name = `code-${createHash('sha256').update(text).digest('hex').slice(0, 6)}`
  codeStyles.set(name, text)
  this.addClassToHast(element, name)
}

type Element = Parameters<NonNullable<Transformer['pre']>>[0]

interface Inline {
  type: string
  content: string
  children?: Inline[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/** Pages whose tables have a code, a field or an operation in each row, by which the search finds it. */
export const hasRows = (path: string) => /(^|\/)reference\/(errors|offenses|glossary|endpoints)(\.md)?$/.test(path)

/** The anchor of a row. */
export const rowAnchor = (code: string) => (/^[\w-]+$/.test(code) ? code : anchor(code))

/** Each row is named by its first code, unless the page has that name already. */
function nameRows(tokens: readonly Inline[]): void {
  const names = new Set<string>()
  let row: Inline | null = null
  for (const token of tokens) {
    if (token.type === 'tr_open') row = token
    const code = token.children?.find(({ type }) => type === 'code_inline')
    if (row === null || code === undefined) continue
    const name = rowAnchor(code.content)
    const isNamed = names.has(name) || token.content.includes('<a id=')
    if (!isNamed) row.attrSet('id', name)
    names.add(name)
    row = null
  }
}

/** The page of a file of the repository, as an address below the site's; null: it has none. */
function pageOf(file: string): string | null {
  if (file === 'sdk/examples') return '/sdk/README'
  const path = file.replace(/^docs\//, '').replace(/\.\w+$/, '')
  return existsSync(`${pagesFolder}${path}.md`) ? `/${path}` : null
}

/**
 * Links between pages of docs/ stay as they are; one to another file with a page leads to that. Files that are not served lose their link, not their
 * text; `openapi.json` is at the root of the service.
 */
function withoutStrangers(children: Inline[], page: string): void {
  const open: (Inline | null)[] = []
  for (const child of children) {
    if (child.type === 'link_open') {
      const href = child.attrGet('href') ?? ''
      const [file = '', anchor] = href.split('#')
      const source = /^(sdk|examples)\//.test(page) ? page : `docs/${page}`
      const target = posix.join(posix.dirname(source), file)
      if (/^\/(docs|openapi\.json|llms\.txt)/.test(href)) {
        open.push(child)
        toHtml(child, `<a href="${href}" target="_self">`)
        continue
      }
      const isLeft = /^([a-z]+:|#|\/)/i.test(href) || (source.startsWith('docs/') && target.startsWith('docs/'))
      const address = isLeft ? null : pageOf(target)
      if (address !== null) child.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`)
      const isOurs = isLeft || address !== null
      open.push(isOurs ? null : child)
      if (!isOurs) toHtml(child, target === 'openapi.json' ? '<a href="/openapi.json" target="_self">' : '<span>')
    } else if (child.type === 'link_close') {
      const opened = open.pop() ?? null
      if (opened !== null) toHtml(child, opened.content.startsWith('<a') ? '</a>' : '</span>')
    }
  }
}

function toHtml(token: Inline, html: string): void {
  token.type = 'html_inline'
  token.content = html
}

/** The drawing of a Mermaid block. Its colors and fonts are those of the page's style sheet: the policy of the pages refuses inline styles. */
function diagram(source: string, escape: (text: string) => string): string {
  // Ids are of the whole page.
  const suffix = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const svg = renderMermaidSVG(source)
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/ style="[^"]*"/, '')
    .replace('<svg ', `<svg role="img" aria-label="${escape(source.trim())}" `)
    .replaceAll(/ id="([^"]+)"/g, ` id="$1-${suffix}"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#$1-${suffix})`)
  return `<div class="diagram" tabindex="0" v-pre>${svg}</div>\n`
}
