import type { RequestBody } from '@vigencia/client'
import { parseMoney } from '../../format/parse-money.ts'

export type Prices = NonNullable<RequestBody<'createContinuation'>['prices']>

/** A monthly price of an age band in a form. */
export interface PriceValues {
  /** The same while the price is in the list. */
  readonly key: number
  readonly band: string
  readonly amount: string
}

const bandPattern = /^\d{1,3}(-\d{1,3}|\+)$/

/** What is wrong with a price: what would be refused. */
export const bandIsWrong = ({ band }: PriceValues) => !bandPattern.test(bandOf(band))
export const amountIsWrong = ({ amount }: PriceValues) => parseMoney(amount) === null

/** `0 a 18` as `0-18`. */
const bandOf = (text: string) =>
  text
    .split(/a|–|-/)
    .map((age) => age.trim())
    .join('-')

/** What the service takes; null: a price is wrong. */
export function pricesOf(values: readonly PriceValues[]): Prices | null {
  if (values.some((one) => bandIsWrong(one) || amountIsWrong(one))) return null
  return values.map(({ band, amount }) => ({
    'age-band': bandOf(band),
    amount: ((parseMoney(amount) ?? 0) / 100).toFixed(2),
  }))
}
