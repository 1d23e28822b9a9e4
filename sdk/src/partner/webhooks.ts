import { type List, listOf } from '../list.ts'
import type { Transport } from '../transport.ts'
import type { Item, Query, RequestBody, RequestOptions, Result, WebhookEvent } from '../types.ts'

/** The endpoints that receive the events of the client. */
export class WebhookEndpoints {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The `secret` of the endpoint is in this response only. */
  create(
    body: RequestBody<'createWebhookEndpoint'>,
    options?: RequestOptions,
  ): Promise<Result<'createWebhookEndpoint'>> {
    return this.#transport.result('createWebhookEndpoint', { json: body, options })
  }

  list(query?: Query<'listWebhookEndpoints'>, options?: RequestOptions): List<Item<'listWebhookEndpoints'>> {
    return listOf(this.#transport, 'listWebhookEndpoints', [], query, options)
  }

  get(endpointId: string, options?: RequestOptions): Promise<Result<'readWebhookEndpoint'>> {
    return this.#transport.result('readWebhookEndpoint', { path: [endpointId], options })
  }

  update(
    endpointId: string,
    body: RequestBody<'updateWebhookEndpoint'>,
    options?: RequestOptions,
  ): Promise<Result<'updateWebhookEndpoint'>> {
    return this.#transport.result('updateWebhookEndpoint', { path: [endpointId], json: body, options })
  }

  async delete(endpointId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('deleteWebhookEndpoint', { path: [endpointId], options, doneStatus: 404 })
  }

  /** A new secret, in this response only. The old one is valid for another 24 hours. */
  rotateSecret(endpointId: string, options?: RequestOptions): Promise<Result<'rotateWebhookSecret'>> {
    return this.#transport.result('rotateWebhookSecret', { path: [endpointId], options })
  }

  /** Sends a `webhook.test` to the endpoint. */
  test(endpointId: string, options?: RequestOptions): Promise<Result<'testWebhookEndpoint'>> {
    return this.#transport.result('testWebhookEndpoint', { path: [endpointId], options })
  }
}

/** The events of the last 90 days. */
export class WebhookEvents {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Newest first. */
  list(query?: Query<'listWebhookEvents'>, options?: RequestOptions): List<WebhookEvent> {
    return listOf(this.#transport, 'listWebhookEvents', [], query, options) as List<unknown> as List<WebhookEvent>
  }

  async get(eventId: string, options?: RequestOptions): Promise<WebhookEvent> {
    return (await this.#transport.result('readWebhookEvent', { path: [eventId], options })) as WebhookEvent
  }

  /** The attempts to deliver the event to the endpoints of the client. */
  deliveries(
    eventId: string,
    query?: Query<'listWebhookDeliveries'>,
    options?: RequestOptions,
  ): List<Item<'listWebhookDeliveries'>> {
    return listOf(this.#transport, 'listWebhookDeliveries', [eventId], query, options)
  }

  /** Delivers the event again, to each enabled endpoint of the client that subscribes to its type. */
  redeliver(eventId: string, options?: RequestOptions): Promise<Result<'redeliverWebhookEvent'>> {
    return this.#transport.result('redeliverWebhookEvent', { path: [eventId], options })
  }
}
