import { Type } from 'typebox'
import { DOCUMENT_TYPES, EXCLUSION_REASONS } from '../../domain/enums.ts'
import { Named, OneOf, Uuid } from '../../http/schemas.ts'

const ExclusionDetails = Named(
  'ExclusionDetails',
  Type.Object(
    {
      'end-date': Type.String({ format: 'date', description: 'The last day covered: past, today or ahead.' }),
      'exclusion-reason': OneOf(EXCLUSION_REASONS),
      'exclusion-reason-details': Type.Optional(Type.String({ maxLength: 500, description: 'Required for `other`.' })),
      'extension-plan': Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Keeps the cover after `dismissal` or `retirement` (Lei 9.656 arts. 30 and 31), until the operator ends it. For a ' +
            'dependent only while the plan keeps the primary (400 `primary-not-kept`).',
        }),
      ),
      documents: Type.Optional(
        Type.Array(Type.Object({ 'document-id': Type.String(), 'document-type': OneOf(DOCUMENT_TYPES) })),
      ),
    },
    { additionalProperties: false },
  ),
)

/* What is wrong in `exclusion-details` has messages of its own: the schema documents it, the handler reads it. */
export const ExclusionBody = Type.Object(
  { 'exclusion-details': ExclusionDetails },
  {
    additionalProperties: false,
    examples: [
      { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', 'extension-plan': true } },
    ],
  },
)

export const ExclusionAnswer = Type.Object(
  { 'request-id': Uuid },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)
