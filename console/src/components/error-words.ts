import i18next from 'i18next'
import type { ErrorCode } from '../../../src/kernel/error-codes.ts'
import { currentLanguage } from '../language/language.ts'

/** An error of one item, as the service sends it. */
export interface ItemError {
  readonly error?: string
  readonly code?: string
  readonly details?: readonly { readonly field: string; readonly message?: string }[]
}

/** The messages of its details, which say most, else its sentence, in the language of the console. */
export function errorWords(item: ItemError): string {
  const messages = (item.details ?? []).flatMap(({ message }) => message ?? [])
  return messages.length > 0 ? messages.join(' ') : sentenceOf(item)
}

/** What was wrong, in the language of the console: `error` of the service is English. */
export function sentenceOf({ error = '', code = '' }: Pick<ItemError, 'error' | 'code'>): string {
  const isKnown = code !== '' && currentLanguage() === 'pt-BR' && i18next.exists(code, { ns: 'errors' })
  return isKnown ? i18next.t(`errors:${code as ErrorCode}`) : error
}
