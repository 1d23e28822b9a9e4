import { Type } from 'typebox'
import { EXCLUSION_FIELDS } from '../../domain/exclusion-details.ts'
import { objectSchema } from '../../domain/field-types.ts'
import { reference } from '../../domain/reference.ts'
import { Named } from '../../http/schemas.ts'

export const ExclusionDetails = Named(
  'ExclusionDetails',
  Type.Unsafe<unknown>(objectSchema(EXCLUSION_FIELDS, { additionalProperties: false })),
)

export const Reference = Type.Unsafe<string | null>({
  ...reference.optionalSchema,
  description: `The client's own name for it, returned with it. ${reference.rule}`,
})

/** `parseExclusion` enforces it, with error messages of its own. */
export const ExclusionBody = Type.Object(
  { 'exclusion-details': ExclusionDetails, reference: Type.Optional(Reference) },
  {
    additionalProperties: false,
    examples: [
      { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', 'extension-plan': true } },
    ],
  },
)
