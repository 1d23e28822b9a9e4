import i18next from 'i18next'
import { ownValue, PORTUGUESE } from '../../../src/kernel/texts/texts.ts'
import { detailMessage } from '../../../src/kernel/texts/messages.ts'
import type { DetailCode } from '../../../src/kernel/enums.ts'
import { currentLanguage } from '../language/language.ts'
import { fieldName } from './field-words.ts'

/** What was wrong where, of which the service sends no sentence. */
export function detailWords({ field, code }: { readonly field: string; readonly code: string }): string {
  if (currentLanguage() !== 'pt-BR') return `${fieldName(field)}: ${code.replaceAll('-', ' ')}`
  if (ownValue(PORTUGUESE.details, code) !== undefined) {
    return detailMessage({ field, code: code as DetailCode }, 'pt-BR') ?? code
  }
  const key: string = `errors:${code}`
  return i18next.t(key, { defaultValue: code.replaceAll('-', ' ') })
}
