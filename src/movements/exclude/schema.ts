import { type Static, Type } from 'typebox'
import { EXCLUSION_FIELDS } from '#coverage/rules/exclusion-details.ts'
import { EXCLUSION_WARNINGS } from '#kernel/warnings.ts'
import { objectSchema } from '#platform/http/field-schema.ts'
import { Named, OneOf } from '#platform/http/schemas.ts'
import { explainWarnings, UntilOfWarning, WarningMessage } from '#platform/http/warning-schemas.ts'
import { AcceptedResponse, judgedFields } from '../accepted.ts'
import { JudgedResponse, Reference, SandboxField } from '../schema.ts'

const continuation =
  'Of `dismissal` and `retirement` (RN 488), and with `keeps-working-after-retirement` of the other reasons that it goes with; required where the ' +
  'contract is contributory.'

export const EXCLUSION_DESCRIPTIONS = {
  'end-date': 'The last day covered: past, today or future.',
  'extension-plan':
    'Keeps the cover after `dismissal` or `retirement` (Lei 9.656 arts. 30 and 31), until the operator ends it. Of who declined, did not contribute ' +
    'or has no right the exclusion is an ordinary one, with `extension-plan` false and a continuation `declined` or `no-right`. For a dependent only ' +
    'while the plan keeps the primary (400 `primary-not-kept`).',
  'exclusion-reason-details': 'Required for `other`.',
  'requested-at':
    'Of `requested-by-beneficiary`: the day on which the person asked, of the last year. The 30 days of RN 561 count from it.',
  contributed: `Whether the person paid a part of the premium. ${continuation}`,
  'contribution-months': `For how long: 0 to 720. ${continuation}`,
  'keeps-working-after-retirement':
    'Of `retirement`, `dismissal`, `dismissal-with-cause`, `resignation` and `mutual-agreement`: the person had retired and worked on. The right is ' +
    'that of the retired (Lei 9.656 art. 31, RN 488 art. 22), and `extension-plan` goes with each of them.',
  'notice-date': `The day of the notice that the plan can be kept. ${continuation}`,
  option: `What the person answered. ${continuation}`,
  'option-date':
    'The day of the answer; only with `option`. Not before `notice-date`, not after the last day to answer, nor after today.',
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

/** The warnings of an accepted exclusion, or of a batch. */
export const ExclusionWarnings = Type.Optional(
  Type.Array(
    Named(
      'ExclusionWarning',
      Type.Object({
        index: Type.Optional(Type.Integer({ description: 'Of a batch: the index of the entry.' })),
        warning: OneOf(EXCLUSION_WARNINGS, { description: explainWarnings(EXCLUSION_WARNINGS) }),
        field: Type.String({ description: 'The field that it is about.' }),
        'product-name': Type.String(),
        until: UntilOfWarning,
        message: WarningMessage,
      }),
    ),
    { description: 'What is worth a look; nothing is refused for it. Absent when there is nothing.' },
  ),
)

export const ExcludedResponse = Type.Object(
  { ...AcceptedResponse.properties, warnings: ExclusionWarnings },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)
export type Excluded = Static<typeof ExcludedResponse>

/** The response to an exclusion that may be a dry run. */
export const ExclusionResponse = JudgedResponse('Exclusion', { ...judgedFields, warnings: ExclusionWarnings })
