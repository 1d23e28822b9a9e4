import { Type, type Static, type TObject } from 'typebox'
import { BENEFIT_STATUSES, ENROLLMENT_STATUSES, REQUEST_STATUSES } from '../domain/enums.ts'
import { EVENT_TYPES, EVENTS, type EventSubject } from '../domain/events.ts'
import { INVOICE_STATUSES } from '../domain/invoice.ts'
import { Named, OneOf, Timestamp, Uuid } from '../http/schemas.ts'

const reference = Type.Optional(Type.String({ description: 'The client’s own, where one was sent.' }))

/** The `data` of an event, by its subject: the type of the events that are written, and their schema. Never a CPF or a name. */
export const eventData = {
  request: Named(
    'RequestEventData',
    Type.Object({ 'company-id': Uuid, 'request-id': Uuid, status: OneOf(REQUEST_STATUSES), reference }),
  ),
  enrollment: Named(
    'EnrollmentEventData',
    Type.Object({
      'company-id': Uuid,
      'request-id': Uuid,
      'enrollment-id': Uuid,
      status: OneOf(ENROLLMENT_STATUSES),
      reference,
    }),
  ),
  benefit: Named(
    'BenefitEventData',
    Type.Object({ 'company-id': Uuid, 'benefit-id': Uuid, 'member-id': Uuid, status: OneOf(BENEFIT_STATUSES) }),
  ),
  invoice: Named(
    'InvoiceEventData',
    Type.Object({
      'company-id': Uuid,
      'invoice-id': Type.String(),
      status: OneOf(INVOICE_STATUSES, { description: 'Its `invoice-status`.' }),
    }),
  ),
  endpoint: Named('TestEventData', Type.Object({ 'endpoint-id': Uuid })),
} as const satisfies Readonly<Record<EventSubject, TObject>>

export type EventData = { readonly [Subject in EventSubject]: Static<(typeof eventData)[Subject]> }

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  description,
  required: true,
  schema: { type: 'string' },
})

const headers = [
  header('webhook-id', 'The `id` of the event: the same for every attempt.'),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
  header('webhook-signature', 'Standard Webhooks 1.0: `v1,` and a signature, for each secret that is in use.'),
]

/** The section `webhooks` of the OpenAPI document: the body of each type of event. */
export function describeWebhooks(): Record<string, object> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const { when, subject } = EVENTS[type]
      const schema = Type.Object({ type: Type.Literal(type), timestamp: Timestamp, data: eventData[subject] })
      const post = {
        operationId: type.replaceAll(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
        tags: ['webhooks'],
        summary: when.replace(/^./, (letter) => letter.toUpperCase()),
        parameters: headers,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Received. Anything else, and no response within 15 seconds, is tried again.' },
        },
      }
      return [type, { post }]
    }),
  )
}
