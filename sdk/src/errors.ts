import type {
  DecisionJob,
  ErrorCode,
  ErrorDetail,
  RejectedAlteration,
  RejectedExclusion,
  RejectedMember,
  RosterSync,
} from './types.ts'

/** Each error of this package. Messages contain no data of people. */
export class VigenciaError extends Error {
  override readonly name: string = 'VigenciaError'
}

/** There was no response: the connection could not be opened, or it broke. */
export class ConnectionError extends VigenciaError {
  override readonly name = 'ConnectionError'
  /** The code of the system, such as `ECONNREFUSED`, where there is one. */
  readonly code: string | null

  constructor(message: string, cause?: unknown) {
    const code = codeOf(cause)
    // An error of the HTTP parser has the bytes that it could not read.
    super(code === null ? message : `${message} (${code})`, code?.startsWith('HPE_') ? {} : { cause })
    this.code = code
  }
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

/** No response came in time: `timeout` of the client or of the call. */
export class TimeoutError extends VigenciaError {
  override readonly name = 'TimeoutError'
}

/** A response that is not JSON as openapi.json describes it: it is not from the service, or a proxy changed it. */
export class InvalidResponseError extends VigenciaError {
  override readonly name = 'InvalidResponseError'
}

/** A delivery whose signature is missing or wrong, or that is too old. Respond with 401. */
export class WebhookVerificationError extends VigenciaError {
  override readonly name = 'WebhookVerificationError'
}

/** A job of decisions stopped before its last line: the operator that sent it may not decide any more. `done` of its lines are done. */
export class BrokenJobError extends VigenciaError {
  override readonly name = 'BrokenJobError'
  readonly job: DecisionJob

  constructor(job: DecisionJob) {
    super(`The job ${job['job-id']} is broken: ${job['broken-reason']}`)
    this.job = job
  }
}

/** A list of people was not compared: `problems` of its roster sync say why, or it was cancelled. */
export class RosterSyncError extends VigenciaError {
  override readonly name = 'RosterSyncError'
  readonly sync: RosterSync

  constructor(sync: RosterSync) {
    // A heading may be data, where the file has none.
    const problems = sync.problems.map(({ problem, line }) => problem + (line === null ? '' : ` (line ${line})`))
    super(`The roster sync ${sync['roster-sync-id']} is ${[sync.status, ...problems].join(', ')}`)
    this.sync = sync
  }

  get problems(): RosterSync['problems'] {
    return this.sync.problems
  }
}

/** An item of `details` or of `offense-details`. */
interface Problem {
  readonly field: string
  readonly code: string
  readonly message?: string
  readonly allowed?: unknown
  readonly suggestion?: string
}

interface Rejected {
  readonly index: number
  readonly 'offense-details'?: readonly Problem[]
}

/** What is named in the message of an error; the others are counted. */
const maxProblems = 3

/** The first invalid fields and offenses of a body: fields, codes and sentences of the service, which hold no values of people. */
function problemsOf({ details, result }: ErrorResponse['body']): string {
  const all = [...listOf<Problem>(details), ...listOf<Rejected>(result).flatMap(offensesOf)]
  const first = all.slice(0, maxProblems).map(({ field, code, message, allowed }) => {
    const more = message ?? (Array.isArray(allowed) ? `one of ${allowed.join(', ')}` : '')
    return `${field}: ${code}${more && ` (${more})`}`
  })
  return first.join('; ') + (all.length > maxProblems ? `; ${all.length - maxProblems} more` : '')
}

const listOf = <Item>(value: unknown) => (Array.isArray(value) ? (value as Item[]) : [])

/** With the place of the member in the batch. */
const offensesOf = ({ index, 'offense-details': details }: Rejected) =>
  listOf<Problem>(details).map(({ message, ...one }) => ({
    ...one,
    field: `members[${index}].${one.field}`,
    // What a value was meant to be tells of the person.
    ...(message !== undefined && !(one.suggestion && one.code.startsWith('invalid-')) && { message }),
  }))

/** What the response said. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** A response that is not 2xx. Act on `code`. */
export class ApiError extends VigenciaError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Empty when the response was not one of the service, for example a proxy's. */
  readonly code: ErrorCode
  /** The invalid fields and parameters. */
  readonly details: readonly ErrorDetail[]
  /** The address of the code in the guides. */
  readonly help: string | null
  /** Quote it in a support request. */
  readonly requestTraceId: string | null
  readonly headers: Headers
  /** Seconds to wait before the call is sent again, where the response says so. */
  readonly retryAfter: number | null
  // Private: the body may contain data of people, which a log of the error would show.
  readonly #body: Readonly<Record<string, unknown>>

  constructor({ status, headers, body }: ErrorResponse) {
    const sentence = typeof body['error'] === 'string' ? body['error'] : `The response has the status ${status}`
    const code = typeof body['code'] === 'string' ? body['code'] : ''
    const traceId =
      typeof body['request-trace-id'] === 'string' ? body['request-trace-id'] : headers.get('x-request-id')
    const problems = problemsOf(body)
    const origin = [status, code, traceId && `request-trace-id ${traceId}`].filter(Boolean).join(', ')
    super(`${[sentence, ...(problems ? [problems] : [])].join(': ')} (${origin})`)
    this.status = status
    this.code = code
    this.details = (Array.isArray(body['details']) ? body['details'] : []) as ErrorDetail[]
    this.help = typeof body['help'] === 'string' ? body['help'] : null
    this.requestTraceId = traceId
    this.headers = headers
    this.retryAfter = Number(headers.get('retry-after')) || null
    this.#body = body
  }

  /** The whole body, with fields that only some errors have: `enrollment-ids`, `benefit-ids`, `from`, `to`, `allowed`. */
  get body(): Readonly<Record<string, unknown>> {
    return this.#body
  }
}

/** 400 */
export class BadRequestError extends ApiError {
  override readonly name: string = 'BadRequestError'
}

/** 400 `invalid-members`: nothing of the batch was stored. Iterates over the members with offenses. */
export class InvalidMembersError
  extends BadRequestError
  implements Iterable<RejectedMember | RejectedExclusion | RejectedAlteration>
{
  override readonly name = 'InvalidMembersError'

  /** The members with offenses; `index` is their place in the batch. */
  get members(): readonly (RejectedMember | RejectedExclusion | RejectedAlteration)[] {
    return this.body['result'] as (RejectedMember | RejectedExclusion | RejectedAlteration)[]
  }

  *[Symbol.iterator](): Generator<RejectedMember | RejectedExclusion | RejectedAlteration> {
    yield* this.members
  }
}

/** 401 */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError'
}

/** 403 */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 410: an upload URL that expired or was used. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError'
}

/** 413 */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError'
}

/** 415 */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError'
}

/** 422: an Idempotency-Key that was used with another body. */
export class UnprocessableContentError extends ApiError {
  override readonly name = 'UnprocessableContentError'
}

/** 429, after the retries. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError'
}

/** 5xx */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** 503, after the retries. */
export class ServiceUnavailableError extends ServerError {
  override readonly name = 'ServiceUnavailableError'
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
  503: ServiceUnavailableError,
}

/** The error for a response that is not 2xx. Reads its body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const read: unknown = await response.json().catch(() => null)
  const body = (typeof read === 'object' && read !== null ? read : {}) as Readonly<Record<string, unknown>>
  if (status === 400 && body['code'] === 'invalid-members' && Array.isArray(body['result'])) {
    return new InvalidMembersError({ status, headers, body })
  }
  const Class = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class({ status, headers, body })
}
