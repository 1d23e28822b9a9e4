// Finds the SQL that the program holds: the texts in src/ that begin as a statement, with the pieces of SQL they are put together from.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Statement {
  /** Its file under src/, and the function or constant it stands in: `requests/queries.ts readRequest`. */
  readonly where: string
  /** In one line, comments removed, lower case outside of quotes kept as written. */
  readonly text: string
}

const source = fileURLToPath(new URL('../../src/', import.meta.url))
const begins = /^\s*(?:--[^\n]*\n\s*)*(?:with|select|insert into|update|delete from|merge into|lock table)\s/i

interface Literal {
  readonly at: number
  readonly text: string
  /** The constant or the function that it is the text of. */
  readonly name: string | undefined
}

/** Every statement of src/. */
export function readStatements(): Statement[] {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return statementsIn(names.sort().map((file) => ({ file, code: readFileSync(source + file, 'utf8') })))
}

/** The statements of some files. What stands in `${}` is put in where it names a text of theirs, else it is a `?`. */
export function statementsIn(files: readonly { file: string; code: string }[]): Statement[] {
  const read = files.map(({ file, code }) => ({ file, code, literals: literalsOf(code).map(named(code)) }))
  const everywhere = piecesOf(read.flatMap(({ literals }) => literals))
  return read.flatMap(({ file, code, literals }) => {
    const here = piecesOf(literals)
    const used = new Set(literals.flatMap(({ text }) => holesIn(text)))
    const whole = (text: string, depth = 0): string =>
      text.replaceAll(hole, (_all, inner: string) => {
        const piece = here.get(nameIn(inner)) ?? everywhere.get(nameIn(inner))
        return piece === undefined || depth > 5 ? '?' : whole(piece, depth + 1)
      })
    return literals
      .filter(({ text, name }) => begins.test(text) && (name === undefined || !used.has(name)))
      .map(({ at, text }) => ({ where: `${file} ${ownerAt(code, at)}`, text: oneLine(whole(text)) }))
  })
}

const hole = /\$\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g

/** `join` of `${join}` and of `${join('x')}`. */
function nameIn(inner: string): string {
  return inner.trim().replace(/\(.*\)$/s, '')
}

function holesIn(text: string): string[] {
  return [...text.matchAll(hole)].map((found) => nameIn(found[1] ?? ''))
}

function named(code: string): (literal: { at: number; text: string }) => Literal {
  return ({ at, text }) => {
    const before = code.slice(Math.max(0, at - 300), at)
    const constant = /\bconst (\w+)(?:: [^=\n]+)? =\s*(?:\([^()]*\)(?:: \w+)? =>\s*)?$/.exec(before)?.[1]
    const returned = /\bfunction (\w+)\([^()]*\): string \{\s*return $/.exec(before)?.[1]
    return { at, text, name: constant ?? returned }
  }
}

function piecesOf(literals: readonly Literal[]): Map<string, string> {
  return new Map(literals.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text] as const])))
}

function oneLine(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The top-level function or constant that the place belongs to. */
function ownerAt(code: string, at: number): string {
  const owners = [...code.slice(0, at).matchAll(/^(?:export )?(?:async )?(?:function|const|class) (\w+)/gm)]
  return owners.at(-1)?.[1] ?? '-'
}

/** The string and template literals of a TypeScript text, with what stands between their quotes. */
function literalsOf(code: string): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = []
  let at = 0
  const skipTo = (end: string, from: number): number => {
    const next = code.indexOf(end, from)
    return next < 0 ? code.length : next + end.length
  }
  while (at < code.length) {
    const char = code[at] ?? ''
    if (code.startsWith('//', at)) at = skipTo('\n', at)
    else if (code.startsWith('/*', at)) at = skipTo('*/', at)
    else if (char === '/' && /[(,=:[!&|?{;]\s*$/.test(code.slice(Math.max(0, at - 20), at))) at = endOfPattern(code, at)
    else if (char === "'" || char === '"' || char === '`') {
      const end = endOfLiteral(code, at)
      found.push({ at, text: code.slice(at + 1, end - 1) })
      at = end
    } else at += 1
  }
  return found
}

function endOfLiteral(code: string, start: number): number {
  const quote = code[start]
  let at = start + 1
  while (at < code.length && code[at] !== quote) {
    if (code[at] === '\\') at += 2
    else if (quote === '`' && code.startsWith('${', at)) at = endOfHole(code, at)
    else at += 1
  }
  return at + 1
}

function endOfHole(code: string, start: number): number {
  let depth = 0
  for (let at = start + 1; at < code.length;) {
    const char = code[at] ?? ''
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth === 0) return at + 1
    at = char === "'" || char === '"' || char === '`' ? endOfLiteral(code, at) : at + 1
  }
  return code.length
}

function endOfPattern(code: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < code.length; at += 1) {
    const char = code[at]
    if (char === '\\') at += 1
    else if (char === '\n') return at
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1
  }
  return code.length
}
