import type { DetailCode } from '../domain/enums.ts'

/** An error in a body or a parameter. `field` is a path such as `members[3].name`; `code` names the error. */
export interface Detail {
  readonly field: string
  readonly code: DetailCode
  /** How to correct it, in a sentence. */
  readonly message?: string
}

/**
 * A response that is not 2xx: `{ error, request-trace-id, ...extra }`.
 * The message is for the client and never holds personal data.
 */
export class ApiError extends Error {
  readonly statusCode: number
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    statusCode: number,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.extra = extra
    this.headers = headers
  }
}

/** The body of every error response. */
export function errorText({ message, extra }: ApiError, traceId: string): string {
  return JSON.stringify({ error: message, ...extra, 'request-trace-id': traceId })
}

/** 401 on every endpoint: no token, a bad one, of the other API or environment, or of a revoked client. */
export function invalidCredentials(): ApiError {
  return new ApiError(401, 'Invalid credentials', {}, { 'www-authenticate': 'Bearer' })
}

/** Details in an error body; further ones are left out. */
export const maxDetails = 20

/** 400 for a body that does not match its schema; `details` name the fields, if any. */
export function invalidBody(details: readonly Detail[] = [], message = 'Invalid body'): ApiError {
  return new ApiError(400, message, details.length > 0 ? { details: details.slice(0, maxDetails) } : {})
}

/** 400 for a query parameter; for a path parameter the message names it (`Invalid request-id`). */
export function invalidParameter(details: readonly Detail[], message = 'Invalid parameter'): ApiError {
  return new ApiError(400, message, details.length > 0 ? { details: details.slice(0, maxDetails) } : {})
}

/** 403 for a company that the client is not entitled to, whether or not it exists. */
export function notEntitled(what: 'company' | 'request' | 'enrollment'): ApiError {
  return new ApiError(403, `Not entitled to access this ${what}`)
}

/** 503: the client may repeat the same request. */
export function unavailable(message = 'Service temporarily unavailable', retryAfterSeconds = 2): ApiError {
  return new ApiError(503, message, {}, { 'retry-after': String(retryAfterSeconds) })
}

/** The program cannot start or run the command; the message says what to do. Printed without a stack. */
export class StartError extends Error {}
