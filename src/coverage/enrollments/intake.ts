import { Type } from 'typebox'
import { REQUEST_MEDIA } from '#kernel/broker-enums.ts'
import { Named, Nullable, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'

/* How a request of an operator came to the broker, as both APIs show it. */

/** As a company sees it; contact and evidence are for operators. */
export const RequestIntake = Nullable(
  Named(
    'RequestIntake',
    Type.Object(
      {
        medium: OneOf(REQUEST_MEDIA, { description: '`draft`: it was made of a draft.' }),
        'received-at': Timestamp,
        'requester-name': Nullable(Type.String({ description: 'Who asked.' })),
        'requester-contact': Type.Optional(
          Nullable(Type.String({ description: 'Operator API: an e-mail address or a phone number.' })),
        ),
        documents: Type.Optional(
          Type.Array(Uuid, { description: 'Operator API: the evidence, documents of the request.' }),
        ),
      },
      { description: 'How it came to the broker; null for what a client requested itself.' },
    ),
  ),
)

const columns = `'medium', request_intake.medium, 'received-at', iso(request_intake.received_at), 'requester-name', request_intake.requester_name`
const ofOperators = `${columns}, 'requester-contact', request_intake.requester_contact, 'documents', request_intake.documents`

const intakeOf = (json: string) => (companyId: string, requestId: string) =>
  `(select json_build_object(${json}) from request_intake
    where request_intake.company_id = ${companyId} and request_intake.request_id = ${requestId})`

/** SQL: the intake of a request, by the columns of its company and its id; null without one. */
export const requestIntake = intakeOf(columns)

/** The same for operators. */
export const operatorIntake = intakeOf(ofOperators)
