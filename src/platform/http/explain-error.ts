import { type ErrorCode, ERROR_STATUSES } from '#kernel/error-codes.ts'
import { isObject } from '#kernel/fields.ts'
import { errorMessage, helpPath } from '#kernel/texts/explain.ts'
import type { Language } from '#kernel/texts/texts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address that callers use, without a slash at the end; empty: it is not set. */
    publicUrl: string
  }
}

interface ErrorBody {
  readonly error: string
  readonly code: ErrorCode
}

export function isErrorBody(value: unknown): value is ErrorBody {
  return (
    isObject(value) &&
    typeof value['error'] === 'string' &&
    typeof value['code'] === 'string' &&
    Object.hasOwn(ERROR_STATUSES, value['code'])
  )
}

/** What every error body says of its code: its meaning and remedy in a language, and the address of its explanation. */
export function explainError(
  code: ErrorCode,
  language: Language,
  publicUrl: string,
): { readonly message: string; readonly help: string } {
  return { message: errorMessage(code, language), help: publicUrl + helpPath(code, language) }
}
