/* Illustrations of requests and responses: JSON that parses, with names that openapi.json has. */
import { readFileSync } from 'node:fs'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { ENGLISH, ownValue } from '#kernel/texts/texts.ts'
import type { Fence } from './pages.ts'

interface Document {
  readonly paths: Record<string, object>
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document
const names = new Set<string>()
collectNames(document)
const paths = Object.keys(document.paths).map(
  (path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/?]+')}(?:\\?.*)?$`),
)

/** The names of all properties that a schema of the document has. */
function collectNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties' && typeof inner === 'object' && inner !== null) {
      for (const name of Object.keys(inner as object)) names.add(name)
    }
    collectNames(inner)
  }
}

/** What is wrong with a ```jsonc or ```http block. */
export function illustrationErrors({ language, text }: Fence): string[] {
  if (language === 'jsonc') return jsonErrors(text)
  if (language !== 'http') return []
  const [head = '', ...bodies] = text.split('\n\n')
  const [, path] = /^(?:GET|POST|PUT|PATCH|DELETE) (\/\S*)/.exec(head) ?? []
  const unknown = path !== undefined && !paths.some((shape) => shape.test(path))
  const body = bodies.join('\n\n').trim()
  return [
    ...(unknown ? [`openapi.json has no ${path}`] : []),
    ...(path === undefined && !/^HTTP\/1\.1 \d{3}/.test(head) ? ['neither a request nor a response'] : []),
    ...(/^[{[]/.test(body) ? jsonErrors(body) : []),
  ]
}

function jsonErrors(text: string): string[] {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  return [
    ...errors.map(({ error, offset }) => `${printParseErrorCode(error)} before ${text.slice(offset, offset + 20)}`),
    ...keysOf(value)
      .filter((key) => !names.has(key))
      .map((key) => `openapi.json has no property ${key}`),
    ...sentenceErrors(value),
  ]
}

/** The body of an error has a code that exists, with its sentence. */
function sentenceErrors(value: unknown): string[] {
  const { error, code } = (value ?? {}) as { error?: unknown; code?: unknown }
  if (typeof error !== 'string' || typeof code !== 'string') return []
  const known = ownValue(ENGLISH.errors, code)
  return known === error ? [] : [`${code} is ${known === undefined ? 'no code' : `"${known}"`}`]
}

/** The keys of all objects, without those that are data: CPFs, names of products. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(keysOf)
  return Array.isArray(value) ? inner : [...Object.keys(value).filter((key) => /^[a-z][a-z-]*$/.test(key)), ...inner]
}
