import { Service as Methods } from './generated/service.ts'
import { type Transport, broken } from './transport.ts'
import type { RequestOptions, ResponseBody } from './types.ts'

/** The service itself: health, metrics, its description and its keys. These calls take no token. */
export class Service extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** @throws ServiceUnavailableError while the service is not ready. It is not sent again. */
  readiness(options?: RequestOptions): Promise<ResponseBody<'readReadiness'>> {
    return this.#transport.json('readReadiness', { options: { maxRetries: 0, ...options } })
  }

  /** The metrics in the text format of Prometheus. */
  metrics(options?: RequestOptions): Promise<string> {
    return this.#transport.send('readMetrics', { headers: { accept: '*/*' }, options }, (response) =>
      response.text().catch(broken(response)),
    )
  }
}
