import { VigenciaError } from './errors.ts'
import { Download } from './files.ts'
import { type List, listOf } from './list.ts'
import { type Call, type Transport, readJson } from './transport.ts'
import type { Item, OperationId, Query, ResponseBody } from './types.ts'

/**
 * Calls operations by their operationId, for programs that choose them when they run. Otherwise the methods of the client read better.
 *
 *   const { result } = await vigencia.operations.request('readMember', { path: [memberId] })
 */
export class Operations {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The JSON body of the response. */
  request<Id extends OperationId>(id: Id, call?: Call): Promise<ResponseBody<Id>> {
    return this.#transport.json(id, call)
  }

  /** The JSON body of the response, and its headers. */
  response<Id extends OperationId>(
    id: Id,
    call: Call = {},
  ): Promise<{ readonly body: ResponseBody<Id>; readonly headers: Headers }> {
    return this.#transport.send(id, call, async (response) => {
      return { body: await readJson<ResponseBody<Id>>(response), headers: response.headers }
    })
  }

  list<Id extends OperationId>(id: Id, { path, query, options }: Call = {}): List<Item<Id>> {
    return listOf(this.#transport, id, path, query as Query<Id>, options)
  }

  /** The file that the operation sends, not read yet. */
  download(id: OperationId, call: Call = {}): Promise<Download> {
    const headers = { accept: '*/*', ...call.headers }
    const read = (response: Response) => Promise.resolve(new Download(response))
    return this.#transport.send(id, { ...call, headers, isStream: true }, read)
  }

  /** The token of the client, for a call that it does not make itself. @throws VigenciaError for a client without a token. */
  async token(): Promise<string> {
    const token = await this.#transport.token()
    if (token === null) throw new VigenciaError('The client has no token')
    return token
  }
}
