/*
 * What a plan costs for a person in a month: a table of the contract, by age bands or not. The carrier owns its prices: what the norm says of
 * them is a warning.
 */
import type { BeneficiaryType } from '#kernel/enums.ts'
import type { FieldError } from '#kernel/fields.ts'
import { portion, WHOLE } from '#kernel/money.ts'

export const PRICE_TABLE_KINDS = ['age-band-10', 'age-band-7', 'per-person', 'per-role'] as const
export type PriceTableKind = (typeof PRICE_TABLE_KINDS)[number]

/** The categories of each kind that have a price, the youngest first. Ten bands: RN 563/2022 art. 2; seven: contracts of 1999 to 2003. */
export const PRICE_CATEGORIES = {
  'age-band-10': ['0-18', '19-23', '24-28', '29-33', '34-38', '39-43', '44-48', '49-53', '54-58', '59+'],
  'age-band-7': ['0-17', '18-29', '30-39', '40-49', '50-59', '60-69', '70+'],
  'per-person': ['person'],
  'per-role': ['primary', 'dependent'],
} as const satisfies Record<PriceTableKind, readonly string[]>

export type PriceCategory = (typeof PRICE_CATEGORIES)[PriceTableKind][number]

/** Each category once. */
export const ALL_PRICE_CATEGORIES: readonly PriceCategory[] = [...new Set(Object.values(PRICE_CATEGORIES).flat())]

export interface Price {
  readonly category: PriceCategory
  /** In cents. */
  readonly amount: number
}

export interface PriceTable {
  readonly id: string
  readonly kind: PriceTableKind
  readonly prices: readonly Price[]
}

/** Whether a price depends on the age. */
export function isByAge(kind: PriceTableKind): boolean {
  return kind === 'age-band-10' || kind === 'age-band-7'
}

/** The category of a person. @param age in whole years; read only where the price depends on it. */
export function priceCategory(kind: PriceTableKind, age: number, type: BeneficiaryType): PriceCategory {
  switch (kind) {
    case 'per-person':
      return 'person'
    case 'per-role':
      return type
    case 'age-band-10':
    case 'age-band-7': {
      const bands = PRICE_CATEGORIES[kind]
      return bands.findLast((band) => Number.parseInt(band, 10) <= age) ?? bands[0]
    }
    default:
      return kind satisfies never
  }
}

/** The price of a category. */
export function priceOf({ prices }: PriceTable, category: PriceCategory): number | null {
  return prices.find((price) => price.category === category)?.amount ?? null
}

/** What is wrong with the prices of a kind: each category has one. */
export function priceErrors(kind: PriceTableKind, prices: readonly Price[]): FieldError[] {
  const categories: readonly PriceCategory[] = PRICE_CATEGORIES[kind]
  const sent = prices.map((price) => price.category)
  const missing = categories.filter((category) => !sent.includes(category))
  return [
    ...sent.flatMap((category, index): FieldError[] => {
      const field = `prices[${index}].category`
      if (!categories.includes(category)) return [{ field, code: 'not-applicable', allowed: categories }]
      return sent.indexOf(category) < index ? [{ field, code: 'repeated' }] : []
    }),
    ...(missing.length > 0 ? [{ field: 'prices', code: 'missing', allowed: missing } as const] : []),
  ]
}

export const PRICE_WARNINGS = ['band-above-six-times', 'band-variation', 'plan-code-unknown'] as const
export type PriceWarning = (typeof PRICE_WARNINGS)[number]

/** How the ten bands depart from RN 563 art. 3: the last is at most six times the first, and 7 to 10 vary at most as 1 to 7 do, multiplied. */
export function priceWarnings({ kind, prices }: Pick<PriceTable, 'kind' | 'prices'>): PriceWarning[] {
  if (kind !== 'age-band-10') return []
  const amounts = PRICE_CATEGORIES[kind].map((band) => prices.find((price) => price.category === band)?.amount ?? 0)
  const [first = 0, seventh = 0, last = 0] = [amounts[0], amounts[6], amounts[9]]
  return [
    ...(last > 6 * first ? (['band-above-six-times'] as const) : []),
    // last / seventh > seventh / first
    ...(last * first > seventh * seventh ? (['band-variation'] as const) : []),
  ]
}

/** The prices after the yearly adjustment. @param basisPoints 1523 for 15.23 %; negative for a reduction. */
export function adjustPrices(prices: readonly Price[], basisPoints: number): Price[] {
  return prices.map(({ category, amount }) => ({ category, amount: portion(amount, WHOLE + basisPoints, WHOLE) }))
}
