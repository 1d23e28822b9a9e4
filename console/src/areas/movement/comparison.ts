import type { Result } from '@vigencia/client'
import { isTerminal } from '../../../../src/domain/enrollment-status.ts'

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
    .map(([field, asked]): ComparisonRow => {
      const present = scalar(person?.[field])
      // Before and after are the same for one that was completed; of another one nothing was changed.
      const isSame = present === asked && !isTerminal(movement.status)
      return { field, present, asked, kind: isSame ? 'same' : 'asked' }
    })
  return [...different, ...others]
}

/** The fields of the person that the comparison does not show. */
export function personFields({ person }: Movement, rows: readonly ComparisonRow[]): [string, FieldValueOf][] {
  const shown = new Set(rows.filter(({ kind }) => kind !== 'asked').map(({ field }) => field))
  return Object.entries(person ?? {})
    .filter(([field]) => !shown.has(field))
    .map(([field, value]) => [field, scalar(value)])
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
