import { ALTERATION_OFFENSE_EXPLANATIONS } from '../../../../src/domain/alteration-offenses.ts'
import { EXCLUSION_OFFENSE_EXPLANATIONS } from '../../../../src/domain/exclusion-offenses.ts'
import { OFFENSE_EXPLANATIONS, type Explanation } from '../../../../src/domain/offenses.ts'
import { fieldOfCode, isOffense, offenseMessage } from '../../../../src/texts/portuguese-messages.ts'
import type { Language } from '../../language/language.ts'

type Explanations = Readonly<Record<string, Explanation>>

/** Of the movements that are not inclusions. */
const ofOthers: Readonly<Record<string, Explanations>> = {
  exclusion: EXCLUSION_OFFENSE_EXPLANATIONS,
  alteration: ALTERATION_OFFENSE_EXPLANATIONS,
}

/** Why a part failed and what mends it, in words. Domain texts for what the domain knows; else the code. */
export function offenseText(code: string, requestType: string, language: Language): string {
  if (!isOffense(code)) return code
  if (language === 'pt-BR') return offenseMessage(code, fieldOfCode(code))
  const inclusions: Explanations = OFFENSE_EXPLANATIONS
  const own = Object.hasOwn(ofOthers, requestType) ? ofOthers[requestType] : undefined
  const explanation = own?.[code] ?? inclusions[code]
  if (explanation === undefined) return code
  const { meaning, fix } = explanation
  // The meaning of a code for one field does not name the field.
  const field = /^(?:invalid|missing)-(.+)$/.exec(code)?.[1]
  const subject = field === undefined || own !== undefined ? '' : `${field.replaceAll('-', ' ')}: `
  return `${subject}${meaning} ${fix}`.replaceAll('`', '')
}
