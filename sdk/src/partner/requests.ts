import { Requests as Methods } from '../generated/partner.ts'
import { pause } from '../retry.ts'
import { type Transport, readJson } from '../transport.ts'
import type { MovementRequest, RequestOptions } from '../types.ts'

export interface WaitOptions extends RequestOptions {
  /** Called with each reading of the request. */
  readonly onProgress?: (request: MovementRequest) => void
}

/** Seconds between two readings at most, when the service does not say. */
const interval = 2
/** Milliseconds until the second reading: most requests are processed within a second. */
const firstInterval = 250

/** Movement requests: what an inclusion, exclusion or alteration became. */
export class Requests extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * The request once it is no longer `processing`. It is read in growing intervals, up to the one that the service advises. Its status is
   * `completed`, `partial-failure` or `failed`, which is no error.
   */
  async wait(requestId: string, { onProgress, ...options }: WaitOptions = {}): Promise<MovementRequest> {
    for (let delay = firstInterval; ; delay *= 1.3) {
      const { request, retryAfter } = await this.#transport.send(
        'readRequest',
        { path: [requestId], options },
        async (response) => ({
          request: await readJson<MovementRequest>(response),
          retryAfter: Number(response.headers.get('retry-after')) || interval,
        }),
      )
      onProgress?.(request)
      if (request.status !== 'processing') return request
      await pause(Math.min(delay, retryAfter * 1_000), options.signal)
    }
  }
}
