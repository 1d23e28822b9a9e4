/*
 * Refuses regular expressions that backtrack more than linearly: with one of them a single header or body can stop the process. Part of
 * `npm run check`. Judges every literal and every `RegExp(...)` of the sources, and the `pattern` strings of openapi.json.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type CallExpression, type NewExpression } from 'oxc-parser'

// The WebAssembly-free JavaScript build: it needs no Java, no native program and no network. Read by recheck when it is imported.
process.env['RECHECK_BACKEND'] = 'pure'
const { checkSync } = await import('recheck')

const root = join(import.meta.dirname, '..')
const folders = ['src', 'sdk/src', 'console/src', 'bin', 'generate', 'lint']
// For each expression. Generous: on a busy machine none may be refused for lack of time.
const timeoutMs = 30_000

/** An expression where it stands. A null source: it is put together at run time, so nothing can be said of it. */
export interface FoundExpression {
  readonly where: string
  readonly source: string | null
  readonly flags: string
}

/** The regular expressions of a TypeScript source: literals and calls of `RegExp`. */
export function expressionsOf(file: string, text: string): FoundExpression[] {
  const found: FoundExpression[] = []
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const note = (at: number, source: string | null, flags: string): void => {
    found.push({ where: `${file}:${text.slice(0, at).split('\n').length}`, source, flags })
  }
  const constructed = ({ callee, arguments: [source, flags], start }: CallExpression | NewExpression): void => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    // `new RegExp(/literal/)`: the literal is judged by itself.
    if (source?.type === 'Literal' && 'regex' in source) return
    const isStatic = flags === undefined || textOf(flags) !== null
    note(start, isStatic ? textOf(source) : null, textOf(flags) ?? '')
  }
  new Visitor({
    Literal(literal) {
      if ('regex' in literal) note(literal.start, literal.regex.pattern, literal.regex.flags)
    },
    NewExpression: constructed,
    CallExpression: constructed,
  }).visit(program)
  return found
}

/** The `pattern` strings of a JSON document, which TypeBox compiles with the flag `u`. */
export function patternsOf(file: string, part: unknown, path = ''): FoundExpression[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === 'pattern' && typeof value === 'string'
      ? [{ where: `${file}#${path}/${key}`, source: value, flags: 'u' }]
      : patternsOf(file, value, `${path}/${key}`),
  )
}

/** What is wrong with an expression, as a sentence for the developer; null when its time is linear. */
export function weaknessOf({ source, flags }: FoundExpression): string | null {
  if (source === null) return 'is put together at run time, so it cannot be judged: write a literal, or no expression'
  const result = checkSync(source, flags, { timeout: timeoutMs, randomSeed: 1 })
  if (result.status === 'safe') return null
  if (result.status === 'unknown') return `could not be judged (${result.error.kind}): write it more simply`
  return `takes ${result.complexity.summary} time, for example on ${result.attack.pattern}`
}

function textOf(argument: CallExpression['arguments'][number] | undefined): string | null {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value
  if (argument?.type === 'TemplateLiteral' && argument.expressions.length === 0) {
    return argument.quasis[0]?.value.cooked ?? null
  }
  return null
}

/** One line for each bad expression of the repository. */
export function badExpressions(): { judged: number; lines: string[] } {
  const files = globSync(`{${folders.join(',')}}/**/*.{ts,tsx,js}`, { cwd: root, exclude: ['**/node_modules/**'] })
  const document: unknown = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  const all = [
    ...files.flatMap((file) => expressionsOf(file, readFileSync(join(root, file), 'utf8'))),
    ...patternsOf('openapi.json', document),
  ]
  // Many patterns are one: each is judged once and told where it stands first.
  const unique = new Map(all.map((one) => [one.source === null ? one.where : `/${one.source}/${one.flags}`, one]))
  const lines = [...unique].flatMap(([text, one]) => {
    const weakness = weaknessOf(one)
    return weakness === null ? [] : [`${one.where}: ${text} ${weakness}`]
  })
  return { judged: unique.size, lines }
}

if (import.meta.main) {
  const { judged, lines } = badExpressions()
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.stdout.write(`${judged} regular expressions, ${lines.length} of them not linear\n`)
  process.exitCode = lines.length === 0 ? 0 : 1
}
