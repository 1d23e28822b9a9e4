import type { Transport } from './transport.ts'
import type { Item, OperationId, Pagination, Query, RequestOptions } from './types.ts'

/** A page of a list, as the service sends it. */
export interface Page<Element> {
  readonly result: Element[]
  /** Absent in a list without pages. */
  readonly pagination?: Pagination
}

/** The size of a page when all are read: the largest that the service sends. */
const itemsPerPage = 500

/**
 * A list. `await` gives the page of the query, the first by default; `for await` every item, page after page. The request is sent when one of
 * them begins.
 */
export class List<Element> implements PromiseLike<Page<Element>>, AsyncIterable<Element> {
  readonly #read: (page: object) => Promise<Page<Element>>
  readonly #query: { page?: number; 'items-per-page'?: number }
  readonly #isPaged: boolean
  #page: Promise<Page<Element>> | undefined

  /** @internal */
  constructor(read: (page: object) => Promise<Page<Element>>, query: object, isPaged: boolean) {
    this.#read = read
    this.#query = query
    this.#isPaged = isPaged
  }

  // oxlint-disable-next-line unicorn/no-thenable -- `await` reads a page
  then<Value = Page<Element>, Failure = never>(
    onPage?: ((page: Page<Element>) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    this.#page ??= this.#read(this.#isPaged ? { page: 1, ...this.#query } : noPage)
    return this.#page.then(onPage, onError)
  }

  catch<Failure = never>(
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page<Element> | Failure> {
    return this.then(null, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Element, void, undefined> {
    if (!this.#isPaged) yield* (await this).result
    let page: number | null = this.#isPaged ? (this.#query.page ?? 1) : null
    while (page !== null) {
      const read: Page<Element> = await this.#read({ 'items-per-page': itemsPerPage, ...this.#query, page })
      yield* read.result
      page = read.pagination?.['next-page'] ?? null
    }
  }
}

/** Undefined parameters are not sent. */
const noPage = { page: undefined, 'items-per-page': undefined }

/** The list of an operation. @param path the values of its path. */
export function listOf<Id extends OperationId>(
  transport: Transport,
  id: Id,
  path: readonly string[] = [],
  query: Query<Id> = {} as Query<Id>,
  options: RequestOptions = {},
): List<Item<Id>> {
  const read = (page: object) =>
    transport.json(id, { path, query: { ...query, ...page }, options }) as unknown as Promise<Page<Item<Id>>>
  return new List(read, query, transport.operation(id).returns === 'pages')
}
