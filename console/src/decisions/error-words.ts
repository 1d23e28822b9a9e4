import type { ErrorCode } from '../../../src/domain/error-codes.ts'
import { PORTUGUESE_ERRORS } from '../../../src/domain/portuguese-errors.ts'
import { currentLanguage } from '../language/language.ts'

/** An error of one item, as the service sends it. */
export interface ItemError {
  readonly error?: string
  readonly code?: string
  readonly details?: readonly { readonly field: string; readonly message?: string }[]
}

/** The messages of its details, which say most, else its sentence, in the language of the console. */
export function errorWords({ error = '', code = '', details = [] }: ItemError): string {
  const messages = details.flatMap(({ message }) => message ?? [])
  if (messages.length > 0) return messages.join(' ')
  const isKnown = currentLanguage() === 'pt-BR' && Object.hasOwn(PORTUGUESE_ERRORS, code)
  return isKnown ? PORTUGUESE_ERRORS[code as ErrorCode] : error
}
