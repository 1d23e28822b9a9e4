import { Type } from 'typebox'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import { cpf, uuid } from '#kernel/field-types.ts'
import { Named, OneOf } from '#platform/http/schemas.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import { MissingDocuments } from '#registry/requirements/partner-schema.ts'
import { MovementDraft } from '../movement-draft-schema.ts'
import { EntryBatchBody, EntryBatchErrorResponse, EntryBatchResponse, RejectedEntry } from '../batch/entry-schema.ts'
import { Reference, SandboxField } from '../schema.ts'
import { ExclusionDetails, ExclusionWarnings } from './schema.ts'

const ExclusionMember = Named(
  'ExclusionMember',
  Type.Object(
    {
      'tax-id': Type.Unsafe<string>({ ...cpf.schema, description: englishOf(cpf.rule) }),
      'product-id': Type.Optional(Type.Unsafe<string>({ ...uuid.schema, description: 'The benefit of this product.' })),
      'benefit-id': Type.Optional(Type.Unsafe<string>({ ...uuid.schema, description: 'This benefit.' })),
      'primary-member-tax-id': Type.Optional(
        Type.Unsafe<string>({
          ...cpf.schema,
          description: 'What the person has as a dependent of this primary.',
        }),
      ),
      'exclusion-details': ExclusionDetails,
      reference: Type.Optional(Reference),
      sandbox: Type.Optional(SandboxField),
    },
    {
      additionalProperties: false,
      description:
        'At most one of `product-id`, `benefit-id` and `primary-member-tax-id`; without one everything that the person has in the company.',
    },
  ),
)

const leaver = {
  'tax-id': '529.982.247-25',
  'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' },
}

export const ExclusionBatchBody = EntryBatchBody(ExclusionMember, leaver)

const Rejected = RejectedEntry('RejectedExclusion', EXCLUSION_OFFENSES)

export const ExclusionBatchResponse = EntryBatchResponse('Exclusions', Rejected, { warnings: ExclusionWarnings })

/** For an operator's dry run: whether somebody else would have to confirm it. */
export const OperatorExclusionBatchResponse = EntryBatchResponse('OperatorExclusions', Rejected, {
  warnings: ExclusionWarnings,
  approval: Type.Optional(
    OneOf(['second-operator'], { description: 'Of a dry run: the batch would become a movement draft.' }),
  ),
})

/** An operator's batch that became a movement draft. */
export const ExclusionDraftResponse = {
  ...Type.Object({ result: MovementDraft, 'missing-documents': MissingDocuments }),
  description: 'The draft, which another operator has to confirm.',
}

export const ExclusionBatchErrorResponse = EntryBatchErrorResponse(Rejected, {
  code: 'ongoing-enrollment',
  field: 'tax-id',
  'product-name': 'Saúde Essencial Enfermaria',
})
