import { columnOfOffense } from '../../../src/kernel/import-offenses.ts'
import { type ImportOffense, isOffense, type Offense, OFFENSES } from '../../../src/kernel/offenses.ts'
import { offenseMessage } from '../../../src/kernel/texts/messages.ts'
import { explainOffense } from '../../../src/kernel/texts/offenses.ts'
import { ENGLISH, type Explanation } from '../../../src/kernel/texts/texts.ts'
import type { Language } from '../language/language.ts'

/** The explanations of the movements that are not inclusions. */
const ofOthers: Readonly<Record<string, Readonly<Record<string, Explanation>>>> = {
  exclusion: ENGLISH['exclusion-offenses'],
  alteration: ENGLISH['alteration-offenses'],
}

/** What is wrong with a field, in words: in Portuguese those of the service; its English ones have the names of JSON. */
export function offenseWords(
  { code, message }: { readonly code: string; readonly message?: string | undefined },
  requestType: string,
  language: Language,
): string {
  return language === 'pt-BR' && message !== undefined ? message : offenseText(code, requestType, language)
}

/** Why a part failed and what mends it, in words. The texts of the service for what it knows; else the code. */
export function offenseText(code: string, requestType: string, language: Language): string {
  if (!isOffense(code)) return code
  if (language === 'pt-BR') return offenseMessage(code, columnOfOffense(code as ImportOffense))
  const own = Object.hasOwn(ofOthers, requestType) ? ofOthers[requestType] : undefined
  const isOfInclusion = OFFENSES.some((one) => one === code)
  const explanation = own?.[code] ?? (isOfInclusion ? explainOffense(code as Offense) : undefined)
  if (explanation === undefined) return code
  const { meaning, fix } = explanation
  // The meaning of a code for one field does not name the field.
  const field = /^(?:invalid|missing)-(.+)$/.exec(code)?.[1]
  const subject = field === undefined || own !== undefined ? '' : `${field.replaceAll('-', ' ')}: `
  return `${subject}${meaning} ${fix}`.replaceAll('`', '')
}
