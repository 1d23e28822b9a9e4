import { ConnectionError } from '../errors.ts'
import { chunksOf } from '../files.ts'
import { type List, listOf } from '../list.ts'
import { ResultItems } from '../result-items.ts'
import type { Transport } from '../transport.ts'
import type { Benefit, Company, Member, MemberDetail, Product, Query, RequestOptions } from '../types.ts'

/** Members, with their benefits. */
export class Members {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Members in pages: a change between two pages moves the items of the later one. For all members of one moment use `stream`. */
  list(query?: Query<'listMembers'>, options?: RequestOptions): List<Member> {
    return listOf(this.#transport, 'listMembers', [], query, options)
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

  /** A member with all benefits and the registration data. */
  get(memberId: string, options?: RequestOptions): Promise<MemberDetail> {
    return this.#transport.result('readMember', { path: [memberId], options })
  }
}

export class Benefits {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listBenefits'>, options?: RequestOptions): List<Benefit> {
    return listOf(this.#transport, 'listBenefits', [], query, options)
  }
}

export class Companies {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A company with its products. */
  get(companyTaxId: string, options?: RequestOptions): Promise<Company> {
    return this.#transport.result('readCompany', { path: [companyTaxId], options })
  }

  list(query?: Query<'listCompanies'>, options?: RequestOptions): List<Company> {
    return listOf(this.#transport, 'listCompanies', [], query, options)
  }
}

export class Products {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The products of one company, or of all of the client. This list has no pages. */
  list(query?: Query<'listProducts'>, options?: RequestOptions): List<Product> {
    return listOf(this.#transport, 'listProducts', [], query, options)
  }
}
