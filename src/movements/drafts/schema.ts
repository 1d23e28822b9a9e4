import { Type } from 'typebox'
import { Closed, noControls, OneOf } from '#platform/http/schemas.ts'
import { MissingDocuments } from '#registry/requirements/partner-schema.ts'
import { AlterationBatchBody } from '../alter/batch-schema.ts'
import { AlterationWarnings } from '../alter/schema.ts'
import { MovementDraft } from '../movement-draft-schema.ts'

/** The body of a draft of a company. The parser of the batch enforces the rest. */
export const DraftBatchBody = Closed(
  {
    ...AlterationBatchBody.properties,
    members: Type.Array(AlterationBatchBody.properties.members.items, { minItems: 1, maxItems: 1_000 }),
    movement: OneOf(['alteration']),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, ...noControls, description: 'For the broker, in a sentence.' }),
    ),
  },
  {
    examples: [
      {
        'company-tax-id': '12ABC34501DE35',
        movement: 'alteration',
        comment: 'Mudou de endereço em novembro',
        members: [
          {
            'tax-id': '410.582.937-88',
            'alteration-data': { 'address-street': 'Rua das Acácias', 'address-number': '88' },
          },
        ],
      },
    ],
  },
)

export const DraftBatchQuery = Closed({
  'dry-run': Type.Optional(
    Type.Boolean({ description: 'Judges only: the same responses, without `result`; nothing is stored.' }),
  ),
})

export const DraftBatchResponse = Type.Object(
  {
    result: Type.Optional(MovementDraft),
    'dry-run': Type.Optional(Type.Literal(true)),
    warnings: AlterationWarnings,
    'missing-documents': MissingDocuments,
  },
  { description: 'The draft; of a dry run without it.' },
)
