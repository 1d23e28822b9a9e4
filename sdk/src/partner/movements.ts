import { type List, listOf } from '../list.ts'
import type { Call, Transport } from '../transport.ts'
import type {
  AlterationBatchBody,
  AlterationBody,
  Enrollment,
  ExclusionBody,
  Handling,
  InclusionBody,
  Item,
  Query,
  RequestBody,
  RequestOptions,
  ResponseBody,
  WriteOptions,
} from '../types.ts'

/** The query parameters and headers of a movement, from among the options of its call. */
function movement(json: unknown, { resolution, handling, 'dry-run': isDryRun, ...options }: MovementOptions): Call {
  return {
    json,
    query: { resolution, 'dry-run': isDryRun },
    headers: handling === undefined ? {} : { prefer: `handling=${handling}` },
    options,
  }
}

type MovementOptions = RequestOptions & Query<'includeMembers'> & Handling

/** Inclusions of members in products. */
export class Inclusions {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Includes 1 to 10,000 primaries and dependents.
   * @throws InvalidMembersError when some have offenses: nothing was stored. With `handling: 'lenient'` the others are accepted instead.
   */
  create(
    body: InclusionBody,
    options: WriteOptions<'includeMembers'> & Handling = {},
  ): Promise<ResponseBody<'includeMembers'>> {
    return this.#transport.json('includeMembers', movement(body, options))
  }
}

/** Exclusions of members from products. */
export class Exclusions {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Excludes 1 to 10,000 people.
   * @throws InvalidMembersError when some have offenses: nothing was stored. With `handling: 'lenient'` the others are accepted instead.
   */
  create(
    body: ExclusionBody,
    options: WriteOptions<'excludeMembers'> & Handling = {},
  ): Promise<ResponseBody<'excludeMembers'>> {
    return this.#transport.json('excludeMembers', movement(body, options))
  }

  /** Excludes the benefit of a member in a product. */
  byProduct(
    memberTaxId: string,
    productId: string,
    body: RequestBody<'excludeByProduct'>,
    options: WriteOptions<'excludeByProduct'> = {},
  ): Promise<ResponseBody<'excludeByProduct'>> {
    return this.#transport.json('excludeByProduct', { ...movement(body, options), path: [memberTaxId, productId] })
  }

  /** Excludes one benefit of a member. */
  byBenefit(
    memberTaxId: string,
    benefitId: string,
    body: RequestBody<'excludeByBenefit'>,
    options: WriteOptions<'excludeByBenefit'> = {},
  ): Promise<ResponseBody<'excludeByBenefit'>> {
    return this.#transport.json('excludeByBenefit', { ...movement(body, options), path: [memberTaxId, benefitId] })
  }

  /** Excludes every benefit of a member in a company. */
  fromCompany(
    memberTaxId: string,
    companyTaxId: string,
    body: RequestBody<'excludeFromCompany'>,
    options: WriteOptions<'excludeFromCompany'> = {},
  ): Promise<ResponseBody<'excludeFromCompany'>> {
    return this.#transport.json('excludeFromCompany', { ...movement(body, options), path: [memberTaxId, companyTaxId] })
  }

  /** Excludes the benefits in which a member is a dependent of the primary. */
  ofDependent(
    memberTaxId: string,
    primaryMemberTaxId: string,
    body: RequestBody<'excludeDependent'>,
    options: WriteOptions<'excludeDependent'> = {},
  ): Promise<ResponseBody<'excludeDependent'>> {
    const path = [memberTaxId, primaryMemberTaxId]
    return this.#transport.json('excludeDependent', { ...movement(body, options), path })
  }
}

/** Alterations of members: plan, company, registration data. In staging only. */
export class Alterations {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  create(
    memberTaxId: string,
    body: AlterationBody,
    options: WriteOptions<'alterMember'> = {},
  ): Promise<ResponseBody<'alterMember'>> {
    return this.#transport.json('alterMember', { ...movement(body, options), path: [memberTaxId] })
  }

  /**
   * Alters 1 to 10,000 members of a company.
   * @throws InvalidMembersError when some have offenses: nothing was stored. With `handling: 'lenient'` the others are accepted instead.
   */
  createBatch(
    body: AlterationBatchBody,
    options: WriteOptions<'alterMembers'> & Handling = {},
  ): Promise<ResponseBody<'alterMembers'>> {
    return this.#transport.json('alterMembers', movement(body, options))
  }
}

/** Enrollments: the movements that a request consists of. */
export class Enrollments {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  get(enrollmentId: string, options?: RequestOptions): Promise<Enrollment> {
    return this.#transport.result('readEnrollment', { path: [enrollmentId], options })
  }

  /** The movements of the companies of the client, newest first. */
  history(query?: Query<'listEnrollmentHistory'>, options?: RequestOptions): List<Item<'listEnrollmentHistory'>> {
    return listOf(this.#transport, 'listEnrollmentHistory', [], query, options)
  }

  /** Answers a pending movement with documents, corrected data, or a comment. */
  answer(enrollmentId: string, body: RequestBody<'answerEnrollment'>, options?: RequestOptions): Promise<Enrollment> {
    return this.#transport.result('answerEnrollment', { path: [enrollmentId], json: body, options })
  }

  /** Withdraws a movement that has not reached the carrier. */
  cancel(enrollmentId: string, body: RequestBody<'cancelEnrollment'>, options?: RequestOptions): Promise<Enrollment> {
    return this.#transport.result('cancelEnrollment', { path: [enrollmentId], json: body, options })
  }
}
