import { Type } from 'typebox'
import { RequestIntake } from '#coverage/enrollments/intake.ts'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import {
  ALTERATION_KINDS,
  ENROLLMENT_STATUSES,
  PART_STATUSES,
  REQUEST_STATUSES,
  MOVEMENT_KINDS,
} from '#kernel/enums.ts'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import { OFFENSES } from '#kernel/offenses.ts'
import { MAX_REFERENCE_CHARACTERS } from '#kernel/reference.ts'
import { daysOf, filters, several } from '#platform/http/filters.ts'
import { PageOf } from '#platform/http/page.ts'
import { Cnpj, Cpf, Named, Nullable, OffenseMessages, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'

const ofPart = {
  status: OneOf(PART_STATUSES, { description: 'The outcome of the part at intake.' }),
  'enrollment-id': Nullable(Uuid),
  'enrollment-status': Nullable(OneOf(ENROLLMENT_STATUSES, { description: 'The current status of the enrollment.' })),
}

const Part = Type.Object({
  ...ofPart,
  offenses: Type.Optional(
    Type.Array(OneOf([...new Set([...OFFENSES, ...EXCLUSION_OFFENSES, ...ALTERATION_OFFENSES])].sort()), {
      description: 'Why the part failed: the data changed between acceptance and processing.',
    }),
  ),
  'offense-details': OffenseMessages,
})

const requestedBy = ['partner', 'operator'] as const

const fields = {
  'request-id': Uuid,
  'request-type': OneOf(MOVEMENT_KINDS),
  'alteration-kind': Nullable(
    OneOf(ALTERATION_KINDS, { description: 'Of an alteration that an operator requested; null for all others.' }),
  ),
  'company-tax-id': Cnpj,
  status: OneOf(REQUEST_STATUSES, {
    examples: ['completed'],
    description:
      '`completed`: every part became an enrollment; `partial-failure`: some; `failed`: none. The three are final, and do ' +
      'not depend on the outcome of the enrollments.',
  }),
  reference: Nullable(Type.String({ description: 'The client’s own name for the request, as sent.' })),
  'created-at': Timestamp,
  'finished-at': {
    ...Nullable({ ...Timestamp, description: 'When it left `processing`.' }),
    examples: ['2026-11-21T13:05:09.310Z'],
  },
  'requested-by': OneOf(requestedBy, { description: 'A client of the company, or an operator for it.' }),
  intake: RequestIntake,
  'enrollment-summary': Type.Record(Type.String(), Type.Integer(), {
    description: 'The number of enrollments in each current status; a status without enrollments is left out.',
    examples: [{ created: 1 }],
  }),
}

const parts = {
  parts: Type.Array(
    Named(
      'RequestPart',
      Type.Object({
        'tax-id': Cpf,
        'product-id': Nullable({
          ...Uuid,
          description: 'Of a plan change the new one. Null in parts that failed before parts had it.',
        }),
        'benefit-id': Nullable({ ...Uuid, description: 'Null while an inclusion has none.' }),
        ...ofPart,
      }),
    ),
    { description: 'Each product of each member, by CPF and product name; why one failed is in `status-by-tax-id`.' },
  ),
}

const statusByTaxId = Type.Record(Type.String(), Type.Record(Type.String(), Part), {
  description: 'By member CPF, then by product name.',
  examples: [
    {
      '52998224725': {
        'Saúde Essencial': {
          status: 'enrollment-created',
          'enrollment-id': '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45',
          'enrollment-status': 'created',
        },
      },
    },
  ],
})

/** The request status of the contract, with additions. */
export const RequestStatus = Named(
  'Request',
  Type.Object(
    { ...fields, ...parts, 'status-by-tax-id': statusByTaxId },
    { description: 'The request, part by part.' },
  ),
)

/** A page of requests without their parts. */
export const RequestList = PageOf(Named('RequestSummary', Type.Object(fields)), 'A page of requests.')

const ofOperators = {
  'company-name': Type.String(),
  'draft-id': Nullable({ ...Uuid, description: 'The movement draft that it was made of.' }),
}

/** The same for operators. */
export const OperatorRequestList = PageOf(
  Named('OperatorRequestSummary', Type.Object({ ...fields, ...ofOperators })),
  'A page of requests.',
)

/** One request for operators, in its envelope. */
export const OperatorRequestResponse = Type.Object({
  result: Named(
    'OperatorRequest',
    Type.Object({
      ...fields,
      ...ofOperators,
      'part-summary': Type.Record(Type.String(), Type.Integer(), {
        description: 'The number of parts in each status, also of those that `part-status` hides.',
        examples: [{ 'enrollment-created': 1 }],
      }),
      ...parts,
      'status-by-tax-id': statusByTaxId,
    }),
  ),
})

/** For operators. */
export const requesterFilter = {
  'requested-by': Type.Optional(OneOf(requestedBy, { description: 'Only what clients, or what operators requested.' })),
}

/** The filters of both APIs. */
export const requestFilters = {
  'request-type': Type.Optional(OneOf(MOVEMENT_KINDS, { description: 'Only requests of this type.' })),
  status: several(
    [...REQUEST_STATUSES, 'open'],
    'Only requests with this status now; `status=open`: those that are processed.',
  ),
  'company-tax-id': filters.company,
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_REFERENCE_CHARACTERS,
      pattern: '\\S',
      description: 'Only requests with this reference, or with a movement that has it. Compared exactly.',
    }),
  ),
  ...daysOf('created-at'),
}
