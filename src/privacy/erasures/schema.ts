import { Type } from 'typebox'
import { ERASURE_ACTIONS, ERASURE_CLASSES, ERASURE_GROUNDS } from '../rules/erasure.ts'
import { SUBJECT_REQUEST_STATUSES } from '#kernel/broker-enums.ts'
import { Cnpj, DateOnly, Named, Nullable, OneOf, Text, Timestamp, Uuid } from '#platform/http/schemas.ts'

const ErasureItem = Named(
  'ErasureItem',
  Type.Object({
    class: OneOf(ERASURE_CLASSES, {
      description:
        '`benefit`: the person in a company, with benefits, movements, documents and what carriers and shipments have. `refused-document`: documents of movements that were rejected or cancelled, where the rest stays. `evidence`: what shows how a request came to the broker. `import`: lines of imports that were rejected. `file`: files of carriers, shipments and invoices that stay because they have another person who is held. `mention`: places in free text of others.',
    }),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Text),
    action: OneOf(ERASURE_ACTIONS),
    rows: Type.Integer({ description: 'Benefits and movements, documents, lines, files, or places.' }),
    ground: Nullable(
      OneOf(ERASURE_GROUNDS, {
        description:
          'Why it stays. `legal-hold`, `retention`: legal duties and the exercise of rights (LGPD arts. 7 VI, 16 I). `open-movement`, `active-benefit`: the contract (art. 7 V). `other-people`: evidence of a request that is also about others. `not-in-plan`: it arrived after the approval; note another request.',
      }),
    ),
    until: Nullable({ ...DateOnly, description: 'Until when it stays; null: not known, or nothing stays.' }),
  }),
)

const ErasureMention = Named(
  'ErasureMention',
  Type.Object({
    record: Type.String({ description: 'Kind of the record that has the text.' }),
    'record-id': Type.String({ description: 'Its id in the company; of lines the id of the file and the number.' }),
    field: Type.String({ description: 'The text in it.' }),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Text),
    action: OneOf(ERASURE_ACTIONS),
    ground: Nullable(OneOf(ERASURE_GROUNDS)),
    text: Nullable(
      Type.String({
        description: 'The text, of a long one what stands around the place, as it will be; null once it is done.',
      }),
    ),
  }),
)

const ErasureFailure = Named(
  'ErasureFailure',
  Type.Object({
    reason: Type.String({ description: 'Such as `database-error 23514`: nothing of the person.' }),
    attempts: Type.Integer({ description: 'That failed since an admin last asked for one.' }),
    'failed-at': Timestamp,
    'next-attempt-at': Nullable({ ...Timestamp, description: 'null: it waits for `retry`.' }),
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
        mentions: Type.Array(ErasureMention, {
          description:
            'Free text of others with the whole CPF, an e-mail address or the full name, which are replaced: only what stands here is changed.',
        }),
        remaining: Type.Array(ErasureItem, { description: 'What stayed, once it is done; without the person.' }),
        failure: Nullable({ ...ErasureFailure, description: 'Of the last attempt, while it is not done.' }),
        'planned-by': Type.String({ description: 'Client id of the admin who made the plan.' }),
        'planned-at': Timestamp,
        'approved-by': Nullable(Type.String({ description: 'Client id of another admin, who approved it.' })),
        'approved-at': Nullable(Timestamp),
        'closed-at': Nullable({ ...Timestamp, description: 'When it was done or cancelled.' }),
      }),
    ),
  },
  { description: 'The plan of an erasure.' },
)
