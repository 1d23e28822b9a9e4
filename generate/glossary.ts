/* The rows of the glossaries: terms and meanings from texts/, English meanings that are not there from the one description that openapi.json has for the field. */
import { readFileSync } from 'node:fs'
import { termOf } from '#kernel/texts/texts.ts'
import texts from '../texts/docs.json' with { type: 'json' }

/** What a field means, in Portuguese for readers without knowledge of programming. */
interface Meaning {
  readonly 'pt-BR': string
  /** Absent where openapi.json describes the field once. */
  readonly en?: string
  /** The law or regulation that defines it. */
  readonly norm?: string
}

export const MEANINGS: Readonly<Record<string, Meaning>> = texts.fields

/** The descriptions of every property and parameter of openapi.json, by name, sorted. */
export function describedFields(): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>()
  const add = (name: string, schema: unknown) => {
    const descriptions = fields.get(name) ?? new Set()
    fields.set(name, descriptions)
    for (const text of descriptionsOf(schema)) descriptions.add(text)
  }
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (isParameter(value)) add(value.name, value)
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'example' || key === 'examples' || key === 'securitySchemes') continue
      if (key === 'properties') {
        for (const [name, schema] of Object.entries(inner as object)) add(name, schema)
      }
      collect(inner)
    }
  }
  collect(JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')))
  return new Map([...fields].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function isParameter(value: object): value is { name: string } {
  return 'in' in value && 'name' in value && typeof value.name === 'string'
}

/** The description of a schema, or those of its alternatives: a value or null. */
function descriptionsOf(schema: unknown): string[] {
  const { description, anyOf = [] } = schema as { description?: string; anyOf?: unknown[] }
  return description === undefined ? anyOf.flatMap(descriptionsOf) : [description]
}

type Row = readonly [name: string, term: string, meaning: string, norm: string]

/** A row for each field of openapi.json. @throws for a field without a meaning. */
export function glossaryRows(language: 'en' | 'pt-BR'): Row[] {
  return [...describedFields()].map(([name, descriptions]) => {
    const [term, meaning] = [termOf(name), MEANINGS[name]]
    if (term === undefined || meaning === undefined) throw new Error(`the glossary has no ${name}: add it in texts/`)
    const { en, norm = '' } = meaning
    const [described] = descriptions
    if (language === 'pt-BR') return [name, term, meaning['pt-BR'], norm]
    if (en === undefined && (described === undefined || descriptions.size > 1)) {
      throw new Error(`the glossary has no English meaning of ${name}, and openapi.json has ${descriptions.size}`)
    }
    return [name, term, en ?? described ?? '', norm]
  })
}
