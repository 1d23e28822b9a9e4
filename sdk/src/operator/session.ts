import { Session as Methods } from '../generated/operator.ts'
import type { Transport } from '../transport.ts'
import type { RequestOptions } from '../types.ts'

/** The session of an operator in a browser, for a client with `token: null`. */
export class Session extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Signs out. */
  async end(options?: RequestOptions): Promise<void> {
    await this.#transport.json('endSession', { options, doneStatus: 401 })
  }
}
