import { Type } from 'typebox'
import { EXCLUSION_FIELDS } from '../../domain/exclusion-details.ts'
import { reference } from '../../domain/reference.ts'
import { objectSchema } from '../../http/field-schema.ts'
import { Named } from '../../http/schemas.ts'
import { englishOf } from '../../texts/messages.ts'

export const EXCLUSION_DESCRIPTIONS = {
  'end-date': 'The last day covered: past, today or future.',
  'extension-plan':
    'Keeps the cover after `dismissal` or `retirement` (Lei 9.656 arts. 30 and 31), until the operator ends it. For a ' +
    'dependent only while the plan keeps the primary (400 `primary-not-kept`).',
  'exclusion-reason-details': 'Required for `other`.',
}

export const ExclusionDetails = Named(
  'ExclusionDetails',
  Type.Unsafe<unknown>(objectSchema(EXCLUSION_FIELDS, EXCLUSION_DESCRIPTIONS, { additionalProperties: false })),
)

export const Reference = Type.Unsafe<string | null>({
  ...reference.optionalSchema,
  description: `The client's own name for it, returned with it. ${englishOf(reference.rule)}`,
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
