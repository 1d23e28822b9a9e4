import { Type } from 'typebox'
import { EXCLUSION_OFFENSES } from '../../domain/exclusion-offenses.ts'
import { cnpj, cpf, uuid } from '../../domain/field-types.ts'
import { MAX_BATCH_MEMBERS } from '../../domain/inclusion-batch.ts'
import { Details, ErrorCodeReference, Named, OffenseMessage, OneOf, Uuid } from '../../http/schemas.ts'
import { MissingDocuments } from '../../requirements/schema.ts'
import { englishOf } from '../../texts/messages.ts'
import { ExclusionDetails, Reference, SandboxField } from './schema.ts'

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

/** `readExclusionBody` enforces it: an invalid entry has offenses. */
export const ExclusionBatchBody = Type.Object(
  {
    'company-tax-id': Type.Unsafe<string>({ ...cnpj.schema, description: englishOf(cnpj.rule) }),
    members: Type.Array(ExclusionMember, { minItems: 1, maxItems: MAX_BATCH_MEMBERS }),
    reference: Type.Optional(Reference),
  },
  { additionalProperties: false, examples: [{ 'company-tax-id': '7B4XK2M9000194', members: [leaver] }] },
)

const Rejected = Named(
  'RejectedExclusion',
  Type.Object({
    index: Type.Integer({ description: 'Index in the batch, from 0.' }),
    'tax-id': Type.Unknown({ description: 'As sent; null when absent.' }),
    'company-tax-id': Type.String(),
    offenses: Type.Array(OneOf(EXCLUSION_OFFENSES)),
    'offense-details': Type.Array(
      Type.Object({
        code: OneOf(EXCLUSION_OFFENSES),
        field: Type.String({ description: 'The field of the entry that the offense concerns.' }),
        'product-name': Type.Optional(Type.String()),
        message: OffenseMessage,
      }),
    ),
  }),
)

export const ExclusionBatchResponse = Type.Object(
  {
    'request-id': Type.Optional({ ...Uuid, description: 'Absent with `dry-run=true` alone.' }),
    'dry-run': Type.Optional(Type.Literal(true, { description: 'The batch was judged and not accepted.' })),
    result: Type.Optional(
      Type.Array(Rejected, { description: 'With `Prefer: handling=lenient`: entries that were not accepted.' }),
    ),
    'missing-documents': MissingDocuments,
  },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }, { 'dry-run': true }] },
)

const rejectedExample = {
  index: 0,
  'tax-id': '529.982.247-25',
  'company-tax-id': '7B4XK2M9000194',
  offenses: ['ongoing-enrollment'],
  'offense-details': [{ code: 'ongoing-enrollment', field: 'tax-id', 'product-name': 'Saúde Essencial Enfermaria' }],
}

export const ExclusionBatchErrorResponse = Type.Object(
  {
    error: Type.String(),
    code: ErrorCodeReference,
    'request-trace-id': Type.String(),
    details: Type.Optional(Details),
    result: Type.Optional(Type.Array(Rejected)),
    'missing-documents': MissingDocuments,
  },
  {
    description:
      'A malformed body or parameter, with `details`; or `Invalid members`, with every offending entry. Nothing was stored.',
    examples: [
      {
        error: 'Invalid members',
        code: 'invalid-members',
        result: [rejectedExample],
        'request-trace-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      },
    ],
  },
)
