import { type List, listOf } from '../list.ts'
import type { Transport } from '../transport.ts'
import type { Item, Query, RequestBody, RequestOptions, Result } from '../types.ts'

/** The webhook endpoints of all clients and what was sent to them. */
export class OperatorWebhooks {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listAllWebhookEndpoints'>, options?: RequestOptions): List<Item<'listAllWebhookEndpoints'>> {
    return listOf(this.#transport, 'listAllWebhookEndpoints', [], query, options)
  }

  get(endpointId: string, options?: RequestOptions): Promise<Result<'readAnyWebhookEndpoint'>> {
    return this.#transport.result('readAnyWebhookEndpoint', { path: [endpointId], options })
  }

  /** The attempts, those of the newest event first. */
  deliveries(
    query?: Query<'listAllWebhookDeliveries'>,
    options?: RequestOptions,
  ): List<Item<'listAllWebhookDeliveries'>> {
    return listOf(this.#transport, 'listAllWebhookDeliveries', [], query, options)
  }

  /** An event with the body that was sent and its last attempts. */
  event(eventId: string, options?: RequestOptions): Promise<Result<'readAnyWebhookEvent'>> {
    return this.#transport.result('readAnyWebhookEvent', { path: [eventId], options })
  }

  /** Delivers an event again to one endpoint. */
  redeliver(
    eventId: string,
    body: RequestBody<'redeliverAnyWebhookEvent'>,
    options?: RequestOptions,
  ): Promise<Result<'redeliverAnyWebhookEvent'>> {
    return this.#transport.result('redeliverAnyWebhookEvent', { path: [eventId], json: body, options })
  }
}
