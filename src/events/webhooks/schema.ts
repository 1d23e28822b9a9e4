import { Type, type TSchema } from 'typebox'
import { EVENT_TYPES } from '#kernel/events.ts'
import { DELIVERY_STATUSES, DISABLED_REASONS, ENDPOINT_STATUSES } from '../rules/webhook.ts'
import { eventData } from './event-schema.ts'
import { onePage } from '#platform/http/page.ts'
import { Closed, Cnpj, Named, Nullable, OneOf, Timestamp, Uuid } from '#platform/http/schemas.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    '`https://...`; in staging `http://` as well. Without user and password, on port 80, 443 or from 1024 on, at a public address.',
})

const EventTypes = Type.Array(OneOf(EVENT_TYPES), {
  maxItems: 100,
  description: 'The types that it receives; empty: all.',
})

const endpointFields = {
  id: Uuid,
  url: Url,
  'event-types': EventTypes,
  status: OneOf(ENDPOINT_STATUSES),
  'disabled-reason': Nullable(
    OneOf(DISABLED_REASONS, {
      description:
        '`requested` by PATCH; `gone`: it responded with 410; `failing`: every attempt failed for a whole schedule of retries.',
    }),
  ),
  'created-at': Timestamp,
}

const endpoint = {
  id: '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  url: 'https://payroll.example/hooks/vigencia',
  'event-types': ['request.completed', 'benefit.activated'],
  status: 'enabled',
  'disabled-reason': null,
  'created-at': '2026-11-21T13:05:09.120Z',
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

/** The response with one item. */
function resultOf<T extends TSchema>(item: T, example: unknown) {
  return Type.Object({ result: item }, { examples: [{ result: example }] })
}

/** The response with a page of items. */
function pageOf<T extends TSchema>(item: T, example: unknown) {
  const examples = [{ result: [example], pagination: onePage }]
  return Type.Object({ result: Type.Array(item), pagination: Type.Ref('Pagination') }, { examples })
}

const WebhookEndpoint = Named('WebhookEndpoint', Type.Object(endpointFields))

const WebhookEndpointWithSecret = Named(
  'WebhookEndpointWithSecret',
  Type.Object({
    ...endpointFields,
    secret: Type.String({ description: 'The key of the signatures. Shown only in this response.', examples: [secret] }),
  }),
)

export const EndpointResponse = resultOf(WebhookEndpoint, endpoint)
export const EndpointList = pageOf(WebhookEndpoint, endpoint)
export const SecretResponse = resultOf(WebhookEndpointWithSecret, { ...endpoint, secret })

export const NewEndpoint = Type.Object(
  { url: Url, 'event-types': Type.Optional(EventTypes) },
  {
    additionalProperties: false,
    examples: [{ url: endpoint.url, 'event-types': endpoint['event-types'] }, { url: endpoint.url }],
  },
)

export const TestBody = Closed(
  { 'event-type': Type.Optional(OneOf(EVENT_TYPES, { description: 'Default: `webhook.test`.' })) },
  { examples: [{}, { 'event-type': 'enrollment.completed' }] },
)

export const EndpointPatch = Type.Object(
  {
    url: Type.Optional(Url),
    'event-types': Type.Optional(EventTypes),
    status: Type.Optional(
      OneOf(ENDPOINT_STATUSES, {
        description: '`enabled` also sends pending deliveries now and restarts their schedule of retries.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ status: 'enabled' }, { 'event-types': [] }] },
)

export const EndpointPath = Type.Object({
  webhookEndpointId: { ...Uuid, description: 'The `id` of the endpoint.' },
})

export const EventPath = Type.Object({
  webhookEventId: { ...Uuid, description: 'The `id` in the event list, or the `webhook-id` of a delivery.' },
})

/** The body of a delivery is this without the `id`, which is the `webhook-id` header. */
const eventFields = {
  id: { ...Uuid, description: 'The `webhook-id` of every delivery of the event.' },
  type: OneOf(EVENT_TYPES),
  timestamp: Timestamp,
  data: Type.Union(Object.values(eventData), {
    description: 'Ids and a status, by the subject of the type. Never a CPF or a name.',
  }),
}

const WebhookEvent = Named('WebhookEvent', Type.Object(eventFields))

const event = {
  id: '01995e0c-7000-7f4a-9a55-2b6c7d8e9f01',
  type: 'enrollment.completed',
  timestamp: '2026-11-21T13:05:09.120Z',
  data: {
    'company-id': '01995e0b-29f4-7b12-8e33-d4c5b6a79808',
    'request-id': '01995e0b-31c7-7f4a-9a55-2b6c7d8e9f01',
    'enrollment-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22',
    status: 'completed',
  },
}

export const EventResponse = resultOf(WebhookEvent, event)
export const EventList = pageOf(WebhookEvent, event)

const responseStatus = Nullable(Type.Integer({ description: 'Null when there was no response.' }))
const deliveryError = Nullable(
  Type.String({
    description:
      'A code such as `timeout`, `connection-refused`, `private-address`; null when the status alone shows the result.',
  }),
)

const deliveryFields = {
  id: Uuid,
  'endpoint-id': Uuid,
  attempt: Type.Integer({ minimum: 1 }),
  status: OneOf(DELIVERY_STATUSES, { description: '`pending`: not finished yet.' }),
  'response-status': responseStatus,
  error: deliveryError,
  'attempted-at': Nullable(Timestamp),
  'next-attempt-at': Nullable({
    ...Timestamp,
    description: 'The time of a pending attempt; the time of the attempt after a failed one, null when there is none.',
  }),
}

const WebhookDelivery = Named('WebhookDelivery', Type.Object(deliveryFields))

const delivery = {
  id: '01995e0c-7100-7f4a-9a55-2b6c7d8e9f01',
  'endpoint-id': endpoint.id,
  attempt: 1,
  status: 'succeeded',
  'response-status': 204,
  error: null,
  'attempted-at': '2026-11-21T13:05:09.480Z',
  'next-attempt-at': null,
}

export const DeliveryList = pageOf(WebhookDelivery, delivery)

const clientFields = {
  'client-id': Type.String({ description: 'The partner’s client that the endpoint belongs to.' }),
  'client-name': Type.String(),
}
const client = { 'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d22', 'client-name': 'Folha Aurora' }

const OperatorWebhookEndpoint = Named(
  'OperatorWebhookEndpoint',
  Type.Object({
    ...endpointFields,
    url: Type.String({ description: 'For an `auditor` the query of the URL, which may hold a secret, is `?***`.' }),
    ...clientFields,
    'failing-since': Nullable({
      ...Timestamp,
      description: 'The first failed attempt since the last that succeeded; null when the last one succeeded.',
    }),
    'pending-deliveries': Type.Integer({ description: 'Deliveries that wait for an attempt or for its end.' }),
    'oldest-pending-at': Nullable({ ...Timestamp, description: 'When the oldest of them was due first.' }),
    'last-success-at': Nullable(Timestamp),
    'last-error': Nullable(
      Type.Object(
        { at: Timestamp, 'response-status': responseStatus, error: deliveryError },
        {
          description: 'The last failed attempt of the last 90 days.',
        },
      ),
    ),
  }),
)

const operatorEndpoint = {
  ...endpoint,
  ...client,
  'failing-since': '2026-11-21T14:00:01.020Z',
  'pending-deliveries': 3,
  'oldest-pending-at': '2026-11-21T14:00:00.910Z',
  'last-success-at': '2026-11-21T13:05:09.480Z',
  'last-error': { at: '2026-11-21T14:05:02.300Z', 'response-status': 500, error: null },
}

export const OperatorEndpointResponse = resultOf(OperatorWebhookEndpoint, operatorEndpoint)
export const OperatorEndpointList = pageOf(OperatorWebhookEndpoint, operatorEndpoint)

const company = {
  'company-tax-id': Nullable({ ...Cnpj, description: 'Null for a test.' }),
  'company-name': Nullable(Type.String()),
}

const OperatorWebhookDelivery = Named(
  'OperatorWebhookDelivery',
  Type.Object({
    ...deliveryFields,
    ...clientFields,
    'event-id': Uuid,
    'event-type': Nullable(OneOf(EVENT_TYPES, { description: 'Null when the event was deleted, after 90 days.' })),
    ...company,
  }),
)

const operatorDelivery = {
  ...delivery,
  ...client,
  'event-id': event.id,
  'event-type': event.type,
  'company-tax-id': '12ABC34501DE35',
  'company-name': 'Metalúrgica Serra Azul S.A.',
}

export const OperatorDeliveryList = pageOf(OperatorWebhookDelivery, operatorDelivery)

/** Most attempts beside an event. */
export const MAX_EVENT_DELIVERIES = 500

const { id: _, ...sent } = event

export const OperatorEventResponse = resultOf(
  Named(
    'OperatorWebhookEvent',
    Type.Object({
      ...eventFields,
      ...company,
      body: Type.String({ description: 'The body of every delivery, byte for byte.' }),
      deliveries: Type.Array(OperatorWebhookDelivery, {
        description: `The last ${MAX_EVENT_DELIVERIES} attempts, the newest first, to the endpoints that still exist, of all clients.`,
      }),
    }),
  ),
  {
    ...event,
    'company-tax-id': operatorDelivery['company-tax-id'],
    'company-name': operatorDelivery['company-name'],
    body: JSON.stringify(sent),
    deliveries: [operatorDelivery],
  },
)

export const Redelivery = Closed(
  { 'webhook-endpoint-id': { ...Uuid, description: 'The endpoint to deliver to.' } },
  { examples: [{ 'webhook-endpoint-id': endpoint.id }] },
)

/** The columns of the commands that print endpoints. */
export const endpointColumns = {
  'ENDPOINT-ID': 'id',
  URL: 'url',
  TYPES: 'event-types',
  STATUS: 'status',
  REASON: 'disabled-reason',
}
