import { Type } from 'typebox'
import { changeableFields } from '../rules/answer.ts'
import type { Field } from '#kernel/fields.ts'
import { reason } from '#kernel/field-types.ts'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import { MOVEMENT_KINDS, type MovementKind } from '#kernel/enums.ts'
import { type FieldDescriptions, objectSchema } from '#platform/http/field-schema.ts'
import { Named } from '#platform/http/schemas.ts'
import { ALTERATION_DESCRIPTIONS } from '../alter/schema.ts'
import { EXCLUSION_DESCRIPTIONS } from '../exclude/schema.ts'
import { INCLUSION_DESCRIPTIONS } from '../include/schema.ts'

const descriptions: Readonly<Record<MovementKind, FieldDescriptions>> = {
  inclusion: INCLUSION_DESCRIPTIONS,
  exclusion: EXCLUSION_DESCRIPTIONS,
  alteration: ALTERATION_DESCRIPTIONS,
}

/** Every field may be left out; a required one may not be blank. */
function dataSchema(type: MovementKind) {
  const title = `${type.charAt(0).toUpperCase()}${type.slice(1)}Answer`
  const fields = Object.entries(changeableFields(type)).map(([key, field]): [string, Field] => [
    key,
    field.presence === 'required' ? { ...field, presence: 'non-blank' } : field,
  ])
  const schema = objectSchema(Object.fromEntries(fields), descriptions[type], { additionalProperties: false })
  return Named(title, Type.Unsafe<unknown>(schema))
}

/** `parseAnswer` and `parseChanges` enforce it, with error messages of their own. */
export const AnswerBody = Type.Object(
  {
    documents: Type.Optional(
      Type.Unsafe<unknown>({
        ...INCLUSION_FIELDS.documents.optionalSchema,
        description: 'Uploaded before, each for one movement. They are added to those of the movement.',
      }),
    ),
    data: Type.Optional(
      Type.Unsafe<unknown>({
        anyOf: MOVEMENT_KINDS.map(dataSchema),
        description:
          'Corrected values, flat, with the fields of the movement’s type. An optional value is removed with null. Who and what the movement is ' +
          'about cannot be changed: code `not-changeable`.',
      }),
    ),
    comment: Type.Optional(
      Type.Unsafe<unknown>({
        ...reason.optionalSchema,
        description:
          'For the operator: the reason of the history item; while a required document is still missing, a note of the movement.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'At least one of the three.',
    examples: [
      {
        data: { 'mothers-name': 'Tereza Brandão Souza' },
        documents: [
          {
            'document-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
            'document-type': 'identification-document-with-tax-id',
          },
        ],
        comment: 'As on the identity card',
      },
    ],
  },
)
