import type { DecisionResult } from '@vigencia/client'
import { errorWords } from '../../components/error-words.ts'

export type Line = DecisionResult['result'][number]

/** A detail without a message names its field at least. */
export function errorWordsOf({ error = '', details = [], ...others }: Line): string {
  const fields = details.filter(({ message }) => message === undefined).map(({ field }) => field)
  return `${errorWords({ error, details, ...others })}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`
}
