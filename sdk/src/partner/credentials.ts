import type { Transport } from '../transport.ts'
import type { RequestOptions, Result } from '../types.ts'

/** The credentials of the client itself. */
export class Credentials {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * A new secret, in this response only. The present one is valid until `former-secret-ends-at`; this object continues to use it: make
   * another one with the new secret before that.
   */
  rotateSecret(options?: RequestOptions): Promise<Result<'rotateSecret'>> {
    return this.#transport.result('rotateSecret', { options })
  }
}
