import { type List, listOf } from '../list.ts'
import type { Transport } from '../transport.ts'
import type { Company, Item, Query, RequestBody, RequestOptions, ResponseBody, Result } from '../types.ts'

/** Companies and their products. */
export class OperatorCompanies {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates or replaces a company. */
  put(companyTaxId: string, body: RequestBody<'putCompany'>, options?: RequestOptions): Promise<Company> {
    return this.#transport.result('putCompany', { path: [companyTaxId], json: body, options })
  }

  get(companyTaxId: string, options?: RequestOptions): Promise<Company> {
    return this.#transport.result('readAnyCompany', { path: [companyTaxId], options })
  }

  list(query?: Query<'searchCompanies'>, options?: RequestOptions): List<Item<'searchCompanies'>> {
    return listOf(this.#transport, 'searchCompanies', [], query, options)
  }

  /** The carriers of all products. This list has no pages. */
  carriers(options?: RequestOptions): List<Item<'listCarriers'>> {
    return listOf(this.#transport, 'listCarriers', [], undefined, options)
  }
}

/** The clients of partners and the companies that they may access. */
export class Clients {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The secret is in this response only. */
  create(body: RequestBody<'createClient'>, options?: RequestOptions): Promise<ResponseBody<'createClient'>> {
    return this.#transport.json('createClient', { json: body, options })
  }

  list(query?: Query<'listClients'>, options?: RequestOptions): List<Item<'listClients'>> {
    return listOf(this.#transport, 'listClients', [], query, options)
  }

  async revoke(clientId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('revokeClient', { path: [clientId], options, doneStatus: 404 })
  }

  /** The new secret is in this response only. */
  rotateSecret(clientId: string, options?: RequestOptions): Promise<ResponseBody<'rotateClientSecret'>> {
    return this.#transport.json('rotateClientSecret', { path: [clientId], options })
  }

  /** Ends the older of two secrets. */
  async endFormerSecret(clientId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('endFormerClientSecret', { path: [clientId], options })
  }

  grantCompany(clientId: string, companyTaxId: string, options?: RequestOptions): Promise<Result<'grantCompany'>> {
    return this.#transport.result('grantCompany', { path: [clientId, companyTaxId], options })
  }

  async revokeCompany(clientId: string, companyTaxId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('revokeCompany', { path: [clientId, companyTaxId], options, doneStatus: 404 })
  }
}

/** The operators and their roles. */
export class Operators {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The secret is in this response only. */
  create(body: RequestBody<'createOperator'>, options?: RequestOptions): Promise<ResponseBody<'createOperator'>> {
    return this.#transport.json('createOperator', { json: body, options })
  }

  list(query?: Query<'listOperators'>, options?: RequestOptions): List<Item<'listOperators'>> {
    return listOf(this.#transport, 'listOperators', [], query, options)
  }

  async remove(operatorId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('removeOperator', { path: [operatorId], options, doneStatus: 404 })
  }

  /** The new secret is in this response only. */
  rotateSecret(operatorId: string, options?: RequestOptions): Promise<ResponseBody<'rotateOperatorSecret'>> {
    return this.#transport.json('rotateOperatorSecret', { path: [operatorId], options })
  }

  /** Signs the operator out of all browsers. */
  async endSessions(operatorId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('endOperatorSessions', { path: [operatorId], options })
  }

  /** Ends the older of two secrets. */
  async endFormerSecret(operatorId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json('endFormerOperatorSecret', { path: [operatorId], options })
  }

  changeRole(
    operatorId: string,
    body: RequestBody<'changeOperatorRole'>,
    options?: RequestOptions,
  ): Promise<Result<'changeOperatorRole'>> {
    return this.#transport.result('changeOperatorRole', { path: [operatorId], json: body, options })
  }
}

export class OperatorMembers {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'searchMembers'>, options?: RequestOptions): List<Item<'searchMembers'>> {
    return listOf(this.#transport, 'searchMembers', [], query, options)
  }

  get(
    memberId: string,
    { disclose, ...options }: RequestOptions & Query<'readAnyMember'> = {},
  ): Promise<Result<'readAnyMember'>> {
    return this.#transport.result('readAnyMember', { path: [memberId], query: { disclose }, options })
  }

  /** What is masked of a member. It is audited. */
  disclose(memberId: string, options?: RequestOptions): Promise<Result<'discloseMember'>> {
    return this.#transport.result('discloseMember', { path: [memberId], options })
  }
}

export class OperatorBenefits {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listAllBenefits'>, options?: RequestOptions): List<Item<'listAllBenefits'>> {
    return listOf(this.#transport, 'listAllBenefits', [], query, options)
  }

  /** Ends a benefit under an extension plan. */
  end(benefitId: string, body: RequestBody<'endBenefit'>, options?: RequestOptions): Promise<Result<'endBenefit'>> {
    return this.#transport.result('endBenefit', { path: [benefitId], json: body, options })
  }
}

export class OperatorRequests {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listAllRequests'>, options?: RequestOptions): List<Item<'listAllRequests'>> {
    return listOf(this.#transport, 'listAllRequests', [], query, options)
  }

  get(
    requestId: string,
    { 'part-status': status, ...options }: RequestOptions & Query<'readAnyRequest'> = {},
  ): Promise<Result<'readAnyRequest'>> {
    return this.#transport.result('readAnyRequest', { path: [requestId], query: { 'part-status': status }, options })
  }
}

/** The figures of the movements. */
export class Statistics {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  read(query?: Query<'readStatistics'>, options?: RequestOptions): Promise<Result<'readStatistics'>> {
    return this.#transport.result('readStatistics', { query, options })
  }
}

/** The audit log. */
export class Audit {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query?: Query<'listAudit'>, options?: RequestOptions): List<Item<'listAudit'>> {
    return listOf(this.#transport, 'listAudit', [], query, options)
  }

  /** Checks every row against the hash chain. Set a `timeout` that fits the number of rows. */
  verify({ 'expected-head': head, ...options }: RequestOptions & Query<'verifyAuditChain'> = {}): Promise<
    Result<'verifyAuditChain'>
  > {
    return this.#transport.result('verifyAuditChain', { query: { 'expected-head': head }, options })
  }
}
