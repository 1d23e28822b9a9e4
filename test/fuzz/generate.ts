import { cnpjAt, cpfAt } from '../data/people.ts'
import { type Rng, rngOf } from '../crash/rng.ts'
import { resolved, type Schema } from './operations.ts'
import type { Pool } from './pool.ts'

/** What values are made of: random choices, former values, and the companies of the caller. */
export interface Source {
  readonly rng: Rng
  readonly pool: Pool
  readonly companyTaxIds: readonly string[]
  /** Addresses for webhooks: loopback only, since the service calls them. */
  readonly webhookUrls: { readonly valid: readonly string[]; readonly invalid: readonly string[] }
}

export function pick<T>(rng: Rng, items: readonly T[]): T {
  return items[rng.between(0, items.length - 1)] as T
}

const days = [
  '2026-11-23',
  '2026-11-22',
  '2026-11-30',
  '2026-12-01',
  '2026-10-31',
  '2026-01-01',
  '2027-02-28',
  '2036-02-29',
]
const words = [
  'Helena',
  'Brandão',
  'Souza',
  'D’Ávila',
  'Conceição',
  'Müller',
  '李',
  'Saúde',
  'Operadora',
  'Aurora',
  'ß',
  'x',
  '4100',
]

/** A random UUID of the sequence. */
export function uuidOf(rng: Rng): string {
  const digits = Array.from({ length: 32 }, () => rng.between(0, 15).toString(16)).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}

/** A valid value of a named text field: an id mostly of a former response. */
export function textOf({ rng, pool, companyTaxIds, webhookUrls }: Source, name: string, schema: Schema): string {
  const {
    format,
    enum: closed,
    examples,
    example,
  } = schema as {
    format?: string
    enum?: string[]
    examples?: string[]
    example?: string
  }
  // One draw for the choice and one for what it falls back to: a request has the same shape whatever the pool holds.
  const own = rngOf(rng.between(0, 2 ** 30))
  const choice = rng.between(0, 9)
  const former = pool.pick(name, rng)
  if (name === 'url') return pick(own, choice < 8 ? webhookUrls.valid : webhookUrls.invalid)
  if (/company-tax-ids?$/.test(name)) {
    if (choice < 7 && companyTaxIds.length > 0) return pick(own, companyTaxIds)
    return (choice < 9 ? former : null) ?? cnpjAt(own.between(0, 1_000_000_000))
  }
  if (closed !== undefined) return pick(own, closed)
  if (/tax-id$/.test(name) || format === 'cpf') {
    return (choice < 7 ? former : null) ?? cpfAt(own.between(0, 800_000_000))
  }
  if (former !== null && choice < 9) return former
  if (format === 'uuid') return uuidOf(own)
  if (format === 'date') return pick(own, days)
  if (format === 'date-time') return `${pick(own, days)}T0${own.between(0, 9)}:0${own.between(0, 9)}:00Z`
  if (format === 'email') return `pessoa${own.between(1, 99)}@quimera.example`
  if (format === 'phone') return `(11) 9${own.between(1000, 9999)}-${own.between(1000, 9999)}`
  const shown = examples ?? (example === undefined ? [] : [example])
  if (shown.length > 0 && choice < 5) return pick(own, shown)
  return wordsOf(own, schema)
}

function wordsOf(rng: Rng, { pattern, minLength = 0 }: { pattern?: string; minLength?: number }): string {
  if (pattern?.startsWith('^\\d{5}') === true) return '01310-100'
  if (pattern?.startsWith('^[0-9a-fA-F]{64}') === true)
    return rng
      .between(0, 2 ** 30)
      .toString(16)
      .padStart(64, '0')
  if (pattern?.startsWith('^[a-z]') === true)
    return pick(rng, ['health-insurance', 'dental-insurance', 'life-insurance'])
  const [, digits] = /^\^\\d\{(\d+)\}\$$/.exec(pattern ?? '') ?? []
  if (digits !== undefined) return String(rng.between(10 ** (Number(digits) - 1), 10 ** Number(digits) - 1))
  if (pattern?.includes('[!-~]') === true) return `C-${rng.between(1, 1_000)}`
  if (pattern?.startsWith('^[1-9]\\d{0,') === true) return String(rng.between(1, 2))
  if (pattern?.startsWith('^2[01]') === true) return `2026-1${rng.between(0, 2)}`
  if (pattern?.startsWith('^(2[01]') === true) return `0${rng.between(1, 9)}-25`
  if (pattern?.startsWith('^[\\x21') === true) return `name-${rng.between(1, 1_000)}`
  const text = Array.from({ length: rng.between(1, 3) }, () => pick(rng, words)).join(' ')
  return text.padEnd(minLength, 'a')
}

/** A value that the schema allows, as far as a schema tells; `name` is that of its field. */
export function valueOf(source: Source, given: Schema, name: string, depth = 0): unknown {
  const { rng } = source
  const schema = resolved(given)
  const { anyOf, type, enum: closed } = schema as { anyOf?: Schema[]; type?: string | string[]; enum?: unknown[] }
  if (anyOf !== undefined) return valueOf(source, pick(rng, anyOf), name, depth)
  if (closed !== undefined) return pick(rng, closed)
  switch (Array.isArray(type) ? pick(rng, type) : type) {
    case 'object':
      return objectOf(source, schema, depth)
    case 'array': {
      const {
        items = {},
        minItems = 0,
        maxItems = 3,
      } = schema as { items?: Schema; minItems?: number; maxItems?: number }
      const length = Math.min(maxItems, rng.between(minItems, Math.max(minItems, 3)))
      return Array.from({ length }, () => valueOf(source, items, name, depth + 1))
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000 } = schema as { minimum?: number; maximum?: number }
      const draw = rng.between(0, 9)
      if (draw === 0) return minimum
      return draw === 1 ? maximum : rng.between(minimum, Math.min(maximum, minimum + 200))
    }
    case 'boolean':
      return rng.oneIn(2)
    case 'null':
      return null
    default:
      return textOf(source, name, schema)
  }
}

function objectOf(source: Source, schema: Schema, depth: number): Record<string, unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Schema>
    required?: string[]
    additionalProperties?: Schema | boolean
  }
  const object: Record<string, unknown> = {}
  const names = Object.keys(properties)
  for (const name of names) {
    // An object of many optional fields has a few of them.
    const isTaken = required.includes(name) || source.rng.oneIn(names.length > 8 ? 5 : 2)
    if (isTaken) object[name] = valueOf(source, properties[name] as Schema, name, depth + 1)
  }
  if (typeof additionalProperties === 'object' && names.length === 0) {
    const key = pick(source.rng, ['health-insurance', 'dental-insurance'])
    object[key] = valueOf(source, additionalProperties, key, depth + 1)
  }
  return object
}

/** Whether the text of an example is an id, which a request takes from former responses. */
const isId = (key: string, text: string) =>
  /(^|-)ids?$/.test(key) && (/^[0-9a-f]{8}-/.test(text) || /tax-ids?$/.test(key) || key === 'client-id')

/**
 * An example of the document with ids of former responses; equal ids of the example stay equal.
 * @param hasNewPeople most CPFs are of nobody yet.
 */
export function exampleOf(source: Source, example: unknown, hasNewPeople: boolean): unknown {
  const replaced = new Map<string, string>()
  // A product of the company that is named beside it.
  const { 'company-tax-id': company, products } = example as Record<string, unknown>
  const [first] = Array.isArray(products) ? (products as Record<string, unknown>[]) : []
  const product = (example as Record<string, unknown>)['product-id'] ?? first?.['product-id']
  if (typeof company === 'string' && typeof product === 'string') {
    const record = source.pool.pickRecord(['company-tax-id', 'product-id'], source.rng)
    if (record !== null) replaced.set(company, record['company-tax-id'] ?? '').set(product, record['product-id'] ?? '')
  }
  // Discrepancies of the reconciliation that is claimed.
  const { 'reconciliation-id': reconciliation, 'discrepancy-ids': discrepancies } = example as Record<string, unknown>
  if (typeof reconciliation === 'string' && Array.isArray(discrepancies)) {
    const record = source.pool.pickRecord(['reconciliation-id', 'discrepancy-id'], source.rng)
    if (record !== null) {
      replaced.set(reconciliation, record['reconciliation-id'] ?? '')
      for (const one of discrepancies) replaced.set(String(one), record['discrepancy-id'] ?? '')
    }
  }
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, key))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]))
    }
    if (typeof value !== 'string') return value
    if (value === 'Saúde Essencial') return 'Saúde Essencial Enfermaria'
    if (key === 'url') return textOf(source, key, {})
    if (!isId(key, value)) return value
    const isNew = hasNewPeople && key === 'tax-id' && !source.rng.oneIn(4)
    const text = replaced.get(value) ?? (isNew ? cpfAt(source.rng.between(0, 800_000_000)) : textOf(source, key, {}))
    replaced.set(value, text)
    return text
  }
  return walk(example, '')
}
