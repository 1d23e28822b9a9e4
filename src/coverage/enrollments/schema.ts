import { Month } from '#registry/contracts/calendar-schema.ts'
import { RequestIntake } from './intake.ts'
import { type Static, Type } from 'typebox'
import {
  ACTOR_KINDS,
  ALTERATION_KINDS,
  BENEFICIARY_TYPES,
  DEPENDENT_TYPES,
  ENROLLMENT_STATUSES,
  EXCLUSION_REASONS,
  MOVEMENT_KINDS,
  SCHEDULED_REASONS,
  DEADLINE_KINDS,
} from '#kernel/enums.ts'
import { EXCLUSION_FIELDS } from '../rules/exclusion-details.ts'
import { WAITING_PERIOD_REASONS, WAITING_PERIOD_STATUSES } from '../rules/waiting-period.ts'
import { objectSchema } from '#platform/http/field-schema.ts'
import { DUE_KINDS } from './deadlines.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import { AnyPendingItem } from '#platform/http/pending-item.ts'
import { Cnpj, Cpf, DateOnly, Named, Nullable, OneOf, Timestamp, Uuid, pageQuery } from '#platform/http/schemas.ts'
import { daysOf, filters, several } from '#platform/http/filters.ts'
import { updatedSinceQuery } from '#platform/http/updated-since.ts'

const Step = Named(
  'EnrollmentStep',
  Type.Object({
    status: OneOf(ENROLLMENT_STATUSES),
    at: Timestamp,
    actor: OneOf(ACTOR_KINDS),
    'actor-id': Type.Optional(
      Nullable(Type.String({ description: 'Client id of the actor; only in the operator API.' })),
    ),
    'actor-name': Type.Optional(
      Type.String({ description: 'Of a step of a person of the company, who signed in: the name.' }),
    ),
    reason: Nullable(Type.String()),
  }),
)

const cents = (description: string) => Nullable(Type.Integer({ description: `${description} In cents.` }))

/** What partners see of the money at risk. */
const partnerMoney = {
  'per-month': cents('The price of a month in the invoice of the next cut-off.'),
  'cut-off-date': { ...DateOnly, description: 'The next cut-off.' },
  'window-until': Nullable({ ...DateOnly, description: 'Until then the carrier recognizes the date.' }),
}

const { documents: _documents, ...detailFields } = EXCLUSION_FIELDS

const AcceptedExclusionDetails = Named(
  'AcceptedExclusionDetails',
  Type.Unsafe<unknown>(
    objectSchema(
      detailFields,
      {},
      { description: 'What was sent of an exclusion, without the documents; null for others.' },
    ),
  ),
)

const enrollmentExample = {
  id: '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45',
  'enrollment-type': 'inclusion',
  'alteration-kind': null,
  status: 'completed',
  reason: null,
  'created-at': '2026-11-21T13:05:09.310Z',
  'last-updated-at': '2026-11-24T17:40:00.000Z',
  'member-type': 'primary',
  'member-tax-id': '52998224725',
  'member-id': '5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11',
  'company-tax-id': '12ABC34501DE35',
  'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
  'product-name': 'Saúde Essencial',
  'product-type': 'health-insurance',
  'carrier-name': 'Operadora Aurora',
  'scheduled-action-date': null,
  'scheduled-reason': null,
  'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  reference: 'folha-2026-11',
  'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01',
  'start-date': '2026-12-01',
  'end-date': null,
  'exclusion-reason': null,
  'extension-plan': null,
  'exclusion-details': null,
  'destination-company-tax-id': null,
  'pending-items': [],
  'requested-by': 'partner',
  intake: null,
  history: [
    { status: 'created', at: '2026-11-21T13:05:09.310Z', actor: 'partner', reason: null },
    { status: 'completed', at: '2026-11-24T17:40:00.000Z', actor: 'operator', reason: null },
  ],
}

const fields = {
  id: Uuid,
  'enrollment-type': OneOf(MOVEMENT_KINDS),
  'alteration-kind': Nullable(
    OneOf(ALTERATION_KINDS, { description: 'Of an alteration that an operator requested; null for all others.' }),
  ),
  status: OneOf(ENROLLMENT_STATUSES),
  reason: Nullable(Type.String({ description: 'Why it has this status, as the operator wrote it.' })),
  'created-at': Timestamp,
  'last-updated-at': Timestamp,
  'member-type': OneOf(BENEFICIARY_TYPES),
  'member-tax-id': Cpf,
  'member-id': Uuid,
  'company-tax-id': Cnpj,
  'product-id': Uuid,
  'product-name': Type.String(),
  'product-type': Type.String(),
  'carrier-name': Type.String(),
  'scheduled-action-date': Nullable({
    ...DateOnly,
    description: 'The day on which it takes effect, if that was in the future at acceptance.',
  }),
  'scheduled-reason': Nullable(OneOf(SCHEDULED_REASONS)),
  'request-id': Uuid,
  reference: Nullable(Type.String({ description: 'The client’s own name for the movement, as sent.' })),
  'benefit-id': { ...Uuid, description: 'The benefit that it concerns; of a plan or company change the old one.' },
  'start-date': Nullable({
    ...DateOnly,
    description:
      'The first day covered, of an inclusion; the requested start, of an alteration. Null for an exclusion.',
  }),
  'end-date': Nullable({ ...DateOnly, description: 'The last day covered, of an exclusion; else null.' }),
  'exclusion-reason': Nullable(OneOf(EXCLUSION_REASONS)),
  'extension-plan': Nullable(Type.Boolean({ description: 'Whether an exclusion keeps the cover; null for others.' })),
  'exclusion-details': Nullable(AcceptedExclusionDetails),
  'destination-company-tax-id': Nullable({
    ...Cnpj,
    description: 'Where a company change leads; `company-tax-id` is the company before. Null for all others.',
  }),
  'pending-items': Type.Array(AnyPendingItem, {
    description:
      'What a pending enrollment waits for; empty once the pending status has ended, and where the operator listed nothing.',
  }),
  'requested-by': OneOf(['partner', 'operator', 'service'] as const, {
    description: 'Who started it: a client of the company, an operator for it, or the service itself.',
  }),
  intake: RequestIntake,
  'carrier-hand-over': Type.Optional(
    Nullable(
      Named(
        'CarrierHandOver',
        Type.Object({
          'cut-off-date': Nullable({ ...DateOnly, description: 'By when the carrier takes, or took, the movement.' }),
          'expected-start-date': Nullable({
            ...DateOnly,
            description: 'On which the carrier’s cover is expected to start; null for an exclusion.',
          }),
          'after-cut-off': Type.Boolean({
            description:
              'Whether the cover that this cut-off reaches starts after the day that was asked for: of an exclusion it goes on until then.',
          }),
          'sent-at': Nullable(Timestamp),
          'carrier-protocol': Nullable(Type.String()),
        }),
      ),
    ),
  ),
  deadlines: Type.Optional(
    Type.Array(
      Named(
        'Deadline',
        Type.Object({
          kind: OneOf(DEADLINE_KINDS),
          until: { ...DateOnly, description: 'The last day.' },
          norm: Type.String({ description: 'Where it is written; `contract`: that with the carrier.' }),
        }),
      ),
      {
        description:
          'The earliest first; those of norms are of health and dental plans. Calculated from the data that the company sent.',
      },
    ),
  ),
  'waiting-period': Type.Optional(
    Nullable(
      Named(
        'WaitingPeriod',
        Type.Object(
          {
            status: OneOf(WAITING_PERIOD_STATUSES),
            reason: OneOf(WAITING_PERIOD_REASONS),
            'last-day-for-exemption': Nullable({
              ...DateOnly,
              description:
                'Until which an inclusion is, or was, exempt: 30 days of the admission, the dependency, the birth or the contract.',
            }),
          },
          {
            description:
              'Whether the carrier may set a waiting period (RN 557 art. 6), of an inclusion in a health or dental plan; else null. Information, ' +
              'calculated from the data that the company sent: the carrier decides.',
          },
        ),
      ),
    ),
  ),
  money: Type.Optional(
    Nullable(
      Named(
        'EnrollmentMoney',
        Type.Object(partnerMoney, {
          description:
            'Only of one movement, an open inclusion or exclusion under a contract with a calendar, and for clients that see money; else null.',
        }),
      ),
    ),
  ),
  history: Type.Array(Step, { description: 'Every status since the creation, oldest first.' }),
}

/** Enrollment detail of the contract, with added properties. */
const EnrollmentDetail = Named('Enrollment', Object.assign(Type.Object(fields), { examples: [enrollmentExample] }))

/** One enrollment in its envelope. */
export const EnrollmentResponse = ResultOf(EnrollmentDetail)

/** What movements are listed by. */
export const HistoryQuery = Type.Object(
  {
    'member-tax-id': Type.Optional(
      Type.String({
        format: 'cpf',
        description:
          'CPF, formatted or not: only this person. A corrected CPF finds all movements of the person, the former one none.',
      }),
    ),
    'company-tax-id': filters.company,
    'enrollment-type': Type.Optional(OneOf(MOVEMENT_KINDS, { description: 'Only movements of this kind.' })),
    status: several(
      [...ENROLLMENT_STATUSES, 'open'],
      'Only movements with this status now; `status=open`: all but completed, rejected and cancelled.',
    ),
    open: Type.Optional(
      Type.Boolean({
        description: '`true`: as `status=open`; `false`: only movements that are completed, rejected or cancelled.',
      }),
    ),
    'effective-month': Type.Optional({
      ...Month,
      description:
        'Only movements whose `start-date` or `end-date` is in this month, `YYYY-MM`, and that are neither rejected nor cancelled.',
    }),
    ...daysOf('created-at'),
    ...updatedSinceQuery,
    ...pageQuery,
  },
  { additionalProperties: false },
)
export type HistoryFilter = Static<typeof HistoryQuery>

/** A page of enrollments. */
export const HistoryList = PageOf(EnrollmentDetail, 'A page of movements.')

/** What the items of the operators' queue have beside the Enrollment detail. */
const queueFields = {
  'draft-id': Nullable({ ...Uuid, description: 'The movement draft that it was made of.' }),
  'member-name': Type.String(),
  'company-name': Type.String(),
  'primary-member-tax-id': Nullable({ ...Cpf, description: 'CPF of the primary, for a dependent.' }),
  'primary-member-name': Nullable(Type.String({ description: 'Of a dependent.' })),
  'dependent-type': Nullable(OneOf(DEPENDENT_TYPES, { description: 'Of a dependent; as far as it is known.' })),
  'answered-at': Nullable({
    ...Timestamp,
    description: 'When somebody answered what it waited for; null again once its status has changed since.',
  }),
  'answered-fields': Type.Array(Type.String(), {
    description: 'The fields that the answer of `answered-at` changed; `documents` when it has some.',
  }),
  'due-date': Nullable({
    ...DateOnly,
    description:
      'The earliest day on which something is due: an open deadline of the norms; the last day of cover of an exclusion that the carrier does not have; ' +
      'of a movement for a coming day the cut-off by which the carrier must hear of it, without a calendar `scheduled-action-date`; for ' +
      '`next-billing-period` the last cut-off day of the product before it.',
  }),
  'due-kind': Nullable(OneOf(DUE_KINDS, { description: 'What is due then.' })),
  assignee: Nullable(Type.String({ description: 'Client id of the operator who works on it.' })),
  'carrier-protocol': Nullable(Type.String({ description: 'What the carrier calls the movement, or its lot, by.' })),
  'notes-count': Type.Integer({ description: 'The number of notes of operators.' }),
  'held-decision': Nullable(
    Type.Object(
      {
        'job-id': Uuid,
        status: OneOf(ENROLLMENT_STATUSES, { description: 'The status that it leads to.' }),
        author: Type.String({ description: 'Client id of the operator who decided.' }),
        until: { ...Timestamp, description: 'Until then it can be undone; then it is made.' },
      },
      { description: 'A decision that waits, and can be undone.' },
    ),
  ),
  money: Nullable(
    Named(
      'MovementMoney',
      Type.Object(
        {
          ...partnerMoney,
          'charged-beyond-end': cents('Of an exclusion: what invoices charged beyond the end.'),
          'if-missed': cents('Of an exclusion: what the invoice of the next cut-off charges if it is missed.'),
          lost: cents('What the carrier does not credit if it is told at the next cut-off.'),
          'lost-if-missed': cents('What it does not credit beyond that if it is told at the one after.'),
          'uncovered-days-if-missed': Nullable(
            Type.Integer({ description: 'Of an inclusion: the days without cover if the next cut-off is missed.' }),
          ),
          'missing-settings': Type.Array(Type.String(), {
            description: 'Settings of the contract without which a figure is null.',
          }),
          'as-of': DateOnly,
        },
        { description: 'Of an open inclusion or exclusion under a contract with a calendar, as calculated last.' },
      ),
    ),
  ),
  shipment: Nullable(
    Type.Object(
      { 'shipment-id': Uuid, number: Type.Integer(), 'cut-off-date': Nullable(DateOnly) },
      { description: 'The latest shipment that has it.' },
    ),
  ),
}

/** An item of the operators' queue. */
export const QueueItem = Named('QueueItem', Type.Object({ ...fields, ...queueFields }))

/** One item of the queue in its envelope. */
export const QueueItemResponse = ResultOf(QueueItem)
