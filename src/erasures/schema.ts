import { Type } from 'typebox'
import { ERASURE_ACTIONS, ERASURE_GROUNDS } from '../domain/erasure.ts'
import { SUBJECT_REQUEST_STATUSES } from '../domain/subject-request.ts'
import { Cnpj, DateOnly, Named, Nullable, OneOf, Text, Timestamp, Uuid } from '../http/schemas.ts'

const example = {
  'subject-request-id': '01995e11-2d31-7a44-8f55-6a7b8c9d0e1f',
  status: 'planned',
  items: [
    {
      class: 'benefit',
      'company-tax-id': '12ABC34501DE35',
      'company-name': 'Metalúrgica Serra Azul S.A.',
      action: 'keep',
      rows: 4,
      ground: 'retention',
      until: '2029-03-31',
    },
    {
      class: 'import',
      'company-tax-id': null,
      'company-name': null,
      action: 'erase',
      rows: 1,
      ground: null,
      until: null,
    },
  ],
  'planned-by': 'op_7c9d21a4',
  'planned-at': '2026-11-21T13:05:09.120Z',
  'approved-by': null,
  'approved-at': null,
  'closed-at': null,
}

const ErasureItem = Named(
  'ErasureItem',
  Type.Object({
    class: OneOf(['benefit', 'refused-document', 'import'] as const, {
      description:
        '`benefit`: the person in a company, with benefits, movements, documents and what carriers and shipments have. `refused-document`: documents of movements that were rejected or cancelled, where the rest stays. `import`: lines of imports that were rejected.',
    }),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Text),
    action: OneOf(ERASURE_ACTIONS),
    rows: Type.Integer({ description: 'Benefits and movements, documents, or lines.' }),
    ground: Nullable(
      OneOf(ERASURE_GROUNDS, {
        description:
          'Why it stays. `legal-hold`, `retention`: legal duties and the exercise of rights (LGPD arts. 7 VI, 16 I). `open-movement`, `active-benefit`: the contract (art. 7 V).',
      }),
    ),
    until: Nullable({ ...DateOnly, description: 'Until when it stays; null: not known, or nothing stays.' }),
  }),
)

export const ErasureResponse = Type.Object(
  {
    result: Named(
      'Erasure',
      Type.Object({
        'subject-request-id': Uuid,
        status: OneOf(SUBJECT_REQUEST_STATUSES),
        items: Type.Array(ErasureItem),
        'planned-by': Type.String({ description: 'Client id of the admin who made the plan.' }),
        'planned-at': Timestamp,
        'approved-by': Nullable(Type.String({ description: 'Client id of another admin, who approved it.' })),
        'approved-at': Nullable(Timestamp),
        'closed-at': Nullable({ ...Timestamp, description: 'When it was done or cancelled.' }),
      }),
    ),
  },
  { description: 'The plan of an erasure.', examples: [{ result: example }] },
)
