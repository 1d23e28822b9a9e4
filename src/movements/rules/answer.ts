/*
 * What a partner's answer to a pending movement changes. The values are those of the tables of fields that the movement was judged by.
 */
import { ALTERATION_FIELDS, profileKey } from './alteration-data.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { AlterationKind, MovementKind } from '#kernel/enums.ts'
import { EXCLUSION_FIELDS } from '#coverage/rules/exclusion-details.ts'
import * as types from '#kernel/field-types.ts'
import { invalidValue, isAbsent, isObject, type Parsed } from '#kernel/fields.ts'
import { MAX_KEY_LENGTH } from '#kernel/field-types.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import type { Field, FieldError, Fields, ParsedBody } from '#kernel/fields.ts'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import { unknownField } from '#kernel/nearest.ts'

/** Keys that say whom or what the movement is about: another one is another movement. */
const NOT_CHANGEABLE: ReadonlySet<string> = new Set([
  'tax-id',
  'products',
  'beneficiary-type',
  'primary-member-tax-id',
  'new-product-id',
  'new-company-tax-id',
  'company-id',
  'reference',
  'sandbox',
])

const TABLES: Readonly<Record<MovementKind, Fields>> = {
  inclusion: INCLUSION_FIELDS,
  exclusion: EXCLUSION_FIELDS,
  alteration: ALTERATION_FIELDS,
}

/** The fields that an answer may change. Each may be left out. */
export function changeableFields(type: MovementKind): Readonly<Record<string, Field>> {
  const entries = Object.entries(TABLES[type]).filter(([key]) => !NOT_CHANGEABLE.has(key) && key !== 'documents')
  return Object.fromEntries(entries)
}

/** An act of an operator is not changed by the partner, who may add documents and a comment. */
const changeable: Readonly<Record<MovementKind | AlterationKind, Readonly<Record<string, Field>>>> = {
  inclusion: changeableFields('inclusion'),
  exclusion: changeableFields('exclusion'),
  alteration: changeableFields('alteration'),
  'second-card': {},
  'contract-transfer': {},
}

export interface Answer {
  readonly documents: readonly DocumentReference[]
  /** As sent: what it may hold depends on the type of the movement. */
  readonly data: Readonly<Record<string, unknown>>
  readonly comment: string | null
}

const BODY_FIELDS = ['documents', 'data', 'comment'] as const

/** Parses the body of an answer; its `data` is parsed once the movement is known. */
export function parseAnswer(body: Readonly<Record<string, unknown>>): ParsedBody<Answer> {
  const errors = Object.keys(body)
    .filter((key) => !BODY_FIELDS.some((field) => field === key))
    .map((key) => unknownField(key, BODY_FIELDS))
  const documents = types.documents.parse(body['documents'])
  const comment = types.reason.parse(body['comment'])
  const data = isAbsent(body['data']) ? {} : body['data']
  if (documents === null) errors.push(invalidValue('documents', types.documents, body['documents']))
  if (!isObject(data)) errors.push({ field: 'data', code: 'invalid' })
  if (comment === null) errors.push({ field: 'comment', code: 'invalid' })
  if (errors.length > 0 || !isObject(data) || documents === null || comment === null) return refuse(errors)
  const isEmpty = (documents ?? []).length === 0 && Object.keys(data).length === 0 && comment === undefined
  if (isEmpty) return refuse(BODY_FIELDS.map((field) => ({ field, code: 'missing' })))
  return { ok: true, value: { documents: documents ?? [], data, comment: comment ?? null } }
}

function refuse(details: readonly FieldError[]): ParsedBody<Answer> {
  return { ok: false, code: 'invalid-body', details }
}

export type Value = string | number | boolean

/** New values by the keys that were sent, null for an optional value that is removed; and what is wrong with `data`. */
export interface Changes {
  readonly values: ReadonlyMap<string, Value | null>
  readonly errors: readonly FieldError[]
}

const MAX_FIELD_ERRORS = 20

/** Parses the `data` of an answer to a movement of this type, key by key, as the movement itself is parsed. */
export function parseChanges(type: MovementKind | AlterationKind, data: Answer['data'], today: LocalDate): Changes {
  const values = new Map<string, Value | null>()
  const errors: FieldError[] = []
  for (const [sentKey, sent] of Object.entries(data)) {
    if (errors.length === MAX_FIELD_ERRORS) break
    const addError = (code: FieldError['code']) => errors.push(errorOf(sentKey, code))
    const field = Object.hasOwn(changeable[type], sentKey) ? changeable[type][sentKey] : undefined
    if (field === undefined) {
      if (NOT_CHANGEABLE.has(sentKey)) addError('not-changeable')
      else if (sentKey === 'documents') addError('not-applicable')
      else errors.push(unknownField(sentKey, Object.keys(changeable[type]), 'data.'))
      continue
    }
    const value = field.parse(sent) as Parsed<Value>
    const key = type === 'inclusion' ? profileKey(sentKey) : sentKey
    if (value === undefined && field.presence === 'optional') values.set(key, null)
    else if (value === undefined && field.presence === 'required') addError('missing')
    else if (value == null || (sentKey === 'date-of-birth' && value > today)) errors.push(invalidOf(sentKey, field))
    else if (values.has(key) && values.get(key) !== value) errors.push(invalidOf(sentKey, field))
    else values.set(key, value)
  }
  return { values, errors }
}

function invalidOf(key: string, field: Field): FieldError {
  return invalidValue(`data.${key}`, field)
}

/** An error of a key of `data`. */
export function errorOf(key: string, code: FieldError['code']): FieldError {
  return { field: `data.${key.slice(0, MAX_KEY_LENGTH)}`, code }
}
