import { ALTERATION_FIELDS } from '../../../../src/movements/rules/alteration-data.ts'
import { EXCLUSION_FIELDS } from '../../../../src/coverage/rules/exclusion-details.ts'
import type { Field } from '../../../../src/kernel/fields.ts'
import { INCLUSION_FIELDS } from '../../../../src/kernel/inclusion-fields.ts'
import { closedSets } from '../../components/field-words.ts'

/** What is written in an input; money in cents. */
export type Value = string | number | boolean | null
export type Values = Readonly<Record<string, Value>>

const fields: Readonly<Record<string, Field>> = { ...ALTERATION_FIELDS, ...EXCLUSION_FIELDS, ...INCLUSION_FIELDS }

/** How a field of a movement is written. */
export interface FieldKind {
  readonly kind: 'text' | 'digits' | 'email' | 'date' | 'money' | 'number' | 'flag' | 'choice'
  readonly values: readonly string[]
  /** The names of the values; null: they name themselves. */
  readonly term: (typeof closedSets)[keyof typeof closedSets] | null
}

const digits = new Set(['cpf', 'cnpj', 'phone', 'cns', 'pis'])

/** Follows from the type of the field. A field that is unknown is text. */
export function kindOf(name: string): FieldKind {
  const schema = Object.hasOwn(fields, name) ? fields[name]?.schema : undefined
  const values = (schema?.['enum'] ?? []) as readonly string[]
  const term = Object.hasOwn(closedSets, name) ? closedSets[name as keyof typeof closedSets] : null
  const format = (schema?.['format'] as string | undefined) ?? ''
  const of = (kind: FieldKind['kind']) => ({ kind, values, term })
  if (values.length > 0) return of('choice')
  if (schema?.['type'] === 'boolean') return of('flag')
  if (schema?.['type'] === 'integer') return of(name.endsWith('salary') ? 'money' : 'number')
  if (format === 'date') return of('date')
  if (format === 'email') return of('email')
  return of(digits.has(format) || schema?.['pattern']?.toString().startsWith('^\\d') ? 'digits' : 'text')
}

/** Without what was left empty. */
export function written(values: Values): Record<string, Exclude<Value, null>> {
  const entries = Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''))
}
