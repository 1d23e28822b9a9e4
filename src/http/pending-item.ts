import { Type } from 'typebox'
import { DOCUMENT_TYPES } from '../domain/enums.ts'
import { MAX_REASON_CHARACTERS } from '../domain/field-types.ts'
import { Closed, Named, noControls, OneOf, Text } from './schemas.ts'

/** Something that a pending enrollment waits for. */
export const PendingItem = Named(
  'PendingItem',
  Closed(
    {
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
    },
    { examples: [{ kind: 'field', field: 'mothers-name', message: 'As on the identity card' }] },
  ),
)
