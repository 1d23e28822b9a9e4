import { EXCLUSION_OFFENSE_EXPLANATIONS } from '../../../../src/domain/exclusion-offenses.ts'
import { OFFENSE_EXPLANATIONS, type Explanation } from '../../../../src/domain/offenses.ts'
import { fieldOfCode, isOffense, offenseMessage } from '../../../../src/domain/portuguese-messages.ts'
import type { Language } from '../../language/language.ts'

type Explanations = Readonly<Record<string, Explanation>>

/** Why a part failed and what mends it, in words. Domain texts for what the domain knows; else the code. */
export function offenseText(code: string, requestType: string, language: Language): string {
  if (!isOffense(code)) return code
  if (language === 'pt-BR') return offenseMessage(code, fieldOfCode(code))
  const exclusions: Explanations = EXCLUSION_OFFENSE_EXPLANATIONS
  const inclusions: Explanations = OFFENSE_EXPLANATIONS
  const explanation = (requestType === 'exclusion' ? exclusions[code] : inclusions[code]) ?? inclusions[code]
  if (explanation === undefined) return code
  const { meaning, fix } = explanation
  // The meaning of a code for one field does not name the field.
  const field = /^(?:invalid|missing)-(.+)$/.exec(code)?.[1]
  const subject = field === undefined || requestType === 'exclusion' ? '' : `${field.replaceAll('-', ' ')}: `
  return `${subject}${meaning} ${fix}`.replaceAll('`', '')
}
