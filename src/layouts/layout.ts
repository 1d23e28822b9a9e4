import { type Static, Type } from 'typebox'
import type { FieldError } from '../domain/fields.ts'
import { maxDetails } from '../core/errors.ts'
import { Closed, Name, Nullable, OneOf } from '../http/schemas.ts'
import { validator } from '../http/validation.ts'
import { JsonError, parseJson } from '../http/strict-json.ts'
import { definitionErrors } from './check.ts'
import { LAYOUT_DIRECTIONS } from '../domain/layout.ts'
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
export const maxLayoutBytes = 1024 * 1024

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

function checkLayout(value: unknown): CheckedLayout {
  const validated = validate(value)
  if ('error' in validated) {
    const errors = (validated.error.extra['details'] ?? []) as readonly FieldError[]
    // What no error names, such as a map of too many codes.
    return { errors: errors.length > 0 ? errors : [{ field: 'definition', code: 'invalid' }] }
  }
  const layout = validated.value as LayoutInput
  const errors = layoutErrors(layout)
  return errors.length > 0 ? { errors } : { layout }
}

/** What is wrong with a layout whose fields are valid each. */
export const layoutErrors = ({ direction: of, definition }: LayoutInput): readonly FieldError[] =>
  definitionErrors(of, definition).slice(0, maxDetails)
