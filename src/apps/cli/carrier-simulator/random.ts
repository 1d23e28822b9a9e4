/** Random choices that a seed repeats (mulberry32). */
export interface Random {
  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** `count` of the items, or all where there are fewer, in their order. */
  some<T>(items: readonly T[], count: number): T[]
  /** One of the items, which are not empty. */
  pick<T>(items: readonly T[]): T
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between,
    some(items, count) {
      const drawn = items.map((item, index) => ({ item, index, order: next() }))
      const first = drawn.toSorted((a, b) => a.order - b.order).slice(0, count)
      return first.toSorted((a, b) => a.index - b.index).map(({ item }) => item)
    },
    pick: <T>(items: readonly T[]) => items[between(0, items.length - 1)] as T,
  }
}
