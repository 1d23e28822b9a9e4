/** Renewed this long before it expires, so that it is valid when it arrives. */
const margin = 60_000

export interface FetchedToken {
  readonly token: string
  /** Milliseconds. */
  readonly validFor: number
}

/** The token of a client: requested at the first call, shared by concurrent ones, and renewed before it expires. */
export class TokenSource {
  readonly #fetch: () => Promise<FetchedToken>
  #token: string | null = null
  #renewAt = 0
  #pending: Promise<string> | null = null

  constructor(fetch: () => Promise<FetchedToken>) {
    this.#fetch = fetch
  }

  get(): Promise<string> {
    if (this.#token !== null && Date.now() < this.#renewAt) return Promise.resolve(this.#token)
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  /** The token was refused: the next call gets another one, unless that has happened already. */
  discard(token: string): void {
    if (this.#token === token) this.#token = null
  }

  async #renew(): Promise<string> {
    const { token, validFor } = await this.#fetch()
    this.#token = token
    this.#renewAt = Date.now() + validFor - Math.min(margin, validFor / 2)
    return token
  }
}
