import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { escapeHtml } from './html-response.ts'
import { codeBlock } from './layout.ts'

/** The address of a relative link; null for what is not served, whose text is shown without a link. */
export type LinkTo = (target: string) => string | null

/** The text of the first heading. */
export function titleOf(markdown: string): string | undefined {
  const heading = new Marked().lexer(markdown).find((token) => token.type === 'heading')
  return heading === undefined ? undefined : textOf((heading as Tokens.Heading).tokens)
}

/** GitHub's Markdown as HTML. The pages are files of this program: their HTML, but for comments, is passed on. */
export function render(markdown: string, linkTo: LinkTo): string {
  const base = new Renderer()
  const known = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        return `<h${depth} id="${anchor(textOf(tokens), known)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = /^([a-z]+:|#)/i.test(href) ? href : linkTo(href)
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      code({ text, lang }) {
        return codeBlock(text, lang?.split(' ')[0] || 'text')
      },
      table(token) {
        base.parser = this.parser
        return `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(textOf(token.header[0]?.tokens ?? []) || 'table')}">${base.table(token)}</div>\n`
      },
      html({ text }) {
        return text.startsWith('<!--') ? '' : text
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

/** The plain text of inline tokens. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens !== undefined ? textOf(token.tokens) : plain(token)))
    .join('')
}

const plain = (token: Token) => ('text' in token ? String(token.text) : token.raw)

/** As GitHub makes them: a heading that is there again gets a number. */
function anchor(heading: string, known: Map<string, number>): string {
  const name = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const count = known.get(name) ?? 0
  known.set(name, count + 1)
  return count === 0 ? name : `${name}-${count}`
}
