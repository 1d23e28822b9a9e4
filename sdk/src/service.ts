import { type Transport, broken } from './transport.ts'
import type { RequestOptions, ResponseBody } from './types.ts'

/** The service itself: health, metrics, its description and its keys. These calls take no token. */
export class Service {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  home(options?: RequestOptions): Promise<ResponseBody<'readHome'>> {
    return this.#transport.json('readHome', { options })
  }

  health(options?: RequestOptions): Promise<ResponseBody<'readHealth'>> {
    return this.#transport.json('readHealth', { options })
  }

  liveness(options?: RequestOptions): Promise<ResponseBody<'readLiveness'>> {
    return this.#transport.json('readLiveness', { options })
  }

  /** @throws ServiceUnavailableError while the service is not ready. It is not sent again. */
  readiness(options?: RequestOptions): Promise<ResponseBody<'readReadiness'>> {
    return this.#transport.json('readReadiness', { options: { maxRetries: 0, ...options } })
  }

  /** The metrics in the text format of Prometheus. */
  metrics(options?: RequestOptions): Promise<string> {
    return this.#transport.send('readMetrics', { headers: { accept: '*/*' }, options }, (response) =>
      response.text().catch(broken),
    )
  }

  openApi(options?: RequestOptions): Promise<ResponseBody<'readOpenApi'>> {
    return this.#transport.json('readOpenApi', { options })
  }

  /** The public keys of the tokens. */
  keySet(options?: RequestOptions): Promise<ResponseBody<'readKeySet'>> {
    return this.#transport.json('readKeySet', { options })
  }
}
