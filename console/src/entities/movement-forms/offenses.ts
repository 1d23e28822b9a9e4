import { InvalidMembersError } from '@vigencia/client'
import { offenseWords } from '../../components/offense-texts.ts'
import { currentLanguage } from '../../language/language.ts'

/** What is wrong with a field of a member of a batch, in words. */
export interface FieldOffense {
  /** The place of the member in the batch. */
  readonly index: number
  /** The key of the field; `products` and `documents` are of the whole list. */
  readonly field: string
  readonly text: string
}

/** What was wrong with the members of a batch; empty for another error. */
export function offensesOf(error: Error | null, requestType: 'inclusion' | 'exclusion' | 'alteration'): FieldOffense[] {
  if (!(error instanceof InvalidMembersError)) return []
  return error.members.flatMap(({ index, 'offense-details': details }) =>
    details.map((detail) => {
      const { field } = detail
      const key = field.replace(/^(?:exclusion-details|alteration-data)\./, '').split(/[.[]/, 1)[0] ?? ''
      const product = detail['product-name'] === undefined ? '' : `${detail['product-name']}: `
      return { index, field: key, text: `${product}${offenseWords(detail, requestType, currentLanguage())}` }
    }),
  )
}

/** The texts of one field; undefined when nothing is wrong with it. */
export function textOf(offenses: readonly FieldOffense[], field: string): string | undefined {
  const texts = offenses.filter((one) => one.field === field).map(({ text }) => text)
  return texts.length === 0 ? undefined : [...new Set(texts)].join(' ')
}
