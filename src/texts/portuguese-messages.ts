/* The Portuguese `message` of the elements of `details`, `offense-details` and `warnings`. */
import type { FieldError } from '../domain/field-types.ts'
import { termOf } from './fields.ts'
import { columnOfOffense } from '../domain/import-offenses.ts'
import type { ImportOffense } from '../domain/offenses.ts'
import { PORTUGUESE_DETAILS, PORTUGUESE_PLACES } from './portuguese-details.ts'
import { type AnyOffense, FIELD_RULES, PORTUGUESE_OFFENSES } from './portuguese-offenses.ts'
import { translateSentence } from './portuguese-sentences.ts'
import { PORTUGUESE_WARNINGS } from './portuguese-warnings.ts'

/** The sentence of an offense. @param field a path within the member, such as `products.health-insurance[0].start-option`. */
export function offenseMessage(code: AnyOffense, field: string): string {
  return withTerm(PORTUGUESE_OFFENSES[code], field)
}

/** The sentence of a detail, followed by what its English `message` adds to the code, or else by the rule of the field. */
export function detailMessage({ code, field, message }: Pick<FieldError, 'code' | 'field' | 'message'>): string {
  const sentence = withTerm(PORTUGUESE_DETAILS[code], field)
  const addition = (message === undefined ? null : translateSentence(message)) ?? ruleOf(code, field)
  return addition === null ? sentence : `${sentence} ${addition}`
}

/** The sentence of a warning; undefined for another code. */
export function warningMessage(code: string): string | undefined {
  return ownValue(PORTUGUESE_WARNINGS, code)
}

const ruleOf = (code: string, field: string): string | null =>
  (code === 'invalid' ? ownValue(FIELD_RULES, nameOf(field)) : undefined) ?? null

function withTerm(sentence: string, field: string): string {
  const name = nameOf(field)
  // A function, because a name sent by the client may hold `$`.
  return sentence.replace('{campo}', () => termOf(name) ?? ownValue(PORTUGUESE_PLACES, name) ?? name)
}

/** The last name of a path, without an index. */
const nameOf = (field: string): string => (field.split('.').at(-1) ?? field).replace(/\[\d+\]$/, '')

/** The value of a key that clients choose, which may be a name of Object's prototype. */
function ownValue(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** The field that the code of an offense names, where nothing else does. */
export const fieldOfCode = (code: AnyOffense): string => columnOfOffense(code as ImportOffense)

/** Whether a text is the code of an offense. */
export function isOffense(code: string): code is AnyOffense {
  return Object.hasOwn(PORTUGUESE_OFFENSES, code)
}

/** Whether a text is a code of `details`. */
export function isDetailCode(code: string): code is FieldError['code'] {
  return Object.hasOwn(PORTUGUESE_DETAILS, code)
}
