import { searchOf, text } from '../../lists/search.ts'

/** How many months are shown. */
export const RANGES = [12, 24, 36] as const

/** Whose months are shown, under the names of the API. */
export const costsSearchOf = searchOf({
  'company-tax-id': text,
  'contract-id': text,
  months: (value): number | undefined => RANGES.find((one) => one === Number(value)),
})
export type CostsSearch = ReturnType<typeof costsSearchOf>
