/*
 * What a field is: the JSON Schema of its type, the rule that documents it and its parser, made of the same limits and sets, so that
 * what is documented is what is enforced. Tables of fields (inclusion-fields, exclusion-details, alteration-data) are made of them.
 */
import type { DetailCode } from './enums.ts'
import type { CodeOf } from './error-codes.ts'
import type { Message } from './messages.ts'
import { hasVisible } from './person-text.ts'

/** A parsed value: its normal form, undefined when absent (null and blank text), null when invalid. */
export type Parsed<T> = T | null | undefined

export type JsonSchema = Readonly<Record<string, unknown>>

export interface FieldType<T> {
  /** The schema of a value that is present. */
  readonly schema: JsonSchema
  /** The schema of a value that may be null, or blank text, which count as absent. */
  readonly optionalSchema: JsonSchema
  /** What the value must be. */
  readonly rule: Message
  readonly parse: (value: unknown) => Parsed<T>
  /** For a list: where an invalid value goes wrong first; null: it is no list. */
  readonly locate?: (
    value: unknown,
  ) => { readonly path: string; readonly type: Pick<FieldType<unknown>, 'rule' | 'schema'> } | null
}

/** `non-blank`: may be left out, but null and blank text are invalid. */
type Presence = 'required' | 'optional' | 'non-blank'

export interface Field<T = unknown, P extends Presence = Presence> extends FieldType<T> {
  readonly presence: P
}

export type Fields = Readonly<Record<string, Field>>

/** One reason why a body is refused; `field` is a path such as `alteration-data.phone`. */
export interface FieldError {
  readonly field: string
  readonly code: DetailCode
  /** What the code cannot say, without personal data. */
  readonly message?: Message
  /** As sent; never personal data: only of enumerated, boolean and number parameters. */
  readonly value?: string | number
  /** For a closed set: its values. */
  readonly allowed?: readonly string[]
  /** The place of the first character that is not JSON, from 1. */
  readonly line?: number
  readonly column?: number
}

/** The error of a value that is not of its type; of a list the message has the index of the item. */
export function invalidValue(field: string, type: FieldType<unknown>, value?: unknown): FieldError {
  const within = type.locate?.(value) ?? null
  const { rule, schema } = within?.type ?? type
  const allowed = schema['enum'] as readonly string[] | undefined
  const path = `${field.split('.').at(-1)}${within?.path}`
  const message: Message = within === null ? { key: 'rule', rule } : { key: 'rule-of-item', path, rule }
  return { field, code: 'invalid', message, ...(allowed === undefined ? {} : { allowed }) }
}

/** A body in normal form, or the code and the details of the error. */
export type ParsedBody<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: CodeOf<400>; readonly details: readonly FieldError[] }

/**
 * A type whose schema and parser agree.
 * @param parsePresent the normal form of a value that is present, null when it is invalid.
 * @param optional the schema where blank text counts as absent, if it differs.
 */
export function fieldType<T>(
  schema: JsonSchema,
  rule: Message,
  parsePresent: (value: unknown) => T | null,
  optional = schema,
): FieldType<T> {
  const { type, enum: values, ...rest } = optional
  const all = values === undefined ? {} : { enum: [...(values as unknown[]), null] }
  const parse = (value: unknown) => (isAbsent(value) ? undefined : parsePresent(value))
  return { schema, optionalSchema: { type: [type, 'null'], ...all, ...rest }, rule, parse }
}

function withPresence<P extends Presence>(presence: P) {
  return <T>(type: FieldType<T>): Field<T, P> => ({ ...type, presence })
}

export const required = withPresence('required')
export const optional = withPresence('optional')
export const nonBlank = withPresence('non-blank')

/** Whether a value counts as not sent: undefined, null or a text in which there is nothing to see. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !hasVisible(value))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a text has at most so many characters (code points, not UTF-16 units). */
export function hasAtMostCharacters(value: string, limit: number): boolean {
  if (value.length <= limit) return true
  if (value.length > 2 * limit) return false
  let count = 0
  for (const _ of value) count += 1
  return count <= limit
}
