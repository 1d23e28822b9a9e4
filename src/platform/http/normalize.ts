import type { TSchema } from 'typebox'
import { parseCnpj, parseCpf } from '#kernel/tax-id.ts'

type Normalizer = (value: unknown) => unknown

/** The formats of which a value has several spellings, and its one spelling. */
const formats: Readonly<Record<string, (text: string) => string>> = {
  uuid: (text) => text.toLowerCase(),
  cnpj: (text) => parseCnpj(text) ?? text,
  cpf: (text) => parseCpf(text) ?? text,
}

/**
 * What gives each id, CNPJ and CPF of a valid value its one spelling, in place: ids in lower case, CNPJs and CPFs without punctuation. It is made when it is first
 * needed; without such a part in the schema the value is returned as it is.
 */
export function normalizerOf(schema: TSchema): Normalizer {
  let made: Normalizer | null | undefined
  return (value) => {
    made ??= normalizer(schema) ?? ((same) => same)
    return made(value)
  }
}

function normalizer(schema: unknown): Normalizer | null {
  if (typeof schema !== 'object' || schema === null) return null
  const { format, properties, items, anyOf } = schema as Readonly<Record<string, unknown>>
  const spell = typeof format === 'string' ? formats[format] : undefined
  if (spell !== undefined) return (value) => (typeof value === 'string' ? spell(value) : value)
  if (Array.isArray(anyOf)) return all(anyOf.map(normalizer))
  return all([ofProperties(properties), ofItems(items)])
}

function ofProperties(properties: unknown): Normalizer | null {
  const parts = Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const normalize = normalizer(schema)
    return normalize === null ? [] : [[name, normalize] as const]
  })
  if (parts.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const record = value as Record<string, unknown>
    for (const [name, normalize] of parts) {
      if (Object.hasOwn(record, name)) record[name] = normalize(record[name])
    }
    return value
  }
}

function ofItems(items: unknown): Normalizer | null {
  const normalize = normalizer(items)
  return normalize === null ? null : (value) => (Array.isArray(value) ? value.map(normalize) : value)
}

function all(found: readonly (Normalizer | null)[]): Normalizer | null {
  const parts = found.filter((part) => part !== null)
  return parts.length === 0 ? null : (value) => parts.reduce((last, normalize) => normalize(last), value)
}
