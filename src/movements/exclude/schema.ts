import { Type } from 'typebox'
import { EXCLUSION_FIELDS } from '../../domain/exclusion-details.ts'
import { objectSchema } from '../../http/field-schema.ts'
import { Named } from '../../http/schemas.ts'
import { Reference, SandboxField } from '../schema.ts'

const continuation = 'Of `dismissal` and `retirement` (RN 488); required where the contract is contributory.'

export const EXCLUSION_DESCRIPTIONS = {
  'end-date': 'The last day covered: past, today or future.',
  'extension-plan':
    'Keeps the cover after `dismissal` or `retirement` (Lei 9.656 arts. 30 and 31), until the operator ends it. For a ' +
    'dependent only while the plan keeps the primary (400 `primary-not-kept`).',
  'exclusion-reason-details': 'Required for `other`.',
  'requested-at':
    'Of `requested-by-beneficiary`: the day on which the person asked, of the last year. The 30 days of RN 561 count from it.',
  contributed: `Whether the person paid a part of the premium. ${continuation}`,
  'contribution-months': `For how long: 0 to 720. ${continuation}`,
  'keeps-working-after-retirement': 'Of `retirement`.',
  'notice-date': `The day of the notice that the plan can be kept. ${continuation}`,
  option: `What the person answered. ${continuation}`,
  'option-date': 'The day of the answer; only with `option`.',
}

export const ExclusionDetails = Named(
  'ExclusionDetails',
  Type.Unsafe<unknown>(objectSchema(EXCLUSION_FIELDS, EXCLUSION_DESCRIPTIONS, { additionalProperties: false })),
)

/** `parseExclusion` enforces it, with error messages of its own. */
export const ExclusionBody = Type.Object(
  { 'exclusion-details': ExclusionDetails, reference: Type.Optional(Reference), sandbox: Type.Optional(SandboxField) },
  {
    additionalProperties: false,
    examples: [
      { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', 'extension-plan': true } },
    ],
  },
)
