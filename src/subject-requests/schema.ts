import { type Static, Type } from 'typebox'
import { cpf } from '../domain/field-types.ts'
import { SUBJECT_REQUEST_KINDS, SUBJECT_REQUEST_STATUSES } from '../domain/subject-request.ts'
import { PageOf } from '../http/page.ts'
import {
  Closed,
  Cpf,
  DateOnly,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  Timestamp,
  Uuid,
} from '../http/schemas.ts'

export const SubjectRequestPath = Type.Object({
  subjectRequestId: { ...Uuid, description: 'From the list of requests.' },
})

const kind = OneOf(SUBJECT_REQUEST_KINDS, {
  description: '`access`: a copy of the data (LGPD art. 18 I, II, V, VII). `erasure`: their deletion (art. 18 IV, VI).',
})
const status = OneOf(SUBJECT_REQUEST_STATUSES, { description: '`planned` and `approved`: of an erasure.' })
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

const SubjectRequest = Named(
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
    'created-by': Type.String({ description: 'Client id of the operator.' }),
    'created-at': Timestamp,
    'closed-at': Nullable({ ...Timestamp, description: 'When it was fulfilled or cancelled.' }),
  }),
)

const example = {
  'subject-request-id': '01995e11-2d31-7a44-8f55-6a7b8c9d0e1f',
  kind: 'access',
  status: 'open',
  'tax-id': '52998224725',
  'received-on': '2026-11-20',
  'due-date': '2026-12-05',
  note: 'Pedido por e-mail; identidade conferida por telefone',
  'cancel-reason': null,
  'created-by': 'op_7c9d21a4',
  'created-at': '2026-11-21T13:05:09.120Z',
  'closed-at': null,
}

export const SubjectRequestResponse = Type.Object(
  { result: SubjectRequest },
  { description: 'The request.', examples: [{ result: example }] },
)

export const SubjectRequestList = PageOf(SubjectRequest, example, { description: 'A page of requests.' })

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
