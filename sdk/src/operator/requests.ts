import { Requests as Methods } from '../generated/operator.ts'
import { type RequestReference, type WaitOptions, waitForRequest } from '../requests.ts'
import type { Transport } from '../transport.ts'
import type { ResponseBody, Result } from '../types.ts'

/** Movement requests of all companies: what an inclusion, exclusion or alteration became. */
export class Requests extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * The request once it is no longer `processing`. It is read in growing intervals, up to the one that the service advises. Its status is
   * `completed`, `partial-failure` or `failed`, which is no error.
   * @param request its id, or the response to the call that made it.
   */
  async wait(
    request: RequestReference,
    options: WaitOptions<Result<'readAnyRequest'>> = {},
  ): Promise<Result<'readAnyRequest'>> {
    return waitForRequest(
      this.#transport,
      'readAnyRequest',
      request,
      options,
      ({ result }: ResponseBody<'readAnyRequest'>) => result,
    )
  }
}
