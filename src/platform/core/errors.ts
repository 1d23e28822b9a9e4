import { type CodeOf, type ErrorCode, ERROR_STATUSES } from '#kernel/error-codes.ts'
import type { FieldError } from '#kernel/fields.ts'
import { ENGLISH } from '#kernel/texts/texts.ts'

/** An error in a body or a parameter, an item of `details`. */
export type Detail = FieldError

/** What a sentence of its own or headers add to an error. */
interface ErrorOptions {
  /** In place of the sentence of the code. Never holds personal data. */
  readonly message?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A response that is not 2xx: `{ error, code, ...extra, request-trace-id }`, with the status of the code. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    extra: Readonly<Record<string, unknown>> = {},
    { message = ENGLISH.errors[code], headers = {} }: ErrorOptions = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.statusCode = ERROR_STATUSES[code]
    this.extra = extra
    this.headers = headers
  }
}

/** The body of every error response. The messages of its `details` become sentences when it is sent. */
export function errorText({ message, code, extra }: ApiError, traceId: string): string {
  return JSON.stringify({ error: message, code, ...extra, 'request-trace-id': traceId })
}

/** 401 on every endpoint: `code` says what is wrong with the token, the secret or the client. */
export function invalidCredentials(code: CodeOf<401>, extra: Readonly<Record<string, unknown>> = {}): ApiError {
  return new ApiError(code, extra, { headers: { 'www-authenticate': 'Bearer' } })
}

/** Details in an error body; further ones are left out. */
export const maxDetails = 20

/** 400 for a body that does not match its schema; `details` name the fields, if any. */
export function invalidBody(details: readonly Detail[] = [], code: CodeOf<400> = 'invalid-body'): ApiError {
  return new ApiError(code, withDetails(details))
}

/** 400 for a query parameter; for a path parameter the message names it (`Invalid request-id`). */
export function invalidParameter(details: readonly Detail[], message?: string): ApiError {
  const isUnknown = details.some(({ code }) => code === 'unknown')
  return new ApiError(isUnknown ? 'unknown-parameter' : 'invalid-parameter', withDetails(details), { message })
}

function withDetails(details: readonly Detail[]): { details?: readonly Detail[] } {
  return details.length > 0 ? { details: details.slice(0, maxDetails) } : {}
}

/** 403 for a company that the client is not entitled to, whether or not it exists. */
export function notEntitled(what: 'company' | 'request' | 'enrollment'): ApiError {
  return new ApiError('not-entitled', {}, { message: `Not entitled to access this ${what}` })
}

/** 503: the client may repeat the same request. */
export function unavailable(code: CodeOf<503> = 'unavailable', retryAfterSeconds = 2): ApiError {
  return new ApiError(code, {}, { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** The program cannot start or run the command; the message says what to do. Printed without a stack. */
export class StartError extends Error {}
