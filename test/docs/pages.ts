/*
 * The pages of the documentation and their fenced blocks.
 *
 *   ```sh    executed by bash; the blocks of a page share one shell, in order. `npm start`, with `VIGENCIA_...=` before it, is the start of
 *            the page's service. `examples/session.sh` has the tokens of the demo; `PARTNER_SECRET='…'`, `VIGENCIA_CLIENT_SECRET='…'` and
 *            `OPERATOR_SECRET='…'` get its secrets.
 *   ```ts    executed by Node in the same shell, as a module that can import the SDK
 *   ```json  the next block after one of these: its expected output; the shown keys, with the shown values
 *   ```text  the same for text
 *   ```jsonc, ```http  illustrations, checked against openapi.json
 *
 * Ids, tokens and timestamps match any of their form, a date also today's, and `…` anything. A comment before a block, `<!-- not run: REASON -->`,
 * skips it and its output; `<!-- exit code: 1 -->` expects that code.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sitePages } from '../../generate/pages.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Fence {
  readonly language: string
  readonly text: string
  /** The line of the opening fence, from 1. */
  readonly line: number
  /** Why it is not run; null when it is. */
  readonly notRun: string | null
  readonly exitCode: number
}

export interface Sample extends Fence {
  /** Its output as the page shows it; null when the page shows none. */
  readonly expected: Fence | null
}

export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly fences: readonly Fence[]
  /** The variables of its `npm start`. */
  readonly settings: Readonly<Record<string, string>>
  readonly samples: readonly Sample[]
  /** Blocks that no reader could run or check as the page is written, with their lines. */
  readonly mistakes: readonly string[]
}

const executed = new Set(['sh', 'ts'])
const outputs = new Set(['json', 'text'])
const illustrations = new Set(['jsonc', 'http', 'mermaid', 'csv', 'yaml', 'sql', 'nginx', 'ini', 'dockerfile'])

/** The English pages, relative to the root of the repository. */
export function englishPages(): string[] {
  const folders = ['tutorial', 'how-to', 'reference', 'explanation'].map((folder) => `docs/${folder}/**/*.md`)
  const pages = ['README.md', 'sdk/README.md', 'docs/index.md'].filter((path) => existsSync(join(root, path)))
  return [...pages, ...globSync(folders, { cwd: root }).sort()]
}

/** The path of the Portuguese translation of a page: that of README.md is beside it, the others are in docs/pt-BR. */
export function translationOf(path: string): string {
  return path === 'README.md' ? 'README.pt-BR.md' : path.replace(/^docs\//, 'docs/pt-BR/')
}

/** The Portuguese pages, relative to the root of the repository. */
export function portuguesePages(): string[] {
  return globSync(['README.pt-BR.md', 'docs/pt-BR/**/*.md'], { cwd: root }).sort()
}

/** A page of docs/pt-BR is read as it is made: with the blocks of the English one. */
export function readPage(path: string): Page {
  const name = path.replace(/^docs\//, '')
  if (name.startsWith('pt-BR/')) return parsePage(path, (made ??= sitePages()).get(name) ?? '')
  return parsePage(path, readFileSync(join(root, path), 'utf8'))
}

let made: ReadonlyMap<string, string> | null = null

export function parsePage(path: string, text: string): Page {
  const fences = fencesOf(text)
  const settings: Record<string, string> = {}
  const samples: Sample[] = []
  const mistakes: string[] = []
  for (const [index, fence] of fences.entries()) {
    const { language, line, notRun } = fence
    const before = fences[index - 1]
    const after = fences[index + 1]
    const isOutput = before !== undefined && executed.has(before.language) && outputs.has(language)
    if (executed.has(language)) {
      const start = startSettings(fence)
      if (start !== null) Object.assign(settings, start)
      else if (notRun === null) {
        const expected = after !== undefined && outputs.has(after.language) ? after : null
        samples.push({ ...fence, expected })
      }
    } else if (language === 'json' && !isOutput && notRun === null) {
      mistakes.push(`${path}:${line}: the output of no sample; an illustration is \`\`\`jsonc`)
    } else if (!outputs.has(language) && !illustrations.has(language)) {
      mistakes.push(`${path}:${line}: unknown kind of block: \`\`\`${language}`)
    }
  }
  return { path, fences, settings, samples, mistakes }
}

/** The variables of a block that starts the service; null for other blocks. */
function startSettings({ language, text }: Fence): Record<string, string> | null {
  const found = /^(?:npm install && )?((?:VIGENCIA_\w+=\S+ )*)npm start\n$/.exec(text)
  if (language !== 'sh' || found === null) return null
  const pairs = (found[1] ?? '').trim().split(' ').filter(Boolean)
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

function fencesOf(text: string): Fence[] {
  const fences: Fence[] = []
  let comment = ''
  let open: { indent: string; ticks: string; language: string; line: number; lines: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (open !== null) {
      if (line.trim() !== open.ticks) {
        open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
        continue
      }
      const notRun = /^<!-- not run: (.+) -->$/.exec(comment)?.[1] ?? null
      const exitCode = Number(/^<!-- exit code: (\d+) -->$/.exec(comment)?.[1] ?? 0)
      const { language, lines, line: start } = open
      fences.push({ language, text: lines.map((one) => `${one}\n`).join(''), line: start, notRun, exitCode })
      open = null
      comment = ''
      continue
    }
    const [, indent = '', ticks, language = ''] = /^( *)(`{3,})(.*)$/.exec(line) ?? []
    if (ticks !== undefined) open = { indent, ticks, language: language.trim(), line: index + 1, lines: [] }
    else if (line.trim() !== '') comment = line.trim()
  }
  if (open !== null) throw new Error(`the block of line ${open.line} has no end`)
  return fences
}
