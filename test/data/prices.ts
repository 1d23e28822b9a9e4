import { PRICE_CATEGORIES, type Price, type PriceTableKind } from '#money/rules/price-table.ts'

/** The prices of a kind, the youngest first. */
export function pricesOf(kind: PriceTableKind, amounts: readonly number[]): Price[] {
  return PRICE_CATEGORIES[kind].map((category, index) => ({ category, amount: amounts[index] ?? 0 }))
}

/** Ten bands as a carrier publishes them: 412.35 to 2,453.75. */
export const bands = pricesOf(
  'age-band-10',
  [41_235, 48_245, 58_859, 70_631, 74_163, 81_579, 101_974, 112_171, 140_214, 245_375],
)
