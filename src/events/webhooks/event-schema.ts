import { Type, type Static, type TInteger, type TObject } from 'typebox'
import type { EventData } from '#platform/core/events.ts'
import {
  ALTERATION_KINDS,
  BENEFIT_STATUSES,
  ENROLLMENT_STATUSES,
  REQUEST_STATUSES,
  DUE_DEADLINES,
  INVOICE_STATUSES,
} from '#kernel/enums.ts'
import {
  COMPANY_CLASSES,
  DISCREPANCY_STATUSES,
  type DiscrepancyStatus,
  RECONCILIATION_KINDS,
} from '#kernel/reconciliation.ts'
import { DRAFT_CLASSES, DRAFT_CLOSED_BECAUSE } from '#kernel/movement-drafts.ts'
import { EVENT_TYPES, EVENTS, type EventSubject, type EventType } from '#kernel/events.ts'
import { ENGLISH } from '#kernel/texts/texts.ts'
import { Cnpj, DateOnly, Named, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'

const reference = Type.Optional(Type.String({ description: 'The client’s own, where one was sent.' }))

const alterationKind = Type.Optional(OneOf(ALTERATION_KINDS, { description: 'Of an act of an operator.' }))

const earlier = 'Absent in events from before they had it.'
const productId = Type.Optional({ ...Uuid, description: `Of a change of plan the new product. ${earlier}` })
const memberId = Type.Optional({ ...Uuid, description: earlier })
const companyTaxId = Type.Optional({ ...Cnpj, description: earlier })
const ofPerson = { 'company-tax-id': companyTaxId, 'product-id': productId, 'member-id': memberId }

/** The `data` of an event, by its subject: the type of the events that are written, and their schema. Never a CPF or a name. */
export const eventData = {
  request: Named(
    'RequestEventData',
    Type.Object({
      'company-id': Uuid,
      'request-id': Uuid,
      status: OneOf(REQUEST_STATUSES),
      'alteration-kind': alterationKind,
      reference,
    }),
  ),
  enrollment: Named(
    'EnrollmentEventData',
    Type.Object({
      'company-id': Uuid,
      'request-id': Uuid,
      'enrollment-id': Uuid,
      ...ofPerson,
      status: OneOf(ENROLLMENT_STATUSES),
      'alteration-kind': alterationKind,
      reference,
      warning: Type.Optional(
        OneOf(['after-cut-off'], {
          description:
            'Of `enrollment.updated`: the movement missed a cut-off of the carrier; its promise is another one.',
        }),
      ),
      'cut-off-date': Type.Optional({ ...DateOnly, description: 'With `warning`: by when the carrier takes it now.' }),
      'expected-start-date': Type.Optional({
        ...DateOnly,
        description: 'With `warning`: the expected start of the cover; an exclusion has none.',
      }),
    }),
  ),
  benefit: Named(
    'BenefitEventData',
    Type.Object({
      'company-id': Uuid,
      'benefit-id': Uuid,
      ...ofPerson,
      'member-id': Uuid,
      status: OneOf(BENEFIT_STATUSES),
    }),
  ),
  invoice: Named(
    'InvoiceEventData',
    Type.Object({
      'company-id': Uuid,
      'invoice-id': Type.String(),
      status: OneOf(INVOICE_STATUSES, { description: 'Its `invoice-status`.' }),
    }),
  ),
  deadline: Named(
    'DeadlineEventData',
    Type.Object({
      'company-id': Uuid,
      'request-id': Uuid,
      'enrollment-id': Uuid,
      ...ofPerson,
      kind: OneOf(DUE_DEADLINES),
      until: { ...DateOnly, description: 'The last day; it may have passed.' },
      reference,
    }),
  ),
  'movement-draft': Named(
    'MovementDraftEventData',
    Type.Object({
      'company-id': Uuid,
      'draft-id': Uuid,
      status: OneOf(['open', 'closed']),
      'closed-because': Type.Optional(OneOf(DRAFT_CLOSED_BECAUSE)),
      counts: Type.Optional(
        Type.Array(Type.Object({ class: OneOf(DRAFT_CLASSES), items: Type.Integer() }), {
          description: 'Of the draft of a list: how many items there are of each class.',
        }),
      ),
    }),
  ),
  reconciliation: Named(
    'ReconciliationEventData',
    Type.Object({
      'company-id': Uuid,
      'reconciliation-id': Uuid,
      kind: OneOf(RECONCILIATION_KINDS),
      'reference-month': Type.String({ examples: ['2026-11'] }),
      counts: Type.Array(
        Type.Object({
          class: OneOf(COMPANY_CLASSES),
          ...(Object.fromEntries(
            DISCREPANCY_STATUSES.map((status) => [status, Type.Integer({ minimum: 0 })]),
          ) as Record<DiscrepancyStatus, TInteger>),
        }),
        { description: 'The classes that it has, each with its discrepancies by status.' },
      ),
    }),
  ),
  discrepancy: Named(
    'DiscrepancyEventData',
    Type.Object({
      'company-id': Uuid,
      'discrepancy-id': Uuid,
      kind: OneOf(RECONCILIATION_KINDS),
      class: OneOf(COMPANY_CLASSES),
      'request-id': Type.Optional({ ...Uuid, description: 'Of the movement that corrects it, if one does.' }),
    }),
  ),
  'roster-sync': Named(
    'RosterSyncEventData',
    Type.Object({
      'company-id': Uuid,
      'roster-sync-id': Uuid,
      status: OneOf(['compared', 'failed']),
      counts: Type.Optional(
        Type.Array(Type.Object({ class: OneOf(DRAFT_CLASSES), items: Type.Integer() }), {
          description: 'How many items the draft of a compared list has of each class; empty without a draft.',
        }),
      ),
    }),
  ),
  endpoint: Named('TestEventData', Type.Object({ 'endpoint-id': Uuid })),
} as const satisfies Readonly<Record<EventSubject, TObject>>

/** What an event has by its schema, and what the service writes: an example of one that the other does not allow does not compile. */
type Example<Subject extends EventSubject> = Static<(typeof eventData)[Subject]> & EventData[Subject]

const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const idsOfPerson = {
  'company-tax-id': '12ABC34501DE35',
  'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
  'member-id': '29131770-a92b-87e7-aade-0f9e72a2762d',
}
const movementIds = {
  'company-id': '01995e0b-12c4-7d0a-8f31-5a6e0c9b7d42',
  'request-id': id,
  'enrollment-id': '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45',
  ...idsOfPerson,
}
const benefitIds = {
  'company-id': movementIds['company-id'],
  'benefit-id': '01995e0d-2a18-7c66-9b02-7f4e1d3c5a60',
  ...idsOfPerson,
}
const draftIds = { 'company-id': movementIds['company-id'], 'draft-id': id }
const ofComparison = { 'company-id': movementIds['company-id'], kind: 'roster' } as const
const rosterIds = { 'company-id': movementIds['company-id'], 'roster-sync-id': id }
const invoiceIds = { 'company-id': movementIds['company-id'], 'invoice-id': '2026-11-horizonte' }
const requestIds = { 'company-id': movementIds['company-id'], 'request-id': id }

/** An example of the `data` of each type of event. */
const dataExamples: { readonly [Type in EventType]: Example<(typeof EVENTS)[Type]> } = {
  'request.completed': { ...requestIds, status: 'completed', reference: 'folha-2026-11' },
  'request.partial_failure': { ...requestIds, status: 'partial-failure' },
  'request.failed': { ...requestIds, status: 'failed' },
  'enrollment.created': { ...movementIds, status: 'created' },
  'enrollment.updated': { ...movementIds, status: 'carrier-processing' },
  'enrollment.pending': { ...movementIds, status: 'pending-documents' },
  'enrollment.completed': { ...movementIds, status: 'completed', reference: 'matricula-4711' },
  'enrollment.rejected': { ...movementIds, status: 'rejected' },
  'enrollment.cancelled': { ...movementIds, status: 'cancelled' },
  'benefit.activated': { ...benefitIds, status: 'active' },
  'benefit.updated': { ...benefitIds, status: 'active' },
  'benefit.deactivated': { ...benefitIds, status: 'inactive' },
  'benefit.ending': { ...benefitIds, status: 'active' },
  'deadline.approaching': { ...movementIds, kind: 'inclusion-window', until: '2026-11-28' },
  'movement-draft.opened': { ...draftIds, status: 'open' },
  'movement-draft.closed': { ...draftIds, status: 'closed', 'closed-because': 'done' },
  'reconciliation.opened': {
    ...ofComparison,
    'reconciliation-id': '01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12',
    'reference-month': '2026-11',
    counts: [{ class: 'missing-at-carrier', open: 2, explained: 1, claimed: 0, corrected: 0, accepted: 0 }],
  },
  'discrepancy.corrected': {
    ...ofComparison,
    'discrepancy-id': '01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23',
    class: 'ended-at-carrier-active-here',
    'request-id': id,
  },
  'roster-sync.compared': { ...rosterIds, status: 'compared', counts: [{ class: 'inclusion', items: 3 }] },
  'roster-sync.failed': { ...rosterIds, status: 'failed' },
  'invoice.issued': { ...invoiceIds, status: 'all-pending' },
  'invoice.overdue': { ...invoiceIds, status: 'all-overdue' },
  'invoice.paid': { ...invoiceIds, status: 'all-paid' },
  'webhook.test': { 'endpoint-id': '01995e0e-4b7d-7e10-a1c9-6d2f8b3e5c17' },
}

/** The `data` of a test event: made up, so that its ids name nothing, but for the endpoint. */
export const testData = (type: EventType, endpointId: string): object =>
  type === 'webhook.test' ? { 'endpoint-id': endpointId } : dataExamples[type]

/** A header of a call that the service makes. */
export const sentHeader = (name: string, description: string) => ({
  in: 'header',
  name,
  description,
  required: true,
  schema: { type: 'string' },
})

const headers = [
  sentHeader('webhook-id', 'The `id` of the event: the same for every attempt.'),
  sentHeader('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
  sentHeader('webhook-signature', 'Standard Webhooks 1.0: `v1,` and a signature, for each secret that is in use.'),
]

/** The section `webhooks` of the OpenAPI document: the body of each type of event. */
export function describeWebhooks(): Record<string, object> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const [when, subject] = [ENGLISH.events[type], EVENTS[type]]
      const schema = Type.Object({ type: Type.Literal(type), timestamp: Timestamp, data: eventData[subject] })
      const value = { type, timestamp: '2026-11-21T13:05:09.120Z', data: dataExamples[type] }
      const post = {
        operationId: type.replaceAll(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
        tags: ['webhooks'],
        summary: when.replace(/^./, (letter) => letter.toUpperCase()),
        // Its signature is the proof; the service sends no credentials.
        security: [],
        parameters: headers,
        requestBody: { required: true, content: { 'application/json': { schema, examples: { event: { value } } } } },
        responses: {
          '2XX': { description: 'Received. Anything else, and no response within 15 seconds, is tried again.' },
        },
      }
      return [type, { post }]
    }),
  )
}
