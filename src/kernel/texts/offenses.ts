/* What offenses mean, in English: for the documentation and the console. */
import { INCLUSION_FIELDS, type InclusionField, startOption } from '../inclusion-fields.ts'
import type { Offense } from '../offenses.ts'
import { englishOf } from './messages.ts'
import { ENGLISH, type Explanation } from './texts.ts'

/** What an offense of an inclusion means. The meaning of an `invalid-` one is what the field must be. */
export function explainOffense(code: Offense): Explanation {
  const rules: Readonly<Record<string, Explanation>> = ENGLISH.offenses
  const explanation = rules[code]
  if (explanation !== undefined) return explanation
  const texts = ENGLISH['field-offenses']
  if (code.startsWith('missing-')) return texts.missing
  if (code === 'invalid-start-option') return { meaning: englishOf(startOption.rule), fix: texts['invalid-required'] }
  const field = code.replace('invalid-', '') as InclusionField
  const { rule, presence } = INCLUSION_FIELDS[field]
  const further = ENGLISH['further-rules'][field]
  return {
    meaning: further === undefined ? englishOf(rule) : `${englishOf(rule)} ${further}`,
    fix: texts[presence === 'required' ? 'invalid-required' : 'invalid-optional'],
  }
}
