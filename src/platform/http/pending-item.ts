import { Type } from 'typebox'
import { DOCUMENT_TYPES } from '#kernel/enums.ts'
import { MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { Closed, Named, noControls, OneOf, Text } from './schemas.ts'

const properties = {
  kind: OneOf(['document', 'field'], { description: 'Whether a document is missing or a field is wrong.' }),
  'document-type': Type.Optional(OneOf(DOCUMENT_TYPES, { description: 'Of a document.' })),
  field: Type.Optional({ ...Text, description: 'Of a field: its key in the `data` of the answer.' }),
  message: Type.String({
    minLength: 1,
    maxLength: MAX_REASON_CHARACTERS,
    ...noControls,
    pattern: '\\S',
    description: 'What the partner has to do.',
  }),
}

/** Something that a pending enrollment waits for, as an operator asks for it. */
export const PendingItem = Named(
  'PendingItem',
  Closed(properties, { examples: [{ kind: 'field', field: 'mothers-name', message: 'As on the identity card' }] }),
)

/** The same, also where a rule of required documents asked for it. */
export const AnyPendingItem = Named(
  'AnyPendingItem',
  Type.Object({
    ...properties,
    'any-of': Type.Optional(
      Type.Array(OneOf(DOCUMENT_TYPES), { description: 'Of a required document: the types of which one is enough.' }),
    ),
    requirement: Type.Optional(
      Type.Integer({ description: 'Of a required document: its number within the movement, from 1.' }),
    ),
  }),
)
