import { Type } from 'typebox'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { cpf } from '#kernel/field-types.ts'
import { Named } from '#platform/http/schemas.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import { EntryBatchBody, EntryBatchErrorResponse, EntryBatchResponse, RejectedEntry } from '../batch/entry-schema.ts'
import { Reference, SandboxField } from '../schema.ts'
import { AlterationData, AlterationWarnings } from './schema.ts'

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

export const AlterationBatchBody = EntryBatchBody(AlterationMember, moved)

const Rejected = RejectedEntry('RejectedAlteration', ALTERATION_OFFENSES)

export const AlterationBatchResponse = EntryBatchResponse('Alterations', Rejected, { warnings: AlterationWarnings })

export const AlterationBatchErrorResponse = EntryBatchErrorResponse(Rejected, {
  code: 'invalid-alteration-data',
  field: 'alteration-data.phone',
})
