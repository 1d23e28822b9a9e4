import { download } from './download.ts'
import { listOf } from './list.ts'
import type { Transport } from './transport.ts'
import type { Handling, OperationId, Query, RequestOptions } from './types.ts'

/** A class of the methods of a noun, each of which calls an operation. */
export function groupOf<Group>(
  methods: Readonly<Record<keyof Group, OperationId>>,
): new (transport: Transport) => Group {
  class Methods {
    readonly #transport: Transport

    constructor(transport: Transport) {
      this.#transport = transport
    }

    static {
      for (const [name, id] of Object.entries<OperationId>(methods)) {
        const value = function (this: Methods, ...values: unknown[]): unknown {
          return callOperation(this.#transport, id, values)
        }
        Object.defineProperty(this.prototype, name, { value })
      }
    }
  }
  return Methods as new (transport: Transport) => Group
}

/** @param values those of the path, then the body or the query where the operation takes one before its options, then the options. */
function callOperation(transport: Transport, id: OperationId, values: readonly unknown[]): unknown {
  const { method, path: template, returns, takes, inOptions = [] } = transport.operation(id)
  const pathLength = template.split('{').length - 1
  const path = values.slice(0, pathLength) as string[]
  const [first, last] = values.slice(pathLength)
  const given = (takes === undefined ? first : last) ?? {}
  const { handling, ...others } = given as RequestOptions & Handling
  const apart = splitOptions(others, inOptions)
  const { options } = apart
  const query = takes === 'query' ? (first as object) : apart.query
  if (returns === 'pages' || returns === 'items') return listOf(transport, id, path, query as Query<typeof id>, options)
  if (returns === 'file') return download(transport, id, path, query, options)
  const call = {
    path,
    query,
    options,
    ...(takes === 'body' && { json: first }),
    ...(handling !== undefined && { headers: { prefer: `handling=${handling}` } }),
    // What a lost attempt has deleted is not found any more.
    ...(method === 'DELETE' && template.endsWith('}') && { doneStatus: 404 }),
  }
  return returns === 'result' ? transport.result(id, call) : transport.json(id, call)
}

interface Split {
  readonly query: Readonly<Record<string, unknown>>
  readonly options: RequestOptions
}

/** The parameters of the query that stand among the options of a method, and the others. */
export function splitOptions(given: object, inOptions: readonly string[] = []): Split {
  const isQuery = ([name]: readonly [string, unknown]) => inOptions.includes(name)
  const entries = Object.entries(given)
  const options: RequestOptions = Object.fromEntries(entries.filter((one) => !isQuery(one)))
  return { query: Object.fromEntries(entries.filter(isQuery)) as Split['query'], options }
}
