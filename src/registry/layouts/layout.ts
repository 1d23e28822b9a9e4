import { type Static, Type } from 'typebox'
import type { FieldError } from '#kernel/fields.ts'
import { maxDetails } from '#platform/core/errors.ts'
import { Closed, Name, Nullable, OneOf } from '#platform/http/schemas.ts'
import { validator } from '#platform/http/validation.ts'
import { JsonError, parseJson } from '#platform/http/strict-json.ts'
import { definitionErrors } from './check.ts'
import { LAYOUT_DIRECTIONS } from '../rules/layout.ts'
import { Definition } from './definition.ts'

/** What the file of a layout has. */
export const direction = OneOf(LAYOUT_DIRECTIONS, {
  description: '`movement`: written by the service; the others are read: what a carrier sends.',
})
const sourceOfLayout = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Where the description of the file was found.',
  examples: ['Manual da operadora, versão 3'],
})

/** A layout as people write it. */
export const LayoutBody = Closed({
  name: Name,
  direction,
  source: Type.Optional(Nullable(sourceOfLayout)),
  definition: Definition,
})
export type LayoutInput = Static<typeof LayoutBody>

const validate = validator(LayoutBody, 'body')

/** The largest layout, in bytes: that of a body. */
const maxLayoutBytes = 1024 * 1024

export type CheckedLayout = { readonly layout: LayoutInput } | { readonly errors: readonly FieldError[] }

/** The layout of a file, or what is wrong with it: the first 20 errors at once. */
export function readLayout(bytes: Buffer): CheckedLayout {
  if (bytes.length > maxLayoutBytes) return { errors: [{ field: 'body', code: 'too-many' }] }
  try {
    return checkLayout(parseJson(bytes))
  } catch (error) {
    if (error instanceof JsonError) return { errors: [error.detail] }
    throw error
  }
}

/** A layout as JSON, or what is wrong with it: also beside a word that is not known. */
export function checkLayout(value: unknown): CheckedLayout {
  const validated = validate(value)
  if ('error' in validated) {
    const errors = (validated.error.extra['details'] ?? []) as readonly FieldError[]
    // What no error names, such as a map of too many codes.
    if (errors.length === 0) return { errors: [{ field: 'definition', code: 'invalid' }] }
    return { errors: [...errors, ...errorsBeside(errors, value)].slice(0, maxDetails) }
  }
  const layout = validated.value as LayoutInput
  const errors = definitionErrors(layout.direction, layout.definition).slice(0, maxDetails)
  return errors.length > 0 ? { errors } : { layout }
}

/** A member of a column that says what it has, or how: its path, and that of the column. */
const ofColumn = /^(definition\.records\[\d+\]\.columns\[\d+\])\.[^.[\]]+/

/** What else is wrong with a layout some of whose columns have words that are not known, or that has members that are not known. */
function errorsBeside(errors: readonly FieldError[], value: unknown): FieldError[] {
  const isLeftOut = ({ field, code }: FieldError) => code === 'unknown' || ofColumn.test(field)
  if (!errors.every(isLeftOut)) return []
  const known = structuredClone(value) as object
  for (const { field } of errors) removeAt(known, ofColumn.exec(field)?.[0] ?? field)
  const validated = validate(known)
  if ('error' in validated) return []
  const columns = errors.map(({ field }) => ofColumn.exec(field)?.[1])
  const { direction: of, definition } = validated.value as LayoutInput
  // What the other properties of such a column would have to be is not known; where it stands is.
  return definitionErrors(of, definition).filter(({ field }) => {
    const column = columns.find(
      (column) => column !== undefined && (field === column || field.startsWith(`${column}.`)),
    )
    return column === undefined || /\.(?:at|length|heading)$/.test(field)
  })
}

/** Removes a member, never an item of a list, to which the path of a member without a name leads. @param path such as `definition.records[0].columns[1].source`. */
function removeAt(value: object, path: string): void {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  const holder = steps.slice(0, -1).reduce<unknown>((inner, step) => Object(inner)[step], value)
  const last = steps.at(-1)
  if (typeof holder === 'object' && holder !== null && !Array.isArray(holder) && last !== undefined)
    Reflect.deleteProperty(holder, last)
}
