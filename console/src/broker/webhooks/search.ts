import { EVENT_TYPES, type EventType } from '../../../../src/kernel/events.ts'
import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from '../../../../src/events/rules/webhook.ts'

/** The filters of the endpoints, under the names of the API. */
export interface WebhooksSearch {
  readonly failing?: true
  readonly status?: (typeof ENDPOINT_STATUSES)[number]
  readonly 'client-id'?: string
}

/** The filters of the deliveries to an endpoint, and the event that is shown. */
export interface EndpointSearch {
  readonly type?: EventType
  readonly status?: (typeof DELIVERY_STATUSES)[number]
  readonly event?: string
}

type Raw = Readonly<Record<string, unknown>>

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value)
}

/** Text of the address; digits alone come as a number. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Without the absent ones. */
function present<T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

export function webhooksSearchOf(raw: Raw): WebhooksSearch {
  return present<WebhooksSearch>({
    failing: raw['failing'] === true ? true : undefined,
    status: oneOf(ENDPOINT_STATUSES, raw['status']),
    'client-id': textOf(raw['client-id']),
  })
}

export function endpointSearchOf(raw: Raw): EndpointSearch {
  return present<EndpointSearch>({
    type: oneOf(EVENT_TYPES, raw['type']),
    status: oneOf(DELIVERY_STATUSES, raw['status']),
    event: textOf(raw['event']),
  })
}
