import { Type } from 'typebox'
import { EXCLUSION_FIELDS } from '../../domain/exclusion-details.ts'
import { objectSchema, reference } from '../../domain/field-types.ts'
import { Named } from '../../http/schemas.ts'

const ExclusionDetails = Named(
  'ExclusionDetails',
  Type.Unsafe<unknown>(objectSchema(EXCLUSION_FIELDS, { additionalProperties: false })),
)

/** `parseExclusion` enforces it, with error messages of its own. */
export const ExclusionBody = Type.Object(
  {
    'exclusion-details': ExclusionDetails,
    reference: Type.Optional(
      Type.Unsafe<unknown>({
        ...reference.optionalSchema,
        description: `The client’s own name for the request. ${reference.rule}`,
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', 'extension-plan': true } },
    ],
  },
)
