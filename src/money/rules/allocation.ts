/*
 * The split of an amount over groups, to the cent. What an invoice charges without a person (fees, discounts) is split by what it charges for
 * the people of each group.
 */

/** What the cost of a month is grouped by. */
export const ALLOCATION_GROUPS = ['cost-center', 'employee', 'person', 'product'] as const
export type AllocationGroup = (typeof ALLOCATION_GROUPS)[number]

/**
 * Splits an amount by weights with the largest remainder method: the parts are whole cents, their sum is the amount, and no part is a cent or
 * more away from its exact share. Equal remainders: the first gets the cent. Weights below zero count as zero; without any weight the parts
 * are equal.
 * @param amount in cents, also negative. @param weights in cents, of each group. @returns cents, in the order of the weights.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  const positive = weights.map((weight) => BigInt(Math.max(weight, 0)))
  const total = positive.reduce((sum, weight) => sum + weight, 0n)
  const shares = total === 0n ? positive.map(() => 1n) : positive
  const divisor = total === 0n ? BigInt(shares.length) : total
  const absolute = BigInt(Math.abs(amount))
  const parts = shares.map((share, index) => {
    const product = absolute * share
    return { index, cents: product / divisor, remainder: product % divisor }
  })
  let rest = parts.reduce((left, { cents }) => left - cents, shares.length === 0 ? 0n : absolute)
  for (const part of parts.toSorted((a, b) => compare(b.remainder, a.remainder) || a.index - b.index)) {
    if (rest === 0n) break
    part.cents += 1n
    rest -= 1n
  }
  const sign = Math.sign(amount) || 1
  return parts.map(({ cents }) => (cents === 0n ? 0 : sign * Number(cents)))
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
