import type { DetailCode } from '../domain/enums.ts'

/** An error of a field. `field` is a path such as `members[3].name`, or the name of a parameter. */
export interface Detail {
  readonly field: string
  readonly code: DetailCode
  /** How to fix it, in a sentence. */
  readonly message?: string
}

/**
 * An answer that is not 2xx, as the caller gets it: `{ error, request-trace-id, ...extra }`.
 * The message is for the caller and never holds data of people.
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

/** The one error body. */
export function errorText({ message, extra }: ApiError, traceId: string): string {
  return JSON.stringify({ error: message, ...extra, 'request-trace-id': traceId })
}

/** 401 on every endpoint: no token, a bad one, of the other API or environment, or of a revoked client. */
export function invalidCredentials(): ApiError {
  return new ApiError(401, 'Invalid credentials', {}, { 'www-authenticate': 'Bearer' })
}

/** So many details an error body lists at most; what is wrong beyond them is left out. */
export const maxDetails = 20

/** 400 for a body whose shape is wrong; `details` name the fields, where a field is to blame. */
export function invalidBody(details: readonly Detail[] = [], message = 'Invalid body'): ApiError {
  return new ApiError(400, message, details.length > 0 ? { details: details.slice(0, maxDetails) } : {})
}

/** 400 for a query parameter; for a path parameter the message names it (`Invalid request-id`). */
export function invalidParameter(details: readonly Detail[], message = 'Invalid parameter'): ApiError {
  return new ApiError(400, message, details.length > 0 ? { details: details.slice(0, maxDetails) } : {})
}

/** 403 where the company, known or not, is not among the caller's: CNPJs are public, so both answer alike. */
export function notEntitled(what: 'company' | 'request' | 'enrollment'): ApiError {
  return new ApiError(403, `Not entitled to access this ${what}`)
}

/** 503 that a client may simply repeat. */
export function unavailable(message = 'Service temporarily unavailable', retryAfterSeconds = 2): ApiError {
  return new ApiError(503, message, {}, { 'retry-after': String(retryAfterSeconds) })
}

/** A start that must not go on; the message says which setting to mend. Printed without a stack. */
export class StartError extends Error {}
