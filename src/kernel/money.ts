/* Money is integer cents. */

/** The largest amount of a price, in cents: products of two of them are exact. */
export const MAX_PRICE_CENTS = 9_999_999

/** The largest amount of a line of a file, in cents, to either side: the sum of 100,000 of them is exact. */
export const MAX_LINE_CENTS = 90_000_000_000

/** A hundred percent, in basis points (hundredths of a percent). */
export const WHOLE = 10_000

/** A fraction of an amount, rounded half up to cents. A credit is the charge with the other sign. */
export function portion(cents: number, numerator: number, denominator: number): number {
  const rounded = Math.floor((2 * Math.abs(cents) * numerator + denominator) / (2 * denominator))
  return cents < 0 ? -rounded : rounded
}

/** Cents as Brazil writes an amount, without thousands. */
export const withComma = (cents: number): string => (cents / 100).toFixed(2).replace('.', ',')
