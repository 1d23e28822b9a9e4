import { ConnectionError } from '../errors.ts'
import { chunksOf } from '../files.ts'
import { Members as Methods } from '../generated/partner.ts'
import { ResultItems } from '../result-items.ts'
import type { Transport } from '../transport.ts'
import type { Member, Query, RequestOptions } from '../types.ts'

/** Members, with their benefits. */
export class Members extends Methods {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * The whole list of one moment, each member as it arrives: memory does not grow with the list.
   * @throws ConnectionError when the list is cut off: it is not sent again, since another one is not of the same moment.
   */
  async *stream(
    query: Omit<Query<'listMembers'>, 'page' | 'items-per-page'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Member, void, undefined> {
    const call = { query, options, isStream: true }
    const response = await this.#transport.send('listMembers', call, (opened) => Promise.resolve(opened))
    const items = new ResultItems()
    const decoder = new TextDecoder()
    for await (const chunk of chunksOf(response)) {
      yield* items.push(decoder.decode(chunk, { stream: true })) as Generator<Member, void, undefined>
    }
    if (!items.isEnded) throw new ConnectionError('The list of members was cut off')
  }
}
