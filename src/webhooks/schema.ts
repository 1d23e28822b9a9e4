import { Type, type TSchema } from 'typebox'
import { EVENT_TYPES } from '../domain/events.ts'
import { DELIVERY_STATUSES, DISABLED_REASONS } from '../domain/webhook.ts'
import { eventData } from './event-schema.ts'
import { onePage } from '../http/page.ts'
import { Named, Nullable, OneOf, Timestamp, Uuid } from '../http/schemas.ts'

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
  status: OneOf(['enabled', 'disabled']),
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

export const EndpointPatch = Type.Object(
  {
    url: Type.Optional(Url),
    'event-types': Type.Optional(EventTypes),
    status: Type.Optional(
      OneOf(['enabled', 'disabled'], {
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
const WebhookEvent = Named(
  'WebhookEvent',
  Type.Object({
    id: { ...Uuid, description: 'The `webhook-id` of every delivery of the event.' },
    type: OneOf(EVENT_TYPES),
    timestamp: Timestamp,
    data: Type.Union(Object.values(eventData), {
      description: 'Ids and a status, by the subject of the type. Never a CPF or a name.',
    }),
  }),
)

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

const WebhookDelivery = Named(
  'WebhookDelivery',
  Type.Object({
    id: Uuid,
    'endpoint-id': Uuid,
    attempt: Type.Integer({ minimum: 1 }),
    status: OneOf(DELIVERY_STATUSES, { description: '`pending`: not finished yet.' }),
    'response-status': Nullable(Type.Integer({ description: 'Null when there was no response.' })),
    error: Nullable(
      Type.String({
        description:
          'A code such as `timeout`, `connection-refused`, `private-address`; null when the status alone shows the result.',
      }),
    ),
    'attempted-at': Nullable(Timestamp),
    'next-attempt-at': Nullable({
      ...Timestamp,
      description:
        'The time of a pending attempt; the time of the attempt after a failed one, null when there is none.',
    }),
  }),
)

export const DeliveryList = pageOf(WebhookDelivery, {
  id: '01995e0c-7100-7f4a-9a55-2b6c7d8e9f01',
  'endpoint-id': endpoint.id,
  attempt: 1,
  status: 'succeeded',
  'response-status': 204,
  error: null,
  'attempted-at': '2026-11-21T13:05:09.480Z',
  'next-attempt-at': null,
})
