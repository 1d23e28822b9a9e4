import type { Result } from '@vigencia/client'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'

export type Movement = Result<'readMovement'>
export type FieldValueOf = string | number | boolean | null

/** `new`: there is no value yet. `same`: what is asked for is so already. `asked`: said with the movement, and compared with nothing. */
export type ComparisonKind = 'changed' | 'new' | 'same' | 'asked'

export interface ComparisonRow {
  readonly field: string
  readonly present: FieldValueOf
  readonly asked: FieldValueOf
  readonly kind: ComparisonKind
}

/** What the movement asks for beside what is: the differences first. Without differences once it has ended. */
export function compare(movement: Movement): ComparisonRow[] {
  const { difference, person } = movement
  const different = difference.map(({ field, old, new: asked }): ComparisonRow => ({
    field,
    present: old,
    asked,
    kind: old === null ? 'new' : 'changed',
  }))
  const shown = new Set(difference.map(({ field }) => field))
  const others = Object.entries(askedFields(movement))
    .filter(([field]) => !shown.has(field))
    .flatMap(([field, asked]): ComparisonRow[] => {
      const present = scalar(person?.[field])
      // For a completed movement, the data of the person say it.
      if (present === asked && movement.status === 'completed') return []
      // Before and after are the same for one that was completed; of another one nothing was changed.
      const isSame = present === asked && !isTerminal(movement.status)
      return [{ field, present, asked, kind: isSame ? 'same' : 'asked' }]
    })
  const rows = [...different, ...others].toSorted((one, other) => orderOf(one.field) - orderOf(other.field))
  // What an inclusion asks for is the person: there is something to compare only where the person is known already, with other data.
  return movement['enrollment-type'] === 'inclusion' ? rows.filter(({ kind }) => kind === 'changed') : rows
}

/** The fields as an identity card has them; the others follow as they come. */
const identityOrder = [
  'name',
  'preferred-name',
  'tax-id',
  'date-of-birth',
  'gender',
  'marital-status',
  'mothers-name',
  'fathers-name',
  'identity-document-number',
  'identity-document-issuer',
  'identity-document-state',
  'identity-document-issued-at',
  'cns',
  'pis',
  'birth-declaration-number',
  'dependent-type',
  'email',
  'phone',
  'address-street',
  'address-number',
  'address-complement',
  'address-neighborhood',
  'address-city',
  'address-state',
  'address-postal-code',
  'employee-id',
]

function orderOf(field: string): number {
  const place = identityOrder.indexOf(field)
  return place === -1 ? identityOrder.length : place
}

/** The person, in the order of an identity card: what is known, or what an inclusion that is not completed asks for. */
export function identityOf(movement: Movement): [string, FieldValueOf][] {
  const { person, asked, difference } = movement
  const isAsked = movement['enrollment-type'] === 'inclusion' && movement.status !== 'completed'
  const fields = isAsked
    ? {
        ...scalars(person),
        ...scalars(asked),
        ...scalars(Object.fromEntries(difference.map(({ field, new: value }) => [field, value]))),
      }
    : scalars(person ?? asked)
  return Object.entries(fields).toSorted(([one], [other]) => orderOf(one) - orderOf(other))
}

function askedFields(movement: Movement): Record<string, FieldValueOf> {
  const { asked } = movement
  switch (movement['enrollment-type']) {
    case 'inclusion':
      return scalars(asked)
    case 'exclusion':
      return scalars(asked['exclusion-details'])
    case 'alteration': {
      // The new product and company are among the differences under their names.
      const { reason, 'requested-start-date': start } = scalars(asked['alteration-data'])
      return {
        ...scalars(asked['registration']),
        ...(start === undefined ? {} : { 'requested-start-date': start }),
        ...(reason === undefined ? {} : { reason }),
      }
    }
    default:
      return movement['enrollment-type'] satisfies never
  }
}

function scalars(value: unknown): Record<string, FieldValueOf> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, one]): [string, FieldValueOf][] => {
      const read = scalar(one)
      return read === null ? [] : [[field, read]]
    }),
  )
}

function scalar(value: unknown): FieldValueOf {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
