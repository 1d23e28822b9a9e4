import type { Transport } from '../transport.ts'
import type { RequestBody, RequestOptions, Result, Session } from '../types.ts'

/** The session of an operator in a browser, for a client with `token: null`. */
export class Sessions {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Signs in: the browser stores the cookie of the response. */
  create(body: RequestBody<'createSession'>, options?: RequestOptions): Promise<Session> {
    return this.#transport.result('createSession', { json: body, options })
  }

  /** @throws UnauthorizedError when nobody is signed in, or the session has ended. */
  read(options?: RequestOptions): Promise<Session> {
    return this.#transport.result('readSession', { options })
  }

  /** Signs out. */
  async end(options?: RequestOptions): Promise<void> {
    await this.#transport.json('endSession', { options, doneStatus: 401 })
  }

  /** How operators may sign in. */
  options(options?: RequestOptions): Promise<Result<'readSignInOptions'>> {
    return this.#transport.result('readSignInOptions', { options })
  }
}
