import { type Static, Type } from 'typebox'
import { SECOND_CARD_REASONS } from '#kernel/enums.ts'
import { Closed, noControls, OneOf, Text, Uuid } from '#platform/http/schemas.ts'
import { Confirm } from '../decide/items.ts'
import { Reference } from '../schema.ts'

const OneLine = Type.String({ ...Text, ...noControls })
const reference = Type.Optional(Reference)

export const SecondCardBody = Closed(
  {
    'benefit-id': Type.Optional({
      ...Uuid,
      description: 'An active benefit of the person; either it or `product-id`.',
    }),
    'product-id': Type.Optional({ ...Uuid, description: 'The benefit of this product.' }),
    reason: OneOf(SECOND_CARD_REASONS),
    reference,
  },
  { examples: [{ 'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01', reason: 'lost' }] },
)
export type SecondCardBody = Static<typeof SecondCardBody>

export const ContractTransferBody = Closed(
  {
    'benefit-ids': Type.Optional(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: 50,
        description: 'Active benefits of the person as a primary, of one company; without it all of them.',
      }),
    ),
    'start-date': Type.String({ format: 'date', description: 'From when on; not before the start of a benefit.' }),
    'sub-contract': Type.Optional(
      Type.String({ ...OneLine, maxLength: 20, description: 'The new one of the carrier.' }),
    ),
    'employee-id': Type.Optional(OneLine),
    'cost-center': Type.Optional(OneLine),
    'cost-center-name': Type.Optional(OneLine),
    'job-title': Type.Optional(OneLine),
    confirm: Type.Optional(Confirm),
    reference,
  },
  {
    examples: [{ 'start-date': '2026-12-01', 'sub-contract': '002', 'employee-id': '00481', 'cost-center': '4200' }],
  },
)
export type ContractTransferBody = Static<typeof ContractTransferBody>
