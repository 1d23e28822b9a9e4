import { flag, id, searchOf, text } from '../../lists/search.ts'

const lineNumber = (value: unknown) => (/^[1-9]\d{0,5}$/.test(String(value)) ? Number(value) : undefined)

/** The filters of a list of charges, under the names of the API. */
export const chargesSearchOf = searchOf({
  q: text,
  cause: text,
  certainty: text,
  class: text,
  variance: text,
  'has-difference': flag,
})

/** Whose amount is explained. */
export const whySearchOf = searchOf({ 'benefit-id': id, 'member-id': id, 'line-number': lineNumber })
