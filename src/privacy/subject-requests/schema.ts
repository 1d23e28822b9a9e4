import { type Static, Type } from 'typebox'
import { cpf } from '#kernel/field-types.ts'
import { SUBJECT_REQUEST_KINDS, SUBJECT_REQUEST_STATUSES } from '#kernel/broker-enums.ts'
import { DISCLOSURES } from './disclosures.ts'
import {
  Closed,
  Cnpj,
  Cpf,
  DateOnly,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  type Pagination,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'

export const SubjectRequestPath = Type.Object({
  subjectRequestId: { ...Uuid, description: 'From the list of requests.' },
})

const kind = OneOf(SUBJECT_REQUEST_KINDS, {
  description: '`access`: a copy of the data (LGPD art. 18 I, II, V, VII). `erasure`: their deletion (art. 18 IV, VI).',
})
const status = OneOf(SUBJECT_REQUEST_STATUSES, {
  description: '`planned`, `approved` and `partly-fulfilled` (something had to stay): of an erasure.',
})
const note = Type.String({
  minLength: 1,
  maxLength: 2000,
  ...noControls,
  description: 'For admins, such as how the person was identified.',
})
const cancelReason = Type.String({ minLength: 1, maxLength: 500, ...noControls, description: 'Why it is cancelled.' })

export const SubjectRequestQuery = Closed({
  kind: Type.Optional(OneOf(SUBJECT_REQUEST_KINDS, { description: 'Only those of this kind.' })),
  status: Type.Optional(OneOf(SUBJECT_REQUEST_STATUSES, { description: 'Only those with this status.' })),
  'due-until': Type.Optional({ ...DateOnly, description: 'Only those that are due on this day or earlier.' }),
  ...pageQuery,
})

const FILE_STATUSES = ['making', 'ready', 'expired'] as const

const File = Named(
  'SubjectRequestFile',
  Type.Object({
    status: OneOf(FILE_STATUSES, { description: '`ready`: it can be downloaded.' }),
    size: Nullable(Type.Integer({ description: 'Bytes, while it is ready.' })),
    'created-at': { ...Timestamp, description: 'When it was asked for.' },
    'made-at': Nullable({ ...Timestamp, description: 'When the data were copied.' }),
    'expires-at': Nullable({ ...Timestamp, description: 'When the copy is deleted, seven days later.' }),
  }),
)

export const SubjectRequest = Named(
  'SubjectRequest',
  Type.Object({
    'subject-request-id': Uuid,
    kind,
    status,
    'tax-id': Nullable({ ...Cpf, description: 'CPF of the person; null once the person is erased.' }),
    'received-on': { ...DateOnly, description: 'The day on which the person asked.' },
    'due-date': { ...DateOnly, description: '15 days later (LGPD art. 19 II).' },
    note: Nullable(note),
    'cancel-reason': Nullable(cancelReason),
    file: Nullable({ ...File, description: 'The copy of the data; null: it was not asked for.' }),
    'created-by': Type.String({ description: 'Client id of the operator.' }),
    'created-at': Timestamp,
    'closed-at': Nullable({ ...Timestamp, description: 'When it was fulfilled or cancelled.' }),
  }),
)

export const SubjectRequestBody = Closed(
  {
    'tax-id': Type.String({ ...cpf.schema, description: 'CPF, formatted or not.' }),
    kind,
    'received-on': Type.Optional({
      ...DateOnly,
      description: 'The day on which the person asked; not in the future. Default: today.',
    }),
    note: Type.Optional(note),
  },
  { examples: [{ 'tax-id': '529.982.247-25', kind: 'access', 'received-on': '2026-11-20' }] },
)
export type SubjectRequestInput = Static<typeof SubjectRequestBody>

export const SubjectRequestStepBody = Closed(
  {
    status: OneOf(['fulfilled', 'cancelled'] as const, {
      description:
        '`fulfilled`: the person has the data. An erasure is fulfilled when it is done: it can only be cancelled.',
    }),
    'cancel-reason': Type.Optional({ ...cancelReason, description: 'Required to cancel it.' }),
  },
  { examples: [{ status: 'cancelled', 'cancel-reason': 'A pessoa desistiu do pedido' }] },
)
export type SubjectRequestStep = Static<typeof SubjectRequestStepBody>

export const DisclosurePath = Type.Object({ memberId: { ...Uuid, description: 'From the list of members.' } })

export const DisclosureQuery = Closed({
  'from-at': Type.Optional({ ...Timestamp, description: 'First instant, included.' }),
  'until-at': Type.Optional({ ...Timestamp, description: 'Last instant, not included.' }),
  ...pageQuery,
})

const role = OneOf(['admin', 'analyst', 'finance', 'auditor', 'company-hr', 'client'] as const, {
  description: 'Of now. `client`: a program of a partner.',
})

const Disclosure = Named(
  'DisclosureRow',
  Type.Object({
    id: { ...Uuid, description: 'Of the audit row.' },
    at: Timestamp,
    action: OneOf(DISCLOSURES),
    certainty: OneOf(['certain', 'possible'] as const, {
      description: '`possible`: an export of a company of the person, which may not have the person.',
    }),
    actor: Type.String(),
    'actor-name': Nullable(Type.String()),
    role: Nullable(role),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Type.String()),
    address: Nullable(Type.String()),
    'request-trace-id': Nullable(Type.String()),
  }),
)

export const DisclosureList = Type.Object(
  {
    result: Type.Array(Disclosure),
    readers: Type.Array(
      Named(
        'DisclosureReader',
        Type.Object({
          'client-id': Type.String(),
          name: Type.String(),
          role,
          'company-tax-ids': Type.Array(Cnpj, { description: 'Of an operator empty: all.' }),
        }),
      ),
      {
        description:
          'Who could read the person in the period: reads of lists, movements and single people are not audited one by one.',
      },
    ),
    pagination: Type.Unsafe<Static<typeof Pagination>>(Type.Ref('Pagination')),
  },
  {
    description: 'A page of disclosures.',
  },
)
