import { ClientId } from '#access/clients/accounts.ts'
import { Type } from 'typebox'
import { EVENT_TYPES } from '#kernel/events.ts'
import { DELIVERY_STATUSES, DISABLED_REASONS, ENDPOINT_STATUSES } from '../rules/webhook.ts'
import { eventData } from './event-schema.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import { Closed, Cnpj, Named, Nullable, OneOf, pageQuery, Timestamp, Uuid } from '#platform/http/schemas.ts'

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

const WebhookEndpoint = Named('WebhookEndpoint', Type.Object(endpointFields))

const WebhookEndpointWithSecret = Named(
  'WebhookEndpointWithSecret',
  Type.Object({
    ...endpointFields,
    secret: Type.String({
      description: 'The key of the signatures. Shown only in this response.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  }),
)

export const EndpointResponse = ResultOf(WebhookEndpoint)
export const EndpointList = PageOf(WebhookEndpoint)
export const SecretResponse = ResultOf(WebhookEndpointWithSecret)

export const NewEndpoint = Closed(
  { url: Url, 'event-types': Type.Optional(EventTypes) },
  {
    examples: [
      { url: 'https://payroll.example/hooks/vigencia', 'event-types': ['request.completed', 'benefit.activated'] },
    ],
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
  { additionalProperties: false, minProperties: 1, examples: [{ status: 'enabled' }] },
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

export const EventResponse = ResultOf(WebhookEvent)
export const EventList = PageOf(WebhookEvent)

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

export const DeliveryList = PageOf(WebhookDelivery)

const clientFields = {
  'client-id': Type.String({ description: 'The partner’s client that the endpoint belongs to.' }),
  'client-name': Type.String(),
}

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

export const OperatorEndpointResponse = ResultOf(OperatorWebhookEndpoint)
export const OperatorEndpointList = PageOf(OperatorWebhookEndpoint)

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

export const OperatorDeliveryList = PageOf(OperatorWebhookDelivery)

/** Most attempts beside an event. */
export const MAX_EVENT_DELIVERIES = 500

export const OperatorEventResponse = ResultOf(
  Named(
    'OperatorWebhookEvent',
    Type.Object({
      ...eventFields,
      ...company,
      body: Type.String({
        description: 'The body of every delivery, byte for byte.',
        examples: ['{"type":"request.completed",...}'],
      }),
      deliveries: Type.Array(OperatorWebhookDelivery, {
        description: `The last ${MAX_EVENT_DELIVERIES} attempts, the newest first, to the endpoints that still exist, of all clients.`,
      }),
    }),
  ),
)

export const Redelivery = Closed({ 'webhook-endpoint-id': { ...Uuid, description: 'The endpoint to deliver to.' } })

/** The columns of the commands that print endpoints. */
export const endpointColumns = {
  'ENDPOINT-ID': 'id',
  URL: 'url',
  TYPES: 'event-types',
  STATUS: 'status',
  REASON: 'disabled-reason',
}

export const ofClient = Type.Optional({ ...ClientId, description: 'Only those of this client.' })

export const DeliveryQuery = Closed({
  'webhook-endpoint-id': Type.Optional({ ...Uuid, description: 'Only those to this endpoint.' }),
  'client-id': ofClient,
  'webhook-event-id': Type.Optional({ ...Uuid, description: 'Only those of this event.' }),
  type: Type.Optional(OneOf(EVENT_TYPES, { description: 'Only those of events of this type.' })),
  status: Type.Optional(OneOf(DELIVERY_STATUSES, { description: 'Only attempts with this status.' })),
  ...pageQuery,
})
