import { Type } from 'typebox'
import { ALTERATION_OFFENSES } from '../../domain/alteration-offenses.ts'
import { cnpj, cpf } from '../../domain/field-types.ts'
import { MAX_BATCH_MEMBERS } from '../../domain/inclusion-batch.ts'
import { Details, ErrorCodeReference, Named, OffenseMessage, OneOf, Uuid } from '../../http/schemas.ts'
import { MissingDocuments } from '../../requirements/schema.ts'
import { englishOf } from '../../texts/messages.ts'
import { Reference, SandboxField } from '../exclude/schema.ts'
import { AlterationData } from './schema.ts'

const AlterationMember = Named(
  'AlterationMember',
  Type.Object(
    {
      'tax-id': Type.Unsafe<string>({ ...cpf.schema, description: englishOf(cpf.rule) }),
      'alteration-data': AlterationData,
      reference: Type.Optional(Reference),
      sandbox: Type.Optional(SandboxField),
    },
    { additionalProperties: false },
  ),
)

const moved = {
  'tax-id': '529.982.247-25',
  'alteration-data': { phone: '(11) 98765-4321', 'address-city': 'Campinas' },
}

/** `readAlterationBody` enforces it: an invalid entry has offenses. */
export const AlterationBatchBody = Type.Object(
  {
    'company-tax-id': Type.Unsafe<string>({ ...cnpj.schema, description: englishOf(cnpj.rule) }),
    members: Type.Array(AlterationMember, { minItems: 1, maxItems: MAX_BATCH_MEMBERS }),
    reference: Type.Optional(Reference),
  },
  { additionalProperties: false, examples: [{ 'company-tax-id': '7B4XK2M9000194', members: [moved] }] },
)

const Rejected = Named(
  'RejectedAlteration',
  Type.Object({
    index: Type.Integer({ description: 'Index in the batch, from 0.' }),
    'tax-id': Type.Unknown({ description: 'As sent; null when absent.' }),
    'company-tax-id': Type.String(),
    offenses: Type.Array(OneOf(ALTERATION_OFFENSES)),
    'offense-details': Type.Array(
      Type.Object({
        code: OneOf(ALTERATION_OFFENSES),
        field: Type.String({ description: 'The field of the entry that the offense concerns.' }),
        'product-name': Type.Optional(Type.String()),
        message: OffenseMessage,
      }),
    ),
  }),
)

export const AlterationBatchResponse = Type.Object(
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
  offenses: ['invalid-alteration-data'],
  'offense-details': [{ code: 'invalid-alteration-data', field: 'alteration-data.phone' }],
}

export const AlterationBatchErrorResponse = Type.Object(
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
